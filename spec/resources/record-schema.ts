import { isRecord } from '../json/json-type.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { answerShape, isObjectShape } from './answer.ts';
import type { Resource } from './resource.ts';

/** Whether members of both are written in one place of the document. */
export function sharesMembers(left: Shape, right: Shape): boolean {
  const values = new Set(writtenIn(left));
  return writtenIn(right).some((value) => values.has(value));
}

const writtenIn = ({ parts }: Shape): unknown[] =>
  parts
    .map(({ value }) => value)
    .filter((value) => isRecord(value) && ('properties' in value || 'oneOf' in value));

/** The member of a schema that is an object of the other schema; undefined: there is none, or the schema is one itself. */
export function memberLike(shape: Shape, record: Shape): string | undefined {
  if (sharesMembers(shape, record)) return undefined;
  return [...shape.properties].find(([, member]) => sharesMembers(member, record))?.[0];
}

/** The Schema Object that a shape stands for, behind references: equal for all uses of one component. */
export function schemaKey(shape: Shape): unknown {
  return shape.parts
    .map(({ value }) => value)
    .find((value) => isRecord(value) && DESCRIBES.some((key) => key in value));
}

/** One of them is in a schema that says what its values consist of. */
const DESCRIBES = ['properties', 'allOf', 'oneOf', 'anyOf'];

/** Members around a single record. */
const USUAL_WRAPPER = /^(?:data|item|result|record|entity|payload|response|value)$/i;

/** The record in the schema of a response: the schema itself, or the one object in it with a usual name. */
export function unwrapped(answer: Shape | undefined): Shape | undefined {
  if (!isObjectShape(answer) || answer.properties.has('id')) return answer;
  const [only, ...more] = [...answer.properties].filter(
    ([name, member]) => USUAL_WRAPPER.test(name) && isObjectShape(member),
  );
  return only && more.length === 0 ? only[1] : answer;
}

/**
 * The member of an operation's response that is the record, such as `data` in `{ "data": { "id": 1 } }`; undefined: the
 * response is the record itself.
 */
export function recordMember(
  { shape, id }: Pick<Resource, 'shape' | 'id'>,
  operation: Operation,
): string | undefined {
  const answer = answerShape(operation);
  if (answer?.mainType !== 'object' || sharesMembers(answer, shape)) return undefined;
  const like = memberLike(answer, shape);
  if (like !== undefined || id === undefined || memberShape(answer, id.property)) return like;
  const [only, ...more] = [...answer.properties].filter(([, member]) => member.properties.has(id.property));
  return more.length === 0 ? only?.[0] : undefined;
}

/** The schema of a member, also of one that only branches of `oneOf` or `anyOf` have. */
export function memberShape(shape: Shape, name: string): Shape | undefined {
  return (
    shape.properties.get(name) ??
    shape.alternatives.map((branch) => memberShape(branch, name)).find((found) => found !== undefined)
  );
}
