import { encodeParameter, isEqual, type Operation, type Parameter, queryPairs, rawChild } from '#spec';
import { namesInPath } from '../draft.ts';
import { extensionsOf } from './extensions.ts';
import { lifecycleChanges } from './lifecycle.ts';
import { type Found, ofSchemas, plain, type SchemaComparisons } from './occurrences.ts';
import type { RuleName } from './rules.ts';
import { brief } from './schema-change.ts';

/** The parameters of a path are the same by their order, others by their name. */
export function twinOf(parameter: Parameter, old: Operation, next: Operation): Parameter | undefined {
  const position = namesInPath(old).indexOf(parameter.name);
  const name = parameter.in === 'path' ? namesInPath(next)[position] : parameter.name;
  return next.parameters.find((one) => one.in === parameter.in && one.name === name);
}

export function parameterChanges(old: Operation, next: Operation, comparisons: SchemaComparisons): Found[] {
  const twins = new Map(old.parameters.map((one) => [one, twinOf(one, old, next)]));
  const known = new Set(twins.values());
  const added = next.parameters.filter(
    (one) => !known.has(one) && one.in !== 'path' && !isCredential(one, old),
  );
  const removed = old.parameters.filter((one) => !twins.get(one) && one.in !== 'path');
  // An object whose members are parameters of their own, and no longer, or only now.
  const restyled = new Map(
    removed.flatMap((one) => {
      const twin = added.find((other) => isOfOne(one, other));
      return twin ? [[one.spot.value, { one, twin }] as const] : [];
    }),
  );
  const isRestyled = (one: Parameter) => [...restyled.values()].some((pair) => isOfOne(pair.one, one));
  return [
    ...[...twins].flatMap(([one, twin]) => (twin ? changedParameter(one, twin, comparisons) : [])),
    ...[...restyled.values()].flatMap(({ one, twin }) => changedWhole(one, twin, comparisons)),
    ...removed
      .filter((one) => !isRestyled(one))
      .map((one) => plain('parameter-removed', one.spot, next.spot, { within: nameOf(one) })),
    ...added
      .filter((one) => !isRestyled(one))
      .map((one) =>
        plain(one.required ? 'required-parameter-added' : 'parameter-added', old.spot, one.spot, {
          within: nameOf(one),
        }),
      ),
  ];
}

/** What OLD asks for as a credential is sent. */
function isCredential(parameter: Parameter, { security }: Operation): boolean {
  return security.flat().some((one) => one.in === parameter.in && one.name === parameter.name);
}

/** As the document has it: that of a whole object, where its members are sent one by one. */
function writtenName({ spot, name }: Parameter): string {
  return String(rawChild(spot, 'name')?.value ?? name);
}

function isOfOne(one: Parameter, other: Parameter): boolean {
  return one.in === 'query' && other.in === 'query' && writtenName(one) === writtenName(other);
}

/** What is said of an object, whose members are parameters of their own in one of the documents. */
function changedWhole(one: Parameter, twin: Parameter, comparisons: SchemaComparisons): Found[] {
  const within = nameOf({ ...one, name: writtenName(one) });
  const [from, to] = [styleOf(one), styleOf(twin)];
  if (from !== to) return [plain('parameter-style-changed', one.spot, twin.spot, { within, from, to })];
  const [old, next] = [one, twin].map(({ spot }) => ({ spot, schema: rawChild(spot, 'schema') }));
  if (!old || !next) return [];
  return ofSchemas(old, next, { within, isText: true, direction: 'request' }, comparisons);
}

function styleOf({ style, explode }: Parameter): string {
  return `${style}${explode ? ', exploded' : ''}`;
}

/** Whether a value of such a parameter is sent as another text. */
function isWrittenOtherwise(one: Parameter, twin: Parameter): boolean {
  if (one.style === twin.style && one.explode === twin.explode) return false;
  const value = VALUES[one.shape.mainType ?? ''] ?? 'a';
  const [before, after] = [one, { ...twin, name: one.name }].map((parameter) =>
    parameter.in === 'query' ? queryPairs(parameter, value) : encodeParameter(parameter, value),
  );
  return !isEqual(before, after);
}

const VALUES: Readonly<Record<string, unknown>> = { array: ['a', 'b'], object: { a: 'b', c: 'd' } };

const nameOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>) => `the ${place} parameter \`${name}\``;

function changedParameter(one: Parameter, twin: Parameter, comparisons: SchemaComparisons): Found[] {
  const within = nameOf(one);
  const say = (rule: RuleName, key: string, from = '', to = '') =>
    plain(rule, rawChild(one.spot, key) ?? one.spot, rawChild(twin.spot, key) ?? twin.spot, {
      within,
      from,
      to,
    });
  const found: Found[] = [];
  if (one.name !== twin.name) found.push(say('parameter-renamed', 'name', one.name, twin.name));
  if (!one.required && twin.required)
    found.push(say('parameter-became-required', 'required', 'optional', 'required'));
  if (one.required && !twin.required)
    found.push(say('parameter-became-optional', 'required', 'required', 'optional'));
  if (one.spot.value === twin.spot.value && one.spot.document === twin.spot.document) return found;
  if (isWrittenOtherwise(one, twin))
    found.push(say('parameter-style-changed', 'style', styleOf(one), styleOf(twin)));
  const life = ({ spot }: Parameter) => ({
    deprecated: rawChild(spot, 'deprecated')?.value === true,
    sunset: rawChild(spot, 'x-sunset')?.value as string | undefined,
  });
  for (const { rule, keyword, from, to } of lifecycleChanges(
    'parameter',
    life(one),
    life(twin),
    comparisons.deprecationDays,
  ))
    found.push(say(rule, keyword, from, to));
  const [mine, theirs] = [one, twin].map(({ shape }) => shape.find('default'));
  const [before, after] = [mine, theirs].map((found) => (found ? brief(found.value) : ''));
  if (!one.required && before !== after)
    found.push({
      ...say('parameter-default-changed', 'default', before, after),
      old: mine?.spot ?? one.spot,
      new: theirs?.spot ?? twin.spot,
    });
  for (const keyword of extensionsOf([one.spot], [twin.spot]))
    found.push(say('extension-changed', keyword, keyword, keyword));
  const isText = one.style !== 'json';
  return [...found, ...ofSchemas(one, twin, { within, isText, direction: 'request' }, comparisons)];
}
