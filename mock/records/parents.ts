import type { ReadRequest, Resource } from '#spec';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import type { Refusal } from '../http/refusal.ts';
import type { Store } from '../store/port.ts';
import type { RecordCollection } from './collection.ts';
import { compileItemAddress, recordNotFound } from './item.ts';

/** Undefined: all parent records that the path names exist. */
export type ParentCheck = (values: ReadRequest, store: Store) => Awaitable<Refusal | undefined>;

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
