import { isOfFormat, TEXT_FORMATS, type TextFormat } from '#spec';

/** The minimum and maximum integer; 0 if there was none beyond. */
export interface IntegerRange {
  low: number | bigint;
  high: number | bigint;
}

export function widen(range: IntegerRange, { low, high }: IntegerRange): void {
  if (low < range.low) range.low = low;
  if (high > range.high) range.high = high;
}

/** The format of integers beyond int32; undefined: int32 is enough, or no format is. */
export function integerFormat({ low, high }: IntegerRange): 'int64' | undefined {
  const isShort = low >= -(2 ** 31) && high < 2 ** 31;
  return !isShort && low >= -(2n ** 63n) && high < 2n ** 63n ? 'int64' : undefined;
}

/** Scalars in the text of parameters. */
const WRITTEN = {
  integer: /^(?:0|-?[1-9]\d*)$/,
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/,
  boolean: /^(?:true|false)$/,
} as const satisfies Readonly<Record<string, RegExp>>;

/** The possible forms of texts. */
export type TextForm = keyof typeof WRITTEN | TextFormat;

const ALL_FORMS: readonly TextForm[] = [
  ...(Object.keys(WRITTEN) as (keyof typeof WRITTEN)[]),
  ...TEXT_FORMATS,
];

/** The texts at one position, in bounded memory. */
export interface TextTally extends IntegerRange {
  /** The number of texts, without those of repeated records. */
  samples: number;
  /** The distinct texts; undefined: too many, or too long. */
  values: Set<string> | undefined;
  /** The forms that match every text so far. */
  forms: readonly TextForm[];
  /** The first text. */
  first: string | undefined;
}

/** More values than this are no enum. */
const MOST_VALUES = 40;
const LONGEST_VALUE = 60;

export function createTextTally(): TextTally {
  return { samples: 0, values: new Set(), forms: ALL_FORMS, first: undefined, low: 0, high: 0 };
}

/** @param isNew it belongs to no repeated record */
export function noteText(tally: TextTally, text: string, isNew = true): void {
  if (isNew) tally.samples += 1;
  tally.first ??= text;
  if (tally.forms.length > 0) tally.forms = tally.forms.filter((form) => isOfForm(form, text));
  if (tally.forms.includes('integer')) {
    // Longer ones are slow to parse, and exceed all formats.
    const value = text.length > 20 ? Number(text) : BigInt(text);
    widen(tally, { low: value, high: value });
  }
  if (!tally.values) return;
  tally.values.add(text);
  if (tally.values.size > MOST_VALUES || text.length > LONGEST_VALUE) tally.values = undefined;
}

const isOfForm = (form: TextForm, text: string) =>
  form in WRITTEN ? WRITTEN[form as keyof typeof WRITTEN].test(text) : isOfFormat(form as TextFormat, text);

export function mergeTexts(into: TextTally, from: TextTally): void {
  into.samples += from.samples;
  into.first ??= from.first;
  widen(into, from);
  into.forms = into.forms.filter((form) => from.forms.includes(form));
  const values = into.values && from.values && into.values.union(from.values);
  into.values = values && values.size <= MOST_VALUES ? values : undefined;
}

/** Values of an enum are identifiers from a program, and no prose. */
const IDENTIFIER = /^[A-Za-z][\w.-]{0,39}$/;
const FREE_TEXT =
  /name|title|text|descr|message|comment|note|label|slug|email|city|street|address|(?:^|[a-z_-])(?:id|key|code)s?$/i;

/** The values of an enum: a few in many samples. Undefined: it is none. */
export function enumOf({ samples, values, forms }: TextTally, name: string): string[] | undefined {
  if (!values || values.size < 2 || values.size > 10 || samples < 10 || samples < 4 * values.size)
    return undefined;
  if (forms.length > 0 || FREE_TEXT.test(name)) return undefined;
  const all = [...values];
  return all.every((one) => IDENTIFIER.test(one)) ? all.sort() : undefined;
}
