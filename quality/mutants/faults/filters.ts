import type { Answer, Ask } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { last } from '../record-changes.ts';
import {
  around,
  dropQuery,
  error,
  isKnownStatus,
  petStore,
  respond,
  type ShopFault,
} from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

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
