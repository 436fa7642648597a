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
  ['in-steps', 'ids are counted in steps of 1000', [5n, 1000n]],
  ['beyond-doubles', 'ids are consecutive beyond 2^53', [2n ** 53n, 1n]],
  ['greatest', 'ids are counted down from the greatest int64', [2n ** 63n - 1n, -1n]],
]);

const sorted = (order: (pets: readonly Pet[]) => Pet[]): ShopFault => ({
  list: (ask, shop) => correct.list(ask, { ...shop, pets: order(shop.pets) }),
});
const byName = (a: Pet, b: Pet) => (String(a.name) < String(b.name) ? -1 : 1);
const random31 = () => BigInt(Math.floor(Math.random() * 2 ** 31));
const randomId = () => random31() * 2n ** 31n + random31();
const withMembers = (pet: Pet) => ({
  ...pet,
  tags: ['a', { b: null }],
  owner: null,
  _links: { self: `/v1/pets/${pet.id}` },
});
const reorder = ({ id, name, ...pet }: Pet) => ({ ...pet, name, id });
const addMoment = (pet: Pet) => ({ ...pet, served: Date.now() + Math.random() });
const longerErrors: Behaviour['refuse'] = (status, message) => {
  const more = { details: [{ field: 'x' }], traceId: null, timestamp: 1n };
  return { status, body: { status, code: '', message: `Fehler: ${message} – „bitte prüfen“`, ...more } };
};
const defaultStatus = (status: string): ShopFault => {
  const complete = setDefault('status', status);
  return { ...stockWith(complete), made: (sent, id) => complete(correct.made(sent, id)) as Pet };
};

/** Nor does it say how many records there are, in which order, and with which members beside. */
const otherRecords = lookalikes('other', petStore, [
  ['order-newest-first', 'lists begin with the newest', sorted((pets) => pets.toReversed())],
  ['order-by-name', 'lists are ordered by name', sorted((pets) => pets.toSorted(byName))],
  ['order-random', 'lists are in random order', sorted((pets) => pets.toSorted(() => Math.random() - 0.5))],
  ['stock-empty', 'there are no records', { stock: () => [] }],
  ['stock-one', 'there is one record', { stock: () => stock(1) }],
  ['stock-page', 'there are just as many records as a page holds', { stock: () => stock(100) }],
  ['stock-5000', 'there are 5,000 records', { stock: () => stock(5000) }],
  ['stock-without-status', 'no record has a status', stockWith(without('status'))],
  ['stock-of-one-status', 'all records have one status', stockWith(set('status', 'sold'))],
  ['ids-random', 'ids are random', { ...stockWith((pet) => ({ ...pet, id: randomId() })), nextId: randomId }],
  ['members-added', 'records have undocumented members', { show: withMembers }],
  ['members-reordered', 'the members of a record are in another order', { show: reorder }],
  ['members-moving', 'an undocumented member differs each time', { show: addMoment }],
  ['errors-longer', 'error bodies have more members, and other messages', { refuse: longerErrors }],
  ['no-challenge', 'a 401 has no WWW-Authenticate', unauthorized((given) => ({ ...given, headers: {} }))],
  ['default-available', 'the default status is available', defaultStatus('available')],
  ['default-sold', 'the default status is sold', defaultStatus('sold')],
]);

/** Only these categories exist: creates with another one are refused. */
const knownCategories = (categories: readonly bigint[], status: number): Partial<Behaviour> => ({
  ...stockWith((pet, index) => ({ ...pet, categoryId: categories[index % categories.length] })),
  create(ask, shop) {
    const { categoryId = categories[0] } = validBody(ask, shop) ?? {};
    const isKnown = categories.includes(categoryId as bigint);
    return isKnown ? correct.create(ask, shop) : shop.does.refuse(status, 'there is no such category');
  },
});
const LISTED = [41n, 42n, 7_000_000_000n];
const empty = { stock: () => [] };

const otherCategories = [
  ...lookalikes('other-categories', petStore, [
    ['listed', 'only categories of the list exist, others get 400', knownCategories(LISTED, 400)],
    ['404', 'only categories of the list exist, others get 404', knownCategories(LISTED, 404)],
    ['422', 'only categories of the list exist, others get 422', knownCategories(LISTED, 422)],
    ['first-three', 'of an empty store', { ...knownCategories([1n, 2n, 3n], 400), ...empty }],
  ]),
  ...lookalikes('other-categories', { ...petStore, options: { values: { categoryId: '512' } } }, [
    ['told', 'of an empty store, told by the user', { ...knownCategories([512n], 400), ...empty }],
  ]),
];

/** Others write between any two requests of ours: far more often than 100 times a second. */
const writing = (write: (shop: Shop) => void): Partial<Behaviour> => ({
  answer(ask, shop) {
    write(shop);
    return correct.answer(ask, shop);
  },
});

const add = (shop: Shop): void => {
  const id = shop.does.nextId(shop);
  const status = Math.random() < 0.7 ? { status: STATUSES[Number(id) % 3] } : {};
  shop.pets.push({ id, name: `Visitor ${id}`, categoryId: 3n, ...status });
};
/** Adds a record, and removes the oldest of those that were added. */
const addAndRemove = (most: number) => (shop: Shop) => {
  add(shop);
  const added = shop.pets.filter(({ name }) => String(name).startsWith('Visitor'));
  if (added.length > most) shop.pets = shop.pets.filter((pet) => pet !== added[0]);
};
const newestFirst: Partial<Behaviour> = { page: (pets, limit) => pets.toReversed().slice(0, limit) };

/** Others use the service, too. */
const otherWriters = lookalikes('other-writers', petStore, [
  ['add', 'others create records all the time', writing(add)],
  ['add-newest-first', 'others create records, which lists show first', { ...writing(add), ...newestFirst }],
  ['come-and-go', 'others create and remove records', writing(addAndRemove(5))],
  ['come-and-go-first', 'lists show these first', { ...writing(addAndRemove(2)), ...newestFirst }],
]);

export const recordsLookalikes = [...otherIds, ...otherRecords, ...otherCategories, ...otherWriters];
