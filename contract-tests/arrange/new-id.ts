import { answerShape, memberShape, type Resource, type Shape } from '#spec';
import { unknownId } from './unknown-id.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * The body of a new record with an id that no other record has: an optional one is left to the service, a required one is
 * made up, and so is one that the response would not tell.
 */
export function withNewId(body: Data, shape: Shape, resource: Resource, key: string, mark?: string): Data {
  const { id, actions } = resource;
  if (id === undefined || !(id.property in body) || body[id.property] === mark) return body;
  const member = shape.properties.get(id.property);
  if (!member || member.readOnly || member.values) return body;
  const answer = answerShape(actions.create);
  const isTold =
    answer !== undefined &&
    [answer, ...answer.properties.values()].some((one) => memberShape(one, id.property));
  if (shape.required.has(id.property) || !isTold) return { ...body, [id.property]: unknownId(member, key) };
  const { [id.property]: _, ...others } = body;
  return others;
}
