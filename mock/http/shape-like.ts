import { isRecord, type MediaType, Shape } from '#spec';

/** A media type without a schema, with one that its example is of: what is made for it has the form of the example. */
export function describedBy(media: MediaType, example: unknown): MediaType {
  const schema = { ...media.spot, value: schemaOf(example) };
  return { ...media, schema, shape: Shape.of([schema]) };
}

function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', ...(value.length > 0 && { items: schemaOf(value[0]) }) };
  if (isRecord(value)) {
    const properties = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, schemaOf(member)]),
    );
    return { type: 'object', required: Object.keys(value), properties };
  }
  if (typeof value === 'string' || typeof value === 'boolean') return { type: typeof value };
  return value === null ? {} : { type: Number.isInteger(Number(value)) ? 'integer' : 'number' };
}
