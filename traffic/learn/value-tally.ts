import { hash } from 'node:crypto';
import { isInteger, isNumber, isRecord, stringifyJson } from '#spec';
import {
  createTextTally,
  type IntegerRange,
  mergeTexts,
  noteText,
  type TextTally,
  widen,
} from './text-tally.ts';

/** The JSON values at one position, in bounded memory. */
export interface ValueTally extends IntegerRange {
  count: number;
  nulls: number;
  booleans: number;
  integers: number;
  fractions: number;
  texts: TextTally | undefined;
  arrays: number;
  items: ValueTally | undefined;
  object: ObjectTally | undefined;
  /** In a response: the request had another value for the member. */
  isSet: boolean;
  /** In a request: the response has another value for the member. */
  isIgnored: boolean;
  /** In a request: the response lacks the member. */
  isLost: boolean;
}

export interface ObjectTally {
  count: number;
  /** By name; empty if there are too many. */
  members: Map<string, ValueTally>;
  /** Values of all members, if there are too many to list: the object is a map. */
  rest: ValueTally | undefined;
  /** Digests of known records, as far as there is room: a repeated record is no new sample. */
  digests: Set<string>;
}

const MOST_MEMBERS = 300;
const MOST_KNOWN = 2000;
/** Deeper values are not analysed. */
const DEEPEST = 40;

export function createTally(): ValueTally {
  return {
    count: 0,
    nulls: 0,
    booleans: 0,
    integers: 0,
    fractions: 0,
    low: 0,
    high: 0,
    arrays: 0,
    texts: undefined,
    items: undefined,
    object: undefined,
    isSet: false,
    isIgnored: false,
    isLost: false,
  };
}

/** @param value as `parseJson` returns it */
export function noteValue(tally: ValueTally, value: unknown, isNew = true, depth = 0): void {
  tally.count += 1;
  if (value === null) tally.nulls += 1;
  else if (typeof value === 'boolean') tally.booleans += 1;
  else if (isNumber(value)) noteNumber(tally, value);
  else if (typeof value === 'string') {
    tally.texts ??= createTextTally();
    noteText(tally.texts, value, isNew);
  } else if (Array.isArray(value)) {
    tally.arrays += 1;
    if (depth > DEEPEST) return;
    tally.items ??= createTally();
    for (const item of value) noteValue(tally.items, item, isNew, depth + 1);
  } else if (isRecord(value)) {
    tally.object ??= { count: 0, members: new Map(), rest: undefined, digests: new Set() };
    if (depth <= DEEPEST) noteObject(tally.object, value, isNew, depth);
  }
}

function noteNumber(tally: ValueTally, value: number | bigint): void {
  if (!isInteger(value)) tally.fractions += 1;
  else {
    tally.integers += 1;
    widen(tally, { low: value, high: value });
  }
}

function noteObject(
  tally: ObjectTally,
  value: Readonly<Record<string, unknown>>,
  isNew: boolean,
  depth: number,
): void {
  tally.count += 1;
  const isFresh = isNew && isUnknown(tally, value);
  for (const [name, member] of Object.entries(value)) {
    noteValue(tally.rest ?? entryAt(tally.members, name, createTally), member, isFresh, depth + 1);
    if (tally.members.size > MOST_MEMBERS) collapse(tally);
  }
}

function isUnknown({ digests }: ObjectTally, value: object): boolean {
  if (digests.size >= MOST_KNOWN) return true;
  const digest = hash('sha1', stringifyJson(value), 'base64');
  if (digests.has(digest)) return false;
  digests.add(digest);
  return true;
}

function collapse(tally: ObjectTally): void {
  tally.rest ??= createTally();
  for (const member of tally.members.values()) mergeValues(tally.rest, member);
  tally.members = new Map();
}

/** Adds the content of another tally, which does not change. */
export function mergeValues(into: ValueTally, from: ValueTally): void {
  for (const key of ['count', 'nulls', 'booleans', 'integers', 'fractions', 'arrays'] as const)
    into[key] += from[key];
  widen(into, from);
  for (const key of ['isSet', 'isIgnored', 'isLost'] as const) into[key] ||= from[key];
  if (from.texts) {
    into.texts ??= createTextTally();
    mergeTexts(into.texts, from.texts);
  }
  if (from.items) {
    into.items ??= createTally();
    mergeValues(into.items, from.items);
  }
  if (!from.object) return;
  into.object ??= { count: 0, members: new Map(), rest: undefined, digests: new Set() };
  mergeObjects(into.object, from.object);
}

