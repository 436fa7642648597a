import { parseJson } from '#spec';
import { onFirstCall } from '../../http/on-first-call.ts';
import type { Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { compileCollectionPath } from './collection-path.ts';

/**
 * All records under the path of a collection, in their order: of a nested one with the ids of its parents, or with the
 * document's template for those of all parents.
 * @throws RangeError where the document has no collection at the path.
 */
export type RecordsAt = (store: Store, path: string) => Promise<readonly unknown[]>;

export function compileRecordsAt(collections: readonly RecordCollection[]): RecordsAt {
  const compiled = onFirstCall(() => {
    const all = collections.map((collection) => ({ collection, ...compileCollectionPath(collection) }));
    return (path: string) => {
      const named = all.find(({ collection }) => collection.name === path);
      if (named) return { ...named, where: [] };
      const scoped = all.map((one) => ({ ...one, where: one.scopeOf(path) }));
      return scoped.find(({ where }) => where !== undefined);
    };
  });
  return async (store, path) => {
    const found = compiled(path);
    if (!found) {
      const names = collections.map(({ name }) => name).join(', ') || 'none';
      throw new RangeError(`the document has no collection at ${JSON.stringify(path)}; there are ${names}`);
    }
    const { collection, where = [] } = found;
    const { text } = await store.list(collection, { where, offset: 0, limit: Number.POSITIVE_INFINITY });
    return parseJson(text) as unknown[];
  };
}
