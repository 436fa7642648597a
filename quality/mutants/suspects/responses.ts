import type { Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, stock } from '../by-hand/pet.ts';
import {
  asDouble,
  convert,
  type Data,
  each,
  lowerCase,
  nth,
  type RecordChange,
  set,
  setDefault,
  without,
} from '../record-changes.ts';
import {
  body,
  content,
  created,
  error,
  FORBIDDEN,
  isKnownStatus,
  KINDS,
  listed,
  petStore,
  type ResponseChange,
  read,
  respond,
  response,
  unauthorized,
  wireIf,
} from '../shop-faults.ts';
import { mutants, named, type Operators, product, using } from '../suspect.ts';

// Faults in the responses of the Pet Store, the same ones in each place. Its behaviour and its stored records are
// correct.

const SHAPES: Operators<(body: unknown) => unknown> = {
  null: [() => null],
  text: [() => 'a text'],
  wrapped: [(body) => ({ data: body })],
  nested: [(body) => [body]],
  'empty object': [() => ({})],
  'error body': [() => error(200).body],
};

/** Shows a member of a record with a value that its schema does not allow. */
const SHOWN = ['missing', 'null', 'number', 'fraction', 'beyond int64', 'text', 'upper case', 'digits'];
const MEMBERS: Operators<RecordChange> = Object.fromEntries(
  Object.entries({ id: FORBIDDEN.categoryId, ...FORBIDDEN }).flatMap(([member, kinds]) =>
    kinds
      .filter((kind) => SHOWN.includes(kind))
      .map((kind) => [`${member} ${kind}`, [set(member, KINDS[kind].example)]]),
  ),
);

/** Shows a record with other values than those sent, or than elsewhere. */
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
const listedEach = using(petStore, (change: RecordChange) => listed(each(change)));
const successes = [
  ...product(MEMBERS, 'schema', [
    ['list-last', using(petStore, (change) => listed(nth(-1, change)))],
    ['create', using(petStore, created), ['id missing', 'categoryId text', 'status upper case']],
    ['read', using(petStore, read), ['name null', 'categoryId beyond int64']],
  ]),
  ...product(SHAPES, 'schema', [
    ['list', using(petStore, listed)],
    ['list-one', using(petStore, (change) => listed(nth(2, change))), ['null', 'nested']],
    ['create', using(petStore, created), ['wrapped', 'text']],
    ['read', using(petStore, read), ['null', 'error body']],
  ]),
  ...product(OTHER, DISAGREE, [
    ['list', listedEach, ['other name', 'rounded category', 'default null']],
    ['create', using(petStore, created), ['without status', 'rounded category']],
    ['read', using(petStore, read), ['other category', 'rounded category']],
    ['stored', using(petStore, keepAs), ['other name', 'rounded category']],
  ]),
];

/** Another status, with the original body or an error body. */
const as =
  (code: number): ResponseChange =>
  (reply) => {
    if (code === 204 || code === 304) return { status: code };
    if (code >= 300 && code < 400) return { status: code, headers: { Location: '/v2/pets' } };
    return code < 300 ? { ...reply, status: code } : error(code);
  };

const on = (operation: 'list' | 'create' | 'read', code: number) =>
  using(petStore, (change: ResponseChange) => response(operation, code, change));
const on401 = using(petStore, unauthorized);

const STATUSES = [
  ['list', 'status', on('list', 200), [206, 301]],
  ['create', 'status', on('create', 201), [200, 204, 303]],
  ['read', 'status', on('read', 200), [203, 304, 410]],
  ['missing', 'unknown-id', on('read', 404), [200, 302, 410, 500]],
  ['refuses-with', 'invalid-refused', on('create', 400), [201, 422, 500]],
  ['auth', 'unauthorised-first', on401, [200, 302, 403]],
] as const;
const statuses = STATUSES.flatMap(([prefix, law, service, codes]) =>
  product(named<number>(codes), law, [[prefix, using(service, as)]]),
);

