import { defaultParts, type Parts } from '#mock';
import type { Answer, Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, readBody } from '../by-hand/correct.ts';
import { type MockFault, mockOf, response } from '../mock-faults.ts';
import { admit, error, petStore, type ShopFault, unauthorized, when } from '../shop-faults.ts';
import { lookalikes, mutants, type Service, using } from '../suspect.ts';

const OPEN = 'unauthorised-first';
const isKey = (accepts: Behaviour['isKey']): ShopFault => ({ isKey: accepts });

/** The sent key with the character in the middle of the right one blanked out. */
const spliced = (sent: string, { length }: string) =>
  `${sent.slice(0, Math.floor(length / 2))} ${sent.slice(Math.floor(length / 2) + 1)}`;

const wrongComparisons = mutants('auth', using(petStore, isKey), OPEN, {
  'any-filled-key': ['any key that is not empty is accepted', (sent) => sent !== ''],
  'key-prefix': ['a prefix of the key is accepted', (sent, key) => sent !== '' && key.startsWith(sent)],
  'key-and-more': ['the key followed by anything is accepted', (sent, key) => sent.startsWith(key)],
  'key-case': ['the key is case-insensitive', (sent, key) => sent.toLowerCase() === key.toLowerCase()],
  'key-middle': ['the middle is not compared', (sent, key) => spliced(sent, key) === spliced(key, key)],
  'empty-key': ['the scheme without a key is accepted', (sent, key) => sent === '' || sent === key],
});

/** Requests that need no key, or may send it in another place. */
const wrongPlaces = mutants('auth', using(petStore, admit), OPEN, {
  'no-scheme': ['the key is accepted without a scheme', (sent, key) => sent === key],
  'any-basic': ['any Basic credentials are accepted', (sent) => /^basic /i.test(sent)],
  'key-in-query': ['the key may be in the query', (_, key, ask) => [...ask.query.values()].includes(key)],
  'open-create': ['a create needs no key', (...[, , ask]) => ask.method === 'POST'],
  'open-filtered-list': ['the filtered list needs no key', (...[, , ask]) => ask.query.has('status')],
  'missing-passes': ['only a wrong key is refused', (sent) => sent === ''],
});

/** A request needs no key after a similar one had it. */
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
const recordPath = ({ path }: Ask) => (path === '/pets' ? undefined : path);

/** Responds before the key is checked. */
const before = (early: (ask: Ask, shop: Shop) => Answer | undefined): Partial<Behaviour> => ({
  authenticate: (ask, shop) => early(ask, shop) ?? correct.authenticate(ask, shop),
});
const sometimes = mutants('auth', petStore, OPEN, {
  connection: ['a connection that has carried the key needs no more', remember(({ socket }) => socket)],
  'kept-record': ['a record that was read with a key needs no more', remember(recordPath)],
});

type Early = readonly [status: number, isBad: (ask: Ask, shop: Shop) => boolean];
const refuseEarly = ([status, isBad]: Early) =>
  before((ask, shop) => (isBad(ask, shop) ? shop.does.refuse(status, 'no') : undefined));

const isInvalid = (ask: Ask, { does }: Shop) => {
  const sent = ask.method === 'POST' ? readBody(ask, does) : {};
  return 'body' in sent && does.problemOf(sent.body) !== undefined;
};
const isUnknown = (ask: Ask, shop: Shop) => ask.path !== '/pets' && shop.does.read(ask, shop).status === 404;

const late = mutants('auth-late', using(petStore, refuseEarly), OPEN, {
  'after-body': ['an invalid body gets 400 before the key is checked', [400, isInvalid]],
  'after-look-up': ['an unknown id gets 404 before the key is checked', [404, isUnknown]],
});

const hasKey = ({ headers }: Ask) => headers.authorization !== undefined;
const isRead = ({ path }: Ask) => path !== '/pets';
const wrongBody = { status: 401, body: { error: 'no' } };

/** Only some requests without a valid key get another refusal. */
const refusals = mutants('auth', using(petStore, unauthorized), OPEN, {
  '403-wrong-key': ['a wrong key gets 403, a missing one 401', when(hasKey, error(403))],
  'one-wrong-body': ['only the read has a wrong 401 body', 'schema', when(isRead, wrongBody)],
});

type Request = Parameters<ReturnType<Parts['authenticate']>>[0];
type Operation = Parameters<Parts['authenticate']>[0];
type Security = Operation['security'];

