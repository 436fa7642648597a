import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isInteger, isNumber } from '../exact-json.ts';
import { INTEGER_FORMATS, type JsonType } from './shape.ts';

/**
 * JSON Schema's numeric keywords over exact integers. Ajv's own know no bigint, so a schema is compiled with
 * these instead; they compare exactly, as JavaScript compares a number with a bigint.
 * Source: JSON Schema 2020-12 validation §6.1.1 (type), §6.2 (numbers); OpenAPI 3.1 §4.4 (int32, int64).
 */
const KEYWORDS: Readonly<Record<string, (limit: never) => (value: unknown) => boolean>> = {
  type: (types: JsonType[]) => (value) => types.some((type) => hasType(value, type)),
  minimum: (limit: number) => (value) => !isNumber(value) || value >= limit,
  maximum: (limit: number) => (value) => !isNumber(value) || value <= limit,
  exclusiveMinimum: (limit: number) => (value) => !isNumber(value) || value > limit,
  exclusiveMaximum: (limit: number) => (value) => !isNumber(value) || value < limit,
  multipleOf: (divisor: number) => (value) => !isNumber(value) || isMultipleOf(value, divisor),
  enum: (values: unknown[]) => (value) => values.includes(value),
  const: (constant: unknown) => (value) => value === constant,
  format: (format: string) => {
    const [low, high] = INTEGER_FORMATS[format] as readonly [number, number];
    return (value) => !isNumber(value) || (value >= low && value <= high);
  },
};

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
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']) {
    if (schema[keyword] !== undefined) rename(schema, keyword, schema[keyword]);
  }
  if (Array.isArray(schema.enum) && schema.enum.some(isBigInt)) rename(schema, 'enum', schema.enum);
  if (isBigInt(schema.const)) rename(schema, 'const', schema.const);
  if (typeof schema.format === 'string' && schema.format in INTEGER_FORMATS)
    rename(schema, 'format', schema.format);
}

const isBigInt = (value: unknown) => typeof value === 'bigint';

function rename(schema: Record<string, unknown>, keyword: string, value: unknown): void {
  delete schema[keyword];
  schema[twin(keyword)] = value;
}

export function hasType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'integer':
      return isInteger(value);
    case 'number':
      return isNumber(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** Exact on the shortest decimal form of both numbers: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number | bigint, divisor: number | bigint): boolean {
  const left = decimal(value);
  const right = decimal(divisor);
  const places = Math.max(left.places, right.places);
  return scaled(left, places) % scaled(right, places) === 0n;
}

interface Decimal {
  digits: bigint;
  places: number;
}

function decimal(value: number | bigint): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}
