import {
  encodeParameter,
  essenceOf,
  type Header,
  isEqual,
  type MediaType,
  mediaTypeFor,
  type Operation,
  type Parameter,
  queryPairs,
  rawChild,
  responseFor,
  type Spot,
} from '#spec';
import { namesInPath } from '../draft.ts';
import { pairResponses } from '../pair-responses.ts';
import { isSame } from '../same-schema.ts';
import type { Occurrence } from './change.ts';
import { extensionsOf } from './extensions.ts';
import { lifecycleChanges } from './lifecycle.ts';
import { STABILITIES } from './remark-changes.ts';
import type { Direction, RuleName } from './rules.ts';
import { brief } from './schema-change.ts';
import type { CompareSchemas, Level } from './schema-changes.ts';
import { securityChanges } from './security-changes.ts';

/** Compares schemas of values of each kind. */
export interface SchemaComparisons {
  readonly of: (direction: Direction, isText: boolean) => CompareSchemas;
  readonly deprecationDays: number;
}

type Found = Omit<Occurrence, 'operation'>;

/** What two versions of one operation say otherwise. */
export function operationChanges(
  old: Operation,
  next: Operation,
  comparisons: SchemaComparisons,
): Occurrence[] {
  return [
    ...lifecycle(old, next, comparisons),
    ...securityChanges(old, next),
    ...parameterChanges(old, next, comparisons),
    ...bodyChanges(old, next, comparisons),
    ...responseChanges(old, next, comparisons),
  ].map((found) => ({ ...found, operation: old }));
}

const plain = (rule: RuleName, old: Spot, next: Spot, more: Partial<Found> = {}): Found => ({
  rule,
  direction: 'request',
  within: '',
  steps: [],
  from: '',
  to: '',
  old,
  new: next,
  ...more,
});

function lifecycle(old: Operation, next: Operation, { deprecationDays }: SchemaComparisons): Found[] {
  const at = (operation: Operation, key: string) => rawChild(operation.spot, key) ?? operation.spot;
  const found = lifecycleChanges('operation', old, next, deprecationDays).map(({ rule, keyword, from, to }) =>
    plain(rule, at(old, keyword), at(next, keyword), { from, to }),
  );
  const say = (rule: RuleName, key: string, from = '', to = '') =>
    void found.push(plain(rule, at(old, key), at(next, key), { from, to }));
  const [mine, theirs] = [old, next].map(({ spot }) => rawChild(spot, 'operationId')?.value);
  if (mine !== undefined && old.id !== next.id) say('operation-id-changed', 'operationId', old.id, next.id);
  if (mine === undefined && theirs !== undefined) say('operation-id-added', 'operationId', '', next.id);
  if ([...old.tags].sort().join() !== [...next.tags].sort().join())
    say('tags-changed', 'tags', old.tags.join(', '), next.tags.join(', '));
  for (const keyword of extensionsOf([old.spot], [next.spot]))
    say('extension-changed', keyword, keyword, keyword);
  const rank = ({ stability = 'stable' }: Operation) => STABILITIES.indexOf(stability);
  if (old.stability !== next.stability) {
    const [before, after] = [old.stability ?? 'stable', next.stability ?? 'stable'];
    if (rank(next) < 0) say('stability-unknown', 'x-stability', before, after);
    else if (rank(next) < rank(old)) say('stability-decreased', 'x-stability', before, after);
    else if (rank(next) > rank(old)) say('stability-increased', 'x-stability', before, after);
  }
  return found;
}

/** The parameters of a path are the same by their order, others by their name. */
export function twinOf(parameter: Parameter, old: Operation, next: Operation): Parameter | undefined {
  const position = namesInPath(old).indexOf(parameter.name);
  const name = parameter.in === 'path' ? namesInPath(next)[position] : parameter.name;
  return next.parameters.find((one) => one.in === parameter.in && one.name === name);
}

function parameterChanges(old: Operation, next: Operation, comparisons: SchemaComparisons): Found[] {
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

interface Owner {
  readonly schema: Spot | undefined;
  readonly spot: Spot;
}

/** What the schemas of two values say otherwise, each change at the shortest path to it. */
function ofSchemas(
  old: Owner,
  next: Owner,
  given: { within: string; isText: boolean; direction: Direction; status?: number },
  { of }: SchemaComparisons,
): Found[] {
  const [mine, theirs] = [old, next].map(({ schema, spot }) => schema ?? { ...spot, value: EMPTY });
  if (!mine || !theirs || isSame(mine, theirs)) return [];
  const root = of(given.direction, given.isText)(mine, theirs);
  const seen = new Set<Level>([root]);
  const waiting: [readonly string[], Level][] = [[[], root]];
  const found: Found[] = [];
  for (const [steps, level] of waiting) {
    for (const change of level.changes) {
      if (change.rule === 'default-changed' && steps.length === 0 && given.within.includes('parameter'))
        continue;
      const { member, ...others } = change;
      found.push({ ...given, ...others, steps: member === undefined ? steps : [...steps, member], level });
    }
    for (const { step, level: inner } of level.below) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      waiting.push([step === '' ? steps : [...steps, step], inner]);
    }
  }
  return found;
}

const EMPTY = Object.freeze({});

