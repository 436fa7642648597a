import type { ErrorObject } from 'ajv/dist/core.js';
import { ajvLibrary, ajvVocabularies } from '#libraries';
import { isHttp } from '../document/source-file.ts';
import { addProblem, describeValue, placeOf, rawChild, rawChildren, type Spot } from '../document/spot.ts';
import { isRecord, pointerTokens } from '../json/json-value.ts';
import { nearest } from '../nearest.ts';
import type { Shape } from '../schema/shape.ts';
import { type CollectionMeaning, DOES, type OperationMeaning, type UniqueMeaning } from './meaning.ts';
import { X_PADDOCK_SCHEMA } from './x-paddock-schema.ts';

/** The key of what is said, in the document or an overlay. */
export const SAID = 'x-paddock';
/** The key of what is guessed, which is written for people and never read. */
export const GUESSED = 'x-paddock-guess';

/** What a document or an overlay says in so many words, and where. */
export interface Said<Facts> {
  readonly facts: Facts;
  /** Undefined: it says nothing. */
  readonly spot: Spot | undefined;
  /** Where a fact stands. */
  readonly at: (...path: readonly string[]) => Spot | undefined;
}

export type SaidOfOperation = Said<Partial<OperationMeaning>>;
export type SaidOfRecord = Said<Partial<CollectionMeaning>>;

export const NOTHING_SAID: Said<Record<string, never>> = { facts: {}, spot: undefined, at: () => undefined };

/** What is said of an operation; what its Path Item Object says counts for all of its operations. */
export function saidOfOperation(item: Spot, operation: Spot): SaidOfOperation {
  for (const spot of [item, operation]) refuseOldKeys(spot);
  const found = [item, operation].flatMap((spot) => read(spot, 'operation') ?? []);
  if (found.length === 0) return NOTHING_SAID;
  const facts = Object.assign({}, ...found.map(({ value }) => operationFacts(value as RawFacts)));
  const last = found.at(-1) as Spot;
  const at = (...path: readonly string[]) =>
    found.toReversed().flatMap((one) => spotAt(one, path) ?? [])[0] ?? last;
  return { facts: withoutForeignSafe(facts, at('safe')), spot: last, at };
}

/** What is said of a record, where its schema is described. */
export function saidOfRecord(shape: Shape): SaidOfRecord {
  const key = shape.spot.value as object;
  const known = RECORDS.get(key) ?? readRecord(shape);
  RECORDS.set(key, known);
  return known;
}

const RECORDS = new WeakMap<object, SaidOfRecord>();

function readRecord(shape: Shape): SaidOfRecord {
  refuseOldMarks(shape);
  const { parts } = shape;
  const found = parts.flatMap((part) => read(part, 'record') ?? []).toReversed();
  const last = found.at(-1);
  if (!last) return NOTHING_SAID;
  const facts = Object.assign({}, ...found.map(({ value }) => recordFacts(value as RawFacts)));
  const at = (...path: readonly string[]) =>
    found.toReversed().flatMap((one) => spotAt(one, path) ?? [])[0] ?? last;
  return { facts, spot: last, at };
}

type RawFacts = Readonly<Record<string, unknown>>;

/** `{ list: /pets }` is short for `{ does: list, of: /pets }`. */
function operationFacts(raw: RawFacts): Partial<OperationMeaning> {
  const does = DOES.find((role) => role in raw);
  if (does === undefined) return raw as Partial<OperationMeaning>;
  const { [does]: of, ...others } = raw;
  return { ...others, does, ...(typeof of === 'string' && { of: asPath(of) }) } as Partial<OperationMeaning>;
}

const asPath = (name: string) => (name.startsWith('/') ? name : `/${name}`);

function recordFacts(raw: RawFacts): Partial<CollectionMeaning> {
  const { unique, ...others } = raw;
  if (!Array.isArray(unique)) return others;
  const keys = unique.map(
    (one): UniqueMeaning => (isRecord(one) ? (one as never) : { members: [one].flat() }),
  );
  return { ...others, unique: keys };
}

/** Whether somebody else's document says what an operation works on: no request may be sent on that word. */
export function isSaidElsewhere({ facts, at }: SaidOfOperation): boolean {
  return (['does', 'of', 'path'] as const).some((key) => {
    const spot = facts[key] === undefined ? undefined : at(key === 'does' ? (facts.does ?? key) : key);
    return spot !== undefined && isElsewhere(spot);
  });
}

const isElsewhere = (spot: Spot) => isHttp(placeOf(spot).uri);

/** A document that is read from a URL is somebody else's word: it widens nothing of what is sent. */
function withoutForeignSafe(facts: Partial<OperationMeaning>, spot: Spot | undefined) {
  if (facts.safe !== true || !spot || !isElsewhere(spot)) return facts;
  const { safe: _, ...others } = facts;
  return others;
}

/** What has been read. */
const READ = new WeakSet<object>();

