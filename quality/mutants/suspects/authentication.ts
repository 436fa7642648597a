import type { Answer, Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, readBody } from '../by-hand/correct.ts';
import { every } from '../record-changes.ts';
import {
  admit,
  error,
  isKnownStatus,
  petStore,
  type ShopFault,
  unauthorized,
  validBody,
  when,
} from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const isKey = (accepts: Behaviour['isKey']): ShopFault => ({ isKey: accepts });

/** The key without the character in the middle of the right one. */
const spliced = (sent: string, { length }: string) =>
  `${sent.slice(0, Math.floor(length / 2))} ${sent.slice(Math.floor(length / 2) + 1)}`;

const wrongComparisons = mutants('auth', using(petStore, isKey), 'unauthorised-first', [
  ['any-key', 'any key is accepted', () => true],
  ['any-filled-key', 'any key that is not empty is accepted', (sent) => sent !== ''],
  ['key-prefix', 'a prefix of the key is accepted', (sent, key) => sent !== '' && key.startsWith(sent)],
  ['key-and-more', 'the key followed by anything is accepted', (sent, key) => sent.startsWith(key)],
  ['more-and-key', 'the key preceded by anything is accepted', (sent, key) => sent.endsWith(key)],
  ['key-case', 'the key is case-insensitive', (sent, key) => sent.toLowerCase() === key.toLowerCase()],
  ['key-length', 'only the length of the key is compared', (sent, key) => sent.length === key.length],
  ['key-head', 'only 8 leading characters are compared', (sent, key) => sent.slice(0, 8) === key.slice(0, 8)],
  ['key-tail', 'only the last 6 characters are compared', (sent, key) => sent.slice(-6) === key.slice(-6)],
  ['key-middle', 'the middle is not compared', (sent, key) => spliced(sent, key) === spliced(key, key)],
  ['empty-key', 'the scheme without a key is accepted', (sent, key) => sent === '' || sent === key],
  ['literal-null', 'the text "null" is accepted', (sent, key) => ['null', 'undefined', key].includes(sent)],
]);

const inQuery = (key: string, { query }: Ask) => [...query.values()].includes(key);
const inCookie = (key: string, { headers }: Ask) => (headers.cookie ?? '').split(/[=;] */).includes(key);
const isPassword = (sent: string, key: string) =>
  /^basic /i.test(sent) && Buffer.from(sent.slice(6), 'base64').toString().split(':').includes(key);

/** Requests that need no key, or show it in another place. */
const wrongPlaces = mutants('auth', using(petStore, admit), 'unauthorised-first', [
  ['other-scheme', 'the key is accepted under any scheme', (sent, key) => sent.split(' ').at(-1) === key],
  ['no-scheme', 'the key is accepted without a scheme', (sent, key) => sent === key],
  ['basic', 'the key is accepted as the password of Basic', isPassword],
  ['any-basic', 'any Basic credentials are accepted', (sent) => /^basic /i.test(sent)],
  ['key-in-query', 'the key is accepted in the query', (_, key, ask) => inQuery(key, ask)],
  ['key-in-cookie', 'the key is accepted in a cookie', (_, key, ask) => inCookie(key, ask)],
  ['key-in-header', 'the key is accepted in X-API-Key', (_, key, ask) => ask.headers['x-api-key'] === key],
  ['none', 'no operation needs a key', () => true],
  ['open-list', 'the list needs no key', (...[, , ask]) => ask.method === 'GET' && ask.path === '/pets'],
  ['open-create', 'a create needs no key', (...[, , ask]) => ask.method === 'POST'],
  ['open-read', 'a read needs no key', (...[, , ask]) => ask.path !== '/pets'],
  ['open-filtered-list', 'the filtered list needs no key', (...[, , ask]) => ask.query.has('status')],
  ['missing-passes', 'only a wrong key is refused', (sent) => sent === ''],
]);

/** A request needs no key when one that is alike had it. */
const remember =
  (likeness: (ask: Ask) => unknown): ShopFault =>
  () => {
    const admitted = new Set<unknown>();
    return {
      authenticate(ask, shop) {
        const refusal = correct.authenticate(ask, shop);
        if (!refusal) admitted.add(likeness(ask) ?? ask);
        return admitted.has(likeness(ask)) ? undefined : refusal;
      },
    };
  };

const url = ({ method, path, query }: Ask) => (method === 'GET' ? `${path}?${query}` : undefined);
const recordPath = ({ path }: Ask) => (path === '/pets' ? undefined : path);

const storeAnyway: ShopFault = {
  authenticate(ask, shop) {
    const refusal = correct.authenticate(ask, shop);
    const sent = refusal && ask.method === 'POST' ? validBody(ask, shop) : undefined;
    if (sent) shop.does.keep(shop, shop.does.made(sent, shop.does.nextId(shop)));
    return refusal;
  },
};

