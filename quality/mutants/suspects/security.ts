import { defaultParts, type Parts } from '#mock';
import { type MockFault, mockOf, refusal, response } from '../mock-faults.ts';
import { lookalikes, mutants, type Operators, product, type Service, using } from '../suspect.ts';

type Guarded = Parameters<Parts['authenticate']>[0];
type Request = Parameters<ReturnType<Parts['authenticate']>>[0];

/** A credential for each scheme of the document. */
const CREDENTIALS = {
  keeper: 'ida:harbour-17',
  staff: 'staff-token-4711',
  partner: 'partner-token-0815',
  badge: 'badge-2Qz',
  desk: 'desk-9xw',
  branch: 'branch-Lm5',
};

/** Deposit boxes: security schemes of each type, each with a credential of its own. */
const deposits: Service<MockFault> = {
  ...mockOf('deposits.yaml', { credentials: CREDENTIALS }),
  options: { apiKey: undefined, credentials: CREDENTIALS },
};

/** Checks the credential of one scheme in another way. */
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

/** User and password of Basic, as they were sent. */
function userAndPassword({ headers }: Request): string {
  const [, encoded = ''] = /^basic +(.*)$/i.exec(String(headers.authorization ?? '')) ?? [];
  return Buffer.from(encoded, 'base64').toString();
}

type Security = Guarded['security'];

/** The security of each operation is another one. */
const security = (change: (security: Security) => Security): MockFault => ({
  authenticate: (operation, keys) =>
    defaultParts.authenticate({ ...operation, security: change(operation.security) }, keys),
});

const OPEN = 'unauthorised-first';
const STRICTER = ['status', 'invalid-refused', 'unknown-id'] as const;

/** Several security schemes: alternatives of them, and some that are needed together. */
const REQUIREMENTS: Operators<(security: Security) => Security> = {
  'first of combined': [OPEN, (all) => all.map((together) => together.slice(0, 1))],
  'last of combined': [OPEN, (all) => all.map((together) => together.slice(-1))],
  'any of combined': [OPEN, (all) => all.flatMap((together) => together.map((one) => [one]))],
  ...Object.fromEntries(
    ['branch', 'desk', 'badge'].map((name) => [
      `${name} unchecked`,
      [OPEN, (all: Security) => all.map((together) => together.filter(({ scheme }) => scheme !== name))],
    ]),
  ),
  'first alternative': [STRICTER, (all) => all.slice(0, 1)],
  'last alternative': [STRICTER, (all) => all.slice(-1)],
  'all alternatives': [STRICTER, (all) => [all.flat()]],
};

/** The check of one scheme, of what a request shows for it. */
const scheme = ([name, shown, holds]: readonly [string, (request: Request) => string, RegExp]) =>
  guard(name, (request) => holds.test(shown(request)));
const authorization = ({ headers }: Request) => String(headers.authorization);
const cookies = ({ headers }: Request) => String(headers.cookie);
const query = (request: Request) => request.query;

/** One scheme, whose credential is looked at carelessly. */
const schemes = mutants('security', using(deposits, scheme), OPEN, [
  ['any-password', 'any password of a known user is accepted', ['keeper', userAndPassword, /^ida:/]],
  ['any-user', 'any user and password are accepted', ['keeper', authorization, /^basic ./i]],
  ['password-prefix', 'a password may have more', ['keeper', userAndPassword, /^ida:harbour-17/]],
  ['password-case', 'passwords are case-insensitive', ['keeper', userAndPassword, /^ida:harbour-17$/i]],
  ['any-cookie', 'any cookie of the name is accepted', ['branch', cookies, /branch=./]],
  ['any-query', 'any key in the query is accepted', ['desk', query, /desk=./]],
  ['any-token', 'any token of the staff is accepted', ['staff', authorization, /^bearer ./i]],
  ['basic-refused', 'no password is accepted', STRICTER, ['keeper', userAndPassword, /(?!)/]],
]);

