import {
  isNumber,
  isRecord,
  type Operation,
  type Random,
  randomOf,
  type Shape,
  sample,
  setOf,
  type TextForm,
  textFormOf,
  wordsOf,
} from '#spec';
import { uncommonText } from '../send/plan-request.ts';
import type { Data } from '../send/wire.ts';

/** Reserved values that belong to nobody, by the form of a text. */
const RESERVED: Readonly<Partial<Record<TextForm, (mark: string) => string>>> = {
  // RFC 2606: these domains belong to nobody.
  email: (mark) => `${mark}@example.com`,
  url: (mark) => `https://example.com/${mark}`,
  // Reserved for fiction.
  phone: (mark) => `+1202555${String(100 + (numberOf(mark) % 100)).padStart(4, '0')}`,
  host: (mark) => `${mark}.example.com`,
  // RFC 5737.
  ip: (mark) => `192.0.2.${1 + (numberOf(mark) % 250)}`,
};

const FORMATS: Readonly<Record<string, TextForm>> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'url',
  url: 'url',
  iri: 'url',
  hostname: 'host',
  ipv4: 'ip',
};

/** A value that belongs to nobody, for a mailbox, telephone, host or address. Undefined: the member is none of these. */
export function reservedValue(
  name: string,
  shape: Shape | undefined,
  key: string,
  sample?: string,
): string | undefined {
  const form = FORMATS[String(shape?.find('format')?.value)] ?? textFormOf(name);
  const reserved = form && RESERVED[form];
  if (!reserved || (shape && (shape.values || shape.mainType !== 'string'))) return undefined;
  const value = reserved(wordOf(key));
  const isShort = value.length <= (shape?.lowest('maxLength') ?? value.length);
  const fits = isShort && (shape?.patterns ?? []).every((pattern) => pattern.test(value));
  // An internal network address, or a path, belongs to nobody anyway.
  return fits && !(sample?.startsWith('/') ?? false) ? value : undefined;
}

/** A text in the form of an example, with a mark in it: `example.org.` -> `paddock-x-1n.example.com.` */
export function inForm(form: unknown, mark: string): unknown {
  if (typeof form !== 'string') return form;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(form)) return `https://example.com/${mark}`;
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form)) return `${mark}@example.com`;
  if (/^[\w-]+(?:\.[\w-]+)+\.?$/.test(form)) return `${mark}.example.com${form.endsWith('.') ? '.' : ''}`;
  if (/^[\w-]+\.$/.test(form)) return `${mark}.`;
  if (/^[a-z\d]+(?:_[a-z\d]+)*$/i.test(form))
    return shaped(form, mark.replaceAll('-', form.includes('_') ? '_' : ''));
  return mark;
}

function shaped(form: string, text: string): string {
  if (/^[A-Z\d_]+$/.test(form) && /[A-Z]/.test(form)) return text.toUpperCase();
  return text;
}

const wordOf = (key: string) => key.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'paddock';

/** A hash that mostly differs for texts that differ in one number. */
function numberOf(text: string): number {
  return [...text].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 100_003, 7);
}

/**
 * An id of the documented form that most likely names no record: large for integers, made up for texts.
 * @param like an existing id, which shows the form if the document does not
 */
export function unknownId(shape: Shape, key: string, like?: unknown): unknown {
  const random = randomOf(`unknown ${key}`);
  // Ids are integers even where the document types them as numbers.
  if (isCounted(shape)) return random.integer(...FRESH);
  if (shape.mainType !== 'integer') {
    const text = unlikely(shape, random);
    return (
      (text && typeof like === 'string' && inFormOf(like, random)) ||
      (text ?? sample(shape, { key: `unknown ${key}`, unshown: true }))
    );
  }
  const high = Number(shape.range.high?.value ?? Number.MAX_SAFE_INTEGER);
  const top = Math.min(high, 2 ** 52);
  return random.integer(Math.floor(top / 2), top - 1);
}

