import { canonicalInteger } from '../json/exact-json.ts';
import { isRecord, ownEntry } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { findText, type WantedText } from '../pattern/find-text.ts';
import { compilePattern, type Pattern } from '../pattern/pattern.ts';
import { type Bound, decimal, scaled } from './numeric-keywords.ts';
import { type Random, randomOf } from './random.ts';
import type { Shape } from './shape.ts';

/** A number from 1 to 1000, or as close as the schema allows. */
export function makeNumber(shape: Shape, random: Random, isInteger: boolean): number | bigint {
  const { first, step, further, places, unit } = isInteger ? integersOf(shape) : numbersOf(shape);
  const multiple = first + BigInt(random.integer(0, further)) * step;
  return unit === undefined ? Number(`${multiple}e-${places}`) : canonicalInteger(multiple / unit);
}

/** The valid numbers of a schema in units of 10^-`places`: `first`, and `further` more at intervals of `step`. */
interface Numbers {
  readonly first: bigint;
  readonly step: bigint;
  readonly further: number;
  readonly places: number;
  /** The number of units in an integer; undefined: fractions are allowed. */
  readonly unit: bigint | undefined;
}

const integersOf = oncePer((shape: Shape) => numbersIn(shape, true));
const numbersOf = oncePer((shape: Shape) =>
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
  // With two more digits than the schema uses, there is a number between any two different bounds.
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

/** Integer formats, which documents also use with `type: number`. */
const INTEGERS: ReadonlySet<unknown> = new Set(['int8', 'int16', 'int32', 'int64', 'uint8']);

/** The smallest multiple of the step above a lower bound, in units of 10^-`places`. */
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

/** Returns undefined if no text satisfies all keywords. */
export function makeString(shape: Shape, random: Random, isUnshown = false): string | undefined {
  const { patterns, not, min, max, format } = textOf(shape);
  if (patterns.length > 0 && !isUnshown) {
    const example = shape.examples.find((one) => typeof one === 'string' && fits(shape, one));
    if (example !== undefined) return example as string;
  }
  const make = ownEntry(FORMATS, format);
  if (make) {
    const text = make(random);
    if (fits(shape, text)) return text;
  } else if (patterns.length === 0) {
    let text = word(random);
    while (text.length < min) text += word(random);
    text = text.slice(0, Math.min(max, Math.max(min, USUAL_LENGTH)));
    if (not.length === 0 || fits(shape, text)) return text;
  } else {
    const plain = patterns.some(isOpen) ? plainText(shape, random) : undefined;
    if (plain !== undefined) return plain;
  }
  const solved = solutionOf(shape);
  return solved && (textLike(solved.wanted, random) ?? solved.text);
}

/** A text of varying length if the expressions allow that; the search itself stops at the shortest. */
function textLike(wanted: WantedText, random: Random): string | undefined {
  const next = () => random.next();
  const usual = Math.min(wanted.max, Math.max(wanted.min, random.integer(4, USUAL_LENGTH / 2)));
  return findText({ ...wanted, min: usual }, next, FEW_STEPS / 10) ?? findText(wanted, next, FEW_STEPS);
}

const USUAL_LENGTH = 24;

/** The constraints of a schema's keywords on a text. */
const textOf = oncePer((shape: Shape) => ({
  patterns: shape.patterns,
  whole: shape.find('format') ? [] : shape.patterns.flatMap(wholeOf),
  not: shape.all('not').flatMap(({ value }) => (isPatternAlone(value) ? compilePattern(value.pattern) : [])),
  min: shape.highest('minLength') ?? 1,
  max: shape.lowest('maxLength') ?? Number.POSITIVE_INFINITY,
  format: shape.find('format')?.value,
}));

/** Repeated classes and groups: such an expression describes the form of a whole text, not a part of it. */
const REPEATED = /(?:[\])]|\\[dwsDWS])[+*{]/;

/** Whether the expression leaves the start or the end of a text open. */
const hasOpenEnd = ({ expression: { source } }: Pattern) => !source.startsWith('^') || !source.endsWith('$');

/** The expression anchored at both ends, if it describes a form and leaves an end open. */
function wholeOf(pattern: Pattern): Pattern[] {
  const { source } = pattern.expression;
  return hasOpenEnd(pattern) && REPEATED.test(source) ? [compilePattern(`^(?:${source})$`)] : [];
}

/** Any character, or a negated class: the author of the document has not listed what is allowed. */
const ANY_SIGN = /(?<!\\)(?:\\{2})*(?:\.|\[\^|\\[SDW])/;

/**
 * Whether an expression leaves much of a text open. Ordinary words and addresses are then more realistic than random
 * characters.
 */
const isOpen = (pattern: Pattern) => hasOpenEnd(pattern) || ANY_SIGN.test(pattern.expression.source);

/** Realistic texts, the simplest first. */
const PLAIN: readonly ((word: string, number: number) => string)[] = [
  (text) => text,
  (text) => capitalised(text),
  (text) => `${text}@example.com`,
  (text) => `${text}.example.com`,
  (text) => `https://example.com/${text}`,
  (text) => `${text}-${text.slice(0, 4)}`,
  (text) => `${text.slice(0, 4)} ${text.slice(4)}`,
  (text) => `${text.slice(0, 4)}/${text.slice(4)}`,
  (text) => `/${text}`,
  (text, number) => `${text}${number}`,
  (_, number) => `+1202555${number}`,
  (_, number) => String(number),
  (text, number) => `${capitalised(text)}${number}!`,
];

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Undefined if none of them fits, alone or combined with the form that the expression describes. */
function plainText(shape: Shape, random: Random): string | undefined {
  const { patterns, whole, min } = textOf(shape);
  let text = word(random) + word(random);
  while (text.length < min) text += word(random);
  const isWhole = (one: string) => fits(shape, one) && whole.every((form) => form.test(one));
  const plain = PLAIN.map((make) => make(text, random.integer(1000, 9999))).find(isWhole);
  if (plain !== undefined || whole.length > 0 || !patterns.every(hasOpenEnd)) return plain;
  const form = compilePattern(`^(?:${patterns[0]?.expression.source})$`);
  const wanted = { patterns: [form], not: [], min: 0, max: LONGEST };
  const part = textLike(wanted, random);
  if (part === undefined) return undefined;
  return [`${text}${part}`, `${part}${text}`, `${text} ${part}`, `${part}${text.slice(0, 2)}`].find((one) =>
    fits(shape, one),
  );
}

function isPatternAlone(value: unknown): value is { pattern: string } {
  if (!isRecord(value) || typeof value.pattern !== 'string') return false;
  return Object.keys(value).every((keyword) => keyword === 'pattern' || keyword === 'type');
}

function fits(shape: Shape, text: string): boolean {
  const { patterns, not, min, max } = textOf(shape);
  const length = [...text].length;
  if (length < min || length > max) return false;
  return patterns.every((pattern) => pattern.test(text)) && !not.some((pattern) => pattern.test(text));
}

/** The first form of the schema's format that has a valid text, with one such text. Other forms are not tried. */
const solutionOf = oncePer((shape: Shape) => {
  const { patterns, whole, not, min, max, format } = textOf(shape);
  const isFree = shape.find('minLength') === undefined;
  const most = Math.min(max, min + LONGEST);
  const ofFormat = ownEntry(FORMS, format)?.map((form) => [compilePattern(`^(?:${form})$`)]) ?? [[]];
  for (const forms of [...(whole.length > 0 ? [whole] : []), ...ofFormat])
    for (const least of isFree ? [min, 0] : [min]) {
      const wanted = { patterns: [...forms, ...patterns], not, min: least, max: most };
      const random = randomOf(FIRST);
      const text = findText(wanted, () => random.next(), MANY_STEPS);
      if (text !== undefined) return { wanted, text };
    }
  return undefined;
});

/** Whether {@link makeString} finds a text for a schema. */
export function hasText(shape: Shape): boolean {
  const texts = [...shape.examples, ownEntry(FORMATS, textOf(shape).format)?.(randomOf(FIRST))];
  return (
    texts.some((text) => typeof text === 'string' && fits(shape, text)) || solutionOf(shape) !== undefined
  );
}

const FIRST = 'first';
const LONGEST = 1000;
/** Search limits: for another valid text, and for the first one. */
const FEW_STEPS = 5000;
const MANY_STEPS = 20_000;

const dateTime = (random: Random) => dayIn2024(random).toISOString();
const time = (random: Random) => dateTime(random).slice(11);
const email = (random: Random) => `${word(random)}.${word(random)}@example.com`;
const uri = (random: Random) => `https://example.com/${word(random)}`;

/** Integers as text, as in ProtoJSON's 64-bit types. */
const DIGITS = ['int32', 'int64', 'uint32', 'uint64'];
const digits = (random: Random) => String(random.integer(1, 1000));

/** Defined formats, and other names with their usual meaning. */
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
  ...Object.fromEntries(DIGITS.map((format) => [format, digits])),
};

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const RESERVED = ['(?:[a-z]+\\.)?example\\.(?:com|org|net)', `(?:${LABEL}\\.)+(?:test|example|invalid)`];
const HOSTS = [...RESERVED, `(?:${LABEL}\\.)+[a-z]{2,6}`, `${LABEL}(?:\\.${LABEL})*`];
const LOCAL = '[a-z](?:[a-z0-9]|[\\w+-])*(?:\\.(?:[a-z0-9]|[\\w+-])+)*';
const REST = '(?:/(?:[a-z0-9]|[\\w.~-])+)*/?(?:\\?[\\w=&.-]+)?(?:#[\\w-]+)?';
const DAYS =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])';
const DATE = `\\d{4}-(?:${DAYS})`;
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const WORD_16 = '[0-9a-f]{1,4}';
const POINTER = '(?:/[\\w-]*)*';

