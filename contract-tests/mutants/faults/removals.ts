import { around, doneUnauthorised, faultyLibrary, open, storing } from '../on-mock.ts';
import type { Mutant } from '../suspect.ts';

/** DELETE: what is said to be gone is not, or more is. */
export const wrongRemovals: readonly Mutant[] = [
  faultyLibrary('delete-not-done', 'a removal is answered and not done', 'removed-is-gone', () =>
    storing(() => ({ remove: () => true })),
  ),
  faultyLibrary('delete-still-read', 'a removed record can still be read', 'removed-is-gone', () =>
    storing((store) => {
      const kept = new Map<unknown, string>();
      return {
        async remove(collection, id, where) {
          const text = await store.read(collection, id, where);
          if (text !== undefined) kept.set(id, text);
          return store.remove(collection, id, where);
        },
        read: async (collection, id, where) => (await store.read(collection, id, where)) ?? kept.get(id),
      };
    }),
  ),
  faultyLibrary(
    'delete-still-listed',
    'a removed record is still listed',
    ['removed-is-gone', 'list-and-read-agree', 'page-size'],
    () =>
      storing((store) => {
        const kept: string[] = [];
        return {
          async remove(collection, id, where) {
            const text = await store.read(collection, id, where);
            if (text !== undefined) kept.push(text);
            return store.remove(collection, id, where);
          },
          async list(collection, query) {
            const page = await store.list(collection, query);
            const own = kept.filter((text) => text.includes('"title"') === collection.name.endsWith('books'));
            return {
              ...page,
              text: `[${[page.text.slice(1, -1), ...own.slice(-2)].filter(Boolean).join(',')}]`,
            };
          },
        };
      }),
  ),
  faultyLibrary(
    'delete-all',
    'a removal takes the whole collection away',
    ['neighbours-untouched', 'created-can-be-read', 'earlier-records-stay', 'status'],
    () =>
      storing((store) => ({
        async remove(collection, id, where) {
          const { text } = await store.list(collection, {
            where: [],
            offset: 0,
            limit: Number.POSITIVE_INFINITY,
          });
          const found = await store.remove(collection, id, where);
          for (const { id: other } of found ? (JSON.parse(text) as { id: string }[]) : [])
            await store.remove(collection, other, []);
          return found;
        },
      })),
  ),
  faultyLibrary('delete-200', 'a removal is answered 200', 'status', () =>
    around('remove', (act) => async (task) => {
      const answer = await act(task);
      return 'refuse' in answer ? answer : { status: 200, type: 'application/json', body: '{}' };
    }),
  ),
  faultyLibrary(
    'delete-unknown-204',
    'what does not exist is removed with 204',
    ['unknown-id', 'removed-is-gone'],
    () =>
      storing((store) => ({
        async remove(collection, id, where) {
          await store.remove(collection, id, where);
          return true;
        },
      })),
  ),
  faultyLibrary('delete-open', 'DELETE needs no key', 'unauthorised-first', () => open('DELETE')),
  faultyLibrary(
    'delete-unauthorised-done',
    'a DELETE without a key is refused and carried out',
    'refused-changes-nothing',
    () => doneUnauthorised('DELETE', 'remove'),
  ),
];