function bodyChanges(old: Operation, next: Operation, comparisons: SchemaComparisons): Found[] {
  const [mine, theirs] = [old.body, next.body];
  const within = 'the request';
  if (!mine)
    return theirs
      ? [
          plain(
            theirs.required ? 'required-request-body-added' : 'request-body-added',
            old.spot,
            theirs.spot,
            { within },
          ),
        ]
      : [];
  if (!theirs) return [plain('request-body-removed', mine.spot, next.spot, { within })];
  const at = ({ spot }: { spot: Spot }) => rawChild(spot, 'required') ?? spot;
  return [
    ...(mine.required === theirs.required
      ? []
      : [
          plain(`request-body-became-${theirs.required ? 'required' : 'optional'}`, at(mine), at(theirs), {
            within,
          }),
        ]),
    ...contentChanges(mine, theirs, { within, direction: 'request' }, comparisons),
  ];
}

interface Content {
  readonly content: readonly MediaType[];
  readonly spot: Spot;
}

function contentChanges(
  old: Content,
  next: Content,
  given: { within: string; direction: Direction; status?: number },
  comparisons: SchemaComparisons,
): Found[] {
  const isIncoming = given.direction === 'request';
  const say = (rule: RuleName, one: Spot, other: Spot, from: string, to: string) =>
    plain(rule, one, other, { ...given, from, to });
  const gone = old.content.filter(({ type }) =>
    isIncoming
      ? !mediaTypeFor(next.content, type)
      : !mediaTypeFor(next.content, type) && !next.content.some(isWithin(type)),
  );
  const come = next.content.filter(({ type }) => !mediaTypeFor(old.content, type));
  return [
    ...gone.map(({ type, spot }) => say('media-type-removed', spot, next.spot, type, '')),
    ...come.map(({ type, spot }) => say('media-type-added', old.spot, spot, '', type)),
    ...(isIncoming ? old : next).content.flatMap((media) => {
      const twin = mediaTypeFor((isIncoming ? next : old).content, media.type);
      if (!twin) return [];
      const [one, other] = isIncoming ? [media, twin] : [twin, media];
      // What OLD does not describe, nobody relies on.
      if (!isIncoming && !one.schema && !one.itemSchema) return [];
      const messages = [one, other].map(({ itemSchema, spot }) => ({ schema: itemSchema, spot }));
      const [before, after] = messages;
      const ofEach = { ...given, within: `each message of ${given.within}`, isText: false };
      return [
        ...ofSchemas(one, other, { ...given, isText: false }, comparisons),
        ...(before && after ? ofSchemas(before, after, ofEach, comparisons) : []),
      ];
    }),
  ];
}

/** Whether a media type is one of a range, such as `text/*`. */
export function isWithin(range: string): (media: MediaType) => boolean {
  const [whole = '', kind] = [essenceOf(range), essenceOf(range).split('/', 1)[0]];
  return ({ type }) => whole === '*/*' || (whole.endsWith('/*') && essenceOf(type).startsWith(`${kind}/`));
}

function responseChanges(old: Operation, next: Operation, comparisons: SchemaComparisons): Found[] {
  const lost = old.responses.filter(({ key }) => key !== 'default' && !isDescribed(next, key));
  const added = next.responses.filter(({ key }) => key !== 'default' && !isDescribed(old, key));
  const isSuccess = (key: string) => /^[23]/.test(key);
  const of = (key: string) => ({ within: `the ${key}`, direction: 'response' as const });
  return [
    ...lost.map(({ key, spot }) =>
      plain(isSuccess(key) ? 'success-status-removed' : 'status-removed', spot, next.spot, of(key)),
    ),
    ...added.map(({ key, spot }) =>
      plain(isSuccess(key) ? 'success-status-added' : 'status-added', old.spot, spot, of(key)),
    ),
    ...pairResponses(old, next).flatMap(({ key, status, old: before, new: after }) => {
      const given = { ...of(key), status };
      return [
        ...contentChanges(before, after, given, comparisons),
        ...headerChanges(before, after, given, comparisons),
      ];
    }),
  ];
}

function isDescribed({ responses }: Operation, key: string): boolean {
  if (responses.some((one) => one.key === key)) return true;
  const described = responseFor(responses, Number(key));
  return described !== undefined && (described.key !== 'default' || Number(key) >= 400);
}

interface Headed {
  readonly headers: readonly Header[];
  readonly spot: Spot;
}

function headerChanges(
  old: Headed,
  next: Headed,
  given: { within: string; direction: 'response'; status: number },
  comparisons: SchemaComparisons,
): Found[] {
  const found: Found[] = [];
  for (const header of old.headers) {
    const within = `the header \`${header.name}\` of ${given.within}`;
    const twin = next.headers.find(({ name }) => name === header.name);
    const say = (rule: RuleName, other: Spot) =>
      void found.push(plain(rule, header.spot, other, { ...given, within }));
    if (!twin) {
      say(header.required ? 'required-header-removed' : 'header-removed', next.spot);
      continue;
    }
    if (header.required !== twin.required)
      say(twin.required ? 'header-became-required' : 'header-became-optional', twin.spot);
    if (header.schema)
      found.push(...ofSchemas(header, twin, { ...given, within, isText: false }, comparisons));
  }
  for (const { name, spot } of next.headers)
    if (!old.headers.some((one) => one.name === name))
      found.push(
        plain('header-added', old.spot, spot, {
          ...given,
          within: `the header \`${name}\` of ${given.within}`,
        }),
      );
  return found;
}
