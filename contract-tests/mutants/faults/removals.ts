import type { Law } from '../../laws/law.ts';
import { around, BOOKS, faultyMock, isStranger, open, storing } from '../on-mock.ts';
import type { Mutant } from '../suspect.ts';

const mutant = (
  name: string,
  says: string,
  laws: Law | Law[],
  parts: Parameters<typeof faultyMock>[4],
): Mutant => faultyMock('libraries.yaml', name, says, laws, parts, BOOKS);

/** DELETE: what is said to be gone is not, or more is. */
export const wrongRemovals: readonly Mutant[] = [
  mutant('delete-not-done', 'a removal is answered and not done', 'removed-is-gone', () =>
    storing(() => ({ remove: () => true })),
  ),
  mutant('delete-still-read', 'a removed record can still be read', 'removed-is-gone', () =>
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
  mutant(
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
  mutant(
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
  mutant('delete-200', 'a removal is answered 200', 'status', () =>
    around('remove', (act) => async (task) => {
      const answer = await act(task);
      return 'refuse' in answer ? answer : { status: 200, type: 'application/json', body: '{}' };
    }),
  ),
  mutant(
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
  mutant('delete-open', 'DELETE needs no key', 'unauthorised-first', () => open('DELETE')),
  mutant(
    'delete-unauthorised-done',
    'a DELETE without a key is refused and carried out',
    'refused-changes-nothing',
    () => ({
      ...open('DELETE'),
      ...around('remove', (act) => async (task) => {
        const answer = await act(task);
        return isStranger(task.request.headers) ? { refuse: 'unauthorized', message: 'no key' } : answer;
      }),
    }),
  ),
];
