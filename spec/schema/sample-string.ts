import type { Arbitrary } from 'fast-check';
import { placeOf, showPlace } from '../document/spot.ts';
import type { Pattern } from '../pattern/pattern.ts';
import { fastCheck } from './fast-check.ts';
import type { Random } from './random.ts';
import type { Shape } from './shape.ts';

export function makeString(shape: Shape, random: Random): string {
  const least = shape.highest('minLength') ?? 1;
  const most = shape.lowest('maxLength') ?? Math.max(least, 24);
  if (shape.find('pattern')) return fromPattern(shape, random, least, most);
  const format = FORMATS[String(shape.find('format')?.value)];
  if (format) return format(random);
  return lengthen(word(random), least, () => word(random)).slice(0, most);
}

function lengthen(text: string, least: number, more: () => string): string {
  let longer = text;
  while (longer.length < least) longer += more();
  return longer;
}

/** One for each format that Ajv checks, by the names of OpenAPI's format registry and of JSON Schema. */
const FORMATS: Readonly<Record<string, (random: Random) => string>> = {
  'date-time': (random) => dayIn2024(random).toISOString(),
  'iso-date-time': (random) => dayIn2024(random).toISOString(),
  date: (random) => dayIn2024(random).toISOString().slice(0, 10),
  time: (random) => dayIn2024(random).toISOString().slice(11),
  'iso-time': (random) => dayIn2024(random).toISOString().slice(11),
  duration: (random) => `P${random.integer(1, 30)}D`,
  uuid: (random) => uuid(random),
  email: (random) => `${word(random)}.${word(random)}@example.com`,
  'idn-email': (random) => `${word(random)}.${word(random)}@example.com`,
  hostname: (random) => `${word(random)}.example.com`,
  ipv4: (random) => `192.0.2.${random.integer(1, 254)}`,
  ipv6: (random) => `2001:db8::${random.integer(1, 0xffff).toString(16)}`,
  uri: (random) => `https://example.com/${word(random)}`,
  iri: (random) => `https://example.com/${word(random)}`,
  url: (random) => `https://example.com/${word(random)}`,
  'uri-reference': (random) => `/${word(random)}`,
  'json-pointer': (random) => `/${word(random)}`,
  'json-pointer-uri-fragment': (random) => `#/${word(random)}`,
  'relative-json-pointer': (random) => `0/${word(random)}`,
  byte: (random) => Buffer.from(word(random)).toString('base64'),
};

const YEAR_2024 = Date.UTC(2024, 0, 1);
const dayIn2024 = (random: Random) => new Date(YEAR_2024 + random.integer(0, 366 * 86_400 - 1) * 1000);

/** RFC 9562 §5.4: version 4, here from the keyed sequence so that it can be repeated. */
function uuid(random: Random): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[random.integer(0, 3)]}${hex(3)}-${hex(12)}`;
}

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'mi', 'no', 'pe', 'ra', 'si', 'to', 'vu', 'we', 'za'];

export function word(random: Random): string {
  return Array.from({ length: random.integer(2, 4) }, () => random.pick(SYLLABLES)).join('');
}

/**
 * The document's own example, else what fast-check makes of the expression; it is loaded only when it is needed.
 * @throws Error with the place of the pattern when neither gives a string that fits.
 */
function fromPattern(shape: Shape, random: Random, least: number, most: number): string {
  const { patterns } = shape;
  const first = patterns[0] as Pattern;
  const fits = (text: unknown): text is string =>
    typeof text === 'string' &&
    text.length >= least &&
    text.length <= most &&
    patterns.every((pattern) => pattern.test(text));
  const found = [
    () => shape.examples,
    () => generated(first, first.expression, random, 10),
    () => generated(first, lengthened(first.expression, least, most), random, 10),
    () => ordinary(random),
    () => generated(first, first.expression, random, 500),
  ].reduce<string | undefined>((made, source) => made ?? source().find(fits), undefined);
  if (found !== undefined) return found;
  const pattern = shape.find('pattern');
  throw new Error(
    `${showPlace(placeOf(pattern?.spot ?? shape.spot))}: no value can be made for the pattern ` +
      `${pattern?.value}: give the schema an "example"`,
  );
}

function generated({ isTooLarge }: Pattern, expression: RegExp, random: Random, tries: number): string[] {
  const fc = fastCheck();
  if (isTooLarge) return [];
  const seed = random.integer(0, 2 ** 31 - 1);
  try {
    return fc.sample(stringsMatching(expression), { numRuns: tries, seed });
  } catch {
    // Some forms of expression, such as look-behind, cannot be turned round.
    return [];
  }
}

const known = new Map<string, Arbitrary<string>>();

/** A watched document brings ever new expressions; they must not fill the memory. */
const MOST_KNOWN = 256;

/** To take an expression apart costs many times what a string of it does, and each record asks for one. */
function stringsMatching(expression: RegExp): Arbitrary<string> {
  const name = String(expression);
  let strings = known.get(name);
  if (!strings) {
    strings = fastCheck().stringMatching(expression);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, strings);
  }
  return strings;
}

/** An expression that repeats its last part as often as the lengths ask for. */
function lengthened(pattern: RegExp, least: number, most: number): RegExp {
  const source = pattern.source
    .replace(/(?:[+*]|\{\d+,\d*\})(\$?)$/, `{${Math.max(least, 1)},${most}}$1`)
    // `[\w-.]`: valid as it stands without the flag `u`, but not for every reader of expressions.
    .replace(/(\\[wdsWDS])-/g, '$1\\-');
  return new RegExp(source, pattern.flags);
}

/** What people usually describe by expressions that no reader understands. */
function ordinary(random: Random): string[] {
  const text = word(random);
  const number = String(random.integer(100, 999_999));
  return [
    text,
    text.toUpperCase(),
    number,
    `${text}-${number}`,
    `${text.toUpperCase()}-${number}`,
    uuid(random),
  ];
}
