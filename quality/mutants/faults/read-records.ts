import type { Answer } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, stock } from '../by-hand/pet.ts';
import { asDouble, convert, lowerCase, set, setDefault, without } from '../record-changes.ts';
import {
  around,
  error,
  petStore,
  type ResponseChange,
  read,
  response,
  type ShopFault,
  status,
} from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

type Find = (pets: readonly Pet[], id: bigint, found: Pet | undefined) => Pet | undefined;

/** Finds another record, or none. */
const find = (instead: Find): ShopFault => ({
  find: (shop, id) => instead(shop.pets, id as bigint, correct.find(shop, id)),
});

const idOf = (pet: Pet) => pet.id as bigint;
const findPrefix = (pets: readonly Pet[], id: bigint) => pets.find((pet) => `${id}`.startsWith(`${pet.id}`));
const allButFirst: Find = ([first], _id, found) => (found === first ? undefined : found);
const NONE = undefined;
const NOBODY = { name: 'Nobody', categoryId: 1n };
const OTHER = ['unknown-id', 'path-id', 'list-and-read-agree', 'created-can-be-read'] as const;
const UNKNOWN = ['status', 'list-and-read-agree'] as const;

const wrongFoundRecords = mutants('read', using(petStore, find), OTHER, [
  ['first', 'every id finds the first record', (pets) => pets[0]],
  ['first-when-unknown', 'an unknown id finds the first record', (pets, _id, found) => found ?? pets[0]],
  ['nearest', 'an unknown id finds the one before', (pets, id) => pets.findLast((pet) => idOf(pet) <= id)],
  ['next', 'an id finds the record after it', (pets, id) => pets[pets.findIndex((pet) => pet.id === id) + 1]],
  ['never', 'no id is found', [...UNKNOWN, 'created-can-be-read'], () => NONE],
  ['seeds-only', 'added records are not found', (_, id, found) => (id < 232n ? found : NONE)],
  ['added-only', 'records of the start are not found', UNKNOWN, (_, id, found) => (id > 231n ? found : NONE)],
  ['not-first', 'the first record is not found', UNKNOWN, allButFirst],
  ['made-up', 'an unknown id is made up', 'unknown-id', (_, id, found) => found ?? { ...NOBODY, id }],
  ['prefix', 'a prefix of an unknown id finds a record', (pets, id, found) => found ?? findPrefix(pets, id)],
]);

const DOUBLE = ['exact-integers', 'created-can-be-read'] as const;
const AGREE = ['list-and-read-agree', 'created-can-be-read'] as const;

const wrongReadBodies = mutants('read', using(petStore, read), 'schema', [
  ['without-name', 'a record that is read lacks its name', without('name')],
  ['without-id', 'a record that is read lacks its id', without('id')],
  ['without-category', 'a record that is read lacks its categoryId', without('categoryId')],
  ['without-status', 'a record that is read lacks its status', AGREE, without('status')],
  ['id-text', 'the id of a record that is read is a string', convert('id', String)],
  ['status-null', 'a record without a status is read with null', setDefault('status', null)],
  ['array', 'a record is read as an array of one', (pet) => [pet]],
  ['wrapped', 'a record is read wrapped in "data"', (pet) => ({ data: pet })],
  ['other-name', 'a record is read with its name in lower case', AGREE, convert('name', lowerCase)],
  ['other-category', 'a record is read with another category', AGREE, set('categoryId', 4242n)],
  ['rounded-category', 'a record is read with a rounded category', DOUBLE, convert('categoryId', asDouble)],
]);

const on200 = (change: ResponseChange) => response('read', 200, change);

const wrongReadStatuses = mutants('read', using(petStore, on200), 'status', [
  ['203', 'a read gets 203', status(203)],
  ['410', 'the deprecated operation is gone already', error(410)],
  ['304', 'a read gets 304', { status: 304 }],
]);

/** A read changes the record that is stored, or removes it. */
const changeStored = (change: (pet: Pet) => Pet[]): ShopFault =>
  around('read', (given, { path }, shop) => {
    shop.pets = shop.pets.flatMap((pet) => (path === `/pets/${pet.id}` ? change(pet) : [pet]));
    return given;
  });

const respondWithLast: ShopFault = () => {
  let last: Answer | undefined;
  return response('read', 200, (given) => {
    const before = last ?? given;
    last = given;
    return before;
  });
};

const roundedIds: ShopFault = {
  stock: () => stock(31).map((pet) => ({ ...pet, id: 2n ** 53n + 2n * idOf(pet) })),
  find: ({ pets }, id) => pets.find((pet) => Number(pet.id) === Number(id)),
};

const OTHER_RECORD = ['path-id', 'unknown-id', 'list-and-read-agree'] as const;
const EFFECTS = [...AGREE, 'created-is-listed', 'earlier-records-stay'] as const;

const readEffects = mutants('read', petStore, EFFECTS, [
  ['changes-record', 'a read marks its record as sold', changeStored((pet) => [{ ...pet, status: 'sold' }])],
  ['removes-record', 'a record can be read once', [...EFFECTS, 'status'], changeStored(() => [])],
  ['of-the-last', 'a read gets the response to the read before', OTHER_RECORD, respondWithLast],
  ['big-ids-rounded', 'ids beyond 2^53 are looked up rounded', 'path-id', roundedIds],
]);

export const readRecordsMutants = [
  ...wrongFoundRecords,
  ...wrongReadBodies,
  ...wrongReadStatuses,
  ...readEffects,
];
