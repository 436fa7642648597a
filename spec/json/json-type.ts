import { isInteger, isNumber } from './exact-json.ts';

/** The types of JSON Schema (2020-12 validation §6.1.1); an integer of any size is an `integer`. */
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

/** True for a JSON object: neither `null` nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
