import type { Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, STATUSES, stock } from '../by-hand/pet.ts';
import { set, setDefault, without } from '../record-changes.ts';
import { petStore, type ShopFault, unauthorized, validBody } from '../shop-faults.ts';
import { lookalikes, using } from '../suspect.ts';

const stockWith = (change: (pet: Pet, index: number) => object): Partial<Behaviour> => ({
  stock: () => stock(31).map((pet, index) => change(pet, index) as Pet),
});

/** Ids counted from a start in steps, those of the start too. */
const countIds = ([start, step]: readonly [start: bigint, step: bigint]): ShopFault => {
  const idOf = (ordinal: number) => start + step * BigInt(ordinal);
  return {
    ...stockWith((pet, index) => ({ ...pet, id: idOf(index) })),
    nextId: ({ pets }) => idOf(pets.length),
  };
};

/** The document says only that ids are int64. */
const otherIds = lookalikes('other-ids', using(petStore, countIds), [
  ['from-zero', 'ids begin with 0', [0n, 1n]],
  ['negative', 'ids are negative', [-1n, -1n]],
  ['descending', 'ids are counted down', [1_000_000n, -1n]],
  ['in-steps', 'ids are counted in steps of 1000', [5n, 1000n]],
  ['beyond-doubles', 'ids are consecutive beyond 2^53', [2n ** 53n, 1n]],
  ['greatest', 'ids are counted down from the greatest int64', [2n ** 63n - 1n, -1n]],
]);

const random31 = () => BigInt(Math.floor(Math.random() * 2 ** 31));
const randomId = () => random31() * 2n ** 31n + random31();

const sort = (order: (pets: readonly Pet[]) => Pet[]): ShopFault => ({
  list: (ask, shop) => correct.list(ask, { ...shop, pets: order(shop.pets) }),
});
const byName = (a: Pet, b: Pet) => (String(a.name) < String(b.name) ? -1 : 1);

/** The document says nothing of the order of a list. */
const otherOrders = lookalikes('other-order', using(petStore, sort), [
  ['newest-first', 'lists begin with the newest', (pets) => pets.toReversed()],
  ['by-name', 'lists are ordered by name', (pets) => pets.toSorted(byName)],
  ['random', 'lists are in random order', (pets) => pets.toSorted(() => Math.random() - 0.5)],
]);

/** The document says nothing of how many records there are. */
const otherStocks = lookalikes('other-stock', petStore, [
  ['empty', 'there are no records', { stock: () => [] }],
  ['one', 'there is one record', { stock: () => stock(1) }],
  ['page', 'there are just as many records as a page holds', { stock: () => stock(100) }],
  ['5000', 'there are 5,000 records', { stock: () => stock(5000) }],
  ['without-status', 'no record has a status', stockWith(without('status'))],
  ['of-one-status', 'all records have one status', stockWith(set('status', 'sold'))],
]);

const withMembers = (pet: Pet) => ({
  ...pet,
  createdAt: '2024-05-01T00:00:00Z',
  tags: ['a', { b: null }],
  owner: null,
  _links: { self: `/v1/pets/${pet.id}` },
});

const reorder = ({ id, name, ...pet }: Pet) => ({ ...pet, name, id });
const addMoment = (pet: Pet) => ({ ...pet, served: Date.now() + Math.random() });

const longerErrors: ShopFault = {
  refuse: (status, message) => {
    const more = { details: [{ field: 'x' }], traceId: null, timestamp: 1n };
    return { status, body: { status, code: '', message: `Fehler: ${message} – „bitte prüfen“`, ...more } };
  },
};

/** The document allows more members, and a default for a status that was not sent. */
const otherMembers = lookalikes('other', petStore, [
  ['ids-random', 'ids are random', { ...stockWith((pet) => ({ ...pet, id: randomId() })), nextId: randomId }],
  ['members-added', 'records have undocumented members', { show: withMembers }],
  ['members-reordered', 'the members of a record are in another order', { show: reorder }],
  ['members-moving', 'an undocumented member differs each time', { show: addMoment }],
  ['errors-longer', 'error bodies have more members, and other messages', longerErrors],
  ['no-challenge', 'a 401 has no WWW-Authenticate', unauthorized((given) => ({ ...given, headers: {} }))],
]);