function isCounted(shape: Shape): boolean {
  const { low, high } = shape.range;
  const hasRoom = Number(low?.value ?? 0) <= FRESH[0] && Number(high?.value ?? FRESH[1]) >= FRESH[1];
  return shape.mainType === 'number' && !shape.values && !shape.find('multipleOf') && hasRoom;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const HEX = /^(?:[\da-f]{24}|[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/i;

/** A random text of the same form; undefined: the form is unknown. */
function inFormOf(id: string, random: Random): string | undefined {
  const digit = () => random.integer(0, 15).toString(16);
  // Keeps the version and the variant of a UUID (RFC 9562 §4).
  if (UUID.test(id))
    return id.replace(/[\da-f]/gi, (old, at: number) => (at === 14 || at === 19 ? old : digit()));
  if (HEX.test(id)) return id.replace(/[\da-f]/gi, digit);
  return /^\d+$/.test(id) ? String(random.integer(...FRESH)) : undefined;
}

/** A text that nobody would choose; undefined: the ids have a form of their own. */
function unlikely(shape: Shape, random: Random): string | undefined {
  const text = `paddock-${random.integer(2 ** 30, 2 ** 31 - 1).toString(36)}`;
  const isOther = ['format', 'const'].some((keyword) => shape.find(keyword));
  const hasForm = shape.values || isOther || shape.patterns.some((pattern) => !pattern.test(text));
  const isLong = Number(shape.find('maxLength')?.value ?? text.length) >= text.length;
  const isShort = Number(shape.find('minLength')?.value ?? 0) <= text.length;
  return shape.mainType === 'string' && !hasForm && isLong && isShort ? text : undefined;
}

/** Whether hardly any service has a record with this id, without looking it up: it is too long to be a name. */
export function isUnlikely(id: unknown): boolean {
  if (typeof id === 'number' || typeof id === 'bigint') return id <= 0 || id >= FRESH[0];
  return String(id).length >= 8;
}

/** Smaller ids are likely in use; larger ones exceed what many services accept as an integer. */
const FRESH = [2 ** 28, 2 ** 31 - 1] as const;

/** An id for a new record that most likely no other has. */
export function freshId(shape: Shape, key: string): unknown {
  if (shape.patterns.length > 0 && !shape.values) return uncommonText(shape, `fresh ${key}`);
  if (shape.values || shape.mainType !== 'integer') return sample(shape, { key: `fresh ${key}` });
  const { low, high } = shape.range;
  const most = Math.min(Number(high?.value ?? FRESH[1]), FRESH[1]);
  const least = Math.max(Number(low?.value ?? FRESH[0]), Math.min(FRESH[0], Math.floor(most / 2)));
  const made = randomOf(`fresh ${key}`).integer(least, Math.max(least, most));
  return shape.find('multipleOf') ? sample(shape, { key: `fresh ${key}` }) : made;
}

/** Smaller ids are likely in use. */
const LEAST_BITS = 24;

/**
 * A random id within its type, with each order of magnitude and both signs equally likely. Undefined: the type has so few
 * values that most may name a record.
 */
export function randomId(shape: Shape, key: string, like?: unknown): unknown {
  if (shape.mainType !== 'integer') return unknownId(shape, key, like);
  const random = randomOf(`random ${key}`);
  const { low, high } = shape.range;
  const least = BigInt(Math.ceil(Number(low?.value ?? Number.MIN_SAFE_INTEGER)));
  const most = high?.value ?? Number.MAX_SAFE_INTEGER;
  const greatest = typeof most === 'bigint' ? most : BigInt(Math.floor(most));
  const isNegative = least < -(2n ** BigInt(LEAST_BITS)) && random.next() < 0.5;
  const bound = isNegative ? -least : greatest;
  const bits = bound.toString(2).length - 1;
  if (bits < LEAST_BITS) return undefined;
  const size = 2n ** BigInt(random.integer(LEAST_BITS, bits - 1));
  const magnitude = size + (size * BigInt(random.integer(0, 2 ** 30 - 1))) / 2n ** 30n;
  return isNegative ? -magnitude : magnitude;
}

/** Valid path parameters that most likely name nothing. */
export function madeUpPath(operation: Operation): Data {
  return Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, shape }) => [name, unknownId(shape, name)]),
  );
}

