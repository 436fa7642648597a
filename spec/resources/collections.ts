import { foldedName, idStem, idWord, namesIdOf, sameName, singularName } from '../meaning/names.ts';
import { saysReplaced, upsertOf } from '../meaning/statuses.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import type { Method, Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { identify } from './identity.ts';
import {
  isListOfOne,
  itemsOf,
  listForm,
  listMeanings,
  listPlace,
  OF_PAGE,
  USUAL_MEMBER,
} from './list-form.ts';
import { sentMany } from './many.ts';
import type { PathVerb } from './path-verb.ts';
import { collectionPath, itemOf, lastSegment, recordName, singularPath, withoutSuffix } from './paths.ts';
import {
  answerShape,
  bodyShape,
  hasSameSchema,
  isObjectShape,
  memberShape,
  schemaKey,
  sentShape,
  sharesMembers,
  unwrapped,
} from './record-schema.ts';
import { type Action, declaredRole, type Further, type Identity, ON_ONE } from './resource.ts';

/** A collection as far as paths and methods show: the operations on one path and on its items. */
export interface Draft {
  readonly path: string;
  readonly actions: Partial<Record<Action, Operation>>;
  readonly further: Further[];
  readonly shape: Shape;
  readonly id: Identity | undefined;
  /** The Schema Objects of its records, when read and when listed. */
  readonly keys: ReadonlySet<unknown>;
}

export type Verbs = ReadonlyMap<Operation, PathVerb>;

export const isGet = ({ method }: Operation) => method === 'GET';

/**
 * The path of the collection that an operation may belong to: as `x-paddock` says, or by its path, with or without a verb,
 * in the singular or the plural: `/silences` and `/silence/{silenceId}`.
 */
export function collectionsOf(
  operations: readonly Operation[],
  verbs: Verbs,
): (operation: Operation) => string {
  const above = new Set(operations.flatMap(({ path }) => itemOf(path)?.above ?? []));
  const written = new Set(
    operations.flatMap((operation) => (isGet(operation) ? [] : withoutSuffix(operation.path))),
  );
  // Reads of one record, which may have lists in it: an order with its `items`.
  const reads = new Map(
    operations.filter(isGet).map((operation) => [withoutSuffix(operation.path), operation]),
  );
  const isOfList = (operation: Operation) => {
    const list = reads.get(itemOf(operation.path)?.above ?? '');
    const [items, answer] = [list && itemsOf(list), answerShape(operation)];
    return (items && isObjectShape(answer) && hasSameSchema(items, answer)) || isListOfOne(operation, list);
  };
  const lists = new Set(
    operations.flatMap((operation) =>
      isListed(operation, above) && !isOfList(operation) ? withoutSuffix(operation.path) : [],
    ),
  );
  const pathAbove = (operation: Operation) => {
    const { resource } = declaredRole(operation);
    if (resource) return withoutSuffix(resource);
    const plain = withoutSuffix(operation.path);
    // `/events/processId?processId=` lists those of a process.
    const at = isGet(operation) && isSelection(operation) ? plain.slice(0, plain.lastIndexOf('/')) : '';
    if (written.has(at)) return at;
    return verbs.get(operation)?.collection ?? (lists.has(plain) ? plain : collectionPath(plain));
  };
  const withItems = Map.groupBy(
    [...new Set(operations.map(pathAbove))].filter((path) => above.has(path)),
    singularPath,
  );
  return (operation) => {
    const path = pathAbove(operation);
    const [other, ...more] = above.has(path) ? [] : (withItems.get(singularPath(path)) ?? []);
    return other !== undefined && more.length === 0 && !declaredRole(operation).resource ? other : path;
  };
}

/** Whether the last segment of a path is the name of a query parameter. */
const isSelection = ({ path, parameters }: Operation) =>
  parameters.some(
    (parameter) => parameter.in === 'query' && withoutSuffix(path).endsWith(`/${parameter.name}`),
  );

/**
 * Whether a path that ends in a parameter is that of a list: it returns an array, or an object around a list that is a page
 * or has items below.
 */
function isListed(operation: Operation, above: ReadonlySet<string>): boolean {
  const answer = itemOf(operation.path) && isGet(operation) ? answerShape(operation) : undefined;
  if (!answer || answer.mainType === 'array') return answer !== undefined;
  const { member = '' } = listPlace(operation) ?? {};
  const isNamed = USUAL_MEMBER.test(member) || singularName(member) === recordName(operation.path);
  // `{ "data": [], "count": 0 }`
  const isCounted =
    answer.properties.size > 1 &&
    [...answer.properties].every(([name, shape]) => name === member || shape.mainType === 'integer');
  const isMany = above.has(withoutSuffix(operation.path)) || isPage(answer) || isCounted;
  const isRecord = [...answer.properties.keys()].some(
    (name) => foldedName(name) === 'id' || namesIdOf(name, recordName(operation.path)),
  );
  return isMany && isNamed && !isRecord;
}

