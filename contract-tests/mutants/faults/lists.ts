import type { Answer, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, stock } from '../by-hand/pet.ts';
import { asDouble, convert, each, last, set, third, upperCase, without } from '../record-changes.ts';
import {
  around,
  error,
  listed,
  petStore,
  respond,
  response,
  type ShopFault,
  status,
} from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const FILTERED = ['schema', 'filter'] as const;

/** The list is no array of whole records. */
export const wrongListBodies = mutants('list', using(petStore, listed), 'schema', [
  ['null', 'the list is null', () => null],
  [
    'object',
    'the list is an object by id',
    (pets) => Object.fromEntries(pets.map((pet) => [String(pet.id), pet])),
  ],
  ['wrapped', 'the list is wrapped in "data"', (pets) => ({ data: pets, total: 31n })],
  ['text', 'the list is a JSON string', (pets) => JSON.stringify(pets.map(({ name }) => name))],
  ['ids-only', 'the list holds only ids', each(({ id }) => id)],
  ['nested', 'each record is an array of one', each((pet) => [pet])],
  ['one-as-object', 'a list of one is the record itself', (pets) => (pets.length === 1 ? pets[0] : pets)],
  ['error-body', 'the list is an error body with status 200', () => error(200).body],
  ['without-category', 'one of many records lacks its categoryId', third(without('categoryId'))],
  ['without-name', 'the last record lacks its name', last(without('name'))],
  ['without-id', 'one record lacks its id', third(without('id'))],
  ['last-id-text', 'the id of the last record is a string', last(convert('id', String))],
  [
    'last-category-text',
    'the categoryId of the last record is a string',
    last(convert('categoryId', String)),
  ],
  ['last-name-number', 'the name of the last record is a number', last(set('name', 12n))],
  ['name-null', 'the name of one record is null', third(set('name', null))],
  ['status-null', 'the status of the last record is null', last(set('status', null))],
  [
    'status-unknown',
    'the status of one record is not in the enum',
    FILTERED,
    third(set('status', 'reserved')),
  ],
  ['status-upper-case', 'the status of the last record is upper case', FILTERED, last(set('status', 'SOLD'))],
  ['status-empty', 'the status of one record is an empty string', FILTERED, third(set('status', ''))],
  ['fraction', 'the categoryId of one record is a fraction', third(set('categoryId', 1.5))],
  ['beyond-int64', 'the categoryId of the last record is beyond int64', last(set('categoryId', 2n ** 63n))],
  ['null-record', 'one record is null', third(() => null)],
]);

const AGREE = ['list-and-read-agree', 'created-is-listed'] as const;

/** The list is an array of whole records, but not of those that there are. */
export const wrongListedRecords = mutants('list', using(petStore, listed), 'distinct-ids', [
  [
    'duplicates',
    'each record is listed twice',
    (pets) => pets.slice(0, Math.ceil(pets.length / 2)).flatMap((pet) => [pet, pet]),
  ],
  [
    'one-duplicate',
    'the first record is repeated at the end',
    (pets) => (pets.length > 2 ? [...pets.slice(0, -1), pets[0]] : pets),
  ],
  [
    'one-id',
    'all records of a list have one id',
    ['distinct-ids', 'path-id', ...AGREE],
    each(set('id', 201n)),
  ],
  ['other-name', 'the list shows names in upper case', AGREE, each(convert('name', upperCase))],
  ['without-status', 'the list lacks the status', [...AGREE, 'filter'], each(without('status'))],
  ['empty', 'the list is always empty', ['created-is-listed', 'filter', 'complete-list'], () => []],
  [
    'rounded-category',
    'the list shows categories as doubles',
    ['exact-integers', 'created-is-listed'],
    each(convert('categoryId', asDouble)),
  ],
]);

/** The list shows other records than are stored. */
const listOf = (pets: (stored: readonly Pet[]) => Pet[]): Partial<Behaviour> => ({
  list: (ask, shop) => correct.list(ask, { ...shop, pets: pets(shop.pets) }),
});

const listStart: ShopFault = () => {
  const start = stock(31);
  return listOf(() => start);
};

/** An empty list gets another response. */
const emptyList = (stored: readonly Pet[], instead: Answer): ShopFault => ({
  stock: () => [...stored],
  ...around('list', (given) => (Array.isArray(given.body) && given.body.length === 0 ? instead : given)),
});

const notSold = stock(31).filter((pet) => pet.status !== 'sold');

export const wrongListResponses = mutants('list', petStore, 'status', [
  ['206', 'a list gets 206', response('list', 200, status(206))],
  ['203', 'a list gets 203', response('list', 200, status(203))],
  ['stale', 'the list is the one of the start', ['created-is-listed', 'filter', 'complete-list'], listStart],
  [
    'one-behind',
    'the newest record is not listed until the next one is created',
    ['created-is-listed', 'filter'],
    listOf((pets) => pets.slice(0, -1)),
  ],
  ['204-when-empty', 'an empty list gets 204', emptyList([], { status: 204 })],
  ['404-when-empty', 'an empty list gets 404', emptyList([], error(404))],
  [
    'null-on-empty-store',
    'the list of an empty store is null',
    'schema',
    emptyList([], { status: 200, body: null }),
  ],
  [
    'null-when-filtered-empty',
    'a filter that matches nothing gives null',
    'schema',
    emptyList(notSold, { status: 200, body: null }),
  ],
  [
    'broken-by-two-parameters',
    'limit and status together get 500',
    respond('list', ({ query }) => query.has('limit') && query.has('status'), error(500)),
  ],
  [
    'broken-without-parameters',
    'a list without parameters gets 400',
    respond('list', ({ query }) => query.size === 0, error(400)),
  ],
]);
