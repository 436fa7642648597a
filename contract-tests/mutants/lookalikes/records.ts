import type { Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, STATUSES, stock } from '../by-hand/pet.ts';
import { type Lookalike, otherShop } from '../suspect.ts';

const shop = (name: string, says: string, behaviour: Partial<Behaviour>, options = {}): Lookalike =>
  otherShop(`other-${name}`, says, () => behaviour, options);

/** Ids counted up or down from a start; the stock has some, too. */
const counted = (first: bigint, step: bigint): Partial<Behaviour> => {
  const idOf = (ordinal: number) => first + step * BigInt(ordinal);
  return {
    stock: () => stock(31).map((pet, index) => ({ ...pet, id: idOf(index) })),
    nextId: ({ pets }) => idOf(pets.length),
  };
};

const RANDOM_BITS = 62;

function randomId(): bigint {
  return (
    BigInt(Math.floor(Math.random() * 2 ** 31)) * 2n ** BigInt(RANDOM_BITS - 31) +
    BigInt(Math.floor(Math.random() * 2 ** 31))
  );
}

/** Nothing is said of what ids look like but that they are 64-bit integers. */
export const otherIds: readonly Lookalike[] = [
  shop('ids-from-zero', 'ids begin with 0', counted(0n, 1n)),
  shop('ids-negative', 'ids are negative', counted(-1n, -1n)),
  shop('ids-descending', 'ids are counted down', counted(1_000_000n, -1n)),
  shop('ids-in-steps', 'ids go up in steps of 1000', counted(5n, 1000n)),
  shop('ids-beyond-doubles', 'ids lie beyond 2^53, one beside the other', counted(2n ** 53n, 1n)),
  shop('ids-greatest', 'ids are counted down from the greatest int64', counted(2n ** 63n - 1n, -1n)),
  shop('ids-random', 'ids are random', {
    stock: () => stock(31).map((pet) => ({ ...pet, id: randomId() })),
    nextId: randomId,
  }),
];

const listing = (name: string, says: string, order: (pets: readonly Pet[]) => Pet[]): Lookalike =>
  shop(name, says, { list: (ask, there) => correct.list(ask, { ...there, pets: order(there.pets) }) });

/** Nothing is said of the order of a list. */
export const otherOrders: readonly Lookalike[] = [
  listing('order-newest-first', 'lists begin with the newest', (pets) => pets.toReversed()),
  listing('order-by-name', 'lists are in the order of the names', (pets) =>
    pets.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
  ),
  listing('order-random', 'lists are in another order each time', (pets) =>
    pets.toSorted(() => Math.random() - 0.5),
  ),
];

const stocked = (name: string, says: string, count: number): Lookalike =>
  shop(`stock-${name}`, says, { stock: () => stock(count) });

/** Nothing is said of how many records there are. */
export const otherStocks: readonly Lookalike[] = [
  stocked('empty', 'there are no records', 0),
  stocked('one', 'there is one record', 1),
  stocked('page', 'there are just as many records as a page holds', 100),
  stocked('5000', 'there are 5,000 records', 5000),
  shop('stock-without-status', 'no record has a status', {
    stock: () => stock(31).map(({ status: _, ...pet }) => pet as Pet),
  }),
  shop('stock-of-one-status', 'all records have one status', {
    stock: () => stock(31).map((pet) => ({ ...pet, status: 'sold' })),
  }),
];

const shown = (name: string, says: string, show: Behaviour['show']): Lookalike => shop(name, says, { show });

