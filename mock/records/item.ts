import {
  ancestorsOf,
  answerShape,
  bodyShape,
  type Data,
  explicitStatuses,
  findNamed,
  idInBody,
  isRecord,
  memberShape,
  type Operation,
  pathParameters,
  type ReadRequest,
  type Resource,
  recordPath,
  sameRecord,
  shapeAt,
  sharesMembers,
  stringifyJson,
} from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';
import type { Condition, Id, Store } from '../store/port.ts';
import type { Run } from './actions/action.ts';
import { pathParameter, type RecordCollection } from './collection.ts';

/** The record that a path names: its id, and the conditions on its parents. */
export interface ItemAddress {
  readonly id: Id;
  readonly scope: readonly Condition[];
}

/** Compiles reading an item's address: the id is in the path, else in the request's body. Undefined: neither has one. */
export function compileItemAddress(
  { resource, idFrom, scopeFrom }: RecordCollection,
  operation?: Operation,
): ((request: ReadRequest) => ItemAddress) | undefined {
  const { parameter } = resource.id ?? {};
  if (isAlone(resource))
    return ({ parameters: { path } }) => {
      const scope = scopeFrom(path);
      return { id: idAlone(scope), scope };
    };
  if (parameter !== undefined)
    return ({ parameters: { path, query } }) => ({
      id: idFrom(path[parameter] ?? query[findNamed(Object.keys(query), parameter) ?? '']),
      scope: scopeFrom(path),
    });
  const body = operation && bodyShape(operation);
  const named = idInBody(resource, body);
  if (named === undefined) return undefined;
  return ({ parameters: { path }, body: sent }) => ({
    id: isRecord(sent) ? (sent[named] as Id) : '',
    scope: scopeFrom(path),
  });
}

/** Whether a resource is the one record at a path, such as `/settings`; only its parents identify it. */
export const isAlone = ({ id, list, actions, path }: Resource) =>
  !id && !list && !actions.create && Object.values(actions).every((operation) => operation.path === path);

export const idAlone = (scope: readonly Condition[]): Id => stringifyJson(scope.map(({ anyOf }) => anyOf[0]));

/** Whether a response shows the record: by its schema, or by its id and mostly the same members. */
export function isShown(operation: Operation, resource: Resource): boolean {
  const { shape, id } = resource;
  const recordForm = shapeAt(answerShape(operation), recordPath(resource, operation));
  const hasId =
    id !== undefined && recordForm !== undefined && memberShape(recordForm, id.property) !== undefined;
  return (
    recordForm !== undefined && (hasId ? sameRecord(recordForm, shape) : sharesMembers(recordForm, shape))
  );
}

/**
 * Whether any id is valid: nothing tells which records exist, and no status is documented for missing ones
 * (`/exchange-rates/{currency}`).
 */
export function isAnyId({ actions, further }: Resource): boolean {
  if (actions.list || actions.create || further.some(({ role }) => TELLING.has(role))) return false;
  return Object.values(actions).every((operation) => !documentsNotFound(operation));
}

/** Actions that tell clients a collection's ids. */
const TELLING: ReadonlySet<string> = new Set(['list', 'view', 'create', 'createMany']);

function documentsNotFound({ responses }: Operation): boolean {
  return explicitStatuses(responses).some((status) => status === 404 || status === 410);
}

export function recordNotFound(id: Id): Refusal {
  return { refuse: 'not found', message: `There is no record with the id ${id}` };
}

/** A record of another document that a path parameter names. */
export interface ForeignParent {
  readonly parameter: string;
  readonly collection: RecordCollection;
}

interface ParentsContext {
  readonly operation: Operation;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly foreignParents: (operation: Operation) => readonly ForeignParent[];
}

/** Responds with 404 below a missing parent; the outermost is checked first. */
export function compileParents({ operation, collections, foreignParents }: ParentsContext): Run | undefined {
  const names = pathParameters(operation.path);
  const ancestors = ancestorsOf([...collections.keys()], operation.path).flatMap(({ parent, parameter }) => {
    const collection = collections.get(parent);
    const described = pathParameter(operation, parameter);
    const { read, list, create } = parent.actions;
    const isNamed = !described || collection?.isNamedBy(described);
    if (!collection || !(read ?? list ?? create) || !isNamed || isAnyId(parent)) return [];
    // Paths may use different names for one parameter.
    const above = parent.parents.map((one, index) => [one.parameter, names[index] ?? ''] as const);
    return { collection, parameter, above };
  });
  const parents = [
    ...foreignParents(operation).map((foreignParent) => ({ ...foreignParent, above: [] })),
    ...ancestors,
  ];
  if (parents.length === 0) return undefined;
  const checkFrom = (index: number, path: Data, store: Store): Awaitable<Refusal | undefined> => {
    const { collection, parameter = '', above = [] } = parents[index] ?? {};
    if (!collection) return undefined;
    const id = collection.idFrom(path[parameter]);
    const scope =
      above.length === 0
        ? NO_SCOPE
        : collection.scopeFrom(Object.fromEntries(above.map(([name, here]) => [name, path[here]])));
    return andThen(store.read(collection, id, scope), (record) =>
      record === undefined ? recordNotFound(id) : checkFrom(index + 1, path, store),
    );
  };
  return (task, next) =>
    andThen(checkFrom(0, task.values.parameters.path, task.store), (refusal) => refusal ?? next(task));
}

const NO_SCOPE: readonly Condition[] = [];
