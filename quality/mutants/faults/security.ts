import { defaultParts } from '#mock';
import type { MockFault } from '../mock-faults.ts';
import {
  type CheckScheme,
  deposits,
  type Guarded,
  guard,
  isNamed,
  userAndPassword,
} from '../security-faults.ts';
import { mutants, type Operators, product, using } from '../suspect.ts';

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

type Request = Parameters<NonNullable<ReturnType<CheckScheme>>>[0];

/** The check of one scheme, of what a request shows for it. */
const scheme = ([name, shown, holds]: readonly [string, (request: Request) => string, RegExp]) =>
  guard(isNamed(name, (request) => holds.test(shown(request))));
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
