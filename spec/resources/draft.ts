import { foldedName, singularName, wordsOf } from '../meaning/names.ts';
import { upsertOf } from '../meaning/statuses.ts';
import { VERBS_OF_PATHS } from '../meaning/verb.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import type { Method, Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { identify } from './identity.ts';
import { arrayShape, itemsOf, listForm, listPlace, OF_PAGE, USUAL_MEMBER } from './list-form.ts';
import type { PathVerb } from './path-verb.ts';
import { idParameter, itemOf, recordName, withoutSuffix } from './paths.ts';
import {
  answerShape,
  bodyPath,
  bodyShape,
  isObjectShape,
  memberLike,
  memberShape,
  schemaKey,
  shapeAt,
  sharesMembers,
  unwrapped,
} from './record-schema.ts';
import { type Action, declaredRole, type Identity, type ListPlace, ON_ONE } from './resource.ts';

type Actions = Readonly<Partial<Record<Action, Operation>>>;

/** What the operations on one path and on its items are together; a resource as far as paths and methods show. */
export interface Draft {
  readonly path: string;
  readonly actions: Actions;
  readonly place: ListPlace | undefined;
  readonly shape: Shape;
  readonly id: Identity | undefined;
  /** The Schema Objects of its records, as they are read, listed and answered to a create. */
  readonly keys: ReadonlySet<unknown>;
}

/** A draft, and the operations of its paths whose role is not clear from these. */
export interface Group {
  readonly path: string;
  readonly draft: Draft | undefined;
  readonly rest: readonly Operation[];
}

export type Verbs = ReadonlyMap<Operation, PathVerb>;

/** Reads what operations that belong together do with records. */
export function draftOf(path: string, operations: readonly Operation[], verbs: Verbs): Group {
  const actions: Partial<Record<Action, Operation>> = {};
  const rest: Operation[] = [];
  const add = (operation: Operation, action: Action | undefined) => {
    if (!action || actions[action]) rest.push(operation);
    else actions[action] = operation;
  };
  for (const operation of operations)
    if (!verbs.has(operation)) add(operation, actionOf(operation, path, operations));
  // What reads says what the others have to show.
  const verbal = operations.filter((operation) => verbs.has(operation));
  for (const operation of verbal.toSorted((one, other) => Number(isGet(other)) - Number(isGet(one))))
    add(operation, verbalAction(operation, verbs.get(operation) as PathVerb, actions, path));
  const none = { path, draft: undefined, rest: operations };
  const { list, read, update, remove } = actions;
  const place = list && listPlace(list);
  const shape = recordShape(actions, place, recordName(path));
  if (!shape) return none;
  const id = identify(shape, actions);
  const isWritten = (update ?? actions.replace ?? remove) !== undefined && actions.create !== undefined;
  if (!list && !read && !(isWritten && id && id.sign !== 'undeclared')) return none;
  if (actions.replace && !update && !isWhole(actions.replace, { path, shape, id, actions })) {
    actions.update = actions.replace;
    delete actions.replace;
  }
  const draft = { path, actions, place, shape, id, keys: keysOf(shape, actions, place, recordName(path)) };
  return operations.some(isDeclared) || isCollection(draft) ? { path, draft, rest } : none;
}

const isGet = ({ method }: Operation) => method === 'GET';

/**
 * Whether a PUT replaces the record: its body must have what the record has to have, it may make the record, or the document
 * says so. Any other one merges, unless a PATCH stands beside it.
 */
export function isWhole(
  put: Operation,
  record: Pick<Draft, 'path' | 'shape' | 'id'> & { readonly actions: Actions },
): boolean {
  if (put.method !== 'PUT' || declaredRole(put).action || upsertOf(put)) return true;
  const body = shapeAt(bodyShape(put), bodyPath(record, put));
  if (!body) return true;
  const names = [...body.properties].flatMap(([name, member]) =>
    member.readOnly || member.find('default') ? [] : [name],
  );
  const settable = names.filter((name) => name !== record.id?.property);
  const owed = settable.filter((name) => record.shape.required.has(name));
  return (owed.length > 0 ? owed : settable).every((name) => body.required.has(name));
}

/**
 * The action that a verb in the path names, of what reads, and of what responds with a record of the same schema. Undefined:
 * only the verb speaks for it.
 */
function verbalAction(
  operation: Operation,
  { action, parameter }: PathVerb,
  actions: Actions,
  path: string,
): Action | undefined {
  const items = [actions.read, actions.replace, actions.update, actions.remove];
  const [known] = items.flatMap((item) => (item ? (idParameter(item.path) ?? []) : []));
  const isApart = parameter === undefined ? ON_ONE.has(action) : known !== undefined && known !== parameter;
  const isShown = isGet(operation)
    ? action === 'read' || listPlace(operation) !== undefined
    : showsRecord(operation, actions, recordName(path)) && (action !== 'create' || operation.body);
  return isApart || !isShown ? undefined : action;
}

/** Whether a response has the schema of the records that are read or listed, else of those that are changed. */
function showsRecord(operation: Operation, actions: Actions, name: string): boolean {
  const answer = unwrapped(answerShape(operation), name);
  const items = actions.list && itemsOf(actions.list);
  const changed = unwrapped(answerShape(actions.update ?? actions.replace), name);
  const records = actions.read || items ? [unwrapped(answerShape(actions.read), name), items] : [changed];
  return answer !== undefined && records.some((one) => one && sharesMembers(one, answer));
}

