import type { Method, Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { answerShape, bodyShape, isObjectShape } from './answer.ts';
import { identify } from './identity.ts';
import { arrayShape, listPlace } from './list-form.ts';
import { itemOf } from './paths.ts';
import { memberLike, sharesMembers, unwrapped } from './record-schema.ts';
import type { Action, Identity, ListPlace } from './resource.ts';

/** What the operations on one path and on its items are together; a resource as far as paths and methods tell. */
export interface Draft {
  readonly path: string;
  readonly actions: Readonly<Partial<Record<Action, Operation>>>;
  readonly place: ListPlace | undefined;
  readonly shape: Shape;
  readonly id: Identity | undefined;
}

/** A draft, and the operations of its paths whose role is not clear from these. */
export interface Group {
  readonly path: string;
  readonly draft: Draft | undefined;
  readonly rest: readonly Operation[];
}

/** Reads what operations that belong together do with records. */
export function draftOf(path: string, operations: readonly Operation[]): Group {
  const actions: Partial<Record<Action, Operation>> = {};
  const rest: Operation[] = [];
  for (const operation of operations) {
    const action = actionOf(operation, operations);
    if (!action || actions[action]) rest.push(operation);
    else actions[action] = operation;
  }
  const { list, read } = actions;
  const place = list && listPlace(list);
  const shape = recordShape(actions, place);
  if (!shape || !(list || read)) return { path, draft: undefined, rest: operations };
  return { path, draft: { path, actions, place, shape, id: identify(shape, actions) }, rest };
}

const ITEM_ACTIONS: Partial<Record<Method, Action>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'remove',
};

/** Whether an operation has the path of an item; one that returns an array has the path of a list. */
export function isOnItem({ path, method }: Operation, answer: Shape | undefined): boolean {
  return itemOf(path) !== undefined && !(method === 'GET' && answer?.mainType === 'array');
}

function actionOf(operation: Operation, others: readonly Operation[]): Action | undefined {
  const { method } = operation;
  const answer = answerShape(operation);
  if (isOnItem(operation, answer)) return ITEM_ACTIONS[method];
  if (method === 'POST') return isCreate(operation) ? 'create' : undefined;
  if (method !== 'GET' || !listPlace(operation)) return undefined;
  return answer && isWritten(answer, operation, others) ? undefined : 'list';
}

function isCreate(operation: Operation): boolean {
  if (!operation.body) return false;
  return bodyShape(operation)?.mainType !== 'array' && answerShape(operation)?.mainType !== 'array';
}

/** An object that is written as a whole is a record with a list in it, and no list. */
function isWritten(answer: Shape, { path }: Operation, others: readonly Operation[]): boolean {
  return others.some((other) => {
    if (other.path !== path || !['PUT', 'PATCH'].includes(other.method)) return false;
    const body = bodyShape(other);
    return body?.mainType === 'object' && answer.mainType === 'object' && sharesMembers(body, answer);
  });
}

/**
 * The schema of what is read by id, else of an item of the list, else of the response to a create. Where a member of
 * what is read has the schema of the items, that is the record, and what is around it is not.
 */
function recordShape(actions: Draft['actions'], place: ListPlace | undefined): Shape | undefined {
  const items = place && arrayShape(place, answerShape(actions.list))?.items;
  const read = answerShape(actions.read);
  if (read && items && memberLike(read, items) !== undefined) return items;
  return [unwrapped(read), items, unwrapped(answerShape(actions.create))].find(isObjectShape);
}
