import type { Answer } from '../by-hand/behaviour.ts';
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

const matches = (test: (status: unknown, wanted: string, pet: Pet) => boolean): ShopFault => ({
  matches: (pet, wanted) => test(pet.status, wanted, pet),
});

/** The filter matches other records. */
export const wrongMatches = mutants('filter', using(petStore, matches), 'filter', [
  ['ignored', 'the filter is ignored', () => true],
  ['inverted', 'the filter matches all others', (status, wanted) => status !== wanted],
  [
    'one-value-ignored',
    'one value of the filter matches all',
    (status, wanted) => ['pending', status].includes(wanted),
  ],
  [
    'one-value-other',
    'sold matches those that are pending',
    (status, wanted) => status === (wanted === 'sold' ? 'pending' : wanted),
  ],
  ['nothing', 'the filter matches nothing', () => false],
  [
    'one-value-nothing',
    'one value of the filter matches nothing',
    (status, wanted) => wanted !== 'sold' && status === wanted,
  ],
  [
    'absent-too',
    'the filter matches records without a status',
    (status = 'any', wanted) => ['any', wanted].includes(status as string),
  ],
  [
    'absent-is-available',
    'an absent status matches available',
    (status = 'available', wanted) => status === wanted,
  ],
  [
    'seeds-only',
    'the filter never matches records that were added',
    (status, wanted, { id }) => status === wanted && Number(id) < 232,
  ],
  [
    'first-letter',
    'only the first letter is compared, and p matches sold too',
    (status, wanted) => status === wanted || (wanted === 'pending' && status === 'sold'),
  ],
]);

const filtered = (change: (given: Answer, status: string) => Answer): ShopFault =>
  around('list', (given, { query }) => {
    const status = query.get('status');
    return status === null ? given : change(given, status);
  });

const stray = last((pet) => ({ ...pet, status: pet.status === 'sold' ? 'pending' : 'sold' }));

const filterAfterLimit: ShopFault = {
  list(ask, shop) {
    const page = correct.list(dropQuery(ask, 'status'), shop);
    const status = ask.query.get('status');
    if (status === null || page.status !== 200) return page;
    return { ...page, body: (page.body as Pet[]).filter((pet) => pet.status === status) };
  },
};

export const wrongFilteredLists = mutants(
  'filter',
  petStore,
  ['filter', 'status', 'schema'],
  [
    ['404-when-few', 'a filtered list gets 404', filtered(() => error(404))],
    [
      '500-on-one-value',
      'one value of the filter gets 500',
      filtered((given, status) => (status === 'pending' ? error(500) : given)),
    ],
    [
      '400-on-one-value',
      'one value of the filter gets 400',
      filtered((given, status) => (status === 'sold' ? error(400) : given)),
    ],
    [
      'wrapped',
      'the filtered list is wrapped',
      filtered(({ body }) => ({ status: 200, body: { items: body } })),
    ],
    [
      'one-stray',
      'the last record of a filtered list does not match',
      filtered((given) => (given.status === 200 ? { ...given, body: stray(given.body as Pet[]) } : given)),
    ],
    ['after-limit', 'the page is cut before it is filtered', ['complete-list', 'filter'], filterAfterLimit],
    [
      'bad-value-500',
      'an unknown status gets 500',
      'invalid-tolerated',
      respond('list', ({ query }) => !isKnownStatus(query.get('status')), error(500)),
    ],
  ],
);