/** Changes the error body of a response. */
const ERRORS: Operators<(error: Data) => unknown> = {
  status: [['schema', 'error-status'], set('status', 418)],
  'status text': [['schema', 'error-status'], convert('status', String)],
  'code missing': [without('code')],
  'message null': [set('message', null)],
  wrapped: [(error) => ({ error })],
  empty: [['content-type', 'whole-json'], () => undefined],
};
const withBody = (change: (error: Data) => unknown) => body(change as (value: unknown) => unknown);
const page = (status: number, type: string) =>
  wireIf((code) => code === status, content(type, '<h1>no</h1>'));

const refusals = [
  ...product(ERRORS, 'schema', [
    ['auth-body', using(on401, withBody)],
    ['refuses-body', using(on('create', 400), withBody), ['status', 'code missing']],
    ['missing-body', using(on('read', 404), withBody), ['status', 'wrapped', 'empty']],
  ]),
  ...mutants('auth', petStore, 'content-type', { html: ['a 401 is a page', page(401, 'text/html')] }),
  ...mutants('refuses', petStore, 'whole-json', {
    'html-as-json': ['a page is called JSON', page(400, 'application/json')],
  }),
];

const firstHalf = (pets: readonly Data[]) => pets.slice(0, Math.ceil(pets.length / 2));
const BEHIND = ['created-is-listed', 'filter', 'complete-list'] as const;
/** The list differs from what is stored. */
const listFaults = mutants('list', using(petStore, listed), 'distinct-ids', {
  duplicates: ['half of the records are listed twice', (pets) => [...firstHalf(pets), ...firstHalf(pets)]],
  empty: ['the list is always empty', BEHIND, () => []],
});

const hasBoth = ({ query }: Ask) => query.has('limit') && query.has('status');
const oneBehind: Behaviour['list'] = (ask, shop) =>
  correct.list(ask, { ...shop, pets: shop.pets.slice(0, -1) });
const answered = mutants('list', petStore, 'status', {
  'one-behind': ['the newest record is not listed', BEHIND, { list: oneBehind }],
  'broken-by-two-parameters': ['limit and status together get 500', respond('list', hasBoth, error(500))],
});

/** A store with more records than a page, where limits of this kind are ignored. */
const unbounded = (matches: (text: string) => boolean): Partial<Behaviour> => ({
  stock: () => stock(130),
  limitOf: (text) => (matches(text ?? '') ? 1e9 : correct.limitOf(text)),
});
const isNoNumber = ({ query }: Ask) => Number.isNaN(Number(query.get('limit')));
const TOLERATED = 'invalid-tolerated';
const EITHER = ['page-size', 'invalid-tolerated'] as const;
const limits = mutants('limit', petStore, EITHER, {
  ignored: ['the limit is ignored', { page: (pets) => [...pets] }],
  'greatest-not-kept': ['limits above the maximum list all', unbounded((text) => Number(text) > 100)],
  'default-all': ['without a limit all of 130 are listed', 'page-default', unbounded((text) => !text)],
  'bad-value-500': ['a word gets 500', TOLERATED, respond('list', isNoNumber, error(500))],
});

/** The filter matches other records. */
const matching = (test: (is: unknown, wanted: string, pet: Pet) => boolean): Partial<Behaviour> => ({
  matches: (pet, wanted) => test(pet.status, wanted, pet),
});
const wrongMatches = mutants('filter', using(petStore, matching), 'filter', {
  inverted: ['the filter matches all others', (is, wanted) => is !== wanted],
  'one-value-ignored': ['the filter pending matches all', (is, wanted) => ['pending', is].includes(wanted)],
  'one-value-nothing': ['the filter sold matches nothing', (is, wanted) => is === wanted && is !== 'sold'],
  'absent-too': ['the filter matches an absent status', (is, wanted) => is === wanted || is === undefined],
});

const isUnknown = ({ query }: Ask) => !isKnownStatus(query.get('status'));
const wrongLists = mutants('filter', petStore, 'filter', {
  'bad-value-500': ['an unknown status gets 500', TOLERATED, respond('list', isUnknown, error(500))],
});

export const responses = {
  responses: [[...successes, ...statuses, ...refusals], []],
  'lists, limits and filters': [[listFaults, answered, limits, wrongMatches, wrongLists].flat(), []],
} as const;
