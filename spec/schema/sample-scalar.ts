import type { Arbitrary } from 'fast-check';
import { fastCheck } from '#libraries';
import { canonicalInteger } from '../json/exact-json.ts';
import { ownEntry } from '../json/json-value.ts';
import type { Pattern } from '../pattern/pattern.ts';
import { type Bound, decimal, scaled } from './numeric-keywords.ts';
import type { Random } from './random.ts';
import { perShape } from './sample-position.ts';
import type { Shape } from './shape.ts';

/** A number from 1 to 1000, or as near to that as the schema allows. */
export function makeNumber(shape: Shape, random: Random, isInteger: boolean): number | bigint {
  const { first, step, further, places, unit } = isInteger ? integersOf(shape) : numbersOf(shape);
  const multiple = first + BigInt(random.integer(0, further)) * step;
  return unit === undefined ? Number(`${multiple}e-${places}`) : canonicalInteger(multiple / unit);
}

/** The numbers of a schema in units of 10^-`places`: `first`, and so many `further` ones at the distance of `step`. */
interface Numbers {
  readonly first: bigint;
  readonly step: bigint;
  readonly further: number;
  readonly places: number;
  /** An integer is so many units; undefined: they need be no integers. */
  readonly unit: bigint | undefined;
}

const integersOf = perShape((shape) => numbersIn(shape, true));
const numbersOf = perShape((shape) =>
  numbersIn(
    shape,
    shape.all('format').some(({ value }) => INTEGERS.has(value)),
  ),
);

function numbersIn(shape: Shape, integer: boolean): Numbers {
  const { low, high } = shape.range;
  const steps = shape.all('multipleOf').map(({ value }) => decimal(value as number | bigint));
  const bounds = [low, high].flatMap((bound) => (bound ? decimal(bound.value) : []));
  const finest = Math.max(0, ...[...bounds, ...steps].map(({ places }) => places));
  // With two more digits than the schema has there is a number between any two different bounds.
  const places = integer || steps.length > 0 ? finest : finest + 2;
  const unit = 10n ** BigInt(places);
  const step = [...steps.map((each) => scaled(each, places)), integer ? unit : 1n].reduce(leastMultiple);

  const least = low && firstMultiple(low, places, step);
  const most = high && -firstMultiple({ ...high, value: -high.value }, places, step);
  const first = nearest(ceilTo(unit, step), least, most);
  const room = most === undefined || most - first > 999n * unit ? 999n * unit : most - first;
  const further = room < 0n ? 0 : Number(room / step);
  return { first, step, further, places, unit: integer ? unit : undefined };
}

/** Formats of whole numbers, which documents also give to `type: number`. */
const INTEGERS: ReadonlySet<unknown> = new Set(['int8', 'int16', 'int32', 'int64', 'uint8']);

/** The least multiple of the step within a lower bound, in units of 10^-`places`. */
function firstMultiple(
  { value, exclusive }: Pick<Bound, 'value' | 'exclusive'>,
  places: number,
  step: bigint,
) {
  const bound = scaled(decimal(value), places);
  const first = ceilTo(bound, step);
  return exclusive && first === bound ? first + step : first;
}

function nearest(wanted: bigint, least: bigint | undefined, most: bigint | undefined): bigint {
  if (most !== undefined && wanted > most) return least !== undefined && least > most - 999n ? least : most;
  return least !== undefined && wanted < least ? least : wanted;
}

function ceilTo(value: bigint, step: bigint): bigint {
  const quotient = value / step;
  return (quotient * step < value ? quotient + 1n : quotient) * step;
}

function leastMultiple(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right];
  while (b > 0n) [a, b] = [b, a % b];
  return (left / a) * right;
}

/** Undefined where no string can be made for a `pattern`. */
export function makeString(shape: Shape, random: Random): string | undefined {
  const min = shape.highest('minLength') ?? 1;
  const max = shape.lowest('maxLength') ?? Math.max(min, 24);
  if (shape.find('pattern')) {
    const short = fromPattern(shape, random, min, max);
    // Without a bound a pattern may demand more than is usual: three dozen digits of a UUID, say.
    const isBounded = shape.lowest('maxLength') !== undefined;
    return short ?? (isBounded ? undefined : fromPattern(shape, random, min, LONGEST));
  }
  const format = ownEntry(FORMATS, shape.find('format')?.value);
  if (format) return format(random);
  let text = word(random);
  while (text.length < min) text += word(random);
  return text.slice(0, max);
}

const LONGEST = 1000;

const dateTime = (random: Random) => dayIn2024(random).toISOString();
const time = (random: Random) => dateTime(random).slice(11);
const email = (random: Random) => `${word(random)}.${word(random)}@example.com`;
const uri = (random: Random) => `https://example.com/${word(random)}`;

