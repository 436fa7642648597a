import { basisOf } from '../meaning/basis.ts';
import { type Method, type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { itemOf } from './paths.ts';
import {
  answerShape,
  bodyShape,
  memberShape,
  sameRecord,
  sharesMembers,
  unwrapped,
} from './record-schema.ts';
import { declaredRole, type Further, type Singleton } from './resource.ts';

export const isSingleton = (operation: Operation): boolean => declaredRole(operation).action === 'singleton';

const ACTIONS: Partial<Record<Method, keyof Singleton['actions']>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  POST: 'update',
  DELETE: 'remove',
};

/**
 * Finds single records of state among the operations without a collection: a path is read, and written likewise, or
 * shares its schema with the records of a collection (`/me`), or with operations below it (`/cart/add/{id}`).
 */
export function findSingletons(
  operations: readonly Operation[],
  isRecord: (shape: Shape) => boolean,
): Singleton[] {
  const reads = new Set(operations.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  return [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, members]) => {
    const read = members.find(({ method }) => method === 'GET');
    const shape = unwrapped(answerShape(read));
    const isSaid = members.some(isSingleton);
    if (!read || shape?.mainType !== 'object' || (itemOf(path) && !isSaid)) return [];
    const shows = (one: Shape | undefined) => one !== undefined && sharesMembers(one, shape);
    const isSame = (one: Shape | undefined) => shows(one) || (one !== undefined && sameRecord(one, shape));
    // A POST writes the record only if its body has the same members.
    const isWrite = (operation: Operation) =>
      operation.method === 'DELETE' ||
      (operation.method === 'POST'
        ? isSame(bodyShape(operation)) || isSame(unwrapped(answerShape(operation)))
        : bodyShape(operation)?.mainType === 'object');
    const actions: Partial<Record<keyof Singleton['actions'], Operation>> = { read };
    for (const member of members.filter(isWrite)) actions[ACTIONS[member.method] ?? 'read'] ??= member;
    const below = operations.filter(
      (operation) => operation.path.startsWith(`${path}/`) && !reads.has(operation.path),
    );
    const further = below.flatMap((operation): Further[] => {
      const answer = unwrapped(answerShape(operation));
      const ofNone = { list: undefined, parents: [], parameter: undefined };
      const basis = basisOf(['schema', 'path'], operation.spot);
      return shows(answer) ? [{ role: 'action', operation, ...ofNone, ...basis }] : [];
    });
    const isState = Object.keys(actions).length > 1 || further.length > 0;
    const parents = pathParameters(path).map((parameter) => ({
      parameter,
      property: memberShape(shape, parameter) ? parameter : undefined,
    }));
    return isState || isSaid || isRecord(shape) ? [{ path, actions, further, shape, parents }] : [];
  });
}
