import { parseJson, stringifyJson } from '#spec';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import {
  acknowledgeRemoval,
  afterWrites,
  type Given,
  type Id,
  type MockFault,
  mockOf,
  type Store,
  store,
  type Write,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { petStore, type ShopFault } from '../shop-faults.ts';
import { mutants, type Operators, product, type Service } from '../suspect.ts';

/** A store that knows how often each record was changed. */
const counting = (change: (store: Store, changes: (id: Id) => number) => Partial<Store>): MockFault =>
  store((all) => {
    const counts = new Map<Id, number>();
    const changes = (id: Id) => counts.get(id) ?? 0;
    const count = ({ kind, id }: Write) => kind === 'change' && counts.set(id, changes(id) + 1);
    return { ...afterWrites(all, count), ...change(all, changes) };
  });

/** What the record with this id was before each change: its members, how many changes there were, and its first members. */
type Before = readonly [record: Data, count: number, first: Data];

/** A change stores what `to` makes of its members. */
const changed = (to: (members: Data, ...before: Before) => Data): MockFault =>
  store(({ change }) => {
    const changes = new Map<unknown, { count: number; readonly first: Data }>();
    return {
      change: (collection, id, where, edit) =>
        change(collection, id, where, (text) => {
          const given = edit(text);
          const before = parseJson(text) as Data;
          const seen = changes.get(id) ?? { count: 0, first: before };
          seen.count += 1;
          changes.set(id, seen);
          return { ...given, members: to(given.members, before, seen.count, seen.first) };
        }),
    };
  });

// Faults that need requests in a certain order: each request by itself is right, and so are the usual sequences.

/** Later changes begin with the record as it was before the first one. */
const staleBase = changed((members, before, count, first) => {
  const touched = Object.entries(members).filter(([name, value]) => before[name] !== value);
  return count === 1 ? members : { ...first, ...Object.fromEntries(touched) };
});

/** What was removed after a change comes back as it was before. */
const oldReturns = store((all) => {
  const versions = new Map<Id, Given>();
  return afterWrites(all, async ({ kind, collection, id, before, given }) => {
    if (given && kind === 'change') versions.set(id, { ...given, id, members: parseJson(before) as Data });
    const version = versions.get(id);
    if (kind !== 'remove' || !version) return;
    versions.delete(id);
    await all.create(collection, version);
  });
});

/** What is read after the first change is shown for good. */
const cacheAfterChange = counting((all, changes) => {
  const cached = new Map<Id, string>();
  return {
    async read(collection, id, where) {
      const text = await all.read(collection, id, where);
      if (text !== undefined && changes(id) === 1) cached.set(id, text);
      return text && (cached.get(id) ?? text);
    },
  };
});

/** A record that was changed twice is acknowledged as removed, and stays. */
const stays = counting((all, changes) => ({
  remove: (collection, id, ...where) =>
    (changes(id) >= 2 ? acknowledgeRemoval(all) : all.remove)(collection, id, ...where),
}));

/** Lists are kept until a record is created or removed; a change does not count. */
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

/** Lists find a record by the values that it was created with. */
const indexAtCreation = store((all) => {
  const created = new Map<string, Data>();
  return {
    ...afterWrites(
      all,
      ({ kind, id, after }) => kind === 'create' && created.set(`${id}`, parseJson(after) as Data),
    ),
    async list(collection, query) {
      const page = await all.list(collection, query);
      const filters = query.where.filter(({ key }) => !key.startsWith('{'));
      const own = (parseJson(page.text) as Data[]).filter((record) => {
        const first = created.get(String(record.id ?? record.article_no));
        return !first || filters.every(({ key, anyOf }) => anyOf.includes(first[key] as string));
      });
      return { ...page, text: stringifyJson(own), count: own.length };
    },
  };
});

/** Removing a record that is not the newest removes the newest, too. */
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

/** A record created after one was removed that had been changed twice begins with the old values. */
const inherits = counting((all, changes) => {
  let left: Data | undefined;
  return {
    async remove(collection, id, where) {
      const text = await all.read(collection, id, where);
      const { id: _, article_no: __, ...members } = parseJson(text ?? '{}') as Data;
      left = changes(id) >= 2 ? members : undefined;
      return all.remove(collection, id, where);
    },
    create(collection, given) {
      const members = { ...given.members, ...left };
      left = undefined;
      return all.create(collection, { ...given, members });
    },
  };
});

const STORED = ['created-can-be-read', 'earlier-records-stay'] as const;
const CHANGED = ['replaced-is-replaced', 'merged-is-merged', ...STORED] as const;
const RETURNS = ['removed-is-gone', 'linearizable'] as const;
const OTHERS = [
  ...STORED,
  ...(['created-is-listed', 'neighbours-untouched', 'filter', 'linearizable', 'status'] as const),
] as const;

const IN_ORDER: Operators<MockFault> = {
  'second put dropped': [changed((members, before, count) => (count >= 2 ? before : members))],
  'third put dropped': [changed((members, before, count) => (count % 3 === 0 ? before : members))],
  'stale base': [staleBase],
  'old returns': [RETURNS, oldReturns],
  'cached for good': [cacheAfterChange],
  'unit indexed once': ['filter', indexAtCreation],
  'newest removed': [OTHERS, removeNewest],
  inherited: [[...OTHERS, 'created-equals-sent'], inherits],
  stays: [RETURNS, stays],
  'list cached': [cacheLists],
};

/** Twice the default, since seeds differ; on a machine that is busy with other suspects each sequence takes longer. */
const EXAMPLES = { examples: 50, maxTime: 6000 };
const sequencesOf = (fixture: string, count = 10): Service<MockFault> => ({
  ...mockOf(fixture, { count }),
  options: EXAMPLES,
});
/** What other cases send meanwhile hides some faults: it would empty the cache, or come in between. */
const oneByOne = <Fault>(service: Service<Fault>) => ({ ...service, options: { ...EXAMPLES, jobs: 1 } });

/** An invalid create takes back the create right before it. */
const rollBack: ShopFault = () => {
  let previous: Pet | undefined;
  return {
    async answer(ask, shop) {
      const created = previous;
      previous = undefined;
      const answer = await correct.answer(ask, shop);
      if (answer.status === 400 && ask.method === 'POST' && created)
        shop.pets = shop.pets.filter((pet) => pet !== created);
      if (answer.status === 201) previous = shop.pets.at(-1);
      return answer;
    },
  };
};

const books = sequencesOf('libraries.yaml', 50);
export const sequencesMutants = [
  ...product(IN_ORDER, CHANGED, [
    ['warehouse-order', sequencesOf('warehouse.yaml'), ['cached for good', 'unit indexed once']],
    ['libraries-order', books, ['third put dropped', 'stale base', 'newest removed']],
    ['libraries-order', oneByOne(books), ['list cached']],
    ['notices-order', sequencesOf('notices/openapi.yaml'), ['old returns']],
    // Nested records, merge patches, ids of other types.
    ['fleet-order', sequencesOf('fleet.yaml', 5), ['second put dropped']],
    ['couriers-order', sequencesOf('couriers.yaml', 5), ['stays']],
    ['moorings-order', sequencesOf('moorings.yaml', 5), ['inherited']],
  ]),
  ...mutants('order', oneByOne(petStore), OTHERS, [
    ['refusal-rolls-back', 'an invalid create takes back the create right before it', rollBack],
  ]),
];

export const sequences = { 'an order of requests': [sequencesMutants, []] } as const;
