import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isMultipleOf } from '../json/decimal.ts';
import { isEqual } from '../json/equal.ts';
import { isInteger, isNumber } from '../json/exact-json.ts';
import { hasType, type JsonType } from '../json/json-type.ts';

/** The `format` values that bound an integer (OpenAPI 3.1 §4.4). */
export const INTEGER_FORMATS: Readonly<
  Record<string, readonly [low: number | bigint, high: number | bigint]>
> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/**
 * JSON Schema's numeric keywords over exact integers. Ajv's own do not support bigint, so schemas are
 * compiled with these instead; they compare exactly, as JavaScript compares a number with a bigint.
 * Source: JSON Schema 2020-12 validation §6.1.1 (type), §6.2 (numbers); OpenAPI 3.1 §4.4 (int32, int64).
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
  format: (format: string) => {
    const [low, high] = INTEGER_FORMATS[format] as readonly [number, number];
    return ofNumbers((value) => isInteger(value) && value >= low && value <= high);
  },
};

/** Numeric keywords ignore other types. `NaN`, a number that no double can hold, breaks them all. */
function ofNumbers(fits: (value: number | bigint) => boolean): (value: unknown) => boolean {
  return (value) => (typeof value !== 'number' && typeof value !== 'bigint') || fits(value);
}

/** The keywords whose exact form always replaces that of Ajv. */
const ALWAYS_EXACT = Object.keys(KEYWORDS).filter((keyword) => keyword !== 'type' && keyword !== 'format');

const PREFIX = 'exact-';

/** The keyword of the document that an exact keyword replaces; any other name is itself. */
export function originalKeyword(keyword: string): string {
  return keyword.startsWith(PREFIX) ? keyword.slice(PREFIX.length) : keyword;
}

export function addExactKeywords(ajv: Ajv2020): void {
  for (const [keyword, compile] of Object.entries(KEYWORDS))
    ajv.addKeyword({ keyword: PREFIX + keyword, compile: (limit) => compile(limit as never), errors: false });
}

/** Renames the keywords of one schema object that have to be exact; the others stay with Ajv. */
export function useExactKeywords(schema: Record<string, unknown>): void {
  const types = [schema.type ?? []].flat() as JsonType[];
  if (types.includes('integer') || types.includes('number')) rename(schema, 'type', types);
  if (Object.hasOwn(INTEGER_FORMATS, String(schema.format))) rename(schema, 'format', schema.format);
  for (const keyword of ALWAYS_EXACT) if (keyword in schema) rename(schema, keyword, schema[keyword]);
}

function rename(schema: Record<string, unknown>, keyword: string, value: unknown): void {
  delete schema[keyword];
  schema[PREFIX + keyword] = value;
}
