import type { ReadRequest, Resource } from '#spec';
import type { Store } from '../store/port.ts';
import { refuseUnknown } from './actions/item.ts';
import { andThen } from './and-then.ts';
import type { RecordCollection } from './collection.ts';
import type { Awaitable } from './exchange.ts';
import type { Refusal } from './refusal.ts';

/** Undefined: every record that the path names before the collection is there. */
export type ParentCheck = (values: ReadRequest, store: Store) => Awaitable<Refusal | undefined>;

/** Compiles the look at what a nested collection belongs to, the outermost first; undefined: it is not nested. */
export function compileParentCheck(
  { path }: Resource,
  collections: ReadonlyMap<Resource, RecordCollection>,
): ParentCheck | undefined {
  const above = [...collections.values()].filter(({ resource }) => {
    const item = `${resource.path}/{${resource.id?.parameter}}`;
    return resource.actions.read && path.startsWith(`${item}/`);
  });
  const outermostFirst = above.sort((left, right) => left.name.length - right.name.length);
  if (outermostFirst.length === 0) return undefined;
  const checkFrom = (at: number, values: ReadRequest, store: Store): Awaitable<Refusal | undefined> => {
    const collection = outermostFirst[at];
    if (!collection) return undefined;
    const { path } = values.parameters;
    const id = collection.idFrom(path[collection.resource.id?.parameter as string]);
    return andThen(store.read(collection, id, collection.scopeFrom(path)), (found) =>
      found === undefined ? refuseUnknown(id) : checkFrom(at + 1, values, store),
    );
  };
  return (values, store) => checkFrom(0, values, store);
}