/** Whether a response has members of a page. */
const isPage = ({ properties }: Shape) => [...properties.keys()].some((name) => OF_PAGE.test(name));

/** Whether a path has operations on items only, and none that lists or creates: `DELETE /comments/{id}`. */
export const hasItemsAlone = ([path, operations]: readonly [string, readonly Operation[]]): boolean =>
  operations.every((operation) => itemOf(operation.path)?.above === path);

/** Reads what related operations do with records. Undefined: none of them returns a record. */
export function draftOf(
  path: string,
  operations: readonly Operation[],
  verbs: Verbs,
  hasItems = false,
): Draft | undefined {
  const actions: Partial<Record<Action, Operation>> = {};
  // Operations at the path itself come first, since the roles of verbs depend on them.
  const isBeside = (operation: Operation) =>
    Number(verbs.has(operation)) * 2 + Number(!withoutSuffix(operation.path).startsWith(path));
  for (const operation of operations.toSorted((left, right) => isBeside(left) - isBeside(right))) {
    const action =
      verbs.has(operation) && !isDeclared(operation)
        ? verbalAction(operation, verbs.get(operation), actions, path)
        : actionOf(operation, path, operations);
    if (action) actions[action] ??= operation;
  }
  const { list, read, create, update, replace, remove } = actions;
  const name = recordName(path);
  const items = list && itemsOf(list);
  const isOne = read !== undefined && isListOfOne(read, list);
  const shape = recordShape(isOne ? { ...(create && { create }) } : actions, items, name);
  const asked = [read, update, replace, remove].flatMap(
    (operation) => (operation && verbs.get(operation)?.parameter) ?? [],
  );
  const id = shape && identify(shape, actions, path, asked[0]);
  if (!shape || !(list ?? read ?? (id && create && (hasItems || (update ?? replace ?? remove)))))
    return undefined;
  const keys = new Set([shape, items].flatMap((one) => (one && schemaKey(one)) ?? []));
  const draft = { path, actions, further: [], shape, id, keys };
  if (replace && !update && !isWhole(replace, draft)) {
    actions.update = replace;
    delete actions.replace;
  }
  return operations.some(isDeclared) || isCollection(draft) ? draft : undefined;
}

/**
 * Whether a PUT replaces the record: its body requires what the record requires, it may create the record, or the document
 * says so. Any other PUT merges, unless there is a PATCH beside it.
 */
export function isWhole(put: Operation, record: Draft): boolean {
  const body = sentShape(record, put);
  if (!body || declaredRole(put).action || upsertOf(put) || saysReplaced(put)) return true;
  const settable = [...body.properties].flatMap(([name, member]) =>
    member.readOnly || member.find('default') || name === record.id?.property ? [] : [name],
  );
  const owed = settable.filter((name) => record.shape.required.has(name));
  return (owed.length > 0 ? owed : settable).every((name) => body.required.has(name));
}

/** The action that a verb in the path names, where the operation reads or responds with a record of the same schema. */
function verbalAction(
  operation: Operation,
  verb: PathVerb | undefined,
  { read, list, update, replace }: Draft['actions'],
  path: string,
): Action | undefined {
  const [recordShown, ...records] = [operation, read, update, replace].map((one) =>
    unwrapped(answerShape(one), recordName(path)),
  );
  const items = list && itemsOf(list);
  // No other operation returns the created records.
  const isAlone = verb?.action === 'create' && recordShown && !items && records.every((record) => !record);
  const isShown = isGet(operation)
    ? verb?.action === 'read' || listPlace(operation)
    : isAlone ||
      [...records, items].some((record) => record && recordShown && sharesMembers(record, recordShown));
  return isShown && verb && (verb.parameter !== undefined || !ON_ONE.has(verb.action))
    ? verb.action
    : undefined;
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
  const { method, body } = operation;
  const plain = withoutSuffix(operation.path);
  const isItem = plain !== path && itemOf(plain) !== undefined;
  const said = declaredRole(operation).action;
  const place = listPlace(operation);
  // An operation on one record is a main action only with the id in its path.
  // At another path than the record's own, one more action of it: `PUT /staff/promote/{staff_id}` beside `/staff/{id}`.
  const isOwn = (one: Operation) => itemOf(one.path)?.above === path;
  if (said && isItem && !isOwn(operation) && others.some(isOwn)) return undefined;
  if (said)
    return MAIN_ACTIONS.find(
      (action) => action === said && ON_ONE.has(action) === isItem && (action !== 'list' || place),
    );
  // A PATCH without a body is an action.
  if (isItem) return method === 'PATCH' && !body ? undefined : ITEM_ACTIONS[method];
  const beside = others.filter((one) => one.path === operation.path);
  if (method === 'POST')
    return body &&
      ![bodyShape, answerShape].some((of) => of(operation)?.mainType === 'array') &&
      !isSearch(operation, beside) &&
      !isOfMany(operation)
      ? 'create'
      : undefined;
  if (isPutCreate(operation) && !beside.some((one) => one.method === 'POST')) return 'create';
  return isGet(operation) && place && !isOneRecord(operation) ? 'list' : undefined;
}