/** How the credential of a scheme is sent. */
const SENT = {
  keeper: ['basic', 'header', 'authorization'],
  staff: ['bearer', 'header', 'authorization'],
  partner: ['bearer', 'header', 'authorization'],
  badge: ['apiKey', 'header', 'x-badge'],
  desk: ['apiKey', 'query', 'desk'],
  branch: ['apiKey', 'cookie', 'branch'],
} as const;

/** An operation takes the credential of a scheme that it does not list. */
const alsoTakes = (id: string) =>
  using(
    deposits,
    (scheme: keyof typeof SENT): MockFault => ({
      authenticate(operation, keys) {
        if (operation.id !== id) return defaultParts.authenticate(operation, keys);
        const [kind, place, name] = SENT[scheme];
        const other = { scheme, kind, in: place, name, scopes: [], spot: operation.spot };
        return defaultParts.authenticate({ ...operation, security: [...operation.security, [other]] }, keys);
      },
    }),
  );
const names = Object.keys(SENT) as (keyof typeof SENT)[];
const takes = Object.fromEntries(names.map((name) => [`takes ${name}`, [name] as const]));

export const securityMutants = [
  ...product(REQUIREMENTS, OPEN, [['security', using(deposits, security)]]),
  ...schemes,
  ...product(takes, 'credentials-apart', [
    ['security-list', alsoTakes('listBoxes'), ['takes partner', 'takes badge', 'takes desk', 'takes branch']],
    ['security-show', alsoTakes('showBox'), ['takes keeper', 'takes staff', 'takes partner', 'takes branch']],
  ]),
];

const challenge = (text: string) =>
  refusal((given, { refuse }) =>
    refuse === 'unauthorized' ? { ...given, headers: { ...given.headers, 'WWW-Authenticate': text } } : given,
  );

const emptyForKeepers = response('list', (given, { request }) =>
  userAndPassword(request) === '' ? given : { ...given, body: '[]' },
);

const ignoreUserCase = guard('keeper', (request) =>
  /^ida:harbour-17$/.test(userAndPassword(request).replace(/^ida/i, 'ida')),
);

/** Who has the token of another scheme is known, and may not read this, or not even know of it. */
const knownElsewhere = (status: 403 | 404): MockFault => ({
  authenticate(operation, keys) {
    const refuse = defaultParts.authenticate(operation, keys);
    const tokens = [keys.credentials.staff, keys.credentials.partner].flat();
    const isKnown = (request: Parameters<typeof refuse>[0]) =>
      tokens.some((token) => request.headers.authorization === `Bearer ${token}`);
    const refused = { refuse: status === 403 ? 'forbidden' : 'not found', message: 'not for you' } as const;
    const isRead = operation.method === 'GET';
    return (request) => refuse(request) && (isRead && isKnown(request) ? refused : refuse(request));
  },
});

/** What several security schemes leave open. */
const several = lookalikes('security', deposits, [
  ['as-it-is', 'deposit boxes that keep their document', {}],
  ['one-challenge', 'a 401 names one of the schemes', challenge('Basic realm="boxes"')],
  ['other-challenge', 'a 401 names a scheme that the document does not have', challenge('Negotiate')],
  ['own-records', 'who logs in with a password sees other boxes than the staff', emptyForKeepers],
  ['forbidden-elsewhere', 'a token of another scheme gets 403', knownElsewhere(403)],
  ['hidden-elsewhere', 'a token of another scheme gets 404', knownElsewhere(404)],
  ['user-case', 'the case of a user is ignored', ignoreUserCase],
]);

/** The key is the user, and there is no password. */
const KEY = 'key-of-the-keeper';
const oneKey = { ...mockOf('deposits.yaml', { apiKeys: [KEY] }), options: { apiKey: KEY } };
const ignorePassword = guard('keeper', (request) => userAndPassword(request).startsWith(`${KEY}:`));

const withoutPassword = lookalikes('security', oneKey, [
  ['one-key', 'one key serves all schemes', {}],
  ['password-ignored', 'the user is the key, and any password is ignored', ignorePassword],
]);

export const securityLookalikes = [several, withoutPassword].flat();
