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

const UNKNOWN = ['status', 'list-and-read-agree'] as const;

export const wrongFoundRecords = mutants(
  'read',
  using(petStore, find),
  ['unknown-id', 'path-id', 'list-and-read-agree', 'created-can-be-read'],
  [
    ['first', 'every id finds the first record', (pets) => pets[0]],
    ['first-when-unknown', 'an unknown id finds the first record', (pets, _id, found) => found ?? pets[0]],
    [
      'nearest',
      'an unknown id finds the last record before it',
      (pets, id) => pets.findLast((pet) => (pet.id as bigint) <= id),
    ],
    [
      'next',
      'an id finds the record after it',
      (pets, id) => pets[pets.findIndex((pet) => pet.id === id) + 1],
    ],
    ['never', 'no id is found', [...UNKNOWN, 'created-can-be-read'], () => undefined],
    [
      'seeds-only',
      'records that were added are not found',
      (_pets, id, found) => (id < 232n ? found : undefined),
    ],
    [
      'added-only',
      'records of the start are not found',
      UNKNOWN,
      (_pets, id, found) => (id > 231n ? found : undefined),
    ],
    [
      'not-first',
      'the first record is not found',
      UNKNOWN,
      (pets, _id, found) => (found === pets[0] ? undefined : found),
    ],
    [
      'made-up',
      'an unknown id finds a made-up record',
      'unknown-id',
      (_pets, id, found) => found ?? { id, name: 'Nobody', categoryId: 1n },
    ],
    [
      'prefix',
      'an id that begins with that of a record finds it',
      (pets, id, found) => found ?? pets.find((pet) => String(id).startsWith(String(pet.id))),
    ],
  ],
);

const AGREE = ['list-and-read-agree', 'created-can-be-read'] as const;

export const wrongReadBodies = mutants('read', using(petStore, read), 'schema', [
  ['without-name', 'a record that is read lacks its name', without('name')],
  ['without-id', 'a record that is read lacks its id', without('id')],
  ['without-category', 'a record that is read lacks its categoryId', without('categoryId')],
  ['without-status', 'a record that is read lacks its status', AGREE, without('status')],
  ['id-text', 'the id of a record that is read is a string', convert('id', String)],
  ['status-null', 'a record without a status is read with null', setDefault('status', null)],
  ['array', 'a record is read as an array of one', (pet) => [pet]],
  ['wrapped', 'a record is read wrapped in "data"', (pet) => ({ data: pet })],
  ['other-name', 'a record is read with its name in lower case', AGREE, convert('name', lowerCase)],
  [
    'other-category',
    'a record is read with another category than it is listed',
    AGREE,
    set('categoryId', 4242n),
  ],
  [
    'rounded-category',
    'a record is read with its category as a double',
    ['exact-integers', 'created-can-be-read'],
    convert('categoryId', asDouble),
  ],
]);

const on200 = (change: ResponseChange) => response('read', 200, change);

export const wrongReadStatuses = mutants('read', using(petStore, on200), 'status', [
  ['203', 'a read gets 203', status(203)],
  ['410', 'the deprecated operation is gone already', error(410)],
  ['304', 'a read gets 304', { status: 304 }],
]);

/** A read changes what is stored. */
const changeStored = (change: (pets: readonly Pet[], isRead: (pet: Pet) => boolean) => Pet[]): ShopFault =>
  around('read', (given, { path }, shop) => {
    shop.pets = change(shop.pets, ({ id }) => path === `/pets/${id}`);
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

const EFFECTS = [...AGREE, 'created-is-listed', 'earlier-records-stay'] as const;

export const readEffects = mutants('read', petStore, EFFECTS, [
  [
    'changes-record',
    'reading a record marks it as sold',
    changeStored((pets, isRead) => pets.map((pet) => (isRead(pet) ? { ...pet, status: 'sold' } : pet))),
  ],
  [
    'removes-record',
    'a record can be read once',
    [...EFFECTS, 'status'],
    changeStored((pets, isRead) => pets.filter((pet) => !isRead(pet))),
  ],
  [
    'of-the-last',
    'a read gets the response to the read before',
    ['path-id', 'unknown-id', 'list-and-read-agree'],
    respondWithLast,
  ],
  [
    'big-ids-rounded',
    'an id beyond 2^53 finds the record of the nearest double',
    'path-id',
    {
      stock: () => stock(31).map((pet) => ({ ...pet, id: 2n ** 53n + 2n * BigInt(pet.id as bigint) })),
      find: ({ pets }, id) => pets.find((pet) => Number(pet.id) === Number(id)),
    },
  ],
]);
