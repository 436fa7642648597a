import { basisOf } from '../meaning/basis.ts';
import { type Method, type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { itemOf } from './paths.ts';
import { answerShape, bodyShape, memberShape, sharesMembers, unwrapped } from './record-schema.ts';
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
 * Single records of state among the operations that belong to no collection: what a path reads, and writes likewise or
 * shares its schema with the records of a collection (`/me`), or with what is done below it (`/cart/add/{id}`).
 */
export function findSingletons(
  operations: readonly Operation[],
  isRecord: (shape: Shape) => boolean,
): Singleton[] {
  const reads = new Set(operations.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  return [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, members]) => {
    if (itemOf(path) && !members.some(isSingleton)) return [];
    const below = operations.filter((one) => one.path.startsWith(`${path}/`) && !reads.has(one.path));
    return singletonAt(path, members, below, isRecord) ?? [];
  });
}

function singletonAt(
  path: string,
  operations: readonly Operation[],
  below: readonly Operation[],
  isRecord: (shape: Shape) => boolean,
): Singleton | undefined {
  const read = operations.find(({ method }) => method === 'GET');
  const shape = unwrapped(answerShape(read));
  if (!read || shape?.mainType !== 'object') return undefined;
  const actions: Partial<Record<keyof Singleton['actions'], Operation>> = { read };
  for (const operation of operations) {
    const action = ACTIONS[operation.method];
    if (action && !actions[action] && (action === 'remove' || writes(operation))) actions[action] = operation;
  }
  const isSaid = operations.some(isSingleton);
  const further = below.flatMap((operation): Further[] => {
    const answer = unwrapped(answerShape(operation));
    if (!answer || !shows(answer)) return [];
    const ofNone = { list: undefined, parents: [], parameter: undefined };
    return [{ role: 'action', operation, ...ofNone, ...basisOf(['schema', 'path'], answer.spot) }];
  });
  const isState = Object.keys(actions).length > 1 || further.length > 0;
  if (!isState && !isSaid && !isRecord(shape)) return undefined;
  const parents = pathParameters(path).map((parameter) => {
    return { parameter, property: memberShape(shape, parameter) ? parameter : undefined };
  });
  return { path, actions, further, shape, parents };

  function shows(answer: Shape | undefined): boolean {
    return answer !== undefined && shape !== undefined && sharesMembers(answer, shape);
  }

  /** A PUT or PATCH of the same path; a POST only with the same members. */
  function writes(operation: Operation): boolean {
    const [body, answer] = [bodyShape(operation), unwrapped(answerShape(operation))];
    if (operation.method !== 'POST') return body?.mainType === 'object';
    return [body, answer].some(shows);
  }
}
