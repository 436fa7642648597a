import type { LawName as Law } from '../../laws/law.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, stock } from '../by-hand/pet.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

/** Changes the body of each list that went well. */
const listed = (
  name: string,
  says: string,
  laws: Law | Law[],
  change: (pets: readonly Pet[]) => unknown,
  status = 200,
): Mutant =>
  faultyShop(`list-${name}`, says, laws, () => ({
    list(ask, shop) {
      const answer = correct.list(ask, shop);
      return answer.status === 200 ? { ...answer, status, body: change(answer.body as Pet[]) } : answer;
    },
  }));

/** Changes one record of each list. */
const oneOf = (
  name: string,
  says: string,
  at: (pets: readonly Pet[]) => number,
  change: (pet: Pet) => unknown,
  laws: Law | Law[] = 'schema',
): Mutant =>
  listed(name, says, laws, (pets) => pets.map((pet, index) => (index === at(pets) ? change(pet) : pet)));

const last = (pets: readonly Pet[]) => pets.length - 1;
const third = () => 2;
const without = (member: string) => (pet: Pet) =>
  Object.fromEntries(Object.entries(pet).filter(([name]) => name !== member));

/** The list is no array of whole records. */
export const wrongLists: readonly Mutant[] = [
  listed('null', 'the list is null', 'schema', () => null),
  listed('object', 'the list is an object by id', 'schema', (pets) =>
    Object.fromEntries(pets.map((pet) => [String(pet.id), pet])),
  ),
  listed('wrapped', 'the list is wrapped in "data"', 'schema', (pets) => ({ data: pets, total: 31n })),
  listed('text', 'the list is JSON in a JSON text', 'schema', (pets) =>
    JSON.stringify(pets.map(({ name }) => name)),
  ),
  listed('ids-only', 'the list holds ids only', 'schema', (pets) => pets.map(({ id }) => id)),
  listed('nested', 'each record stands in an array of its own', 'schema', (pets) => pets.map((pet) => [pet])),
  listed('one-as-object', 'a list of one is the record itself', 'schema', (pets) =>
    pets.length === 1 ? pets[0] : pets,
  ),
  listed('error-body', 'the list is an error body with status 200', 'schema', () => ({
    code: 'x',
    message: 'x',
    status: 200n,
  })),
  listed('206', 'a list is answered 206', 'status', (pets) => pets, 206),
  listed('203', 'a list is answered 203', 'status', (pets) => pets, 203),
  oneOf('without-category', 'one of many records lacks its categoryId', third, without('categoryId')),
  oneOf('without-name', 'the last record lacks its name', last, without('name')),
  oneOf('without-id', 'one record has no id', third, without('id')),
  oneOf('last-id-text', 'the id of the last record is a text', last, (pet) => ({
    ...pet,
    id: String(pet.id),
  })),
  oneOf('last-category-text', 'the categoryId of the last record is a text', last, (pet) => ({
    ...pet,
    categoryId: String(pet.categoryId),
  })),
  oneOf('last-name-number', 'the name of the last record is a number', last, (pet) => ({
    ...pet,
    name: 12n,
  })),
  oneOf('name-null', 'one record has the name null', third, (pet) => ({ ...pet, name: null })),
  oneOf('status-null', 'the status of the last record is null', last, (pet) => ({ ...pet, status: null })),
  oneOf(
    'status-unknown',
    'the status of one record is none of the three',
    third,
    (pet) => ({ ...pet, status: 'reserved' }),
    ['schema', 'filter'],
  ),
  oneOf(
    'status-upper-case',
    'the status of the last record is in upper case',
    last,
    (pet) => ({ ...pet, status: 'SOLD' }),
    ['schema', 'filter'],
  ),
  oneOf(
    'status-empty',
    'the status of one record is an empty text',
    third,
    (pet) => ({ ...pet, status: '' }),
    ['schema', 'filter'],
  ),
  oneOf('fraction', 'the categoryId of one record is a fraction', third, (pet) => ({
    ...pet,
    categoryId: 1.5,
  })),
  oneOf('beyond-int64', 'the categoryId of the last record is beyond 64 bits', last, (pet) => ({
    ...pet,
    categoryId: 2n ** 63n,
  })),
  oneOf('null-record', 'one record is null', third, () => null),
  listed('duplicates', 'each record is listed twice', 'distinct-ids', (pets) =>
    pets.slice(0, Math.ceil(pets.length / 2)).flatMap((pet) => [pet, pet]),
  ),
  listed('one-duplicate', 'the first record stands at the end again', 'distinct-ids', (pets) =>
    pets.length > 2 ? [...pets.slice(0, -1), pets[0]] : pets,
  ),
  listed(
    'one-id',
    'all records of a list have one id',
    ['distinct-ids', 'path-id', 'list-and-read-agree', 'created-is-listed'],
    (pets) => pets.map((pet) => ({ ...pet, id: 201n })),
  ),
  listed(
    'other-name',
    'the list shows names in upper case',
    ['list-and-read-agree', 'created-is-listed'],
    (pets) => pets.map((pet) => ({ ...pet, name: String(pet.name).toUpperCase() })),
  ),
  listed(
    'without-status',
    'the list does not show the status',
    ['list-and-read-agree', 'created-is-listed', 'filter'],
    (pets) => pets.map(without('status')),
  ),
  listed('empty', 'the list is always empty', ['created-is-listed', 'filter', 'complete-list'], () => []),
  listed(
    'rounded-category',
    'the list shows categories as doubles',
    ['exact-integers', 'created-is-listed'],
    (pets) => pets.map((pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
  ),
];

/** The list does not follow what happens in the store. */
export const lateLists: readonly Mutant[] = [
  faultyShop(
    'list-stale',
    'the list is the one of the start',
    ['created-is-listed', 'filter', 'complete-list'],
    () => {
      const first = stock(31);
      return { list: (ask, shop) => correct.list(ask, { ...shop, pets: first }) };
    },
  ),
  faultyShop(
    'list-one-behind',
    'the newest record is missing until the next one comes',
    ['created-is-listed', 'filter'],
    () => ({
      list: (ask, shop) => correct.list(ask, { ...shop, pets: shop.pets.slice(0, -1) }),
    }),
  ),
  faultyShop('list-204-when-empty', 'an empty list is answered 204', 'status', () => ({
    stock: () => [],
    list(ask, shop) {
      const answer = correct.list(ask, shop);
      return Array.isArray(answer.body) && answer.body.length === 0 ? { status: 204 } : answer;
    },
  })),
  faultyShop('list-null-when-filtered-empty', 'a filter that finds nothing gives null', 'schema', () => ({
    stock: () => stock(31).filter(({ status }) => status !== 'sold'),
    list(ask, shop) {
      const answer = correct.list(ask, shop);
      return Array.isArray(answer.body) && answer.body.length === 0 ? { status: 200, body: null } : answer;
    },
  })),
  faultyShop('list-404-when-empty', 'an empty list is answered 404', 'status', () => ({
    stock: () => [],
    list(ask, shop) {
      const answer = correct.list(ask, shop);
      return Array.isArray(answer.body) && answer.body.length === 0 ? shop.does.refuse(404, 'none') : answer;
    },
  })),
  faultyShop('list-null-on-empty-store', 'the list of an empty store is null', 'schema', () => ({
    stock: () => [],
    list(ask, shop) {
      const answer = correct.list(ask, shop);
      return Array.isArray(answer.body) && answer.body.length === 0 ? { status: 200, body: null } : answer;
    },
  })),
  faultyShop(
    'list-broken-by-two-parameters',
    'limit and status together break the service',
    'status',
    () => ({
      list: (ask, shop) =>
        ask.query.has('limit') && ask.query.has('status')
          ? shop.does.refuse(500, 'x')
          : correct.list(ask, shop),
    }),
  ),
  faultyShop('list-broken-without-parameters', 'a list without parameters is refused', 'status', () => ({
    list: (ask, shop) =>
      ask.query.size === 0 ? shop.does.refuse(400, 'limit is needed') : correct.list(ask, shop),
  })),
];
