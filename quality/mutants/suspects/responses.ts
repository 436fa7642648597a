import type { Shop } from '../by-hand/behaviour.ts';
import type { Pet } from '../by-hand/pet.ts';
import { FORBIDDEN, KINDS } from '../invalid-values.ts';
import {
  asDouble,
  convert,
  type Data,
  each,
  last,
  lowerCase,
  type RecordChange,
  set,
  setDefault,
  third,
  without,
} from '../record-changes.ts';
import {
  body,
  content,
  created,
  error,
  listed,
  petStore,
  type ResponseChange,
  read,
  response,
  unauthorized,
  wireIf,
} from '../shop-faults.ts';
import { mutants, named, type Operators, product, using } from '../suspect.ts';

// What the Pet Store shows: the same faults in each place. It does, and keeps, what it should.

const SHAPES: Operators<(body: unknown) => unknown> = {
  null: [() => null],
  text: [() => 'a text'],
  wrapped: [(body) => ({ data: body })],
  nested: [(body) => [body]],
  'empty object': [() => ({})],
  'error body': [() => error(200).body],
};

/** A member of a record is shown as what its schema does not allow. */
const SHOWN = ['missing', 'null', 'number', 'fraction', 'beyond int64', 'text', 'upper case', 'digits'];
const MEMBERS: Operators<RecordChange> = Object.fromEntries(
  Object.entries({ id: FORBIDDEN.categoryId, ...FORBIDDEN }).flatMap(([member, kinds]) =>
    kinds
      .filter((kind) => SHOWN.includes(kind))
      .map((kind) => [`${member} ${kind}`, [set(member, KINDS[kind].example)]]),
  ),
);

/** A record has other values than those that were sent, or than it has in another place. */
const OTHER: Operators<RecordChange> = {
  'without status': [without('status')],
  'other name': [convert('name', lowerCase)],
  'other category': [set('categoryId', 4242n)],
  'rounded category': [convert('categoryId', asDouble)],
  'default null': ['schema', setDefault('status', null)],
};
const DISAGREE = [
  ...(['created-equals-sent', 'created-can-be-read', 'created-is-listed', 'created-once'] as const),
  ...(['list-and-read-agree', 'exact-integers', 'filter'] as const),
];
const keepAs = (change: RecordChange) => ({
  keep: ({ pets }: Shop, pet: Pet) => void pets.push(change(pet) as Pet),
});

const idBefore = convert<bigint>('id', (id) => id - 1n);
const UNREADABLE = ['created-can-be-read', 'distinct-ids'] as const;

const successes = [
  ...product(MEMBERS, 'schema', [
    ['list-last', using(petStore, (change) => listed(last(change)))],
    ['create', using(petStore, created)],
    ['read', using(petStore, read)],
  ]),
  ...product(SHAPES, 'schema', [
    ['list', using(petStore, listed)],
    ['list-one', using(petStore, (change) => listed(third(change)))],
    ['create', using(petStore, created)],
    ['read', using(petStore, read)],
  ]),
  ...product(OTHER, DISAGREE, [
    ['list', using(petStore, (change) => listed(each(change)))],
    ['create', using(petStore, created)],
    ['read', using(petStore, read)],
    ['stored', using(petStore, keepAs), Object.keys(OTHER).slice(0, -1)],
  ]),
  ...mutants('create', using(petStore, created), 'schema', [
    ['bare-id', 'a create gets the bare id', ({ id }) => id],
    ['wrong-id', 'a create shows the id before', ['path-id', 'created-is-listed', ...UNREADABLE], idBefore],
    ['id-zero', 'the created record is always shown with id 0', UNREADABLE, set('id', 0n)],
    ['default-new', 'a status that was not sent is shown as "new"', setDefault('status', 'new')],
  ]),
];

/** Another status, with the body that was there, or that of an error. */
const as =
  (code: number): ResponseChange =>
  (given) => {
    if (code === 204 || code === 304) return { status: code };
    if (code >= 300 && code < 400) return { status: code, headers: { Location: '/v2/pets' } };
    return code < 300 ? { ...given, status: code } : error(code);
  };

const on = (operation: 'list' | 'create' | 'read', code: number) =>
  using(petStore, (change: ResponseChange) => response(operation, code, change));
const on401 = using(petStore, unauthorized);

const STATUSES = [
  ['list', 'status', on('list', 200), [203, 206, 301]],
  ['create', 'status', on('create', 201), [200, 202, 204, 303, 307]],
  ['read', 'status', on('read', 200), [203, 304, 308, 410]],
  ['missing', 'unknown-id', on('read', 404), [200, 204, 302, 400, 403, 410, 500, 501]],
  ['refuses-with', 'invalid-refused', on('create', 400), [200, 201, 404, 409, 422, 500]],
  ['auth', 'unauthorised-first', on401, [200, 302, 403, 404]],
] as const;

const statuses = STATUSES.flatMap(([prefix, law, service, codes]) =>
  product(named<number>(codes), law, [[prefix, using(service, as)]]),
);

/** The error body of a response. */
const ERRORS: Operators<(error: Data) => unknown> = {
  status: [['schema', 'error-status'], set('status', 418)],
  'status text': [['schema', 'error-status'], convert('status', String)],
  'status missing': [without('status')],
  'code missing': [without('code')],
  'code number': [set('code', 401n)],
  'message missing': [without('message')],
  'message null': [set('message', null)],
  'message array': [set('message', ['x'])],
  wrapped: [(error) => ({ error })],
  detail: [() => ({ detail: 'no' })],
  text: [() => 'no'],
  empty: [['content-type', 'whole-json'], () => undefined],
};

const withBody = (change: (error: Data) => unknown) => body(change as (value: unknown) => unknown);
type Page = ReturnType<typeof content>;
const pageOf = (status: number) => (page: Page) => wireIf((given) => given === status, page);

const PAGES: Operators<Page> = {
  html: [content('text/html', '<h1>no</h1>')],
  'plain text': [content('text/plain', 'no')],
  'html as json': ['whole-json', content('application/json', '<h1>no</h1>')],
};

const refusals = [
  ...product(ERRORS, 'schema', [
    ['auth-body', using(on401, withBody)],
    ['refuses-body', using(on('create', 400), withBody)],
    ['missing-body', using(on('read', 404), withBody)],
  ]),
  ...product(PAGES, 'content-type', [
    ['auth', using(petStore, pageOf(401))],
    ['refuses', using(petStore, pageOf(400))],
    ['missing', using(petStore, pageOf(404))],
  ]),
  ...mutants('missing', on('read', 404), 'unknown-id', [
    ['200-null', 'an unknown id gets 200 null', { status: 200, body: null }],
    ['200-array', 'an unknown id gets 200 []', { status: 200, body: [] }],
    ['200-empty', 'an unknown id gets 200 without a body', { status: 200 }],
  ]),
];

export const responsesMutants = [...successes, ...statuses, ...refusals];
