import type { Answer, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, stock } from '../by-hand/pet.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

const pages = (name: string, says: string, page: Behaviour['page']): Mutant =>
  faultyShop(`limit-${name}`, says, ['page-size', 'complete-list', 'created-is-listed', 'filter'], () => ({
    page,
  }));

const limits = (
  name: string,
  says: string,
  change: (limit: number, text: string | null) => number | undefined,
): Mutant =>
  faultyShop(
    `limit-${name}`,
    says,
    ['page-size', 'page-default', 'complete-list', 'created-is-listed', 'status'],
    () => ({
      limitOf(text) {
        const limit = correct.limitOf(text);
        return limit === undefined ? undefined : change(limit, text);
      },
    }),
  );

/** The page size is another one than asked for. */
export const wrongLimits: readonly Mutant[] = [
  pages('ignored', 'the limit is not kept', (pets) => pets),
  pages('one-more', 'one record more than asked for', (pets, limit) => pets.slice(0, limit + 1)),
  pages('one-less', 'one record less than asked for', (pets, limit) => pets.slice(0, limit - 1)),
  pages('ignored-with-filter', 'the limit is not kept when there is a filter', (pets, limit, status) =>
    status === null ? pets.slice(0, limit) : pets,
  ),
  pages('ignored-with-sold', 'the limit is not kept for one value of the filter', (pets, limit, status) =>
    status === 'sold' ? pets : pets.slice(0, limit),
  ),
  pages('least-is-all', 'a limit of 1 is no limit', (pets, limit) =>
    limit === 1 ? pets : pets.slice(0, limit),
  ),
  pages('at-least-five', 'less than 5 is never given', (pets, limit) => pets.slice(0, Math.max(limit, 5))),
  pages('at-most-ten', 'more than 10 is never given', (pets, limit) => pets.slice(0, Math.min(limit, 10))),
  pages('greatest-is-default', 'a limit of 100 gives 20', (pets, limit) =>
    pets.slice(0, limit === 100 ? 20 : limit),
  ),
  pages('skips-first', 'the list begins with the second record', (pets, limit) => pets.slice(1, limit + 1)),
  pages('skips-last', 'the last record is never listed', (pets, limit) => pets.slice(0, -1).slice(0, limit)),
  pages('filtered-page', 'a page is cut first and filtered then', (pets, limit, status) =>
    (status === null ? pets : pets.filter((_, index) => index % 4 === 0)).slice(0, limit),
  ),
  limits('default-10', 'without a limit 10 are given', (limit, text) => (text === null ? 10 : limit)),
  limits('default-21', 'without a limit 21 are given', (limit, text) => (text === null ? 21 : limit)),
  limits('default-all', 'without a limit all are given', (limit, text) => (text === null ? 1e9 : limit)),
  limits('as-text', 'limits are compared as texts: 100 counts for less than 2', (limit, text) =>
    text === '100' ? 1 : limit,
  ),
  limits('100-refused', 'the greatest limit is refused', (limit, text) =>
    text === '100' ? undefined : limit,
  ),
  limits('1-refused', 'the least limit is refused', (limit, text) => (text === '1' ? undefined : limit)),
  limits('20-refused', 'the default is refused when it is asked for', (limit, text) =>
    text === '20' ? undefined : limit,
  ),
];

const many = { stock: () => stock(130) };

/** Faults that only a store with more records than a page shows. */
export const wrongGreatestLimits: readonly Mutant[] = [
  faultyShop(
    'limit-greatest-not-kept',
    'a limit of 101 and more is kept as asked for',
    ['page-size', 'invalid-tolerated'],
    () => ({
      ...many,
      limitOf: (text) => (text === null ? 20 : /^\d+$/.test(text) && text !== '0' ? Number(text) : undefined),
    }),
  ),
  faultyShop(
    'limit-huge-is-all',
    'a limit far out of range gives all',
    ['page-size', 'invalid-tolerated'],
    () => ({
      ...many,
      limitOf: (text) => (text?.length === 20 ? 1e9 : correct.limitOf(text)),
    }),
  ),
  faultyShop(
    'limit-word-is-all',
    'a limit that is a word gives all',
    ['page-size', 'invalid-tolerated'],
    () => ({
      ...many,
      limitOf: (text) => (Number.isNaN(Number(text)) ? 1e9 : correct.limitOf(text)),
    }),
  ),
  faultyShop('limit-zero-is-all', 'a limit of zero gives all', ['page-size', 'invalid-tolerated'], () => ({
    ...many,
    limitOf: (text) => (text === '0' ? 1e9 : correct.limitOf(text)),
  })),
  faultyShop('limit-100-is-all', 'a limit of 100 gives all', 'page-size', () => ({
    ...many,
    limitOf: (text) => (text === '100' ? 1e9 : correct.limitOf(text)),
  })),
  faultyShop('limit-default-all-of-many', 'without a limit all of 130 are given', 'page-default', () => ({
    ...many,
    limitOf: (text) => (text === null ? 1e9 : correct.limitOf(text)),
  })),
];

