import { mockOf, refusal, response } from '../mock-faults.ts';
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

/** What several security schemes leave open. */
const several = lookalikes('security', deposits, [
  ['as-it-is', 'deposit boxes that keep their document', {}],
  ['one-challenge', 'a 401 names one of the schemes', challenge('Basic realm="boxes"')],
  ['other-challenge', 'a 401 names a scheme that the document does not have', challenge('Negotiate')],
  ['own-records', 'who logs in with a password sees other boxes than the staff', emptyForKeepers],
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
