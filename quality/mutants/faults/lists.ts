import type { Answer, Ask, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, stock } from '../by-hand/pet.ts';
import {
  asDouble,
  convert,
  type Data,
  each,
  last,
  set,
  third,
  upperCase,
  without,
} from '../record-changes.ts';
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
const wrongListBodies = mutants('list', using(petStore, listed), 'schema', [
  ['null', 'the list is null', () => null],
  ['object', 'the list is an object by id', (pets) => Object.fromEntries(pets.map((pet) => [pet.id, pet]))],
  ['wrapped', 'the list is wrapped in "data"', (pets) => ({ data: pets, total: 31n })],
  ['text', 'the list is a JSON string', (pets) => JSON.stringify(pets.map(({ name }) => name))],
  ['ids-only', 'the list holds only ids', each(({ id }) => id)],
  ['nested', 'each record is an array of one', each((pet) => [pet])],
  ['one-as-object', 'a list of one is the record itself', (pets) => (pets.length === 1 ? pets[0] : pets)],
  ['error-body', 'the list is an error body with status 200', () => error(200).body],
  ['without-category', 'one of many records lacks its categoryId', third(without('categoryId'))],
  ['without-name', 'the last record lacks its name', last(without('name'))],
  ['without-id', 'one record lacks its id', third(without('id'))],
  ['last-id-text', 'the last id is a string', last(convert('id', String))],
  ['last-category-text', 'the last categoryId is a string', last(convert('categoryId', String))],
  ['last-name-number', 'the last name is a number', last(set('name', 12n))],
  ['name-null', 'one name is null', third(set('name', null))],
  ['status-null', 'the last status is null', last(set('status', null))],
  ['status-unknown', 'one status is not in the enum', FILTERED, third(set('status', 'reserved'))],
  ['status-upper-case', 'the last status is in upper case', FILTERED, last(set('status', 'SOLD'))],
  ['status-empty', 'one status is an empty string', FILTERED, third(set('status', ''))],
  ['fraction', 'one categoryId is a fraction', third(set('categoryId', 1.5))],
  ['beyond-int64', 'the last categoryId is beyond int64', last(set('categoryId', 2n ** 63n))],
  ['null-record', 'one record is null', third(() => null)],
]);

const firstHalf = (pets: readonly Data[]) => pets.slice(0, Math.ceil(pets.length / 2));
const repeatFirst = (pets: readonly Data[]) => (pets.length > 2 ? [...pets.slice(0, -1), pets[0]] : pets);
const BEHIND = ['created-is-listed', 'filter'] as const;
const STALE = [...BEHIND, 'complete-list'] as const;
const DOUBLE = ['exact-integers', 'created-is-listed'] as const;
const AGREE = ['list-and-read-agree', 'created-is-listed'] as const;

const ANY_ID = ['distinct-ids', 'path-id', ...AGREE] as const;

/** The list is an array of whole records, but not of those that there are. */
const wrongListedRecords = mutants('list', using(petStore, listed), 'distinct-ids', [
  ['duplicates', 'each record is listed twice', (pets) => firstHalf(pets).flatMap((pet) => [pet, pet])],
  ['one-duplicate', 'the first record is repeated at the end', repeatFirst],
  ['one-id', 'all records of a list have one id', ANY_ID, each(set('id', 201n))],
  ['other-name', 'the list shows names in upper case', AGREE, each(convert('name', upperCase))],
  ['without-status', 'the list lacks the status', [...AGREE, 'filter'], each(without('status'))],
  ['empty', 'the list is always empty', STALE, () => []],
  ['rounded-category', 'the list shows categories as doubles', DOUBLE, each(convert('categoryId', asDouble))],
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

const NULL = { status: 200, body: null };
const hasBoth = ({ query }: Ask) => query.has('limit') && query.has('status');
const hasNone = ({ query }: Ask) => query.size === 0;
const noneSold = stock(31).filter((pet) => pet.status !== 'sold');

const wrongListResponses = mutants('list', petStore, 'status', [
  ['206', 'a list gets 206', response('list', 200, status(206))],
  ['203', 'a list gets 203', response('list', 200, status(203))],
  ['stale', 'the list is the one of the start', STALE, listStart],
  ['one-behind', 'the newest record is not listed', BEHIND, listOf((pets) => pets.slice(0, -1))],
  ['204-when-empty', 'an empty list gets 204', emptyList([], { status: 204 })],
  ['404-when-empty', 'an empty list gets 404', emptyList([], error(404))],
  ['null-on-empty-store', 'the list of an empty store is null', 'schema', emptyList([], NULL)],
  ['null-when-filtered-empty', 'an empty filtered list is null', 'schema', emptyList(noneSold, NULL)],
  ['broken-by-two-parameters', 'limit and status together get 500', respond('list', hasBoth, error(500))],
  ['broken-without-parameters', 'a list without parameters gets 400', respond('list', hasNone, error(400))],
]);

export const listsMutants = [...wrongListBodies, ...wrongListedRecords, ...wrongListResponses];