/** Pairs of words in the names of two members: the value of the first is never after the second. */
const PAIRS: readonly (readonly string[])[][] = [
  [
    'start starts started starting begin begins from since after opens opening',
    'end ends ended ending finish finishes finished stop stops to until till before closes closing',
  ],
  ['min minimum lower low least smallest', 'max maximum upper high most largest'],
  ['earliest first oldest', 'latest last newest'],
  ['created creation issued', 'updated modified modification changed expires expired expiry expiration'],
  ['start starts from valid', 'expires expiry expiration due deadline'],
  ['departure departs departed', 'arrival arrives arrived'],
  ['in checkin pickup', 'out checkout return'],
].map((pair) => pair.map((names) => names.split(' ')));

/** 0 for a name of the first in a pair, 2 for one of the second, 1 for any other. */
export function placeInPair(name: string): 0 | 1 | 2 {
  const isIn = (side: 0 | 1) =>
    wordsOf(name).some((word) => PAIRS.some((pair) => pair[side]?.includes(word)));
  return isIn(0) ? 0 : isIn(1) ? 2 : 1;
}

/** Names of ends: a service may reject an end in the past. */
const ENDS = setOf('end ends until till expires expiry expiration deadline due');

/** Names of beginnings: a service may move a beginning in the past to the present. */
const BEGINS = setOf('start starts begin begins from');

/** In years: before 2038, the limit of 31-bit seconds. */
const LATER = 10;

const DATE = /^(\d{4})(-\d\d-\d\d(?:[Tt ].*)?)$/;

/**
 * Sorts dates, times and numbers of a value: nothing starts after its end, and ends are moved into the future together
 * with their beginnings. Schemas do not relate two members, and yet no service accepts an end before its beginning.
 */
export function inOrder(value: unknown, preset: Data = {}): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, preset));
  if (!isRecord(value)) return value;
  const ends = Object.keys(value)
    .filter(isEnd)
    .map((name) => wordsOf(name).join(' '));
  const isLater = (name: string) =>
    isEnd(name) || (has(BEGINS, name) && counterparts(name).some((words) => ends.includes(words)));
  const inner = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    isLater(name) && !(name in preset) ? later(member) : inOrder(member, preset),
  ]);
  return swapPairs(Object.fromEntries(inner), preset);
}

function swapPairs(value: Data, preset: Data): Data {
  const ordered: Record<string, unknown> = { ...value };
  const names = new Map(Object.keys(value).map((name) => [wordsOf(name).join(' '), name]));
  for (const name of names.values()) {
    const second = counterparts(name).flatMap((words) => names.get(words) ?? [])[0];
    if (second === undefined || name in preset || second in preset) continue;
    if (!isAfter(ordered[name], ordered[second])) continue;
    [ordered[name], ordered[second]] = [ordered[second], ordered[name]];
  }
  return ordered;
}

/** The possible names, as words, of the second of a pair, for the name of the first. */
function counterparts(name: string): string[] {
  const words = wordsOf(name);
  // "Not before" means from then on.
  if (words.includes('not'))
    return words.includes('before') ? [words.join(' ').replace('before', 'after')] : [];
  return words.flatMap((word, index) =>
    PAIRS.filter(([first]) => first?.includes(word)).flatMap(([, second = []]) =>
      second.map((other) => words.with(index, other).join(' ')),
    ),
  );
}

const isEnd = (name: string) => has(ENDS, name);

function has(words: ReadonlySet<string>, name: string): boolean {
  return wordsOf(name).some((word) => words.has(word));
}

function later(value: unknown): unknown {
  if (typeof value !== 'string') return inOrder(value);
  // There is no 29 February ten years later.
  return value.replace(DATE, (_, year: string, rest: string) => {
    return `${Number(year) + LATER}${rest.replace(/^-02-29/, '-02-28')}`;
  });
}

function isAfter(first: unknown, second: unknown): boolean {
  if (isNumber(first) && isNumber(second)) return first > second;
  if (typeof first !== 'string' || typeof second !== 'string') return false;
  const isMoment = (text: string) => DATE.test(text) || /^\d\d:\d\d/.test(text);
  return isMoment(first) && isMoment(second) && first > second;
}
