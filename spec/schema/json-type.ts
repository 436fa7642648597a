import { isRecord } from '../document/spot.ts';
import { isInteger, isNumber } from '../exact-json.ts';

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

const CHECKS: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  integer: isInteger,
  number: isNumber,
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isRecord,
};

export const JSON_TYPES = Object.keys(CHECKS) as readonly JsonType[];

export function hasType(value: unknown, type: JsonType): boolean {
  return CHECKS[type](value);
}

export const INTEGER_FORMATS: Readonly<
  Record<string, readonly [low: number | bigint, high: number | bigint]>
> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** An integer is a number: `number` and `integer` meet in `integer`. */
export function intersection(
  left: ReadonlySet<JsonType>,
  right: ReadonlySet<JsonType>,
): ReadonlySet<JsonType> {
  const both = [...left].filter((type) => right.has(type) || (type === 'integer' && right.has('number')));
  if (left.has('number') && right.has('integer') && !both.includes('integer')) both.push('integer');
  return new Set(both);
}
