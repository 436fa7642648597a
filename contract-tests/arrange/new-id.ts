import type { Resource, Shape } from '#spec';
import { unknownId } from './unknown-id.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * The body of a new record with an id that no other record has: an optional one is left to the service, a required one is
 * made up.
 */
export function withNewId(body: Data, shape: Shape, { id }: Resource, key: string): Data {
  if (id === undefined || !(id.property in body)) return body;
  const member = shape.properties.get(id.property);
  if (!member || member.readOnly || member.values) return body;
  if (shape.required.has(id.property)) return { ...body, [id.property]: unknownId(member, key) };
  const { [id.property]: _, ...others } = body;
  return others;
}