/**
 * Whether a POST searches: it returns the same records as the list at its path, with criteria in a body; or it
 * sends no part of a record, and gets records of the collection.
 */
function isSearch(operation: Operation, beside: readonly Operation[]): boolean {
  if (explicitStatuses(operation.responses).includes(201)) return false;
  const [body, items, { member } = {}] = [bodyShape(operation), itemsOf(operation), listPlace(operation)];
  const forms = body ? [body, ...body.alternatives] : [];
  // An operation that sends records creates some.
  if (items && forms.some((form) => hasSameSchema(form.items ?? form, items))) return false;
  const isOfRecords = member !== undefined && singularName(member) === recordName(operation.path);
  const isOfOne = (name: string) => items !== undefined && memberShape(items, name) !== undefined;
  const sent = unwrapped(body, recordName(operation.path));
  const sendsRecord = [...(sent?.properties.keys() ?? [])].some(isOfOne);
  // `{ "pet": { "name": "Rex" } }`
  if (sendsRecord && sent !== body) return false;
  if (isOfRecords && body && !sendsRecord) return true;
  const [key, ...others] = [operation, ...beside.filter(isGet)].map((one) => {
    const items = itemsOf(one);
    return items && schemaKey(items);
  });
  return key !== undefined && others.includes(key);
}

/** Whether an operation sends and returns several records: `{ "pets": [] }` for `/pets`. */
export function isOfMany(operation: Operation): boolean {
  const [name, ...more] = sentMany(operation) ?? [];
  const isNamed = name !== undefined && sameName(name, lastSegment(operation.path) ?? '');
  return isNamed && more.length === 0 && itemsOf(operation) !== undefined;
}

/** A PUT on a collection whose only success is 201: a record was created (RFC 9110 §15.3.2). */
function isPutCreate({ method, body, responses }: Operation): boolean {
  const successes = explicitStatuses(responses).filter((status) => status < 300);
  return method === 'PUT' && body !== undefined && successes.join() === '201';
}

/**
 * The record's schema: the one with `x-paddock`, else that of the read, of an item of the list, of the response to a
 * create.
 */
function recordShape(
  { read, create }: Draft['actions'],
  items: Shape | undefined,
  name: string,
): Shape | undefined {
  const [ofRead, ofCreate] = [read, create].map((operation) => unwrapped(answerShape(operation), name));
  const shapes = [ofRead, items, ofCreate].filter(isObjectShape);
  return shapes.find((shape) => saidOfRecord(shape).spot) ?? shapes.find(hasMembers) ?? shapes[0];
}

/** Whether a schema describes members of a record besides its links. */
const hasMembers = ({ properties, alternatives }: Shape) =>
  alternatives.length > 0 || [...properties.keys()].some((name) => name !== '_links');

/** Whether a draft is a collection: one that is only listed needs records with an id, or parameters that select them. */
function isCollection({ actions: { list, ...others }, shape, id }: Draft): boolean {
  const place = list && listPlace(list);
  if (!place || Object.keys(others).length > 0) return true;
  const meanings = [...listMeanings(listForm(list, place, shape)).values()];
  const isSelected = meanings.some((meaning) => meaning === 'filter' || meaning === 'page');
  return isSelected || (id !== undefined && holdsList(list));
}

/**
 * Whether an object with a list is one record: it has an id, and its list has no usual name of a list, as a cart with its
 * products. An object with members of a page is none.
 */
export function isOneRecord(operation: Operation): boolean {
  const answer = answerShape(operation);
  const forms = answer ? [answer, ...answer.alternatives] : [];
  const hasId = forms.some(({ properties }) =>
    [...properties.keys()].some((name) => foldedName(name) === 'id'),
  );
  return hasId && !forms.some(isPage) && !holdsList(operation);
}

/** Whether the member with the records has a usual name of a list; any other list is a part of the object. */
function holdsList(operation: Operation): boolean {
  const { member } = listPlace(operation) ?? {};
  return (
    member === undefined || USUAL_MEMBER.test(member) || singularName(member) === recordName(operation.path)
  );
}

/** Whether a path parameter is the id of a record: the one that other operations use, else by its name. */
export function namesRecordOf(parameter: string, { path, id }: Draft): boolean {
  if (id?.parameter !== undefined)
    return parameter === id.parameter || namesIdOf(parameter, recordName(path));
  return (
    id !== undefined &&
    (idStem(parameter) ?? recordName(path)) === recordName(path) &&
    idWord(parameter) !== undefined
  );
}

/** Whether records can be removed and no operation creates them. */
export function isMadeNowhere({ actions: { create, remove, replace }, further }: Draft): boolean {
  const isMade = create ?? further.find(({ role }) => role === 'create') ?? (replace && upsertOf(replace));
  return remove !== undefined && isMade === undefined;
}