function mergeObjects(into: ObjectTally, from: ObjectTally): void {
  into.count += from.count;
  if (into.digests.size < MOST_KNOWN) into.digests = into.digests.union(from.digests);
  for (const [name, member] of from.members)
    mergeValues(into.rest ?? entryAt(into.members, name, createTally), member);
  if (from.rest) {
    collapse(into);
    mergeValues(into.rest as ValueTally, from.rest);
  } else if (into.members.size > MOST_MEMBERS) collapse(into);
}

/** The entry of a map for a key, created if it is missing. */
export function entryAt<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const entry = map.get(key) ?? make();
  map.set(key, entry);
  return entry;
}

/** A copy of a tally. */
export function copyOf(tally: ValueTally): ValueTally {
  const copy = createTally();
  mergeValues(copy, tally);
  return copy;
}

/** The values of a map: an object whose names are data. Undefined: its names are those of members. */
export function mapValues({ count, members, rest }: ObjectTally): ValueTally | undefined {
  if (rest) return rest;
  const names = [...members.keys()];
  const isKeyed = names.length > 0 && names.every((name) => isIdText(name));
  const present = [...members.values()].reduce((sum, member) => sum + member.count, 0);
  const isVaried =
    names.length >= 20 &&
    present / (names.length * count) < 0.5 &&
    count > 1 &&
    isUniform([...members.values()]);
  if (!isKeyed && !isVaried) return undefined;
  const values = createTally();
  for (const member of members.values()) mergeValues(values, member);
  return values;
}

function isUniform(tallies: readonly ValueTally[]): boolean {
  const kinds = tallies.map((tally) =>
    kindsOf(tally)
      .filter((kind) => kind !== 'null')
      .join(),
  );
  return new Set(kinds.filter(Boolean)).size <= 1;
}

/** The observed JSON Schema types. */
export function kindsOf({
  nulls,
  booleans,
  integers,
  fractions,
  texts,
  arrays,
  object,
}: ValueTally): string[] {
  return [
    ...(object ? ['object'] : []),
    ...(arrays > 0 ? ['array'] : []),
    ...(texts ? ['string'] : []),
    ...(fractions > 0 ? ['number'] : integers > 0 ? ['integer'] : []),
    ...(booleans > 0 ? ['boolean'] : []),
    ...(nulls > 0 ? ['null'] : []),
  ];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Crockford's base 32, with a first character of at most 7. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const INTEGER = /^-?\d{1,19}$/;
const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/;
/** The id of a document database or a commit: with a digit, unlike words. */
const HEX = /^(?=.*\d)[0-9a-f]{12,64}$/i;
/** `cus_NffrFeUfNV2Hib`: an id with the prefix of its kind; `street_address1` is a numbered word. */
const PREFIXED = /^[a-z]{1,12}[_-](?![a-z]+\d{1,2}$)(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{6,64}$/;
/** Random characters: digits, and letters of both cases. */
const RANDOM = /^(?=.*\d.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9_-]{10,128}$/;
/** `L628744`, `INV-1042`. */
const NUMBERED = /^(?!v\d)[A-Za-z]{1,5}[-_]?\d{3,}$/i;
/** Names in the form of letters with a number. */
const TERM = /^(?:sha|aes|rsa|sm|crc|md|iso|rfc|utf|base|http|x|h|win|mp|int|uint|float)[-_]?\d+$/i;
/** A release: three numbers, since a word such as `2.0` may be a version of the service. */
const RELEASE = /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

const ID_FORMS = [INTEGER, UUID, ULID, DATE, HEX, PREFIXED, RANDOM, NUMBERED, RELEASE, EMAIL];

/** Whether a text has the form of an id, and is no word of a program. */
export function isIdText(text: string): boolean {
  return ID_FORMS.some((form) => form.test(text)) && !TERM.test(text);
}
