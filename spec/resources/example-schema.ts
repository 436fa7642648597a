import { isInteger, isNumber } from '../json/exact-json.ts';
import { isRecord } from '../json/json-value.ts';
import { isOfFormat } from '../schema/text-formats.ts';

/** A schema with the members and the types of an example. */
export function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
  if (isRecord(value)) {
    const members = Object.entries(value).map(([name, member]) => [name, schemaOf(member)]);
    return { type: 'object', required: Object.keys(value), properties: Object.fromEntries(members) };
  }
  if (isNumber(value)) return { type: isInteger(value) ? 'integer' : 'number' };
  if (typeof value !== 'string') return typeof value === 'boolean' ? { type: 'boolean' } : {};
  const format = FORMATS.find((one) => isOfFormat(one, value));
  return { type: 'string', ...(format && { format }) };
}

/** Of these an example is one by no chance. */
const FORMATS = ['date-time', 'date', 'uuid'] as const;
