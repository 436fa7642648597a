import type { Law } from '../../laws/law.ts';
import type { Answer, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { stock } from '../by-hand/pet.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

const error = (status: number, more: Record<string, unknown> = {}): Answer => ({
  status,
  body: { code: 'x', message: 'x', status, ...more },
});

/** What is answered where there is no such record. */
const missing = (name: string, says: string, answer: Answer, laws: Law | Law[] = 'unknown-id'): Mutant =>
  faultyShop(`missing-${name}`, says, laws, () => ({
    read(ask, shop) {
      const given = correct.read(ask, shop);
      return given.status === 404 ? answer : given;
    },
  }));

export const wronglyMissing: readonly Mutant[] = [
  missing('200-null', 'an unknown id is answered 200 null', { status: 200, body: null }),
  missing('200-object', 'an unknown id is answered 200 {}', { status: 200, body: {} }),
  missing('200-array', 'an unknown id is answered 200 []', { status: 200, body: [] }),
  missing('200-error', 'an unknown id is answered 200 with an error body', error(200)),
  missing('200-empty', 'an unknown id is answered 200 without a body', { status: 200 }),
  missing('204', 'an unknown id is answered 204', { status: 204 }),
  missing('400', 'an unknown id is answered 400', error(400)),
  missing('403', 'an unknown id is answered 403', error(403)),
  missing('410', 'an unknown id is answered 410', error(410)),
  missing('500', 'an unknown id breaks the service', error(500)),
  missing('501', 'an unknown id is answered 501', error(501)),
  missing('302', 'an unknown id is answered by a redirect to the list', {
    status: 302,
    headers: { Location: '/v1/pets' },
  }),
  missing('body-status', 'the 404 body says 400', error(404, { status: 400 }), ['schema', 'error-status']),
  missing('body-status-text', 'the status in the 404 body is a text', error(404, { status: '404' }), [
    'schema',
    'error-status',
  ]),
  missing('without-message', 'the 404 body lacks its message', error(404, { message: undefined }), 'schema'),
  missing('without-code', 'the 404 body lacks its code', error(404, { code: undefined }), 'schema'),
  missing('message-null', 'the message in the 404 body is null', error(404, { message: null }), 'schema'),
  missing('detail', 'the 404 body is { detail }', { status: 404, body: { detail: 'Not found' } }, 'schema'),
  missing('without-body', 'a 404 has no body', { status: 404 }, ['content-type', 'whole-json']),
  faultyShop('missing-html', 'a 404 is a page of HTML', 'content-type', () => ({
    write: (answer, ask) =>
      answer.status === 404
        ? { status: 404, headers: [['Content-Type', 'text/html']], body: Buffer.from('<h1>404</h1>') }
        : correct.write(answer, ask),
  })),
];

const ids = (
  name: string,
  says: string,
  idOf: Behaviour['idOf'],
  laws: Law | Law[] = ['unknown-id', 'path-id'],
): Mutant => faultyShop(`path-${name}`, says, laws, () => ({ idOf }));

const INT = /^-?\d+$/;

/** A path that names no record, or another one, is taken for a record's. */
export const wrongPaths: readonly Mutant[] = [
  ids('parse-int', 'what follows the digits is not looked at', (text) =>
    /^-?\d+/.test(text) ? BigInt(/^-?\d+/.exec(text)?.[0] ?? 0) : undefined,
  ),
  ids('fraction', 'a fraction is cut off', (text) =>
    /^\d+\.\d+$/.test(text) ? BigInt(text.split('.')[0] ?? 0) : correct.idOf(text),
  ),
  ids('rounded-fraction', 'a number with a fraction is rounded', (text) =>
    INT.test(text) || Number.isNaN(Number(text)) ? correct.idOf(text) : BigInt(Math.floor(Number(text))),
  ),
  ids('hexadecimal', 'hexadecimal numbers are ids', (text) =>
    /^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : correct.idOf(text),
  ),
  ids('spaces', 'spaces around an id do not count', (text) => correct.idOf(text.trim())),
  ids('absolute', 'the sign of an id does not count', (text) => correct.idOf(text.replace(/^-/, ''))),
  ids('32-bit', 'only the lower 32 bits of an id count', (text) =>
    INT.test(text) ? BigInt.asIntN(32, BigInt(text)) : undefined,
  ),
  ids('64-bit', 'an id beyond 64 bits wraps around', (text) =>
    INT.test(text) ? BigInt.asIntN(64, BigInt(text)) : undefined,
  ),
  ids('digits', 'all but the digits of a path is dropped', (text) => correct.idOf(text.replace(/\D/g, ''))),
  ids('zero-is-first', 'the id 0 is the first record', (text) => (text === '0' ? 201n : correct.idOf(text)), [
    'unknown-id',
    'path-id',
  ]),
  ids('word-is-first', 'an id that is a word is the first record', (text) =>
    INT.test(text) ? correct.idOf(text) : 201n,
  ),
  faultyShop('path-word-500', 'an id that is a word breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (/^\/pets\/-?\d+$/.test(ask.path) ? correct.read(ask, shop) : error(500)),
  })),
  faultyShop('path-negative-500', 'a negative id breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (ask.path.includes('-') ? error(500) : correct.read(ask, shop)),
  })),
  faultyShop('path-zero-500', 'the id 0 breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (ask.path === '/pets/0' ? error(500) : correct.read(ask, shop)),
  })),
  faultyShop('path-beyond-2-31-500', 'an id beyond 2^31 breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (Number(ask.path.slice(6)) > 2 ** 31 - 1 ? error(500) : correct.read(ask, shop)),
  })),
  faultyShop('path-greatest-500', 'the greatest int64 breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (ask.path === `/pets/${2n ** 63n - 1n}` ? error(500) : correct.read(ask, shop)),
  })),
  faultyShop('path-beyond-int64-500', 'an id beyond 64 bits breaks the service', 'unknown-id', () => ({
    read: (ask, shop) =>
      /^\/pets\/\d{19,}$/.test(ask.path) && BigInt(ask.path.slice(6)) >= 2n ** 63n
        ? error(500)
        : correct.read(ask, shop),
  })),
  faultyShop('path-huge-400', 'an int64 beyond 2^53 is answered 400', 'unknown-id', () => ({
    read: (ask, shop) =>
      Number(ask.path.slice(6)) > Number.MAX_SAFE_INTEGER ? error(400) : correct.read(ask, shop),
  })),
];

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