const defaultStatus = (status: string): ShopFault => {
  const complete = setDefault('status', status);
  return { ...stockWith(complete), made: (sent, id) => complete(correct.made(sent, id)) as Pet };
};

const otherDefaults = lookalikes(
  'other-default',
  using(petStore, defaultStatus),
  STATUSES.map((status) => [status, `the default status is ${status}`, status] as const),
);

const CATEGORIES = [41n, 42n, 7_000_000_000n];

/** A create with another category is refused. */
const knownCategories = (categories: readonly unknown[], status: number): Partial<Behaviour> => ({
  create(ask, shop) {
    const { categoryId = categories[0] } = validBody(ask, shop) ?? {};
    if (!categories.includes(categoryId)) return shop.does.refuse(status, 'there is no such category');
    return correct.create(ask, shop);
  },
});

const listedCategories = (status: number): ShopFault => ({
  ...stockWith((pet, index) => ({ ...pet, categoryId: CATEGORIES[index % CATEGORIES.length] })),
  ...knownCategories(CATEGORIES, status),
});

const emptyStore = (categories: bigint[]): ShopFault => ({
  stock: () => [],
  ...knownCategories(categories, 400),
});

/** The document says nothing of which categories exist. */
const otherCategories = lookalikes('other-categories', petStore, [
  ['listed', 'only categories of the list exist, others get 400', listedCategories(400)],
  ['404', 'only categories of the list exist, others get 404', listedCategories(404)],
  ['422', 'only categories of the list exist, others get 422', listedCategories(422)],
  ['first-three', 'the store is empty, and only the categories 1 to 3 exist', emptyStore([1n, 2n, 3n])],
]);

const toldCategory = { ...petStore, options: { values: { categoryId: '512' } } };

const otherToldCategories = lookalikes('other-categories', toldCategory, [
  ['told', 'the store is empty, and the user names the one category', emptyStore([512n])],
]);

/** Others write between any two requests of ours: far more often than 100 times a second. */
const writeAlways = (write: (shop: Shop) => void, more: Partial<Behaviour> = {}): ShopFault => ({
  ...more,
  answer(ask, shop) {
    write(shop);
    return correct.answer(ask, shop);
  },
});

function add(shop: Shop): void {
  const id = shop.does.nextId(shop);
  const status = Math.random() < 0.7 ? { status: STATUSES[Number(id) % 3] } : {};
  shop.pets.push({ id, name: `Visitor ${id}`, categoryId: 3n, ...status });
}

/** Adds a record, and removes the oldest of those that were added. */
const addAndRemove = (most: number) => (shop: Shop) => {
  add(shop);
  const added = shop.pets.filter(({ name }) => String(name).startsWith('Visitor'));
  if (added.length > most) shop.pets = shop.pets.filter((pet) => pet !== added[0]);
};

const newestFirst: Partial<Behaviour> = { page: (pets, limit) => pets.toReversed().slice(0, limit) };

const comeAndGoFirst = writeAlways(addAndRemove(2), newestFirst);

/** Others use the service, too. */
const otherWriters = lookalikes('other-writers', petStore, [
  ['add', 'others create records all the time', writeAlways(add)],
  ['add-newest-first', 'others create records, which lists show first', writeAlways(add, newestFirst)],
  ['come-and-go', 'others create and remove records', writeAlways(addAndRemove(5))],
  ['come-and-go-newest-first', 'others create and remove records, which lists show first', comeAndGoFirst],
]);

export const recordsLookalikes = [
  otherIds,
  otherOrders,
  otherStocks,
  otherMembers,
  otherDefaults,
  otherCategories,
  otherToldCategories,
  otherWriters,
].flat();
