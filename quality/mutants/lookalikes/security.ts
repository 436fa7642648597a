import { defaultParts } from '#mock';
import { type MockFault, mockOf, refusal, response } from '../mock-faults.ts';
import { deposits, guard, isNamed, userAndPassword } from '../security-faults.ts';
import { lookalikes } from '../suspect.ts';

const challenge = (text: string) =>
  refusal((given, { refuse }) =>
    refuse === 'unauthorized' ? { ...given, headers: { ...given.headers, 'WWW-Authenticate': text } } : given,
  );

const emptyForKeepers = response('list', (given, { request }) =>
  userAndPassword(request) === '' ? given : { ...given, body: '[]' },
);

const ignoreUserCase = guard(
  isNamed('keeper', (request) => /^ida:harbour-17$/.test(userAndPassword(request).replace(/^ida/i, 'ida'))),
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
const ignorePassword = guard(isNamed('keeper', (request) => userAndPassword(request).startsWith(`${KEY}:`)));

const withoutPassword = lookalikes('security', oneKey, [
  ['one-key', 'one key serves all schemes', {}],
  ['password-ignored', 'the user is the key, and any password is ignored', ignorePassword],
]);

export const securityLookalikes = [several, withoutPassword].flat();
