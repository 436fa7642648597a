import type { Answer, Ask, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, stock } from '../by-hand/pet.ts';
import { type Data, each, last, set } from '../record-changes.ts';
import { around, dropQuery, error, isKnownStatus, listed, petStore, respond } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const firstHalf = (pets: readonly Data[]) => pets.slice(0, Math.ceil(pets.length / 2));
const repeatFirst = (pets: readonly Data[]) => (pets.length > 2 ? [...pets.slice(0, -1), pets[0]] : pets);
const byId = (pets: readonly Data[]) => Object.fromEntries(pets.map((pet) => [pet.id, pet]));

const BEHIND = ['created-is-listed', 'filter', 'complete-list'] as const;
const AGREE = ['list-and-read-agree', 'created-is-listed', 'filter'] as const;
const ONE_ID = ['distinct-ids', 'path-id', ...AGREE] as const;

/** The list shows something else than what is stored. */
const shown = mutants('list', using(petStore, listed), 'distinct-ids', [
  ['object', 'the list is an object by id', 'schema', byId],
  ['one-as-object', 'a list of one is a record', 'schema', (pets) => (pets.length === 1 ? pets[0] : pets)],
  ['ids-only', 'the list holds only ids', 'schema', each(({ id }) => id)],
  ['duplicates', 'half of the records are listed twice', (pets) => [...firstHalf(pets), ...firstHalf(pets)]],
  ['one-duplicate', 'the first record is repeated at the end', repeatFirst],
  ['one-id', 'all records of a list have one id', ONE_ID, each(set('id', 201n))],
  ['empty', 'the list is always empty', BEHIND, () => []],
]);

/** The list is that of other records than are stored. */
const listOf = (pets: (stored: readonly Pet[]) => Pet[]): Partial<Behaviour> => ({
  list: (ask, shop) => correct.list(ask, { ...shop, pets: pets(shop.pets) }),
});

/** An empty list gets another response. */
const whenEmpty = (instead: Answer, stored: Pet[] = []): Partial<Behaviour> => ({
  stock: () => [...stored],
  ...around('list', (given) => (Array.isArray(given.body) && given.body.length === 0 ? instead : given)),
});

const NULL = { status: 200, body: null };
const hasBoth = ({ query }: Ask) => query.has('limit') && query.has('status');
const hasNone = ({ query }: Ask) => query.size === 0;
const [start, noneSold] = [stock(31), stock(31).filter((pet) => pet.status !== 'sold')];

const skipFirst: Behaviour['page'] = (pets, limit) => pets.slice(1, limit + 1);

const answered = mutants('list', petStore, 'status', [
  ['stale', 'the list is the one of the start', BEHIND, listOf(() => start)],
  ['one-behind', 'the newest record is not listed', BEHIND, listOf((pets) => pets.slice(0, -1))],
  ['first-skipped', 'the first record is never listed', BEHIND, { page: skipFirst }],
  ['204-when-empty', 'an empty list gets 204', whenEmpty({ status: 204 })],
  ['404-when-empty', 'an empty list gets 404', whenEmpty(error(404))],
  ['null-when-empty', 'the list of an empty store is null', 'schema', whenEmpty(NULL)],
  ['null-when-filtered', 'an empty filtered list is null', 'schema', whenEmpty(NULL, noneSold)],
  ['broken-by-two-parameters', 'limit and status together get 500', respond('list', hasBoth, error(500))],
  ['broken-without-parameters', 'a list without parameters gets 400', respond('list', hasNone, error(400))],
]);

/** A store with more records than a page holds, where limits of this kind are ignored. */
const unbounded = (matches: (text: string) => boolean): Partial<Behaviour> => ({
  stock: () => stock(130),
  limitOf: (text) => (matches(text ?? '') ? 1e9 : correct.limitOf(text)),
});

const isNoNumber = ({ query }: Ask) => Number.isNaN(Number(query.get('limit')));
const otherErrors = around('list', (given) =>
  given.status === 400 ? { status: 400, body: { errors: ['limit'] } } : given,
);