/** A credential for each scheme of the document, and how it is sent. */
const CREDENTIALS = {
  keeper: 'ida:harbour-17',
  staff: 'staff-token-4711',
  partner: 'partner-token-0815',
  badge: 'badge-2Qz',
  desk: 'desk-9xw',
  branch: 'branch-Lm5',
};
const SENT = {
  partner: ['bearer', 'header', 'authorization'],
  branch: ['apiKey', 'cookie', 'branch'],
} as const;

/** Deposit boxes with security schemes of every type, each with its own credential. */
const deposits: Service<MockFault> = {
  ...mockOf('deposits.yaml', { credentials: CREDENTIALS }),
  options: { apiKey: undefined, credentials: CREDENTIALS },
};

/** Changes how the credential of one scheme is checked. */
const guard = (scheme: string, holds: (request: Request) => boolean): MockFault => ({
  authenticate(operation, keys) {
    const refuse = defaultParts.authenticate(operation, keys);
    const alternatives = operation.security.map((requirement) =>
      requirement.map((credential) => {
        const alone = defaultParts.authenticate({ ...operation, security: [[credential]] }, keys);
        return credential.scheme === scheme ? holds : (request: Request) => alone(request) === undefined;
      }),
    );
    return (request) =>
      alternatives.some((checks) => checks.every((holds) => holds(request)))
        ? undefined
        : (refuse(request) ?? { refuse: 'unauthorized', message: 'the credential is not accepted' });
  },
});

/** The user and password of Basic authentication, as sent. */
function userAndPassword({ headers }: Request): string {
  const [, encoded = ''] = /^basic +(.*)$/i.exec(String(headers.authorization ?? '')) ?? [];
  return Buffer.from(encoded, 'base64').toString();
}

/** Changes the security of some operations. */
const security = (change: (security: Security, operation: Operation) => Security): MockFault => ({
  authenticate: (operation, keys) =>
    defaultParts.authenticate({ ...operation, security: change(operation.security, operation) }, keys),
});

const STRICTER = ['status', 'invalid-refused', 'unknown-id'] as const;
const withoutBranch = (all: Security) =>
  all.map((together) => together.filter(({ scheme }) => scheme !== 'branch'));

const alone = (together: Security[number]) => together.map((credential) => [credential]);
const anyEnd = guard('keeper', (request) => userAndPassword(request).startsWith('ida:harbour-17'));

/** An operation accepts the credential of a scheme that it does not list. */
const alsoTakes = ([id, scheme]: readonly [string, keyof typeof SENT]) =>
  security((schemes, operation) => {
    const [kind, place, name] = SENT[scheme];
    const other = { scheme, kind, in: place, name, scopes: [], spot: operation.spot };
    return operation.id === id ? [...schemes, [other]] : schemes;
  });

const securityMutants = [
  ...mutants('security', using(deposits, security), OPEN, {
    'any-of-combined': ['one of several that are needed is enough', (all) => all.flatMap(alone)],
    'branch-unchecked': ['one scheme is not looked at', withoutBranch],
    'first-alternative': ['there are no alternatives', STRICTER, (all) => all.slice(0, 1)],
  }),
  ...mutants('security', deposits, OPEN, { 'password-prefix': ['a password may have more', anyEnd] }),
  ...mutants('security', using(deposits, alsoTakes), 'credentials-apart', {
    'list-takes-partner': ['the list takes a token of another scheme', ['listBoxes', 'partner']],
    'show-takes-branch': ['a read takes a cookie that the document does not name', ['showBox', 'branch']],
  }),
];

const emptyForKeepers = response('list', (reply, { request }) =>
  userAndPassword(request) === '' ? reply : { ...reply, body: '[]' },
);

/** The key is the user name, with an empty password. */
const KEY = 'key-of-the-keeper';
const oneKey = { ...mockOf('deposits.yaml', { apiKeys: [KEY] }), options: { apiKey: KEY } };
const ignorePassword = guard('keeper', (request) => userAndPassword(request).startsWith(`${KEY}:`));

/** What documents with several security schemes leave open. */
const securityLookalikes = [
  ...lookalikes('security', deposits, {
    'own-records': ['who logs in with a password sees other boxes than the staff', emptyForKeepers],
  }),
  ...lookalikes('security', oneKey, {
    'password-ignored': ['the user is the key, and any password is ignored', ignorePassword],
  }),
];

export const credentials = {
  authentication: [[wrongComparisons, wrongPlaces, sometimes, late, refusals].flat(), []],
  'security schemes': [securityMutants, securityLookalikes],
} as const;