/** Of those on one record only what has its id in the path is a main action. */
function declaredAction(operation: Operation, isItem: boolean): Action | undefined {
  const action = MAIN_ACTIONS.find((one) => one === declaredRole(operation).action);
  if (action === 'list' && !listPlace(operation)) return undefined;
  return action === undefined || ON_ONE.has(action) === isItem ? action : undefined;
}

export const isDeclared = (operation: Operation) => declaredRole(operation).spot !== undefined;

const MAIN_ACTIONS: readonly Action[] = ['list', 'create', 'read', 'replace', 'update', 'remove'];

const ITEM_ACTIONS: Partial<Record<Method, Action>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'remove',
};

function actionOf(operation: Operation, path: string, others: readonly Operation[]): Action | undefined {
  const { method } = operation;
  const plain = withoutSuffix(operation.path);
  const isItem = plain !== path && itemOf(plain) !== undefined;
  if (declaredRole(operation).action) return declaredAction(operation, isItem);
  // What changes a record without being told to what does something to it.
  if (isItem) return method === 'PATCH' && !operation.body ? undefined : ITEM_ACTIONS[method];
  const answer = answerShape(operation);
  if (method === 'POST') {
    const isOfMany = bodyShape(operation)?.mainType === 'array' || answer?.mainType === 'array';
    return operation.body && !isOfMany && !isSearch(operation, others) ? 'create' : undefined;
  }
  const isPosted = others.some((one) => one.method === 'POST' && one.path === operation.path);
  if (!isPosted && isPutCreate(operation)) return 'create';
  const place = method === 'GET' ? listPlace(operation) : undefined;
  if (!place || isOneRecord(place, answer, operation.path)) return undefined;
  return answer && isWritten(answer, operation, others) ? undefined : 'list';
}

/** A PUT on a collection whose only success is 201: a record was created (RFC 9110 §15.3.2). */
export function isPutCreate({ method, path, body, responses }: Operation): boolean {
  const successes = explicitStatuses(responses).filter((status) => status >= 200 && status < 300);
  const isOnly = successes.length === 1 && successes[0] === 201;
  return method === 'PUT' && !itemOf(path) && isOnly && body !== undefined;
}

/** A PUT on a collection that is called so: `Create a label`, `createLabel`. */
export function isNamedCreate({ method, path, id, summary = '' }: Operation): boolean {
  const firsts = [id, summary].map((name) => (wordsOf(name)[0] ?? '').replace(/s$/, ''));
  return method === 'PUT' && !itemOf(path) && firsts.some((word) => VERBS_OF_PATHS.get(word) === 'created');
}

/** A POST with the same response as the list at its path takes in a body what may be too long for a query. */
export function isSearch(operation: Operation, others: readonly Operation[]): boolean {
  const items = itemsOf(operation);
  if (operation.method !== 'POST' || !items || bodyShape(operation)?.mainType === 'array') return false;
  const lists = others.filter((one) => one.path === operation.path && isGet(one));
  return lists.some((list) => {
    const listed = itemsOf(list);
    return listed !== undefined && schemaKey(listed) === schemaKey(items);
  });
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
 * The schema of which `x-paddock` says something, else of what is read by id, of an item of the list, of the response to a create. Where a member of
 * what is read has the schema of the items, that is the record, and what is around it is not.
 */
function recordShape(actions: Actions, place: ListPlace | undefined, name: string): Shape | undefined {
  const items = place && arrayShape(place, answerShape(actions.list))?.items;
  const read = answerShape(actions.read);
  const like = read && items && memberLike(read, items);
  const member = like === undefined ? undefined : read?.properties.get(like);
  if (member && items) return schemaKey(member) === schemaKey(items) ? items : member;
  const all = [unwrapped(read, name), items, unwrapped(answerShape(actions.create), name)];
  const shapes = all.filter(isObjectShape);
  return shapes.find((one) => saidOfRecord(one).spot) ?? shapes[0];
}

function keysOf(shape: Shape, actions: Actions, place: ListPlace | undefined, name: string) {
  const items = place && arrayShape(place, answerShape(actions.list))?.items;
  const answered = unwrapped(answerShape(actions.create), name);
  // A response that only says what was done shows no record.
  const isShown = [...(answered?.properties.keys() ?? [])].some((member) => memberShape(shape, member));
  const keys = [shape, items, isShown ? answered : undefined].flatMap((one) =>
    one ? (schemaKey(one) ?? []) : [],
  );
  return new Set<unknown>(keys);
}

/** What is only listed is a collection if its records have an id, or parameters select them. */
function isCollection({ actions, place, shape, id, path }: Draft): boolean {
  const { list, ...others } = actions;
  if (!list || !place || Object.keys(others).length > 0) return true;
  const { filters, pageSize, offset, page, cursor } = listForm(list, place, shape);
  const isSelected = filters.length > 0 || [pageSize, offset, page, cursor].some(Boolean);
  return isSelected || (id !== undefined && holdsList(place, path));
}

/**
 * An object with an id of its own, and a list in a member that is not named for that, is a record: a cart with its products.
 * What says of itself that it is a page is none.
 */
export function isOneRecord(place: ListPlace, answer: Shape | undefined, path: string): boolean {
  const forms = answer ? [answer, ...answer.alternatives] : [];
  const names = forms.flatMap(({ properties }) => [...properties.keys()]);
  const isPage = names.some((name) => OF_PAGE.test(name));
  return !isPage && names.some((name) => foldedName(name) === 'id') && !holdsList(place, path);
}

/** Whether the member with the records is named for that: any other one is a part of the object around it. */
function holdsList({ member }: ListPlace, path: string): boolean {
  return member === undefined || USUAL_MEMBER.test(member) || singularName(member) === recordName(path);
}