/** Nothing forbids other members, and nothing is said of a status that was not sent. */
export const otherMembers: readonly Lookalike[] = [
  shown('members-added', 'records have members that are not documented', (pet) => ({
    ...pet,
    createdAt: '2024-05-01T00:00:00Z',
    tags: ['a', { b: null }],
    owner: null,
    _links: { self: `/v1/pets/${pet.id}` },
  })),
  shown('members-reordered', 'the members of a record are in another order', ({ id, name, ...pet }) => ({
    ...pet,
    name,
    id,
  })),
  shop('members-moving', 'a member that is not documented differs each time', {
    show: (pet) => ({ ...pet, served: Date.now() + Math.random() }),
  }),
  ...STATUSES.map((status) =>
    shop(`default-${status}`, `without a status an animal is ${status}`, {
      stock: () => stock(31).map((pet) => ({ status, ...pet })),
      made: (sent, id) => ({ status, ...correct.made(sent, id) }),
    }),
  ),
  shop('errors-longer', 'error bodies have more members, and other words', {
    refuse: (status, message) => ({
      status,
      body: {
        status,
        code: '',
        message: `Fehler: ${message} – „bitte prüfen“`,
        details: [{ field: 'x' }],
        traceId: null,
        timestamp: 1n,
      },
    }),
  }),
  shop('no-challenge', 'a 401 has no WWW-Authenticate', {
    authenticate(ask, there) {
      const refused = correct.authenticate(ask, there);
      return refused && { ...refused, headers: {} };
    },
  }),
];

const CATEGORIES = [41n, 42n, 7_000_000_000n];

function knowing(categories: readonly bigint[], status: number): Partial<Behaviour> {
  return {
    create(ask, there) {
      const answer = correct.create(ask, {
        ...there,
        does: { ...there.does, keep: () => {}, created: (pet) => ({ status: 201, body: pet }) },
      });
      const { status: given, body } = answer as { status: number; body: Pet };
      if (given === 201 && !categories.some((category) => category === body.categoryId))
        return there.does.refuse(status, 'there is no such category');
      return correct.create(ask, there);
    },
  };
}

const withCategories = () =>
  stock(31).map((pet, index) => ({ ...pet, categoryId: CATEGORIES[index % CATEGORIES.length] }));

/** Nothing is said of which categories exist. */
export const otherCategories: readonly Lookalike[] = [
  shop('categories-listed', 'only categories of the list exist, others are 400', {
    stock: withCategories,
    ...knowing(CATEGORIES, 400),
  }),
  shop('categories-404', 'only categories of the list exist, others are 404', {
    stock: withCategories,
    ...knowing(CATEGORIES, 404),
  }),
  shop('categories-422', 'only some categories exist, others are 422', {
    stock: withCategories,
    ...knowing(CATEGORIES, 422),
  }),
  shop('categories-first-three', 'the store is empty, and knows the categories 1 to 3', {
    stock: () => [],
    ...knowing([1n, 2n, 3n], 400),
  }),
  shop(
    'categories-told',
    'the store is empty, and knows one category, which the user names',
    { stock: () => [], ...knowing([512n], 400) },
    { values: { categoryId: '512' } },
  ),
];

/** Others write between any two requests of ours: far more often than 100 times a second. */
const busy = (
  name: string,
  says: string,
  write: (there: Shop) => void,
  behaviour: Partial<Behaviour> = {},
): Lookalike =>
  shop(`writers-${name}`, says, {
    ...behaviour,
    answer(ask, there) {
      write(there);
      return correct.answer(ask, there);
    },
  });

function add(there: Shop): void {
  const id = there.does.nextId(there);
  there.pets.push({
    id,
    name: `Visitor ${id}`,
    categoryId: 3n,
    ...(Math.random() < 0.7 ? { status: STATUSES[Number(id) % 3] } : {}),
  });
}

/** The service is not ours alone. */
export const otherWriters: readonly Lookalike[] = [
  busy('add', 'others add records all the time', add),
  busy('add-newest-first', 'others add records all the time, and lists begin with the newest', add, {
    page: (pets, limit) => pets.toReversed().slice(0, limit),
  }),
  busy('come-and-go', 'others add and remove their own records', (there) => {
    add(there);
    const visitors = there.pets.filter(({ name }) => String(name).startsWith('Visitor'));
    if (visitors.length > 5) there.pets = there.pets.filter((pet) => pet !== visitors[0]);
  }),
  busy(
    'come-and-go-newest-first',
    'others add and remove their own records, which lists show first',
    (there) => {
      add(there);
      const visitors = there.pets.filter(({ name }) => String(name).startsWith('Visitor'));
      if (visitors.length > 2) there.pets = there.pets.filter((pet) => pet !== visitors[0]);
    },
    { page: (pets, limit) => pets.toReversed().slice(0, limit) },
  ),
];