const matching = (name: string, says: string, matches: Behaviour['matches']): Mutant =>
  faultyShop(`filter-${name}`, says, 'filter', () => ({ matches }));

const filtered = (name: string, says: string, change: (answer: Answer, status: string) => Answer): Mutant =>
  faultyShop(`filter-${name}`, says, ['filter', 'status', 'schema'], () => ({
    list(ask, shop) {
      const status = ask.query.get('status');
      const answer = correct.list(ask, shop);
      return status === null ? answer : change(answer, status);
    },
  }));

/** The filter lets through what it should not, or keeps back what it should let through. */
export const wrongFilters: readonly Mutant[] = [
  matching('ignored', 'the filter is not kept', () => true),
  matching('inverted', 'the filter gives all others', (pet, status) => pet.status !== status),
  matching(
    'one-value-ignored',
    'one value of the filter gives all',
    (pet, status) => status === 'pending' || pet.status === status,
  ),
  matching(
    'one-value-other',
    'sold gives those that are pending',
    (pet, status) => pet.status === (status === 'sold' ? 'pending' : status),
  ),
  matching('nothing', 'the filter gives nothing', () => false),
  matching(
    'one-value-nothing',
    'one value of the filter gives nothing',
    (pet, status) => status !== 'sold' && pet.status === status,
  ),
  matching(
    'absent-too',
    'the filter lets through records without a status',
    (pet, status) => pet.status === undefined || pet.status === status,
  ),
  matching(
    'absent-is-available',
    'a record without a status passes for available',
    (pet, status) => (pet.status ?? 'available') === status,
  ),
  matching(
    'seeds-only',
    'records that were added are never found by their status',
    (pet, status) => pet.status === status && Number(pet.id) < 232,
  ),
  matching(
    'first-letter',
    'only the first letter of the status counts, and p stands for sold too',
    (pet, status) => pet.status === status || (status === 'pending' && pet.status === 'sold'),
  ),
  filtered('404-when-few', 'a filter is answered 404', ({ headers }) => ({
    status: 404,
    headers: headers ?? {},
    body: { code: 'none', message: 'none', status: 404 },
  })),
  filtered('500-on-one-value', 'one value of the filter breaks the service', (answer, status) =>
    status === 'pending' ? { status: 500, body: { code: 'x', message: 'x', status: 500 } } : answer,
  ),
  filtered('400-on-one-value', 'one value of the filter is refused', (answer, status) =>
    status === 'sold' ? { status: 400, body: { code: 'x', message: 'x', status: 400 } } : answer,
  ),
  filtered('wrapped', 'the filtered list is wrapped', ({ body }) => ({ status: 200, body: { items: body } })),
  filtered('one-stray', 'the last record of a filtered list is a stray', (answer) => {
    const pets = answer.body as Pet[];
    const last = pets.at(-1);
    return Array.isArray(pets) && last
      ? {
          ...answer,
          body: [...pets.slice(0, -1), { ...last, status: last.status === 'sold' ? 'pending' : 'sold' }],
        }
      : answer;
  }),
  faultyShop(
    'filter-after-limit',
    'the page is cut first, and filtered then',
    ['complete-list', 'filter'],
    () => ({
      list(ask, shop) {
        const page = correct.list(
          { ...ask, query: new URLSearchParams([...ask.query].filter(([name]) => name !== 'status')) },
          shop,
        );
        const status = ask.query.get('status');
        return status === null || page.status !== 200
          ? page
          : { ...page, body: (page.body as Pet[]).filter((pet) => pet.status === status) };
      },
    }),
  ),
  faultyShop('filter-bad-value-500', 'an unknown status breaks the service', 'invalid-tolerated', () => ({
    list: (ask, shop) =>
      ['available', 'pending', 'sold', null].includes(ask.query.get('status'))
        ? correct.list(ask, shop)
        : { status: 500, body: { code: 'x', message: 'x', status: 500 } },
  })),
  faultyShop(
    'limit-bad-value-500',
    'a limit that is no number breaks the service',
    'invalid-tolerated',
    () => ({
      list: (ask, shop) =>
        Number.isNaN(Number(ask.query.get('limit')))
          ? { status: 500, body: { code: 'x', message: 'x', status: 500 } }
          : correct.list(ask, shop),
    }),
  ),
  faultyShop(
    'limit-bad-value-html',
    'a limit out of range is refused with a page of HTML',
    ['content-type'],
    () => ({
      write: (answer, ask) =>
        answer.status === 400 && ask.method === 'GET'
          ? { status: 400, headers: [['Content-Type', 'text/html']], body: Buffer.from('<p>no</p>') }
          : correct.write(answer, ask),
    }),
  ),
  faultyShop(
    'limit-bad-value-wrong-body',
    'a limit out of range is refused with another body',
    ['schema'],
    () => ({
      list(ask, shop) {
        const answer = correct.list(ask, shop);
        return answer.status === 400 ? { status: 400, body: { errors: ['limit'] } } : answer;
      },
    }),
  ),
];
