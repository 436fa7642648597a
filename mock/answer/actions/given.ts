import { isRecord, type Operation, type Shape } from '#spec';
import { keepsUnnamed, namedMembers, readOnlyMembers } from '../members.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Compiles which members of a valid body count: those that the request's schema names. A client's value for a
 * member that is `readOnly`, in the request or in the record, is ignored. Undefined: the operation has no body
 * that could be a record.
 */
export function compileGivenMembers(
  { body }: Operation,
  record: Shape,
): ((body: unknown) => Members) | undefined {
  const shapes = (body?.content ?? []).flatMap(({ isJson, shape }) => (isJson && shape ? shape : []));
  if (!shapes.some(mayBeObject)) return undefined;
  const readOnly = new Set([record, ...shapes].flatMap(readOnlyMembers));
  const named = new Set(shapes.flatMap((shape) => [...namedMembers(shape).keys()]));
  const isOpen = shapes.some(keepsUnnamed);
  const counts = (name: string) => !readOnly.has(name) && (isOpen || named.has(name));
  return (given) => {
    if (!isRecord(given)) return NOTHING;
    if (Object.keys(given).every(counts)) return given;
    return Object.fromEntries(Object.entries(given).filter(([name]) => counts(name)));
  };
}

const NOTHING = {};

function mayBeObject({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === undefined || alternatives.some(mayBeObject);
}
