import type { LawName as Law } from '../../laws/law.ts';
import type { Answer, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { stock } from '../by-hand/pet.ts';
import { faultyShop, type Mutant } from '../suspect.ts';
import { error } from './error-answer.ts';

const finding = (
  name: string,
  says: string,
  find: Behaviour['find'],
  laws: Law | Law[] = ['unknown-id', 'path-id', 'list-and-read-agree', 'created-can-be-read'],
): Mutant => faultyShop(`read-${name}`, says, laws, () => ({ find }));

const reading = (name: string, says: string, laws: Law | Law[], change: (answer: Answer) => Answer): Mutant =>
  faultyShop(`read-${name}`, says, laws, () => ({
    read(ask, shop) {
      const answer = correct.read(ask, shop);
      return answer.status === 200 ? change(answer) : answer;
    },
  }));

const less =
  (member: string) =>
  ({ body, ...answer }: Answer) => ({ ...answer, body: { ...(body as object), [member]: undefined } });

/** Another record is read, or another thing than the record. */
export const wrongRecords: readonly Mutant[] = [
  finding('first', 'every id is the first record', ({ pets }) => pets[0]),
  finding(
    'first-when-unknown',
    'an unknown id is the first record',
    ({ pets }, id) => pets.find((pet) => pet.id === id) ?? pets[0],
  ),
  finding('nearest', 'an unknown id is the last record before it', ({ pets }, id) =>
    pets.findLast((pet) => (pet.id as bigint) <= (id as bigint)),
  ),
  finding(
    'next',
    'the record after the one that was asked for',
    ({ pets }, id) => pets[pets.findIndex((pet) => pet.id === id) + 1],
  ),
  finding('never', 'no id is ever found', () => undefined, [
    'status',
    'created-can-be-read',
    'list-and-read-agree',
  ]),
  finding('seeds-only', 'records that were added are not found', ({ pets }, id) =>
    pets.find((pet) => pet.id === id && Number(id) < 232),
  ),
  finding(
    'added-only',
    'records from before the start are not found',
    ({ pets }, id) => pets.find((pet) => pet.id === id && Number(id) > 231),
    ['status', 'list-and-read-agree'],
  ),
  finding(
    'not-first',
    'the first record is not found',
    ({ pets }, id) => pets.slice(1).find((pet) => pet.id === id),
    ['status', 'list-and-read-agree'],
  ),
  finding(
    'made-up',
    'an unknown id is made up on the spot',
    ({ pets }, id) => pets.find((pet) => pet.id === id) ?? { id, name: 'Nobody', categoryId: 1n },
    'unknown-id',
  ),
  finding(
    'prefix',
    'an id that begins like a record is that record',
    ({ pets }, id) =>
      pets.find((pet) => pet.id === id) ?? pets.find((pet) => String(id).startsWith(String(pet.id))),
  ),
  reading('without-name', 'a record that is read lacks its name', 'schema', less('name')),
  reading('without-id', 'a record that is read lacks its id', 'schema', less('id')),
  reading('without-category', 'a record that is read lacks its categoryId', 'schema', less('categoryId')),
  reading(
    'without-status',
    'a record that is read lacks its status',
    ['list-and-read-agree', 'created-can-be-read'],
    less('status'),
  ),
  reading('id-text', 'the id of a record that is read is a text', 'schema', ({ body }) => ({
    status: 200,
    body: { ...(body as object), id: String((body as { id: unknown }).id) },
  })),
  reading('status-null', 'a record without a status is read with null', 'schema', ({ body }) => ({
    status: 200,
    body: { status: null, ...(body as object) },
  })),
  reading('array', 'a record is read as an array of one', 'schema', ({ body }) => ({
    status: 200,
    body: [body],
  })),
  reading('wrapped', 'a record is read wrapped in "data"', 'schema', (answer) => ({
    status: 200,
    body: { data: answer.body },
  })),
  reading('203', 'a record is read with 203', 'status', ({ body }) => ({ status: 203, body })),
  reading('410', 'the deprecated operation is gone already', 'status', () => error(410)),
  reading('304', 'a record is answered 304', 'status', () => ({ status: 304 })),
  reading(
    'other-name',
    'a record is read with its name in lower case',
    ['list-and-read-agree', 'created-can-be-read'],
    ({ body }) => ({
      status: 200,
      body: { ...(body as object), name: String((body as { name: unknown }).name).toLowerCase() },
    }),
  ),
  reading(
    'other-category',
    'a record is read with another category than it is listed',
    ['list-and-read-agree', 'created-can-be-read'],
    ({ body }) => ({ status: 200, body: { ...(body as object), categoryId: 4242n } }),
  ),
  reading(
    'rounded-category',
    'a record is read with its category as a double',
    ['exact-integers', 'created-can-be-read'],
    ({ body }) => ({
      status: 200,
      body: { ...(body as object), categoryId: BigInt(Number((body as { categoryId: unknown }).categoryId)) },
    }),
  ),
  faultyShop(
    'read-changes-record',
    'reading a record marks it as sold',
    ['list-and-read-agree', 'created-can-be-read', 'created-is-listed', 'earlier-records-stay'],
    () => ({
      read(ask, shop) {
        const answer = correct.read(ask, shop);
        shop.pets = shop.pets.map((pet) =>
          ask.path === `/pets/${pet.id}` ? { ...pet, status: 'sold' } : pet,
        );
        return answer;
      },
    }),
  ),
  faultyShop(
    'read-removes-record',
    'a record can be read once',
    ['list-and-read-agree', 'created-can-be-read', 'created-is-listed', 'status', 'earlier-records-stay'],
    () => ({
      read(ask, shop) {
        const answer = correct.read(ask, shop);
        shop.pets = shop.pets.filter((pet) => ask.path !== `/pets/${pet.id}`);
        return answer;
      },
    }),
  ),
  faultyShop(
    'read-of-the-last',
    'the answer is kept from the request before',
    ['path-id', 'unknown-id', 'list-and-read-agree'],
    () => {
      let kept: Answer | undefined;
      return {
        read(ask, shop) {
          const answer = correct.read(ask, shop);
          const before = kept;
          kept = answer.status === 200 ? answer : kept;
          return answer.status === 200 ? (before ?? answer) : answer;
        },
      };
    },
  ),
  faultyShop(
    'read-big-ids-rounded',
    'an id beyond 2^53 is another record, the one that a double makes of it',
    ['path-id'],
    () => ({
      stock: () => stock(31).map((pet) => ({ ...pet, id: 2n ** 53n + 2n * BigInt(pet.id as bigint) })),
      find: ({ pets }, id) => pets.find((pet) => Number(pet.id) === Number(id)),
    }),
  ),
];
