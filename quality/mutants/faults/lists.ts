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
  content,
  dropQuery,
  error,
  isKnownStatus,
  listed,
  petStore,
  respond,
  response,
  type ShopFault,
  status,
  wire,
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

const NO_MAXIMUM = ['page-size', 'invalid-tolerated'] as const;
const INCOMPLETE = ['page-size', 'complete-list', 'created-is-listed'] as const;
const WRONG_PAGE = [...INCOMPLETE, 'filter'] as const;
const WRONG_LIMIT = [...INCOMPLETE, 'page-default', 'status'] as const;

const page = (of: Behaviour['page']): ShopFault => ({ page: of });

const take =
  (size: (limit: number) => number): Behaviour['page'] =>
  (pets, limit) =>
    pets.slice(0, size(limit));

const unlimited =
  (isUnlimited: (status: string | null, limit: number) => boolean): Behaviour['page'] =>
  (pets, limit, status) =>
    isUnlimited(status, limit) ? pets : pets.slice(0, limit);

/** As if only every fourth record of a page matched the filter. */
const cutFirst: Behaviour['page'] = (pets, limit, status) =>
  pets.filter((_, index) => status === null || index % 4 === 0).slice(0, limit);

/** The page is cut elsewhere than the limit says. */
const wrongPages = mutants('limit', using(petStore, page), WRONG_PAGE, [
  ['ignored', 'the limit is ignored', (pets) => pets],
  ['one-more', 'a page has one record more than the limit', take((limit) => limit + 1)],
  ['one-less', 'a page has one record less than the limit', take((limit) => limit - 1)],
  ['ignored-with-filter', 'the limit is ignored with a filter', unlimited((status) => status !== null)],
  [
    'ignored-with-sold',
    'the limit is ignored with the filter sold',
    unlimited((status) => status === 'sold'),
  ],
  ['least-is-all', 'a limit of 1 is ignored', unlimited((_, limit) => limit === 1)],
  ['at-least-five', 'a page has at least 5 records', take((limit) => Math.max(limit, 5))],
  ['at-most-ten', 'a page has at most 10 records', take((limit) => Math.min(limit, 10))],
  ['greatest-is-default', 'a limit of 100 gives 20', take((limit) => (limit === 100 ? 20 : limit))],
  ['skips-first', 'the list begins with the second record', (pets, limit) => pets.slice(1, limit + 1)],
  ['skips-last', 'the last record is never listed', (pets, limit) => pets.slice(0, -1).slice(0, limit)],
  ['filtered-page', 'a page is cut before it is filtered', cutFirst],
]);

/** A limit that is given as this text, or is absent, is taken as another one; undefined: it is refused. */
const limit = ([given, taken]: readonly [text: string | null, limit: number | undefined]): ShopFault => ({
  limitOf: (text) => (text === given ? taken : correct.limitOf(text)),
});

const wrongLimits = mutants('limit', using(petStore, limit), WRONG_LIMIT, [
  ['default-10', 'the default limit is 10', [null, 10]],
  ['default-21', 'the default limit is 21', [null, 21]],
  ['default-all', 'without a limit all records are listed', [null, 1e9]],
  ['as-text', 'limits are compared as strings: 100 is less than 2', ['100', 1]],
  ['100-refused', 'the maximum limit is refused', ['100', undefined]],
  ['1-refused', 'the minimum limit is refused', ['1', undefined]],
  ['20-refused', 'the default limit is refused when it is given', ['20', undefined]],
]);

/** A store with more records than a page; limits that match are replaced. */
const manyRecords = (matches: (text: string | null) => boolean, taken: (text: string | null) => number) => ({
  stock: () => stock(130),
  limitOf: (text: string | null) => (matches(text) ? taken(text) : correct.limitOf(text)),
});

const all = (matches: (text: string | null) => boolean) => manyRecords(matches, () => 1e9);
const isPositive = (text: string | null) => text !== null && /^\d+$/.test(text) && text !== '0';

const ignoredMaximum = mutants('limit', petStore, NO_MAXIMUM, [
  ['greatest-not-kept', 'limits above the maximum are accepted', manyRecords(isPositive, Number)],
  ['huge-is-all', 'a limit far out of range lists all', all((text) => text?.length === 20)],
  ['word-is-all', 'a limit that is a word lists all', all((text) => Number.isNaN(Number(text)))],
  ['zero-is-all', 'a limit of zero lists all', all((text) => text === '0')],
  ['100-is-all', 'a limit of 100 lists all', 'page-size', all((text) => text === '100')],
  ['default-all-of-many', 'without a limit all of 130 are listed', 'page-default', all((text) => !text)],
]);

