import { defaultParts } from '#mock';
import type { MockFault } from '../mock-faults.ts';
import { deposits, type Guarded, guard, isNamed, userAndPassword } from '../security-faults.ts';
import { mutants, using } from '../suspect.ts';

/** The security of each operation is another one. */
const security = (change: (security: Guarded['security']) => Guarded['security']): MockFault => ({
  authenticate: (operation, keys) =>
    defaultParts.authenticate({ ...operation, security: change(operation.security) }, keys),
});

const without = (...schemes: readonly string[]) =>
  security((all) => all.map((requirement) => requirement.filter((one) => !schemes.includes(one.scheme))));

/** Several security schemes: alternatives of them, and some that are needed together. */
const requirements = mutants('security', deposits, 'unauthorised-first', [
  [
    'first-of-combined',
    'of schemes needed together only the first is checked',
    security((all) => all.map((one) => one.slice(0, 1))),
  ],
  [
    'last-of-combined',
    'of schemes needed together only the last is checked',
    security((all) => all.map((one) => one.slice(-1))),
  ],
  [
    'any-of-combined',
    'one of the schemes needed together is enough',
    security((all) => all.flatMap((one) => one.map((each) => [each]))),
  ],
  ['cookie-unchecked', 'the key in the cookie is not checked', without('branch')],
  ['query-unchecked', 'the key in the query is not checked', without('desk')],
  ['header-unchecked', 'the key in the header is not checked', without('badge')],
  [
    'first-alternative',
    'only the first alternative is accepted',
    'status',
    security((all) => all.slice(0, 1)),
  ],
  ['last-alternative', 'only the last alternative is accepted', 'status', security((all) => all.slice(-1))],
  [
    'all-alternatives',
    'all alternatives are needed at once',
    ['status', 'invalid-refused', 'unknown-id'],
    security((all) => [all.flat()]),
  ],
]);

/** One scheme, whose credential is looked at carelessly. */
const schemes = mutants('security', using(deposits, guard), 'unauthorised-first', [
  [
    'any-password',
    'any password of a known user is accepted',
    isNamed('keeper', (request) => userAndPassword(request).startsWith('ida:')),
  ],
  [
    'any-user',
    'any user and password are accepted',
    isNamed('keeper', ({ headers }) => /^basic ./i.test(String(headers.authorization))),
  ],
  [
    'password-prefix',
    'a password that begins with the right one is accepted',
    isNamed('keeper', (request) => userAndPassword(request).startsWith('ida:harbour-17')),
  ],
  [
    'password-case',
    'passwords are case-insensitive',
    isNamed('keeper', (request) => userAndPassword(request).toLowerCase() === 'ida:harbour-17'),
  ],
  [
    'any-cookie',
    'any cookie of the name is accepted',
    isNamed('branch', ({ headers }) => /branch=./.test(String(headers.cookie))),
  ],
  ['any-query', 'any key in the query is accepted', isNamed('desk', ({ query }) => /desk=./.test(query))],
  [
    'any-token',
    'any token of the staff is accepted',
    isNamed('staff', ({ headers }) => /^bearer ./i.test(String(headers.authorization))),
  ],
  [
    'basic-refused',
    'no password is accepted',
    ['status', 'unknown-id', 'invalid-refused'],
    (scheme) => (scheme === 'keeper' ? () => false : undefined),
  ],
]);

export const securityMutants = [...requirements, ...schemes];
