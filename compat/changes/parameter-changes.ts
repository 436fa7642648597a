import {
  encodeParameter,
  essenceOf,
  formsOf,
  isEqual,
  type ListMeaning,
  type Operation,
  type Parameter,
  pathParameters,
  queryPairs,
  rawChild,
  type Spot,
} from '#spec';
import { lifecycleChanges } from './lifecycle.ts';
import { type Found, ofSchemas, plain, type SchemaComparisons, wireOf } from './occurrences.ts';
import type { Direction, RuleName } from './rules.ts';
import { brief } from './schema-change.ts';

/** The corresponding parameter: path parameters by position, others by name. */
export function twinOf(parameter: Parameter, old: Operation, next: Operation): Parameter | undefined {
  const position = pathParameters(old.path).indexOf(parameter.name);
  const name = parameter.in === 'path' ? pathParameters(next.path)[position] : parameter.name;
  return next.parameters.find((one) => one.in === parameter.in && one.name === name);
}

/** @param meanings what parameters of OLD do to a list, by name */
export function parameterChanges(
  old: Operation,
  next: Operation,
  comparisons: SchemaComparisons,
  direction: Direction,
  meanings: ReadonlyMap<string, ListMeaning>,
): Found[] {
  const twins = new Map(old.parameters.map((parameter) => [parameter, twinOf(parameter, old, next)]));
  const partners = new Set(twins.values());
  const added = next.parameters.filter(
    (parameter) => !partners.has(parameter) && parameter.in !== 'path' && !isCredential(parameter, old),
  );
  const removed = old.parameters.filter((parameter) => !twins.get(parameter) && parameter.in !== 'path');
  // Objects that are sent as separate parameters in one document only.
  const restyled = new Map(
    removed.flatMap((parameter) => {
      const twin = added.find((other) => isOfOne(parameter, other));
      return twin ? [[parameter.spot.value, { one: parameter, twin }] as const] : [];
    }),
  );
  const isRestyled = (parameter: Parameter) =>
    [...restyled.values()].some((pair) => isOfOne(pair.one, parameter));
  return [
    ...[...twins].flatMap(([parameter, twin]) =>
      twin ? changedParameter(parameter, twin, comparisons, direction) : [],
    ),
    ...[...restyled.values()].flatMap(({ one: parameter, twin }) =>
      changedWhole(parameter, twin, comparisons, direction),
    ),
    ...removed
      .filter((parameter) => !isRestyled(parameter))
      .map((parameter) => {
        const meaning = parameter.in === 'query' ? meanings.get(parameter.name) : undefined;
        const isRelied = direction === 'response' && parameter.required;
        const plainly = isRelied ? 'required-parameter-removed' : 'parameter-removed';
        return plain(meaning ? 'meaningful-parameter-removed' : plainly, parameter.spot, next.spot, {
          within: nameOf(parameter),
          direction,
          from: MEANINGS[meaning ?? ''] ?? '',
        });
      }),
    ...added
      .filter((parameter) => !isRestyled(parameter))
      .map((parameter) =>
        plain(parameter.required ? 'required-parameter-added' : 'parameter-added', old.spot, parameter.spot, {
          within: nameOf(parameter),
          direction,
        }),
      ),
  ];
}

const MEANINGS: Readonly<Record<string, string>> = {
  filter: 'a filter',
  bound: 'a limit of values',
  search: 'a search',
  order: 'an order',
  page: 'a page',
} satisfies Record<ListMeaning, string>;

/** Whether the parameter is a credential that OLD requires: then it is sent. */
function isCredential(parameter: Parameter, { security }: Operation): boolean {
  return security
    .flat()
    .some((credential) => credential.in === parameter.in && credential.name === parameter.name);
}

/** The name in the document: that of the whole object, if its members are sent separately. */
function writtenName({ spot, name }: Parameter): string {
  return String(rawChild(spot, 'name')?.value ?? name);
}

function isOfOne(one: Parameter, other: Parameter): boolean {
  return one.in === 'query' && other.in === 'query' && writtenName(one) === writtenName(other);
}

/** Changes of an object whose members are separate parameters in one of the documents. */
function changedWhole(
  parameter: Parameter,
  twin: Parameter,
  comparisons: SchemaComparisons,
  direction: Direction,
): Found[] {
  const within = nameOf({ ...parameter, name: writtenName(parameter) });
  const [from, to] = [formOf(parameter), formOf(twin)];
  if (from !== to)
    return [plain('parameter-style-changed', parameter.spot, twin.spot, { within, direction, from, to })];
  const [old, next] = [parameter, twin].map(({ spot }) => ({ spot, schema: rawChild(spot, 'schema') }));
  if (!old || !next) return [];
  return ofSchemas(old, next, { within, wire: 'text', direction }, comparisons);
}

