import type { Repair } from '../document/spot.ts';
import { isInteger, isNumber } from '../json/exact-json.ts';
import { isRecord } from '../json/json-value.ts';
import type { Operation } from '../operation.ts';
import { isOfFormat } from '../schema/text-formats.ts';
import { PRESUMED } from './presumed-bodies.ts';
import { isAny } from './presumed-responses.ts';

/** Responses described only by examples. */
export const presumedExamples = (operations: readonly Operation[]): Repair[] =>
  operations.flatMap(ofExamples);

/** For an example without a schema, or a schema with nothing but the example, the members are those of the example. */
function ofExamples({ responses }: Operation): Repair[] {
  const bodies = responses.filter(({ key }) => key.startsWith('2')).flatMap(({ content }) => content);
  return bodies.flatMap(({ isJson, shape, examples, spot }) => {
    const [example] = [...examples.values(), ...(shape?.examples ?? [])];
    if (!isJson || (shape && !isAny(shape, true)) || typeof example !== 'object' || example === null)
      return [];
    const media = { ...(spot.value as object), ...(examples.size === 0 && { example: example }) };
    return [{ spot, value: { ...media, schema: schemaOf(example), [PRESUMED]: true } }];
  });
}

/** A schema inferred from an example. */
function schemaOf(value: unknown): object {
  if (Array.isArray(value))
    return { type: 'array', items: schemaOf(value.every(isRecord) ? merged(value) : value[0]) };
  if (isRecord(value)) {
    const members = Object.entries(value).map(([name, member]) => [name, schemaOf(member)]);
    return { type: 'object', required: Object.keys(value), properties: Object.fromEntries(members) };
  }
  if (isNumber(value)) return { type: isInteger(value) ? 'integer' : 'number' };
  if (value === null) return { type: ['string', 'null'] };
  if (typeof value !== 'string') return typeof value === 'boolean' ? { type: 'boolean' } : {};
  const format = FORMATS.find((one) => isOfFormat(one, value));
  return { type: 'string', ...(format && { format }) };
}

/** The members of the first of several examples, with the first value of each that is not null. */
function merged(all: readonly Readonly<Record<string, unknown>>[]): unknown {
  const lists = all.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([, member]) => member !== null)),
  );
  return all[0] && Object.assign({}, all[0], ...lists.toReversed());
}

/** Formats that an example cannot have by chance. */
const FORMATS = ['date-time', 'date', 'uuid'] as const;
