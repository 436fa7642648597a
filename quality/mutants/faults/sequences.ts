import { parseJson } from '#spec';
import type { Ask, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { type MockFault, mockOf, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { petStore, type ShopFault } from '../shop-faults.ts';
import { mutants, type Service } from '../suspect.ts';

// Faults that need requests in a certain order: each request by itself is right, and so are the usual sequences.

/** Twice the default, since seeds differ; on a machine that is busy with other suspects each sequence takes longer. */
const EXAMPLES = { examples: 50, maxTime: 6000 };
const withExamples = <Fault>(service: Service<Fault>) => ({ ...service, options: EXAMPLES });

type Given = ReturnType<Parameters<Parameters<Parameters<typeof store>[0]>[0]['change']>[3]>;

/** A change stores what `to` makes of it: its members, the record before, and how many changes that record has had. */
const changed = (to: (members: Data, before: Data, count: number, id: unknown) => Data): MockFault =>
  store(({ change }) => {
    const counts = new Map<unknown, number>();
    return {
      change: (collection, id, where, edit) =>
        change(collection, id, where, (text): Given => {
          const given = edit(text);
          const count = (counts.get(id) ?? 0) + 1;
          counts.set(id, count);
          return { ...given, members: to(given.members, parseJson(text) as Data, count, id) };
        }),
    };
  });

const dropFrom = (first: number) => changed((members, before, count) => (count >= first ? before : members));

/** Every nth change of a record is acknowledged and not stored. */
const dropEvery = (nth: number) =>
  changed((members, before, count) => (count % nth === 0 ? before : members));

/** Later changes begin with the record as it was before the first one. */
const staleBase = store(({ change }) => {
  const first = new Map<unknown, Data>();
  return {
    change: (collection, id, where, edit) =>
      change(collection, id, where, (text): Given => {
        const given = edit(text);
        const before = parseJson(text) as Data;
        const base = first.get(id) ?? before;
        if (!first.has(id)) {
          first.set(id, before);
          return given;
        }
        const touched = Object.entries(given.members).filter(([name, value]) => before[name] !== value);
        return { ...given, members: { ...base, ...Object.fromEntries(touched) } };
      }),
  };
});

/** What was removed after a change comes back as it was before. */
const oldVersionReturns = store(({ change, remove, create }) => {
  const versions = new Map<unknown, Given>();
  return {
    change: (collection, id, where, edit) =>
      change(collection, id, where, (text) => {
        const given = edit(text);
        versions.set(id, { ...given, id, members: parseJson(text) as Data } as Given);
        return given;
      }),
    async remove(collection, id, where) {
      const found = await remove(collection, id, where);
      const version = versions.get(id);
      versions.delete(id);
      if (found && version) await create(collection, version);
      return found;
    },
  };
});

/** The read after a change is kept, and shown for good. */
const cacheAfterChange = (turns: number) =>
  store(({ change, read }) => {
    const changes = new Map<unknown, number>();
    const cached = new Map<unknown, string>();
    return {
      change(collection, id, where, edit) {
        changes.set(id, (changes.get(id) ?? 0) + 1);
        return change(collection, id, where, edit);
      },
      async read(collection, id, where) {
        const text = await read(collection, id, where);
        if (text !== undefined && changes.get(id) === turns) cached.set(id, text);
        return text && (cached.get(id) ?? text);
      },
    };
  });

/** Lists are kept until a record is created or removed; a change does not count. */
const cacheLists = store(({ list, create, remove }) => {
  const pages = new Map<string, Awaited<ReturnType<typeof list>>>();
  return {
    async list(collection, query) {
      const key = JSON.stringify([collection.name, query]);
      const page = pages.get(key) ?? (await list(collection, query));
      pages.set(key, page);
      return page;
    },
    create(collection, given) {
      pages.clear();
      return create(collection, given);
    },
    remove(collection, id, where) {
      pages.clear();
      return remove(collection, id, where);
    },
  };
});

/** Lists find a record by the values that it was created with. */
const indexAtCreation = store(({ create, change, list }) => {
  const created = new Map<unknown, string>();
  return {
    async create(collection, given) {
      const entry = await create(collection, given);
      if (entry !== 'taken') created.set(String(entry.id), entry.text);
      return entry;
    },
    change,
    async list(collection, query) {
      const isFiltered = query.where.some(({ key }) => !key.startsWith('{'));
      const page = await list(collection, query);
      if (!isFiltered) return page;
      const own = (parseJson(page.text) as Data[]).filter((record) => {
        const text = created.get(String(record.id ?? record.article_no));
        if (text === undefined) return true;
        const first = parseJson(text) as Data;
        return query.where.every(
          ({ key, anyOf }) => key.startsWith('{') || anyOf.includes(first[key] as string),
        );
      });
      const text = own.length === (parseJson(page.text) as Data[]).length ? page.text : JSON.stringify(own);
      return { ...page, text, count: own.length };
    },
  };
});

/** Removing a record that is not the newest removes the newest, too. */
const removeNewest = store(({ create, remove }) => {
  const ids: unknown[] = [];
  return {
    async create(collection, given) {
      const entry = await create(collection, given);
      if (entry !== 'taken') ids.push(entry.id);
      return entry;
    },
    async remove(collection, id, where) {
      const found = await remove(collection, id, where);
      const index = ids.lastIndexOf(id);
      const newest = ids.at(-1);
      if (index >= 0) ids.splice(index, 1);
      if (found && index >= 0 && newest !== id) {
        ids.pop();
        await remove(collection, newest as typeof id, []);
      }
      return found;
    },
  };
});

/** A record created after one was removed that had been changed twice begins with the old values. */
const inheritChanged = store(({ create, change, remove }) => {
  const changes = new Map<unknown, Data>();
  const twice = new Map<unknown, Data>();
  let left: Data | undefined;
  return {
    change: (collection, id, where, edit) =>
      change(collection, id, where, (text) => {
        const given = edit(text);
        if (changes.has(id)) twice.set(id, given.members);
        changes.set(id, given.members);
        return given;
      }),
    remove(collection, id, where) {
      left = twice.get(id);
      return remove(collection, id, where);
    },
    create(collection, given) {
      const members = left ? { ...given.members, ...left } : given.members;
      left = undefined;
      return create(collection, { ...given, members });
    },
  };
});

/** A record that was changed so often is acknowledged as removed, and stays. */
const staysAfterChanges = (changes: number) =>
  store(({ change, remove, read }) => {
    const counts = new Map<unknown, number>();
    return {
      change(collection, id, where, edit) {
        counts.set(id, (counts.get(id) ?? 0) + 1);
        return change(collection, id, where, edit);
      },
      async remove(collection, id, where) {
        const isStuck = (counts.get(id) ?? 0) >= changes;
        return isStuck ? (await read(collection, id, where)) !== undefined : remove(collection, id, where);
      },
    };
  });

const changeOnce = (name: string) =>
  changed((members, before, count) => (count > 1 ? { ...members, [name]: before[name] } : members));

const CHANGED = [
  'replaced-is-replaced',
  'merged-is-merged',
  'created-can-be-read',
  'earlier-records-stay',
] as const;
const KEPT = [
  'created-can-be-read',
  'earlier-records-stay',
  'created-is-listed',
  'neighbours-untouched',
  'filter',
  'linearizable',
] as const;
const RETURNS = ['removed-is-gone', 'linearizable'] as const;

const INHERITED = [...KEPT, 'created-equals-sent'] as const;
const articles = mockOf('warehouse.yaml', { count: 10 });
const books = mockOf('libraries.yaml');
const orders = mockOf('notices/openapi.yaml', { count: 10 });

const warehouse = mutants('warehouse-order', withExamples(articles), CHANGED, [
  ['second-put-dropped', 'the second PUT of an article is not stored', dropFrom(2)],
  ['third-put-dropped', 'every third PUT of an article is not stored', dropEvery(3)],
  ['old-returns', 'an article that was replaced comes back when it is removed', RETURNS, oldVersionReturns],
  ['cached-for-good', 'what is read after the first PUT is shown for good', cacheAfterChange(1)],
  ['unit-indexed-once', 'lists find an article by its first unit', 'filter', indexAtCreation],
  ['newest-removed', 'DELETE of an older article removes the newest, too', KEPT, removeNewest],
  [
    'inherited',
    'a new article has the values of one that was replaced twice and removed',
    INHERITED,
    inheritChanged,
  ],
  ['unit-changed-once', 'the unit of an article changes only once', changeOnce('unit')],
]);

const libraries = mutants('libraries-order', withExamples(books), CHANGED, [
  ['second-change-dropped', 'the second change of a book is not stored', dropFrom(2)],
  ['third-change-dropped', 'the third change of a book is not stored', dropEvery(3)],
  ['stale-base', 'later changes begin with the book as it was before the first one', staleBase],
  ['old-returns', 'a changed book comes back when it is removed', RETURNS, oldVersionReturns],
  ['newest-removed', 'DELETE of an older book removes the newest, too', [...KEPT, 'status'], removeNewest],
]);

const notices = mutants('notices-order', withExamples(orders), CHANGED, [
  ['second-put-dropped', 'the second PUT of an order is not stored', dropFrom(2)],
  ['old-returns', 'an order that was changed comes back when it is cancelled', RETURNS, oldVersionReturns],
  ['third-put-dropped', 'every third PUT of an order is not stored', dropEvery(3)],
]);

/** What other cases send meanwhile hides the fault: it would empty the cache, or come in between. */
const oneByOne = <Fault>(service: Service<Fault>) => ({ ...service, options: { ...EXAMPLES, jobs: 1 } });

const cachedArticles = mutants('warehouse-order', oneByOne(articles), CHANGED, [
  ['list-cached', 'a list is kept when an article is replaced', cacheLists],
]);

const cachedBooks = mutants('libraries-order', oneByOne(books), CHANGED, [
  ['list-cached', 'a list is kept when a book is changed', cacheLists],
]);

/** A refused create takes back the create right before it. */
const rollBack =
  (status: number): ShopFault =>
  () => {
    let previous: Pet | undefined;
    return {
      async answer(ask: Ask, shop) {
        const created = previous;
        previous = undefined;
        const answer = await correct.answer(ask, shop);
        if (answer.status === status && ask.method === 'POST' && created)
          shop.pets = shop.pets.filter((pet) => pet !== created);
        if (answer.status === 201) previous = shop.pets.at(-1);
        return answer;
      },
    } satisfies Partial<Behaviour>;
  };

const petStores = mutants('order', oneByOne(petStore), KEPT, [
  ['refusal-rolls-back', 'an invalid create takes back the create right before it', rollBack(400)],
  ['401-rolls-back', 'a create without a key takes back the create right before it', rollBack(401)],
]);

export const sequencesMutants = [
  ...warehouse,
  ...libraries,
  ...notices,
  ...cachedArticles,
  ...cachedBooks,
  ...petStores,
];

/** The same in documents of other forms: nested records, merge patches, ids of other types. */
export const sequencesInOtherDocuments = [
  ...mutants('fleet-order', withExamples(mockOf('fleet.yaml', { count: 5 })), CHANGED, [
    ['second-change-dropped', 'the second change of a vehicle or trip is not stored', dropFrom(2)],
    ['stale-base', 'later changes begin with the trip as it was before the first one', staleBase],
    ['old-returns', 'a changed vehicle or trip comes back when it is removed', RETURNS, oldVersionReturns],
  ]),
  ...mutants('couriers-order', withExamples(mockOf('couriers.yaml', { count: 5 })), CHANGED, [
    ['third-put-dropped', 'every third PUT of a courier is not stored', dropEvery(3)],
    ['stays', 'a courier that was changed twice is not removed', RETURNS, staysAfterChanges(2)],
  ]),
  ...mutants('moorings-order', withExamples(mockOf('moorings.yaml', { count: 5 })), INHERITED, [
    ['inherited', 'a new berth has the values of one that was replaced twice and removed', inheritChanged],
  ]),
];