/** The serialisation of a value, in words. */
export function formOf({ style, explode, content }: Parameter): string {
  return content ? essenceOf(content.type) : `${style}${explode ? ', exploded' : ''}`;
}

/** Whether a value of a parameter or header is serialised differently. */
export function isWrittenOtherwise(one: Parameter, twin: Parameter): boolean {
  if (one.content && twin.content) return essenceOf(one.content.type) !== essenceOf(twin.content.type);
  if (one.style === twin.style && one.explode === twin.explode) return false;
  const { mainType = '' } = one.shape;
  const value = Object.hasOwn(VALUES, mainType) ? VALUES[mainType] : 'a';
  const [before, after] = [one, { ...twin, name: one.name }].map((parameter) =>
    parameter.in === 'query' ? queryPairs(parameter, value) : encodeParameter(parameter, value),
  );
  return !isEqual(before, after);
}

const VALUES: Readonly<Record<string, unknown>> = {
  array: ['a', 'b'],
  object: { a: 'b', c: 'd' },
  integer: 1,
  number: 1,
  boolean: true,
};

/** Changes of `allowReserved` for a parameter or a form field. */
export function reservedChanges(
  old: Spot,
  next: Spot,
  context: Partial<Found> & { direction: Direction },
): Found[] {
  const [mine, theirs] = [old, next].map((spot) => rawChild(spot, 'allowReserved'));
  if ((mine?.value === true) === (theirs?.value === true)) return [];
  const rule = theirs?.value === true ? 'reserved-characters-allowed' : 'reserved-characters-refused';
  return [plain(rule, mine ?? old, theirs ?? next, context)];
}

const nameOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>) => `the ${place} parameter \`${name}\``;

function changedParameter(
  parameter: Parameter,
  twin: Parameter,
  comparisons: SchemaComparisons,
  direction: Direction,
): Found[] {
  const within = nameOf(parameter);
  const say = (rule: RuleName, key: string, from = '', to = '') =>
    plain(rule, rawChild(parameter.spot, key) ?? parameter.spot, rawChild(twin.spot, key) ?? twin.spot, {
      within,
      direction,
      from,
      to,
    });
  const changes: Found[] = [];
  if (parameter.name !== twin.name) changes.push(say('parameter-renamed', 'name', parameter.name, twin.name));
  if (!parameter.required && twin.required)
    changes.push(say('parameter-became-required', 'required', 'optional', 'required'));
  if (parameter.required && !twin.required)
    changes.push(say('parameter-became-optional', 'required', 'required', 'optional'));
  if (parameter.spot.value === twin.spot.value && parameter.spot.document === twin.spot.document)
    return changes;
  if (isWrittenOtherwise(parameter, twin))
    changes.push(say('parameter-style-changed', 'style', formOf(parameter), formOf(twin)));
  const [mayBeEmpty, mayStay] = [parameter, twin].map(({ allowsEmpty = false }) => allowsEmpty);
  if (mayBeEmpty !== mayStay && !takesEmptyText(mayStay ? parameter : twin))
    changes.push(say(mayStay ? 'empty-value-allowed' : 'empty-value-refused', 'allowEmptyValue'));
  changes.push(...reservedChanges(parameter.spot, twin.spot, { within, direction }));
  const life = ({ spot }: Parameter) => ({
    deprecated: rawChild(spot, 'deprecated')?.value === true,
    sunset: rawChild(spot, 'x-sunset')?.value as string | undefined,
  });
  for (const { rule, keyword, from, to } of lifecycleChanges(
    'parameter',
    life(parameter),
    life(twin),
    comparisons.deprecationDays,
  ))
    changes.push(say(rule, keyword, from, to));
  const [mine, theirs] = [parameter, twin].map(({ shape }) => shape.find('default'));
  const [before, after] = [mine, theirs].map((entry) => (entry ? brief(entry.value) : ''));
  if (!parameter.required && before !== after)
    changes.push({
      ...say('parameter-default-changed', 'default', before, after),
      old: mine?.spot ?? parameter.spot,
      new: theirs?.spot ?? twin.spot,
    });
  const wire = parameter.content ? wireOf(parameter.content) : 'text';
  return [...changes, ...ofSchemas(parameter, twin, { within, wire, direction }, comparisons)];
}

/** Whether the schema itself allows the empty text. */
function takesEmptyText({ shape }: Parameter): boolean {
  return formsOf(shape).some(
    (form) =>
      form.allows('') &&
      (form.highest('minLength') ?? 0) === 0 &&
      !form.find('pattern') &&
      !form.find('format'),
  );
}