const limits = mutants(
  'limit',
  petStore,
  ['page-size', 'invalid-tolerated'],
  [
    ['ignored', 'the limit is ignored', { page: (pets) => [...pets] }],
    ['greatest-not-kept', 'limits above the maximum list all', unbounded((text) => Number(text) > 100)],
    ['huge-is-all', 'a limit far out of range lists all', unbounded((text) => text.length === 20)],
    ['word-is-all', 'a limit that is a word lists all', unbounded((text) => Number.isNaN(Number(text)))],
    ['zero-is-all', 'a limit of zero lists all', unbounded((text) => text === '0')],
    ['default-all', 'without a limit all of 130 are listed', 'page-default', unbounded((text) => !text)],
    ['bad-value-500', 'a word gets 500', 'invalid-tolerated', respond('list', isNoNumber, error(500))],
    ['bad-value-wrong-body', 'a limit out of range gets another body', 'schema', otherErrors],
  ],
);

/** The filter matches other records. */
const matching = (test: (is: unknown, wanted: string, pet: Pet) => boolean): Partial<Behaviour> => ({
  matches: (pet, wanted) => test(pet.status, wanted, pet),
});

const wrongMatches = mutants('filter', using(petStore, matching), 'filter', [
  ['inverted', 'the filter matches all others', (is, wanted) => is !== wanted],
  ['one-value-ignored', 'the filter pending matches all', (is, wanted) => ['pending', is].includes(wanted)],
  ['one-value-other', 'sold matches those pending', (is, by) => is === (by === 'sold' ? 'pending' : by)],
  ['nothing', 'the filter matches nothing', () => false],
  ['one-value-nothing', 'the filter sold matches nothing', (is, wanted) => is === wanted && is !== 'sold'],
  ['absent-too', 'the filter matches an absent status', (is, wanted) => is === wanted || is === undefined],
  ['absent-is-available', 'an absent status matches available', (is = 'available', wanted) => is === wanted],
  ['seeds-only', 'the filter matches no added record', (is, by, { id }) => is === by && Number(id) < 232],
]);

/** Changes the filtered lists, or those by one value. */
const filtered = (change: (given: Answer) => Answer, value = /./): Partial<Behaviour> =>
  around('list', (given, { query }) =>
    given.status === 200 && value.test(query.get('status') ?? '') ? change(given) : given,
  );
const withBody = (change: (pets: Pet[]) => unknown) => (given: Answer) => ({
  ...given,
  body: change(given.body as Pet[]),
});
const stray = last(({ status, ...pet }) => ({ ...pet, status: status === 'sold' ? 'pending' : 'sold' }));

const filterAfterLimit: Partial<Behaviour> = {
  list(ask, shop) {
    const page = correct.list(dropQuery(ask, 'status'), shop);
    const status = ask.query.get('status');
    if (status === null || page.status !== 200) return page;
    return { ...page, body: (page.body as Pet[]).filter((pet) => pet.status === status) };
  },
};
const isUnknown = ({ query }: Ask) => !isKnownStatus(query.get('status'));
const TOLERATED = 'invalid-tolerated';

const wrongLists = mutants(
  'filter',
  petStore,
  ['filter', 'status', 'schema'],
  [
    ['404', 'a filtered list gets 404', filtered(() => error(404))],
    ['500-on-one-value', 'the filter pending gets 500', filtered(() => error(500), /pending/)],
    ['wrapped', 'a filtered list is wrapped', filtered(withBody((items) => ({ items })))],
    ['one-stray', 'the last record of a filtered list does not match', filtered(withBody(stray))],
    ['after-limit', 'the page is cut before it is filtered', ['complete-list', 'filter'], filterAfterLimit],
    ['bad-value-500', 'an unknown status gets 500', TOLERATED, respond('list', isUnknown, error(500))],
  ],
);

export const listsMutants = [...shown, ...answered, ...limits, ...wrongMatches, ...wrongLists];
