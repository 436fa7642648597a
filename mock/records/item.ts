import { bodyShape, isRecord, memberShape, type Operation, type ReadRequest, type Resource } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';
import type { Condition, Id, Store } from '../store/port.ts';
import type { RecordCollection } from './collection.ts';

/** The record that a path names: its id, and what the path requires of its parents. */
export interface ItemAddress {
  readonly id: Id;
  readonly scope: readonly Condition[];
}

/**
 * Compiles the reading of an item's address: its id is in the path, else in the body of a request that has a member for
 * it. Undefined: neither.
 */
export function compileItemAddress(
  { resource, idFrom, scopeFrom }: RecordCollection,
  operation?: Operation,
): ((request: ReadRequest) => ItemAddress) | undefined {
  const { parameter, property } = resource.id ?? {};
  if (parameter !== undefined)
    return ({ parameters: { path } }) => ({ id: idFrom(path[parameter]), scope: scopeFrom(path) });
  const body = operation && bodyShape(operation);
  if (property === undefined || !body || !memberShape(body, property)) return undefined;
  return ({ parameters: { path }, body: given }) => ({
    id: isRecord(given) ? (given[property] as Id) : '',
    scope: scopeFrom(path),
  });
}

export function recordNotFound(id: Id): Refusal {
  return { refuse: 'not found', message: `There is no record with the id ${id}` };
}

/** Undefined: all parent records that the path names exist. */
type ParentCheck = (values: ReadRequest, store: Store) => Awaitable<Refusal | undefined>;

/** Compiles the check of a nested collection's parents, the outermost first; undefined: it is not nested. */
export function compileParentCheck(
  { path }: Pick<Resource, 'path'>,
  collections: ReadonlyMap<Resource, RecordCollection>,
): ParentCheck | undefined {
  const parents = [...collections.values()]
    .filter(({ resource }) => {
      const item = `${resource.path}/{${resource.id?.parameter}}`;
      return resource.actions.read && path.startsWith(`${item}/`);
    })
    .sort((left, right) => left.name.length - right.name.length)
    .map((collection) => ({ collection, addressOf: compileItemAddress(collection) }));
  if (parents.length === 0) return undefined;
  const checkFrom = (index: number, values: ReadRequest, store: Store): Awaitable<Refusal | undefined> => {
    const { collection, addressOf } = parents[index] ?? {};
    if (!collection || !addressOf) return undefined;
    const { id, scope } = addressOf(values);
    return andThen(store.read(collection, id, scope), (found) =>
      found === undefined ? recordNotFound(id) : checkFrom(index + 1, values, store),
    );
  };
  return (values, store) => checkFrom(0, values, store);
}
