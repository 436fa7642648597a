import type { Ask, Behaviour } from '../by-hand/behaviour.ts';
import { correct, isObject, readBody } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';
import { error } from './error-answer.ts';

/** Ordinary input is refused. */
const refusing = (
  name: string,
  says: string,
  refuses: (body: Record<string, unknown>, ask: Ask, count: number) => boolean,
  status = 400,
): Mutant =>
  faultyShop(
    `refuses-${name}`,
    says,
    ['status', 'filter', 'created-equals-sent', 'exact-integers', 'complete-list'],
    (): Partial<Behaviour> => {
      let count = 0;
      return {
        create(ask, shop) {
          const sent = readBody(ask, shop.does);
          if ('status' in sent || shop.does.problemOf(sent.body) !== undefined)
            return correct.create(ask, shop);
          count += 1;
          return refuses(sent.body as Record<string, unknown>, ask, count)
            ? error(status)
            : correct.create(ask, shop);
        },
      };
    },
  );

export const ordinaryRefused: readonly Mutant[] = [
  refusing('no-status', 'the optional status is needed', ({ status }) => status === undefined),
  refusing('any-status', 'a status must not be sent', ({ status }) => status !== undefined),
  refusing('sold', 'one status is refused', ({ status }) => status === 'sold'),
  refusing('pending-500', 'one status breaks the service', ({ status }) => status === 'pending', 500),
  refusing(
    'charset',
    'a charset in the media type is refused',
    (_, { headers }) => /charset/.test(headers['content-type'] ?? ''),
    415,
  ),
  refusing(
    'chunked',
    'a body in chunks is refused',
    (_, { headers }) => headers['transfer-encoding'] !== undefined,
    411,
  ),
  refusing('unicode', 'names beyond ASCII are refused', ({ name }) => /[^\x20-\x7e]/.test(String(name))),
  refusing(
    'emoji-500',
    'characters beyond the basic plane break the service',
    ({ name }) => /[\u{10000}-\u{10ffff}]/u.test(String(name)),
    500,
  ),
  refusing(
    'apostrophe-500',
    'an apostrophe breaks the service',
    ({ name }) => String(name).includes("'"),
    500,
  ),
  refusing('one-character', 'names of one character are refused', ({ name }) => String(name).length < 2),
  refusing(
    'longer-than-40',
    'names of more than 40 characters are refused',
    ({ name }) => String(name).length > 40,
  ),
  refusing('digits', 'names with digits are refused', ({ name }) => /\d/.test(String(name))),
  refusing('spaces', 'names with a space are refused', ({ name }) => String(name).includes(' ')),
  refusing(
    'long-500',
    'names of more than 200 characters break the service',
    ({ name }) => String(name).length > 200,
    500,
  ),
  refusing('empty-500', 'an empty name breaks the service', ({ name }) => name === '', 500),
  refusing(
    'big-category-500',
    'a category beyond 2^53 breaks the service',
    ({ categoryId }) => BigInt(categoryId as bigint) > 2n ** 53n,
    500,
  ),
  refusing(
    'negative-category-500',
    'a negative category breaks the service',
    ({ categoryId }) => BigInt(categoryId as bigint) < 0n,
    500,
  ),
  refusing('every-fifth', 'every fifth create fails', (_body, _ask, count) => count % 5 === 0, 500),
  refusing('sixth-and-later', 'no more than 5 records can be added', (_body, _ask, count) => count > 5, 409),
  faultyShop('refuses-equal-names', 'a name that is taken is refused', ['status', 'distinct-ids'], () => ({
    create(ask, shop) {
      const sent = readBody(ask, shop.does);
      const taken =
        'body' in sent &&
        isObject(sent.body) &&
        shop.pets.some(({ name }) => name === (sent.body as { name: unknown }).name);
      return taken ? error(409) : correct.create(ask, shop);
    },
  })),
];
