import type { Ask, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { faultyShop, type MakeBehaviour, type Mutant } from '../suspect.ts';

const keys = (name: string, says: string, isKey: Behaviour['isKey']): Mutant =>
  faultyShop(`auth-${name}`, says, 'unauthorised-first', () => ({ isKey }));

const guard = (name: string, says: string, make: MakeBehaviour): Mutant =>
  faultyShop(`auth-${name}`, says, 'unauthorised-first', make);

/** Lets requests pass that the shop would refuse, when `also` says so. */
const admitting = (also: (ask: Ask, key: string) => boolean): Partial<Behaviour> => ({
  authenticate: (ask, shop) => (also(ask, shop.key) ? undefined : correct.authenticate(ask, shop)),
});

/** The credential counts for nothing, or less than all of it. */
export const wrongComparisons: readonly Mutant[] = [
  keys('any-key', 'any key is good', () => true),
  keys('any-filled-key', 'any key that is not empty is good', (presented) => presented !== ''),
  keys(
    'key-prefix',
    'the beginning of the key is enough',
    (presented, key) => presented !== '' && key.startsWith(presented),
  ),
  keys('key-and-more', 'what follows the key is not looked at', (presented, key) =>
    presented.startsWith(key),
  ),
  keys('more-and-key', 'what stands before the key is not looked at', (presented, key) =>
    presented.endsWith(key),
  ),
  keys(
    'key-case',
    'the case of the key does not count',
    (presented, key) => presented.toLowerCase() === key.toLowerCase(),
  ),
  keys(
    'key-length',
    'only the length of the key counts',
    (presented, key) => presented.length === key.length,
  ),
  keys(
    'key-head',
    'only the first 8 characters count',
    (presented, key) => presented.slice(0, 8) === key.slice(0, 8),
  ),
  keys(
    'key-tail',
    'only the last 6 characters count',
    (presented, key) => presented.slice(-6) === key.slice(-6),
  ),
  keys('key-middle', 'the character in the middle is not compared', (presented, key) => {
    const at = Math.floor(key.length / 2);
    return (
      presented.length === key.length &&
      presented.slice(0, at) === key.slice(0, at) &&
      presented.slice(at + 1) === key.slice(at + 1)
    );
  }),
  keys(
    'empty-key',
    'the scheme without a key is let in',
    (presented, key) => presented === '' || presented === key,
  ),
  keys('literal-null', 'the text "null" is a key, as a client without one sends it', (presented, key) =>
    ['null', 'undefined', key].includes(presented),
  ),
];

/** The key is taken from where it does not belong. */
export const wrongPlaces: readonly Mutant[] = [
  guard('other-scheme', 'the key is good under any scheme', () =>
    admitting(({ headers }, key) => headers.authorization?.split(' ').at(-1) === key),
  ),
  guard('no-scheme', 'the bare key is good without a scheme', () =>
    admitting(({ headers }, key) => headers.authorization === key),
  ),
  guard('basic', 'the key is good as the password of Basic', () =>
    admitting(({ headers }, key) => {
      const [scheme, rest = ''] = (headers.authorization ?? '').split(' ');
      return scheme === 'Basic' && Buffer.from(rest, 'base64').toString().split(':').includes(key);
    }),
  ),
  guard('token-scheme', 'the key is good under the scheme Token', () =>
    admitting(({ headers }, key) => headers.authorization === `Token ${key}`),
  ),
  guard('any-basic', 'whatever comes as Basic is let in', () =>
    admitting(({ headers }) => /^basic /i.test(headers.authorization ?? '')),
  ),
  guard('key-in-query', 'the key is good in the query', () =>
    admitting(({ query }, key) => [...query.values()].includes(key)),
  ),
  guard('key-in-cookie', 'the key is good in a cookie', () =>
    admitting(({ headers }, key) => (headers.cookie ?? '').split(/[=;] */).includes(key)),
  ),
  guard('key-in-header', 'the key is good in the header X-API-Key', () =>
    admitting(({ headers }, key) => headers['x-api-key'] === key),
  ),
];

const OPEN = (method: string, path: RegExp): Partial<Behaviour> =>
  admitting((ask) => ask.method === method && path.test(ask.path));

/** Somebody gets in without a key. */
export const openDoors: readonly Mutant[] = [
  guard('none', 'nobody asks for a key', () => ({ authenticate: () => undefined })),
  guard('open-list', 'the list is open to all', () => OPEN('GET', /^\/pets$/)),
  guard('open-create', 'everybody may add an animal', () => OPEN('POST', /./)),
  guard('open-read', 'one animal is open to all', () => OPEN('GET', /^\/pets\/./)),
  guard('missing-passes', 'a wrong key is refused, a missing one is not', () =>
    admitting(({ headers }) => headers.authorization === undefined),
  ),
  guard('open-filtered-list', 'the filtered list is open to all', () =>
    admitting(({ query }) => query.has('status')),
  ),
  guard('connection', 'a connection that has carried the key needs it no more', () => {
    const known = new WeakSet<object>();
    return {
      authenticate(ask, shop) {
        const refusal = known.has(ask.socket) ? undefined : correct.authenticate(ask, shop);
        if (!refusal) known.add(ask.socket);
        return refusal;
      },
    };
  }),
  guard('kept-answers', 'a list or record that was asked for before is given to everybody', () => {
    const kept = new Set<string>();
    return {
      authenticate(ask, shop) {
        const name = `${ask.method} ${ask.path}?${ask.query}`;
        const refusal = correct.authenticate(ask, shop);
        if (!refusal && ask.method === 'GET') kept.add(name);
        return refusal && kept.has(name) ? undefined : refusal;
      },
    };
  }),
  guard('kept-record', 'a record that was read before is given to everybody', () => {
    const kept = new Set<string>();
    return {
      authenticate(ask, shop) {
        const refusal = correct.authenticate(ask, shop);
        if (!refusal && ask.path !== '/pets') kept.add(ask.path);
        return refusal && kept.has(ask.path) ? undefined : refusal;
      },
    };
  }),
  guard('third-try', 'every third stranger is let in', () => {
    let strangers = 0;
    return {
      authenticate(ask, shop) {
        const refusal = correct.authenticate(ask, shop);
        if (refusal) strangers += 1;
        return refusal && strangers % 3 === 0 ? undefined : refusal;
      },
    };
  }),
];
