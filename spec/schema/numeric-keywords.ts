import { rawChild, type Spot } from '../document/spot.ts';
import { isInteger, isNumber } from '../json/exact-json.ts';
import { EqualValues, hasType, isEqual, type JsonType, ownEntry } from '../json/json-value.ts';

/** An Ajv instance. The library's declarations use no types of Node, which users of the package may lack. */
export type Ajv = InstanceType<typeof import('ajv/dist/core.js')['default']>;

/**
 * JSON Schema's keywords that compare values, over exact integers. Ajv's own do not support bigint, so schemas are
 * compiled with these instead; they are exact because JavaScript compares a number with a bigint exactly. Source: JSON
 * Schema 2020-12 validation §6.1.1 (type), §6.2 (numbers); OpenAPI 3.1 §4.4 (int32, int64).
 */
const KEYWORDS: Readonly<Record<string, (limit: never) => (value: unknown) => boolean>> = {
  type: (types: JsonType[]) => (value) => types.some((type) => hasType(value, type)),
  minimum: (limit: number) => ofNumbers((value) => value >= limit),
  maximum: (limit: number) => ofNumbers((value) => value <= limit),
  exclusiveMinimum: (limit: number) => ofNumbers((value) => value > limit),
  exclusiveMaximum: (limit: number) => ofNumbers((value) => value < limit),
  multipleOf: (divisor: number) => ofNumbers((value) => isNumber(value) && isMultipleOf(value, divisor)),
  enum: (values: unknown[]) => (value) => values.some((listed) => isEqual(listed, value)),
  const: (constant: unknown) => (value) => isEqual(constant, value),
  uniqueItems: (isUnique: boolean) => (value) => !isUnique || !Array.isArray(value) || isDistinct(value),
  format: (format: string) => {
    const [low, high] = INTEGER_FORMATS[format] as readonly [number, number];
    return ofNumbers((value) => isInteger(value) && value >= low && value <= high);
  },
};

/** Ajv compares every pair of items. */
function isDistinct(items: readonly unknown[]): boolean {
  const seen = new EqualValues();
  return items.every((item) => seen.add(item));
}

/** Numeric keywords ignore other types. */
function ofNumbers(fits: (value: number | bigint) => boolean): (value: unknown) => boolean {
  return (value) => (typeof value !== 'number' && typeof value !== 'bigint') || fits(value);
}

/** The `format` values that bound an integer (OpenAPI 3.1 §4.4). */
const INTEGER_FORMATS: Readonly<Record<string, readonly [low: number | bigint, high: number | bigint]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** The keywords that are always replaced by their exact form. */
const ALWAYS_EXACT = [
  ...Object.keys(KEYWORDS).filter((keyword) => keyword !== 'type' && keyword !== 'format'),
  'unevaluatedProperties',
  'unevaluatedItems',
];

const PREFIX = 'exact-';

/** The name of the exact keyword that replaces this one. */
export function exactName(keyword: string): string {
  return PREFIX + keyword;
}

/** The document's keyword that an exact keyword replaces; any other name is returned unchanged. */
export function originalKeyword(keyword: string): string {
  return keyword.startsWith(PREFIX) ? keyword.slice(PREFIX.length) : keyword;
}

export function addExactKeywords(ajv: Ajv): void {
  for (const [keyword, compile] of Object.entries(KEYWORDS))
    ajv.addKeyword({
      keyword: exactName(keyword),
      compile: (limit) => compile(limit as never),
      errors: false,
    });
}

/** Renames the keywords of a schema object that must be exact; Ajv handles the others. */
export function useExactKeywords(schema: Record<string, unknown>): void {
  const types = [schema.type ?? []].flat() as JsonType[];
  if (types.includes('integer') || types.includes('number')) rename(schema, 'type', types);
  if (Object.hasOwn(INTEGER_FORMATS, String(schema.format))) rename(schema, 'format', schema.format);
  for (const keyword of ALWAYS_EXACT) if (keyword in schema) rename(schema, keyword, schema[keyword]);
}

function rename(schema: Record<string, unknown>, keyword: string, value: unknown): void {
  delete schema[keyword];
  schema[exactName(keyword)] = value;
}

/** The tightest bounds of a number. */
export interface Range {
  readonly low?: Bound;
  readonly high?: Bound;
}

export interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
  /** The keyword that sets the bound; may be `format`. */
  readonly spot: Spot;
}

/** The combined range of the Schema Objects of a conjunction. */
export function rangeOf(parts: readonly Spot[]): Range {
  const low = tightest(parts, 'minimum', 'exclusiveMinimum', 0, (a, b) => a > b);
  const high = tightest(parts, 'maximum', 'exclusiveMaximum', 1, (a, b) => a < b);
  return { ...(low && { low }), ...(high && { high }) };
}

function tightest(
  parts: readonly Spot[],
  inclusive: string,
  exclusive: string,
  side: 0 | 1,
  isTighter: (value: number | bigint, than: number | bigint) => boolean,
): Bound | undefined {
  const bounds = parts.flatMap((part) => {
    const [flagOrBound, format] = [rawChild(part, exclusive), rawChild(part, 'format')];
    // OpenAPI 3.0 writes `exclusiveMinimum: true` beside `minimum`.
    return [
      boundAt(rawChild(part, inclusive), flagOrBound?.value === true),
      boundAt(flagOrBound, true),
      boundAt(format, false, ownEntry(INTEGER_FORMATS, format?.value)?.[side]),
    ];
  });
  return bounds.reduce((best, bound) => {
    if (!best || !bound) return best ?? bound;
    if (best.value === bound.value) return bound.exclusive && !best.exclusive ? bound : best;
    return isTighter(bound.value, best.value) ? bound : best;
  }, undefined);
}

function boundAt(spot: Spot | undefined, exclusive: boolean, value = spot?.value): Bound | undefined {
  return spot && isNumber(value) ? { value, exclusive, spot } : undefined;
}

/** A number as `digits` x 10^-`places`: its shortest decimal form, exactly. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

export function decimal(value: number | bigint): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

/** A decimal in units of 10^-`places`; it must not have more places itself. */
export function scaled(value: Decimal, places: number): bigint {
  return value.digits * 10n ** BigInt(places - value.places);
}

/**
 * Exact for the shortest decimal form of both numbers: 0.3 is a multiple of 0.1. A fraction beyond 2^53 has lost its
 * decimals, so it counts as a multiple of anything below the distance of two doubles there.
 */
export function isMultipleOf(value: number | bigint, divisor: number | bigint): boolean {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER && divisor <= 2) return true;
  const [left, right] = [decimal(value), decimal(divisor)];
  const places = Math.max(left.places, right.places);
  return scaled(left, places) % scaled(right, places) === 0n;
}
