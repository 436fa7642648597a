import type { ReadRequest, Resource } from '#spec';
import type { Store } from '../store/port.ts';
import { refuseUnknown } from './actions/item.ts';
import type { RecordCollection } from './collection.ts';
import type { Refusal } from './refusal.ts';

/** Undefined: every record that the path names before the collection is there. */
export type ParentCheck = (values: ReadRequest, store: Store) => Promise<Refusal | undefined>;

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
  return async ({ parameters }, store) => {
    for (const collection of outermostFirst) {
      const id = collection.idFrom(parameters.path[collection.resource.id?.parameter as string]);
      const found = await store.read(collection, id, collection.scopeFrom(parameters.path));
      if (found === undefined) return refuseUnknown(id);
    }
    return undefined;
  };
}
