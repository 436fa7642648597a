import { createRequire } from 'node:module';
import { type Random, randomOf } from './random.ts';
import type { JsonType, Shape } from './shape.ts';

export interface SampleOptions {
  /** Values are keyed by this text and the path to them, not by call order. */
  readonly key: string;
  /** Members to leave out: `readOnly` ones of a request, `writeOnly` ones of an answer. */
  readonly omit?: (member: Shape) => boolean;
  /** Whether an optional member is there; by default each is. */
  readonly include?: (name: string, random: Random) => boolean;
  /** A value of one's own for a member; undefined: the schema decides. */
  readonly fake?: (name: string, shape: Shape, random: Random) => unknown;
}

/** A value that fits a schema. Recursive schemas end where they are optional. */
export function sample(shape: Shape, options: SampleOptions): unknown {
  return make(shape, options, '', options.key, 0);
}

const MAX_DEPTH = 6;

function make(shape: Shape, options: SampleOptions, name: string, key: string, depth: number): unknown {
  const random = randomOf(key);
  const values = shape.values;
  if (values && values.length > 0) return random.pick(values);
  const faked = options.fake?.(name, shape, random);
  if (faked !== undefined) return faked;
  const branches = shape.alternatives.filter((branch) => branch.mainType !== 'null');
  if (branches.length > 0) return make(random.pick(branches), options, name, `${key}|`, depth);
  return MAKERS[shape.mainType ?? 'object'](shape, options, random, key, depth);
}

type Maker = (shape: Shape, options: SampleOptions, random: Random, key: string, depth: number) => unknown;

const MAKERS: Readonly<Record<JsonType, Maker>> = {
  null: () => null,
  boolean: (_shape, _options, random) => random.next() < 0.5,
  integer: (shape, _options, random) => makeNumber(shape, random, true),
  number: (shape, _options, random) => makeNumber(shape, random, false),
  string: (shape, _options, random, key) => makeString(shape, random, key),
  array: makeArray,
  object: makeObject,
};

function makeObject(
  shape: Shape,
  options: SampleOptions,
  _random: Random,
  key: string,
  depth: number,
): unknown {
  const required = shape.required;
  const members = [...shape.properties].filter(([name, member]) => {
    if (options.omit?.(member)) return false;
    if (required.has(name)) return true;
    return depth < MAX_DEPTH && (options.include?.(name, randomOf(`${key}/${name}?`)) ?? true);
  });
  return Object.fromEntries(
    members.map(([name, member]) => [name, make(member, options, name, `${key}/${name}`, depth + 1)]),
  );
}

function makeArray(
  shape: Shape,
  options: SampleOptions,
  random: Random,
  key: string,
  depth: number,
): unknown {
  const least = Number(shape.find('minItems')?.value ?? 0);
  const most = Math.min(Number(shape.find('maxItems')?.value ?? least + 3), least + 3);
  const items = shape.items;
  if (!items || depth >= MAX_DEPTH) return [];
  const length = random.integer(Math.max(least, Math.min(1, most)), most);
  const made = Array.from({ length }, (_, index) => make(items, options, '', `${key}/${index}`, depth + 1));
  if (!shape.find('uniqueItems')) return made;
  return made.filter(
    (item, index) => made.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === index,
  );
}

/** Ordinary numbers near the lower bound: 1 to 1000 where nothing else is said. */
function makeNumber(shape: Shape, random: Random, integer: boolean): number {
  const step = Number(shape.find('multipleOf')?.value ?? (integer ? 1 : 0.01));
  const { low, high } = shape.range;
  const above = low && low.value > -1e9 ? Number(low.value) + (low.exclusive ? step : 0) : undefined;
  const below = high && high.value < 1e9 ? Number(high.value) - (high.exclusive ? step : 0) : undefined;
  const first = Math.ceil((above ?? Math.min(1, below ?? 1)) / step);
  const last = Math.floor((below ?? Math.max(first * step + 999, 1000)) / step);
  const value = random.integer(first, Math.max(first, last)) * step;
  return integer ? value : Number(value.toFixed(decimalsOf(step)));
}

function decimalsOf(step: number): number {
  return (String(step).split('.')[1] ?? '').length;
}

const FORMATS: Readonly<Record<string, (random: Random) => string>> = {
  'date-time': (random) => new Date(dayIn2024(random)).toISOString(),
  date: (random) => new Date(dayIn2024(random)).toISOString().slice(0, 10),
  time: (random) => new Date(dayIn2024(random)).toISOString().slice(11),
  duration: (random) => `P${random.integer(1, 30)}D`,
  uuid: (random) => uuid(random),
  email: (random) => `${word(random)}.${word(random)}@example.com`,
  hostname: (random) => `${word(random)}.example.com`,
  ipv4: (random) => `192.0.2.${random.integer(1, 254)}`,
  ipv6: (random) => `2001:db8::${random.integer(1, 0xffff).toString(16)}`,
  uri: (random) => `https://example.com/${word(random)}`,
  'uri-reference': (random) => `/${word(random)}`,
  byte: (random) => Buffer.from(word(random)).toString('base64'),
};

const YEAR_2024 = Date.UTC(2024, 0, 1);
const dayIn2024 = (random: Random) => YEAR_2024 + random.integer(0, 366 * 86_400 - 1) * 1000;

/** RFC 9562 §5.4: version 4, here from the keyed sequence so that it can be repeated. */
function uuid(random: Random): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[random.integer(0, 3)]}${hex(3)}-${hex(12)}`;
}

function makeString(shape: Shape, random: Random, key: string): string {
  const pattern = shape.find('pattern')?.value;
  if (typeof pattern === 'string') return fromPattern(pattern, random);
  const format = FORMATS[String(shape.find('format')?.value)];
  if (format) return format(random);
  const least = Number(shape.find('minLength')?.value ?? 1);
  const most = Number(shape.find('maxLength')?.value ?? Math.max(least, 24));
  let text = word(random);
  while (text.length < least) text += ` ${word(randomOf(`${key}+${text.length}`))}`;
  return text.slice(0, most).replace(/ $/, 'a');
}

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'mi', 'no', 'pe', 'ra', 'si', 'to', 'vu', 'we', 'za'];

function word(random: Random): string {
  return Array.from({ length: random.integer(2, 4) }, () => random.pick(SYLLABLES)).join('');
}

/** Regular expressions are turned round by fast-check, which is loaded only when a document has one. */
function fromPattern(pattern: string, random: Random): string {
  const { default: fc } = createRequire(import.meta.url)('fast-check') as typeof import('fast-check');
  const arbitrary = fc.stringMatching(new RegExp(pattern));
  return fc.sample(arbitrary, { numRuns: 1, seed: random.integer(0, 2 ** 31 - 1) })[0] as string;
}