const missing = mutants('auth', petStore, 'unauthorised-first', [
  ['connection', 'a connection that has carried the key needs no more', remember(({ socket }) => socket)],
  ['kept-answers', 'a list or record that was requested with a key needs no more', remember(url)],
  ['kept-record', 'a record that was read with a key needs no more', remember(recordPath)],
  ['third-try', 'every third request needs no key', () => admit(every(3))],
  ['stored-anyway', 'a create gets 401 and is carried out', 'refused-leaves-nothing', storeAnyway],
]);

/** Responds before the key is checked. */
type Early = (ask: Ask, shop: Shop) => Answer | undefined;
const before = (early: Early): Partial<Behaviour> => ({
  authenticate: (ask, shop) => early(ask, shop) ?? correct.authenticate(ask, shop),
});
const refuseIf =
  (status: number, isBad: (ask: Ask, shop: Shop) => boolean): Early =>
  (ask, shop) =>
    isBad(ask, shop) ? shop.does.refuse(status, 'no') : undefined;

const isInvalid = (ask: Ask, { does }: Shop) => {
  const sent = ask.method === 'POST' ? readBody(ask, does) : {};
  return 'body' in sent && does.problemOf(sent.body) !== undefined;
};
const isBroken = (ask: Ask, { does }: Shop) => {
  const sent = ask.method === 'POST' && ask.body.length > 0 ? readBody(ask, does) : {};
  return 'status' in sent && sent.status === 400;
};
const isNotJson = ({ method, headers }: Ask) =>
  method === 'POST' && !/json/.test(headers['content-type'] ?? '');
const isEmpty = ({ method, body }: Ask) => method === 'POST' && body.length === 0;
const isUnknownStatus = ({ query }: Ask) => !isKnownStatus(query.get('status'));
const isBadLimit = ({ query }: Ask, { does }: Shop) => does.limitOf(query.get('limit')) === undefined;
const isUnknown = (ask: Ask, shop: Shop) => ask.path !== '/pets' && shop.does.read(ask, shop).status === 404;
const isNoNumber = ({ path }: Ask) => !/^\/pets(\/-?\d+)?$/.test(path);

const late = mutants('auth-late', using(petStore, before), 'unauthorised-first', [
  ['after-body', 'an invalid body gets 400 before the key is checked', refuseIf(400, isInvalid)],
  ['after-parsing', 'broken JSON gets 400 before the key is checked', refuseIf(400, isBroken)],
  ['after-media-type', 'another media type gets 415 before the key is checked', refuseIf(415, isNotJson)],
  ['after-empty-body', 'an empty body gets 400 before the key is checked', refuseIf(400, isEmpty)],
  ['after-limit', 'a limit out of range gets 400 before the key is checked', refuseIf(400, isBadLimit)],
  ['after-filter', 'an unknown status gets 400 before the key is checked', refuseIf(400, isUnknownStatus)],
  ['after-look-up', 'an unknown id gets 404 before the key is checked', refuseIf(404, isUnknown)],
  ['after-id', 'an id that is no number gets 404 before the key is checked', refuseIf(404, isNoNumber)],
]);

const hasKey = ({ headers }: Ask) => headers.authorization !== undefined;
const isOtherScheme = ({ headers }: Ask) => !/^bearer /i.test(headers.authorization ?? 'bearer ');
const hasNoSpace = ({ headers }: Ask) => /^\S+$/.test(headers.authorization ?? '');
const isRead = ({ path }: Ask) => path !== '/pets';
const isList = ({ method, path }: Ask) => method === 'GET' && path === '/pets';
const wrongBody = { status: 401, body: { error: 'no' } };

const refuseEveryNinth: ShopFault = () => {
  const isNinth = every(9);
  return before((_, { does }) => (isNinth() ? does.refuse(401, 'no') : undefined));
};
const STATUSES = ['status', 'invalid-refused', 'unknown-id', 'created-can-be-read'] as const;

/** Only some requests without a valid key are refused in another way. */
const refusals = mutants('auth', using(petStore, unauthorized), 'unauthorised-first', [
  ['403-wrong-key', 'a wrong key gets 403, a missing one 401', when(hasKey, error(403))],
  ['403-missing-key', 'a missing key gets 403, a wrong one 401', when((ask) => !hasKey(ask), error(403))],
  ['400-malformed', 'another scheme than Bearer gets 400', when(isOtherScheme, error(400))],
  ['500-no-scheme', 'an Authorization header without a space gets 500', when(hasNoSpace, error(500))],
  ['empty-list', 'the list without a key is empty', when(isList, { status: 200, body: [] })],
  ['one-wrong-body', 'only the read has a wrong 401 body', 'schema', when(isRead, wrongBody)],
]);

export const authenticationMutants = [
  ...[wrongComparisons, wrongPlaces, missing, late, refusals].flat(),
  ...mutants('auth', petStore, STATUSES, [
    ['good-key-refused', 'every ninth valid key is refused', refuseEveryNinth],
  ]),
];
