import { isRecord, type Operation, type Shape } from '#spec';
import { onFirstCall } from '../../exchange/on-first-call.ts';
import { keepsUnnamed, namedMembers, readOnlyMembers } from '../members.ts';

export type Members = Readonly<Record<string, unknown>>;

/**
 * Compiles the selection of the members of a valid body that a client may write: those that the request's schema names,
 * without those that are `readOnly` in the request or in the record. Undefined: the body cannot be a record.
 */
export function compileWritableMembers(
  { body }: Operation,
  record: Shape,
): ((body: unknown) => Members) | undefined {
  const shapes = (body?.content ?? []).flatMap(({ isJson, shape }) => (isJson && shape ? shape : []));
  return shapes.some(mayBeObject) ? onFirstCall(() => compileSelection(shapes, record)) : undefined;
}

function compileSelection(shapes: readonly Shape[], record: Shape): (body: unknown) => Members {
  const readOnly = new Set([record, ...shapes].flatMap(readOnlyMembers));
  const named = new Set(shapes.flatMap((shape) => [...namedMembers(shape).keys()]));
  const isOpen = shapes.some(keepsUnnamed);
  const isWritable = (name: string) => !readOnly.has(name) && (isOpen || named.has(name));
  return (body) => {
    if (!isRecord(body)) return NO_MEMBERS;
    if (Object.keys(body).every(isWritable)) return body;
    return Object.fromEntries(Object.entries(body).filter(([name]) => isWritable(name)));
  };
}

const NO_MEMBERS = {};

function mayBeObject({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === undefined || alternatives.some(mayBeObject);
}