const dateTimeForms = [`20\\d\\d${DATE.slice(5)}T${TIME}`, `${DATE}T${TIME}`];
const emailForms = [
  `[a-z]+(?:\\.[a-z]+)?@${RESERVED[0]}`,
  ...HOSTS.slice(0, 3).map((host) => `${LOCAL}@${host}`),
];
const uriForms = [
  ...HOSTS.map((host) => `https?://${host}${REST}`),
  `[a-z][a-z0-9+-]*:(?://${LABEL}(?:\\.${LABEL})*|[\\w.~-]+)${REST}`,
];
const uuidForms = ['[0-9a-f]', '[0-9A-F]'].map((hex) => `${hex}{8}(?:-${hex}{4}){3}-${hex}{12}`);

/**
 * Expressions that match only texts of a format, for a search with other keywords, the wider ones last. Addresses that
 * could reach somebody are taken from reserved ranges (RFC 2606, 5737, 3849) as long as possible.
 */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'date-time': dateTimeForms,
  'iso-date-time': dateTimeForms,
  date: [`20\\d\\d${DATE.slice(5)}`, DATE],
  time: [TIME],
  'iso-time': [TIME],
  duration: ['P(?!$)(?:(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?=\\d)(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?|\\d+W)'],
  uuid: uuidForms,
  email: emailForms,
  'idn-email': emailForms,
  hostname: HOSTS,
  ipv4: [`(?:192\\.0\\.2|198\\.51\\.100|203\\.0\\.113)\\.${OCTET}`, `${OCTET}(?:\\.${OCTET}){3}`],
  ipv6: [
    `2001:db8:(?::${WORD_16}){1,5}|2001:db8(?::${WORD_16}){6}`,
    `${WORD_16}(?::${WORD_16}){7}|(?:${WORD_16}:){1,3}(?::${WORD_16}){1,4}|::(?:${WORD_16})?`,
  ],
  uri: uriForms,
  iri: uriForms,
  url: uriForms,
  'uri-reference': [`(?:/[\\w.~-]+)+${REST}`, `[\\w.~-]*${REST}`, ...uriForms],
  'uri-template': ['(?:/\\w+|/\\{\\w+\\})+', ...uriForms],
  'json-pointer': [POINTER],
  'json-pointer-uri-fragment': [`#${POINTER}`],
  'relative-json-pointer': [`(?:0|[1-9]\\d{0,2})(?:#|${POINTER})`],
  regex: ['\\^?[\\w ]+\\$?'],
  byte: ['(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?'],
  ...Object.fromEntries(DIGITS.map((format) => [format, ['[1-9]\\d{0,8}']])),
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

/** Whether a text is a generated word, for a schema that does not describe its form. */
export function isMadeUpWord(text: string): boolean {
  return WORD.test(text);
}