const htmlOnList: ShopFault = wire(({ status }, _response, { method }) =>
  status === 400 && method === 'GET' ? content('text/html', '<p>no</p>') : {},
);
const isNoNumber = ({ query }: Ask) => Number.isNaN(Number(query.get('limit')));
const otherBody: Answer = { status: 400, body: { errors: ['limit'] } };

const invalidLimits = mutants('limit-bad-value', petStore, 'invalid-tolerated', [
  ['500', 'a limit that is no number gets 500', respond('list', isNoNumber, error(500))],
  ['html', 'a limit out of range gets an HTML page', 'content-type', htmlOnList],
  ['wrong-body', 'a limit out of range gets another body', 'schema', response('list', 400, otherBody)],
]);

export const pageSizeMutants = [...wrongPages, ...wrongLimits, ...ignoredMaximum, ...invalidLimits];

const matches = (test: (is: unknown, wanted: string, pet: Pet) => boolean): ShopFault => ({
  matches: (pet, wanted) => test(pet.status, wanted, pet),
});

const matchesSoldToo = (is: unknown, wanted: string) =>
  is === wanted || (is === 'sold' && wanted === 'pending');
const isSeed = ({ id }: Pet) => Number(id) < 232;
const otherForSold = (wanted: string) => (wanted === 'sold' ? 'pending' : wanted);

/** The filter matches other records. */
const wrongMatches = mutants('filter', using(petStore, matches), 'filter', [
  ['ignored', 'the filter is ignored', () => true],
  ['inverted', 'the filter matches all others', (is, wanted) => is !== wanted],
  ['one-value-ignored', 'the filter pending matches all', (is, wanted) => ['pending', is].includes(wanted)],
  ['one-value-other', 'the filter sold matches those pending', (is, wanted) => is === otherForSold(wanted)],
  ['nothing', 'the filter matches nothing', () => false],
  ['one-value-nothing', 'the filter sold matches nothing', (is, wanted) => is === wanted && is !== 'sold'],
  ['absent-too', 'the filter matches an absent status', (is, wanted) => is === wanted || is === undefined],
  ['absent-is-available', 'an absent status matches available', (is = 'available', wanted) => is === wanted],
  ['seeds-only', 'the filter matches no added record', (is, wanted, pet) => is === wanted && isSeed(pet)],
  ['first-letter', 'the filter pending matches sold too', matchesSoldToo],
]);

/** Changes the lists filtered by this status, or by any. */
const filtered = (value: string | undefined, change: (given: Answer) => Answer): ShopFault =>
  around('list', (given, { query }) => {
    const status = query.get('status');
    return status !== null && (value ?? status) === status ? change(given) : given;
  });

const TOLERATED = 'invalid-tolerated';
const WRONG_LIST = ['filter', 'status', 'schema'] as const;
const ANY = undefined;
const stray = last(({ status, ...pet }) => ({ ...pet, status: status === 'sold' ? 'pending' : 'sold' }));
const addStray = (given: Answer) =>
  given.status === 200 ? { ...given, body: stray(given.body as Pet[]) } : given;
const wrap = ({ body }: Answer) => ({ status: 200, body: { items: body } });
const isUnknown = ({ query }: Ask) => !isKnownStatus(query.get('status'));

const filterAfterLimit: ShopFault = {
  list(ask, shop) {
    const page = correct.list(dropQuery(ask, 'status'), shop);
    const status = ask.query.get('status');
    if (status === null || page.status !== 200) return page;
    return { ...page, body: (page.body as Pet[]).filter((pet) => pet.status === status) };
  },
};

const wrongFilteredLists = mutants('filter', petStore, WRONG_LIST, [
  ['404-when-few', 'a filtered list gets 404', filtered(ANY, () => error(404))],
  ['500-on-one-value', 'the filter pending gets 500', filtered('pending', () => error(500))],
  ['400-on-one-value', 'the filter sold gets 400', filtered('sold', () => error(400))],
  ['wrapped', 'a filtered list is wrapped', filtered(ANY, wrap)],
  ['one-stray', 'the last record of a filtered list does not match', filtered(ANY, addStray)],
  ['after-limit', 'the page is cut before it is filtered', ['complete-list', 'filter'], filterAfterLimit],
  ['bad-value-500', 'an unknown status gets 500', TOLERATED, respond('list', isUnknown, error(500))],
]);

export const filtersMutants = [...wrongMatches, ...wrongFilteredLists];
