import { parseJson, stringifyJson } from '#spec';
import type { Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { beforeWrites, changed, type Given, type MockFault, mockOf, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { petStore, type ShopFault } from '../shop-faults.ts';
import { mutants, mutantsBy, type Operator, type Service } from '../suspect.ts';

// Faults that need requests in a certain order: each request by itself is right, and so are the usual sequences.

/** Later changes begin with the record as it was before the first one. */
const staleBase = changed((members, before, count, first) => {
  const touched = Object.entries(members).filter(([name, value]) => before[name] !== value);
  return count === 1 ? members : { ...first, ...Object.fromEntries(touched) };
});

const changeOnce = (name: string) =>
  changed((members, before, count) => (count > 1 ? { ...members, [name]: before[name] } : members));

/** What was removed after a change comes back as it was before. */
const oldVersionReturns = store(({ change, remove, create }) => {
  const versions = new Map<unknown, Given>();
  return {
    change: (collection, id, where, edit) =>
      change(collection, id, where, (text) => {
        const given = edit(text);
        versions.set(id, { ...given, id, members: parseJson(text) as Data });
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

/** What is read after the first change is shown for good. */
const cacheAfterChange = store((given) => {
  const changes = new Map<unknown, number>();
  const cached = new Map<unknown, string>();
  return {
    ...beforeWrites(given, ['change'], (_, id) => changes.set(id, (changes.get(id) ?? 0) + 1)),
    async read(collection, id, where) {
      const text = await given.read(collection, id, where);
      if (text !== undefined && changes.get(id) === 1) cached.set(id, text);
      return text && (cached.get(id) ?? text);
    },
  };
});

/** Lists are kept until a record is created or removed; a change does not count. */
const cacheLists = store((given) => {
  const pages = new Map<string, Awaited<ReturnType<typeof given.list>>>();
  return {
    ...beforeWrites(given, ['create', 'remove'], () => pages.clear()),
    async list(collection, query) {
      const key = JSON.stringify([collection.name, query]);
      const page = pages.get(key) ?? (await given.list(collection, query));
      pages.set(key, page);
      return page;
    },
  };
});

/** Lists find a record by the values that it was created with. */
const indexAtCreation = store(({ create, list }) => {
  const created = new Map<unknown, Data>();
  return {
    async create(collection, given) {
      const entry = await create(collection, given);
      if (entry !== 'taken') created.set(String(entry.id), parseJson(entry.text) as Data);
      return entry;
    },
    async list(collection, query) {
      const page = await list(collection, query);
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
const removeNewest = store(({ create, remove }) => {
  const ids: Parameters<typeof remove>[1][] = [];
  return {
    async create(collection, given) {
      const entry = await create(collection, given);
      if (entry !== 'taken') ids.push(entry.id);
      return entry;
    },
    async remove(collection, id, where) {
      const found = await remove(collection, id, where);
      const index = ids.lastIndexOf(id);
      if (index >= 0) ids.splice(index, 1);
      const newest = index >= 0 && index < ids.length && found ? ids.pop() : undefined;
      if (newest !== undefined) await remove(collection, newest, []);
      return found;
    },
  };
});

/** A record created after one was removed that had been changed twice begins with the old values. */
const inheritChanged = store(({ create, change, remove }) => {
  const changes = new Map<unknown, Data[]>();
  let left: Data | undefined;
  return {
    change: (collection, id, where, edit) =>
      change(collection, id, where, (text) => {
        const given = edit(text);
        changes.set(id, [...(changes.get(id) ?? []), given.members]);
        return given;
      }),
    remove(collection, id, where) {
      left = changes.get(id)?.slice(1).at(-1);
      return remove(collection, id, where);
    },
    create(collection, given) {
      const members = { ...given.members, ...left };
      left = undefined;
      return create(collection, { ...given, members });
    },
  };
});

/** A record that was changed twice is acknowledged as removed, and stays. */
const staysAfterChanges = store((given) => {
  const counts = new Map<unknown, number>();
  return {
    ...beforeWrites(given, ['change'], (_, id) => counts.set(id, (counts.get(id) ?? 0) + 1)),
    async remove(collection, id, where) {
      const isStuck = (counts.get(id) ?? 0) >= 2;
      return isStuck
        ? (await given.read(collection, id, where)) !== undefined
        : given.remove(collection, id, where);
    },
  };
});

const STORED = ['created-can-be-read', 'earlier-records-stay'] as const;
const CHANGED = ['replaced-is-replaced', 'merged-is-merged', ...STORED] as const;
const KEPT = [...STORED, 'created-is-listed', 'neighbours-untouched', 'filter', 'linearizable'] as const;
const RETURNS = ['removed-is-gone', 'linearizable'] as const;

const secondDropped = changed((members, before, count) => (count >= 2 ? before : members));
const thirdDropped = changed((members, before, count) => (count % 3 === 0 ? before : members));

/** Faults of an order of requests, in any document. */
const IN_ORDER = {
  'second-put-dropped': [CHANGED, 'the second PUT of a $ is not stored', secondDropped],
  'second-change-dropped': [CHANGED, 'the second change of a $ is not stored', secondDropped],
  'third-put-dropped': [CHANGED, 'every third PUT of a $ is not stored', thirdDropped],
  'third-change-dropped': [CHANGED, 'every third change of a $ is not stored', thirdDropped],
  'stale-base': [CHANGED, 'later changes begin with the $ as it was before the first one', staleBase],
  'old-returns': [RETURNS, 'a $ that was changed comes back when it is removed', oldVersionReturns],
  'cached-for-good': [CHANGED, 'what is read after the first PUT is shown for good', cacheAfterChange],
  'unit-indexed-once': ['filter', 'lists find a $ by its first unit', indexAtCreation],
  'unit-changed-once': [CHANGED, 'the unit of a $ changes only once', changeOnce('unit')],
  'newest-removed': [[...KEPT, 'status'], 'DELETE of an older $ removes the newest, too', removeNewest],
  inherited: [
    [...KEPT, 'created-equals-sent'],
    'a new $ has the values of one that was replaced twice and removed',
    inheritChanged,
  ],
  stays: [RETURNS, 'a $ that was changed twice is not removed', staysAfterChanges],
  'list-cached': [CHANGED, 'a list is kept when a $ is changed', cacheLists],
} as const satisfies Record<string, Operator<MockFault>>;

/** Twice the default, since seeds differ; on a machine that is busy with other suspects each sequence takes longer. */
const EXAMPLES = { examples: 50, maxTime: 6000 };
/** What other cases send meanwhile hides some faults: it would empty the cache, or come in between. */
const oneByOne = <Fault>(service: Service<Fault>) => ({ ...service, options: { ...EXAMPLES, jobs: 1 } });

const inOrder = (
  prefix: string,
  service: Service<MockFault>,
  record: string,
  ...names: (keyof typeof IN_ORDER)[]
) => mutantsBy(IN_ORDER, `${prefix}-order`, { options: EXAMPLES, ...service }, record, names);

const articles = mockOf('warehouse.yaml', { count: 10 });
const books = mockOf('libraries.yaml');
const orders = mockOf('notices/openapi.yaml', { count: 10 });
const PUTS = ['second-put-dropped', 'third-put-dropped', 'old-returns'] as const;
const ARTICLES = ['cached-for-good', 'unit-indexed-once', 'newest-removed', 'inherited'] as const;
const CHANGES = ['second-change-dropped', 'third-change-dropped', 'stale-base', 'old-returns'] as const;

/** A refused create takes back the create right before it. */
const rollBack =
  (status: number): ShopFault =>
  () => {
    let previous: Pet | undefined;
    return {
      async answer(ask, shop) {
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

const petOrders = mutants('order', oneByOne(petStore), KEPT, [
  ['refusal-rolls-back', 'an invalid create takes back the create right before it', rollBack(400)],
  ['401-rolls-back', 'a create without a key takes back the create right before it', rollBack(401)],
]);

export const sequencesMutants = [
  inOrder('warehouse', articles, 'article', ...PUTS, ...ARTICLES, 'unit-changed-once'),
  inOrder('libraries', books, 'book', ...CHANGES, 'newest-removed'),
  inOrder('notices', orders, 'order', 'second-put-dropped', 'old-returns', 'third-put-dropped'),
  inOrder('warehouse', oneByOne(articles), 'article', 'list-cached'),
  inOrder('libraries', oneByOne(books), 'book', 'list-cached'),
  petOrders,
].flat();

const trips = mockOf('fleet.yaml', { count: 5 });
const couriers = mockOf('couriers.yaml', { count: 5 });
const berths = mockOf('moorings.yaml', { count: 5 });

/** The same in documents of other forms: nested records, merge patches, ids of other types. */
export const sequencesInOtherDocuments = [
  inOrder('fleet', trips, 'vehicle or trip', 'second-change-dropped', 'stale-base', 'old-returns'),
  inOrder('couriers', couriers, 'courier', 'third-put-dropped', 'stays'),
  inOrder('moorings', berths, 'berth', 'inherited'),
].flat();
