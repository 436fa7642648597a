import { parseJson } from '#spec';
import { afterWrites, type Given, type Id, type MockFault, mockOf, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { type Operators, product, type Service } from '../suspect.ts';

/** The nth change of a record is acknowledged, but not stored. */
const dropped = (isDropped: (count: number) => boolean): MockFault =>
  store(({ change }) => {
    const counts = new Map<unknown, number>();
    return {
      change: (collection, id, where, edit) =>
        change(collection, id, where, (text) => {
          const input = edit(text);
          const count = (counts.get(id) ?? 0) + 1;
          counts.set(id, count);
          return isDropped(count) ? { ...input, members: parseJson(text) as Data } : input;
        }),
    };
  });

// Faults that depend on the order of requests: each request alone is handled correctly, and so are the usual sequences.

/** A record that is removed after a change comes back in its old state. */
const oldReturns = store((all) => {
  const versions = new Map<Id, Given>();
  return afterWrites(all, async ({ kind, collection, id, before, input }) => {
    if (input && kind === 'change') versions.set(id, { ...input, id, members: parseJson(before) as Data });
    const version = versions.get(id);
    if (kind !== 'remove' || !version) return;
    versions.delete(id);
    await all.create(collection, version);
  });
});

/** Lists are cached until a record is created or removed, ignoring changes. */
const cacheLists = store((all) => {
  const pages = new Map<string, Awaited<ReturnType<typeof all.list>>>();
  return {
    ...afterWrites(all, ({ kind }) => kind !== 'change' && pages.clear()),
    async list(collection, query) {
      const key = JSON.stringify([collection.name, query]);
      const page = pages.get(key) ?? (await all.list(collection, query));
      pages.set(key, page);
      return page;
    },
  };
});

/** Removing any record but the newest removes the newest, too. */
const removeNewest = store((all) => {
  const ids: Id[] = [];
  return afterWrites(all, async ({ kind, collection, id }) => {
    if (kind === 'create') ids.push(id);
    const index = ids.lastIndexOf(id);
    if (kind !== 'remove' || index < 0) return;
    ids.splice(index, 1);
    const newest = index < ids.length ? ids.pop() : undefined;
    if (newest !== undefined) await all.remove(collection, newest, []);
  });
});

const STORED = ['created-can-be-read', 'earlier-records-stay'] as const;
const CHANGED = ['replaced-is-replaced', 'merged-is-merged', ...STORED] as const;
const RETURNS = ['removed-is-gone', 'linearizable'] as const;
const OTHERS = [
  ...STORED,
  ...(['created-is-listed', 'neighbours-untouched', 'filter', 'linearizable', 'status'] as const),
] as const;

const IN_ORDER: Operators<MockFault> = {
  'second put dropped': [dropped((count) => count >= 2)],
  'third put dropped': [dropped((count) => count % 3 === 0)],
  'old returns': [RETURNS, oldReturns],
  'newest removed': [OTHERS, removeNewest],
  'list cached': [cacheLists],
};

/** Twice the default, because seeds differ, and sequences take longer on a machine busy with other suspects. */
const EXAMPLES = { examples: 50, maxTime: 6000 };
const sequencesOf = (fixture: string, count = 10): Service<MockFault> => ({
  ...mockOf(fixture, { count }),
  options: EXAMPLES,
});
/** Requests of other cases hide some faults: they would invalidate the cache, or intervene. */
const oneByOne = <Fault>(service: Service<Fault>) => ({ ...service, options: { ...EXAMPLES, jobs: 1 } });
const books = sequencesOf('libraries.yaml', 50);
export const sequencesMutants = [
  ...product(IN_ORDER, CHANGED, [
    ['libraries-order', books, ['third put dropped', 'old returns', 'newest removed']],
    ['libraries-order', oneByOne(books), ['list cached']],
    // Nested records, merge patches, ids of other types.
    ['fleet-order', sequencesOf('fleet.yaml', 5), ['second put dropped']],
  ]),
];

export const sequences = { 'an order of requests': [sequencesMutants, []] } as const;