/** Formats that are defined, and names that others use for what they usually mean. */
const FORMATS: Readonly<Record<string, (random: Random) => string>> = {
  'date-time': dateTime,
  'iso-date-time': dateTime,
  date: (random) => dateTime(random).slice(0, 10),
  time,
  'iso-time': time,
  duration: (random) => `P${random.integer(1, 30)}D`,
  uuid,
  email,
  'idn-email': email,
  hostname: (random) => `${word(random)}.example.com`,
  ipv4: (random) => `192.0.2.${random.integer(1, 254)}`,
  ipv6: (random) => `2001:db8::${random.integer(1, 0xffff).toString(16)}`,
  uri,
  iri: uri,
  url: uri,
  'uri-reference': (random) => `/${word(random)}`,
  'json-pointer': (random) => `/${word(random)}`,
  'json-pointer-uri-fragment': (random) => `#/${word(random)}`,
  'relative-json-pointer': (random) => `0/${word(random)}`,
  byte: (random) => btoa(word(random)),
};

const YEAR_2024 = Date.UTC(2024, 0, 1);
const dayIn2024 = (random: Random) => new Date(YEAR_2024 + random.integer(0, 366 * 86_400 - 1) * 1000);

/** Version 4 (RFC 9562 §5.4), reproducible by its key. */
function uuid(random: Random): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[random.integer(0, 3)]}${hex(3)}-${hex(12)}`;
}

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'mi', 'no', 'pe', 'ra', 'si', 'to', 'vu', 'we', 'za'];

export function word(random: Random): string {
  let text = '';
  for (let left = random.integer(2, 4); left > 0; left--) text += random.pick(SYLLABLES);
  return text;
}

const WORD = new RegExp(`^(?:${SYLLABLES.join('|')})+[a-z]?$`);

/** Whether a text is one that was made up where the document says nothing of its form. */
export function isMadeUpWord(text: string): boolean {
  return WORD.test(text);
}

/** The schema's own example, else what fast-check generates for the expression; undefined if neither fits. */
function fromPattern(shape: Shape, random: Random, min: number, max: number): string | undefined {
  const { patterns } = shape;
  const [first] = patterns as [Pattern];
  const fits = (text: unknown): text is string =>
    typeof text === 'string' &&
    text.length >= min &&
    text.length <= max &&
    patterns.every((pattern) => pattern.test(text));
  const format = ownEntry(FORMATS, shape.find('format')?.value);
  const sources: (() => readonly unknown[])[] = [
    () => shape.examples,
    () => (format ? [format(random)] : []),
    // What an expression without anchors lets stand around its match would break most formats.
    () => (format ? generate(first, anchored(first.expression), random, 10) : []),
    () => generate(first, first.expression, random, 10),
    () => generate(first, withLengths(first.expression, min, max), random, 10),
    () => commonStrings(random),
  ];
  const key = `${patterns.map(({ expression }) => expression)} ${min} ${max}`;
  if (!hopeless.has(key)) sources.push(() => generate(first, first.expression, random, 500));
  for (const source of sources) {
    const found = source().find(fits);
    if (found !== undefined) return found;
  }
  if (hopeless.size >= MAX_ARBITRARIES) hopeless.clear();
  hopeless.add(key);
  return undefined;
}

/** Where as many attempts as this have failed, others would too, and a document may have a thousand such strings. */
const hopeless = new Set<string>();

function generate({ isTooLarge }: Pattern, expression: RegExp, random: Random, count: number): string[] {
  const fc = fastCheck();
  if (isTooLarge) return [];
  const seed = random.integer(0, 2 ** 31 - 1);
  try {
    return fc.sample(stringsMatching(expression), { numRuns: count, seed });
  } catch {
    // fast-check does not support some forms of expression, such as look-behind.
    return [];
  }
}

const arbitraries = new Map<string, Arbitrary<string>>();

/** Bound of the cache: a watched document may bring any number of expressions. */
const MAX_ARBITRARIES = 256;

/** Parsing an expression costs many times a string of it, and each record needs one. */
function stringsMatching(expression: RegExp): Arbitrary<string> {
  const name = String(expression);
  const known = arbitraries.get(name);
  if (known) return known;
  const strings = fastCheck().stringMatching(expression);
  if (arbitraries.size >= MAX_ARBITRARIES) arbitraries.clear();
  arbitraries.set(name, strings);
  return strings;
}

const anchored = ({ source, flags }: RegExp) => new RegExp(`^(?:${source})$`, flags);

/** An expression whose last element repeats as often as the lengths demand. */
function withLengths({ source, flags }: RegExp, min: number, max: number): RegExp {
  const changed = source
    .replace(/(?:[+*]|\{\d+,\d*\})(\$?)$/, `{${Math.max(min, 1)},${max}}$1`)
    // `[\w-.]` is valid without the flag `u`, but not for fast-check.
    .replace(/(\\[wdsWDS])-/g, '$1\\-');
  return new RegExp(changed, flags);
}

/** What documents usually mean by expressions that fast-check does not support. */
function commonStrings(random: Random): string[] {
  const text = word(random);
  const upper = text.toUpperCase();
  const number = String(random.integer(100, 999_999));
  return [text, upper, number, `${text}-${number}`, `${upper}-${number}`, uuid(random)];
}