export const isReadFact = (value: object): boolean => READ.has(value);

/** What stands under the key, if it has the form that it must have; else that is a problem. */
function read(spot: Spot, kind: 'operation' | 'record'): Spot | undefined {
  const said = rawChild(spot, SAID);
  if (!said) return undefined;
  if (isRecord(said.value)) READ.add(said.value);
  const problems = problemsIn(said, kind);
  for (const [at, message] of problems) addProblem(at, message);
  return problems.length > 0 ? undefined : said;
}

function problemsIn(said: Spot, kind: 'operation' | 'record'): [Spot, string][] {
  if (!isRecord(said.value)) return [[said, `"${SAID}" must be an object, not ${describeValue(said.value)}`]];
  const roles = DOES.filter((role) => Object.hasOwn(said.value as object, role));
  if (kind === 'operation' && roles.length > 1)
    return [[said, `"${SAID}" says two things at once: ${roles.join(' and ')}; leave one`]];
  const check = checkOf(kind);
  if (check(said.value)) return [];
  const found = new Map<string, [Spot, string]>();
  for (const error of check.errors ?? []) {
    const at = placeIn(said, error);
    const key = at.path.join('/');
    // Of several forms that do not fit the last one sums up.
    if (!found.has(key) || error.keyword === 'anyOf') found.set(key, [at, messageOf(error, at, kind)]);
  }
  // What is wrong within a part is not said of the whole again.
  return [...found].flatMap(([key, one]) =>
    [...found.keys()].some((other) => other.startsWith(`${key}/`)) ? [] : [one],
  );
}

function placeIn(said: Spot, { instancePath, keyword, params }: ErrorObject): Spot {
  const path = pointerTokens(instancePath);
  const more = keyword === 'additionalProperties' ? [String(params.additionalProperty)] : [];
  return spotAt(said, [...path, ...more]) ?? said;
}

function spotAt(spot: Spot, path: readonly string[]): Spot | undefined {
  return path.reduce<Spot | undefined>((here, key) => here && rawChild(here, key), spot);
}

function messageOf({ keyword, params, parentSchema }: ErrorObject, at: Spot, kind: string): string {
  const name = at.path.slice(at.path.lastIndexOf(SAID)).join('.');
  const { properties = {}, description = '' } = (parentSchema ?? {}) as {
    properties?: object;
    description?: string;
  };
  if (keyword === 'additionalProperties') {
    const known = Object.keys(properties);
    const meant = nearest(at.path.at(-1) ?? '', known);
    const where = kind === 'operation' ? 'an operation' : 'the schema of a record';
    return `"${name}" is no key of ${SAID} at ${where}; ${meant ? `did you mean "${meant}"?` : `it has ${known.join(', ')}`}`;
  }
  const choices = keyword === 'enum' ? (params.allowedValues as unknown[]) : undefined;
  const wanted = choices
    ? `one of ${choices.join(', ')}`
    : ((params.type as string | undefined) ?? 'something else');
  const help = description === '' ? '' : `: ${description}`;
  if (keyword === 'anyOf') return `"${name}" cannot be ${describeValue(at.value)}${help}`;
  return `"${name}" must be ${wanted}, not ${describeValue(at.value)}${help}`;
}

type Check = ReturnType<InstanceType<ReturnType<typeof ajvLibrary>['default']>['compile']>;

const checks = new Map<string, Check>();

function checkOf(kind: 'operation' | 'record'): Check {
  const known = checks.get(kind);
  if (known) return known;
  const { default: Ajv } = ajvLibrary();
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    verbose: true,
    messages: false,
    validateSchema: false,
  });
  for (const vocabulary of ajvVocabularies()) ajv.addVocabulary(vocabulary);
  const made = ajv.compile(X_PADDOCK_SCHEMA.$defs[kind]);
  checks.set(kind, made);
  return made;
}

/** What earlier versions were told, and the key that says it now. */
const OLD_KEYS: Readonly<Record<string, string>> = {
  'x-paddock-resource': '{ of: /pets }, or { none: true } in place of false',
  'x-paddock-action': 'the role as a key, such as { view: /pets }',
  'x-paddock-sets': '{ sets: { status: sold } }',
  'x-paddock-safe': '{ safe: true }',
};

function refuseOldKeys(spot: Spot): void {
  for (const [key, member] of rawChildren(spot)) {
    const now = key.startsWith('x-paddock-') ? OLD_KEYS[key] : undefined;
    if (now !== undefined) addProblem(member, `"${key}" is no longer read; write "${SAID}": ${now}`);
  }
}

/** @param shape of a record */
function refuseOldMarks(shape: Shape): void {
  for (const [name, member] of shape.properties) {
    const mark = member.find('x-unique');
    if (mark)
      addProblem(
        mark.spot,
        `"x-unique" is no longer read; write "${SAID}": { unique: [${name}] } at the schema of the record`,
      );
  }
}
