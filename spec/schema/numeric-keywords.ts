import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isInteger, isNumber } from '../exact-json.ts';
import { isMultipleOf } from './decimal.ts';
import { hasType, INTEGER_FORMATS, type JsonType } from './json-type.ts';
import { sameValue } from './same-value.ts';

/**
 * JSON Schema's numeric keywords over exact integers. Ajv's own know no bigint, so a schema is compiled with
 * these instead; they compare exactly, as JavaScript compares a number with a bigint.
 * Source: JSON Schema 2020-12 validation §6.1.1 (type), §6.2 (numbers); OpenAPI 3.1 §4.4 (int32, int64).
 */
const KEYWORDS: Readonly<Record<string, (limit: never) => (value: unknown) => boolean>> = {
  type: (types: JsonType[]) => (value) => types.some((type) => hasType(value, type)),
  minimum: (limit: number) => ofNumbers((value) => value >= limit),
  maximum: (limit: number) => ofNumbers((value) => value <= limit),
  exclusiveMinimum: (limit: number) => ofNumbers((value) => value > limit),
  exclusiveMaximum: (limit: number) => ofNumbers((value) => value < limit),
  multipleOf: (divisor: number) => ofNumbers((value) => isNumber(value) && isMultipleOf(value, divisor)),
  enum: (values: unknown[]) => (value) => values.some((listed) => sameValue(listed, value)),
  const: (constant: unknown) => (value) => sameValue(constant, value),
  format: (format: string) => {
    const [low, high] = INTEGER_FORMATS[format] as readonly [number, number];
    return ofNumbers((value) => isInteger(value) && value >= low && value <= high);
  },
};

/** Numeric keywords say nothing about other types. `NaN`, a number that no double can hold, breaks them all. */
function ofNumbers(fits: (value: number | bigint) => boolean): (value: unknown) => boolean {
  return (value) => (typeof value !== 'number' && typeof value !== 'bigint') || fits(value);
}

const ALWAYS_EXACT = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['enum', 'const'],
];

/** The name under which Ajv knows our twin of a keyword. */
const twin = (keyword: string) => `exact-${keyword}`;

/** The keyword of the document that a twin stands for; any other name is itself. */
export function originalKeyword(keyword: string): string {
  return keyword.startsWith('exact-') ? keyword.slice('exact-'.length) : keyword;
}

export function addNumericKeywords(ajv: Ajv2020): void {
  for (const [keyword, compile] of Object.entries(KEYWORDS)) {
    ajv.addKeyword({ keyword: twin(keyword), compile: (limit) => compile(limit as never), errors: false });
  }
}

/** Renames the keywords of one schema object that have to be exact; the others stay with Ajv. */
export function useNumericTwins(schema: Record<string, unknown>): void {
  const types = [schema.type ?? []].flat() as JsonType[];
  if (types.includes('integer') || types.includes('number')) rename(schema, 'type', types);
  for (const keyword of ALWAYS_EXACT) {
    if (keyword in schema) rename(schema, keyword, schema[keyword]);
  }
  if (typeof schema.format === 'string' && Object.hasOwn(INTEGER_FORMATS, schema.format))
    rename(schema, 'format', schema.format);
}

function rename(schema: Record<string, unknown>, keyword: string, value: unknown): void {
  delete schema[keyword];
  schema[twin(keyword)] = value;
}
