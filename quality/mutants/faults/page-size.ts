import type { Answer, Ask, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { stock } from '../by-hand/pet.ts';
import { content, error, petStore, respond, response, type ShopFault, wire } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

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
  [
    'default-all-of-many',
    'without a limit all of 130 are listed',
    'page-default',
    all((text) => text === null),
  ],
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
