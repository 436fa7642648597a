import { action, mockOf, refusal } from '../mock-faults.ts';
import { deposits, guard, isNamed, userAndPassword } from '../security-faults.ts';
import { lookalikes } from '../suspect.ts';

const challenge = (text: string) =>
  refusal((given, { refuse }) =>
    refuse === 'unauthorized' ? { ...given, headers: { ...given.headers, 'WWW-Authenticate': text } } : given,
  );

const emptyForKeepers = action('list', (act) => async (task) => {
  const outcome = await act(task);
  return userAndPassword(task.request) === '' || 'refuse' in outcome ? outcome : { ...outcome, body: '[]' };
});

/** What several security schemes leave open. */
const several = lookalikes('security', deposits, [
  ['as-it-is', 'deposit boxes that keep their document', {}],
  ['one-challenge', 'a 401 names one of the schemes', challenge('Basic realm="boxes"')],
  ['other-challenge', 'a 401 names a scheme that the document does not have', challenge('Negotiate')],
  ['own-records', 'who logs in with a password sees other boxes than the staff', emptyForKeepers],
  [
    'user-case',
    'the case of a user is ignored',
    guard(
      isNamed('keeper', (request) => {
        const [user = '', password] = userAndPassword(request).split(':');
        return user.toLowerCase() === 'ida' && password === 'harbour-17';
      }),
    ),
  ],
]);

const KEY = 'key-of-the-keeper';

/** The key is the user, and there is no password. */
const withoutPassword = lookalikes(
  'security',
  { ...mockOf('deposits.yaml', { apiKeys: [KEY] }), options: { apiKey: KEY } },
  [
    ['one-key', 'one key serves all schemes', {}],
    [
      'password-ignored',
      'the user is the key, and any password is ignored',
      guard(isNamed('keeper', (request) => userAndPassword(request).split(':')[0] === KEY)),
    ],
  ],
);

export const securityLookalikes = [...several, ...withoutPassword];
