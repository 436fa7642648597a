import type { Method, Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { answerShape, bodyShape } from './answer.ts';
import { itemOf, pathParameters } from './paths.ts';
import { memberShape, sharesMembers, unwrapped } from './record-schema.ts';
import type { Singleton } from './resource.ts';

const ACTIONS: Partial<Record<Method, keyof Singleton['actions']>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  POST: 'update',
  DELETE: 'remove',
};

/**
 * Single records of state among the operations that belong to no collection: what a path reads, and writes likewise or
 * shares its schema with the records of a collection (`/me`).
 */
export function findSingletons(
  operations: readonly Operation[],
  isRecord: (shape: Shape) => boolean,
): Singleton[] {
  return [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, members]) =>
    itemOf(path) && !members.some(({ declared }) => declared.action === 'singleton')
      ? []
      : (singletonAt(path, members, isRecord) ?? []),
  );
}

function singletonAt(
  path: string,
  operations: readonly Operation[],
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
  const isSaid = operations.some(({ declared }) => declared.action === 'singleton');
  if (Object.keys(actions).length === 1 && !isSaid && !isRecord(shape)) return undefined;
  const parents = pathParameters(path).map((parameter) => {
    return { parameter, property: memberShape(shape, parameter) ? parameter : undefined };
  });
  return { path, actions, shape, parents };

  /** A PUT or PATCH of the same path; a POST only with the same members. */
  function writes(operation: Operation): boolean {
    const [body, answer] = [bodyShape(operation), unwrapped(answerShape(operation))];
    if (operation.method !== 'POST') return body?.mainType === 'object';
    return [body, answer].some((one) => one && shape && sharesMembers(one, shape));
  }
}
