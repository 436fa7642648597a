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
import { mutants, using } from '../suspect.ts';

/** The security of each operation is another one. */
const security = (change: (security: Guarded['security']) => Guarded['security']): MockFault => ({
  authenticate: (operation, keys) =>
    defaultParts.authenticate({ ...operation, security: change(operation.security) }, keys),
});

const without = (...schemes: readonly string[]) =>
  security((all) => all.map((requirement) => requirement.filter((one) => !schemes.includes(one.scheme))));

const onlyOf = (from: number, to?: number) => security((all) => all.map((one) => one.slice(from, to)));
const anyOfCombined = security((all) => all.flatMap((one) => one.map((each) => [each])));
const STRICTER = ['status', 'invalid-refused', 'unknown-id'] as const;
const firstAlternative = security((all) => all.slice(0, 1));
const lastAlternative = security((all) => all.slice(-1));

/** Several security schemes: alternatives of them, and some that are needed together. */
const requirements = mutants('security', deposits, 'unauthorised-first', [
  ['first-of-combined', 'of schemes needed together only the first is checked', onlyOf(0, 1)],
  ['last-of-combined', 'of schemes needed together only the last is checked', onlyOf(-1)],
  ['any-of-combined', 'one of the schemes needed together is enough', anyOfCombined],
  ['cookie-unchecked', 'the key in the cookie is not checked', without('branch')],
  ['query-unchecked', 'the key in the query is not checked', without('desk')],
  ['header-unchecked', 'the key in the header is not checked', without('badge')],
  ['first-alternative', 'only the first alternative is accepted', 'status', firstAlternative],
  ['last-alternative', 'only the last alternative is accepted', 'status', lastAlternative],
  ['all-alternatives', 'all alternatives are needed at once', STRICTER, security((all) => [all.flat()])],
]);

type Request = Parameters<NonNullable<ReturnType<CheckScheme>>>[0];

/** The check of one scheme, of what a request shows for it. */
const scheme = ([name, shown, holds]: readonly [string, (request: Request) => string, RegExp | false]) =>
  guard(isNamed(name, (request) => holds !== false && holds.test(shown(request))));
const authorization = ({ headers }: Request) => String(headers.authorization);
const cookies = ({ headers }: Request) => String(headers.cookie);
const query = (request: Request) => request.query;

/** One scheme, whose credential is looked at carelessly. */
const schemes = mutants('security', using(deposits, scheme), 'unauthorised-first', [
  ['any-password', 'any password of a known user is accepted', ['keeper', userAndPassword, /^ida:/]],
  ['any-user', 'any user and password are accepted', ['keeper', authorization, /^basic ./i]],
  ['password-prefix', 'a password may have more', ['keeper', userAndPassword, /^ida:harbour-17/]],
  ['password-case', 'passwords are case-insensitive', ['keeper', userAndPassword, /^ida:harbour-17$/i]],
  ['any-cookie', 'any cookie of the name is accepted', ['branch', cookies, /branch=./]],
  ['any-query', 'any key in the query is accepted', ['desk', query, /desk=./]],
  ['any-token', 'any token of the staff is accepted', ['staff', authorization, /^bearer ./i]],
  ['basic-refused', 'no password is accepted', STRICTER, ['keeper', userAndPassword, false]],
]);

/** How a credential of a scheme is sent. */
const SENT = {
  keeper: ['basic', 'header', 'authorization'],
  staff: ['bearer', 'header', 'authorization'],
  partner: ['bearer', 'header', 'authorization'],
  badge: ['apiKey', 'header', 'x-badge'],
  desk: ['apiKey', 'query', 'desk'],
  branch: ['apiKey', 'cookie', 'branch'],
} as const;

/** An operation takes the credential of a scheme that it does not list. */
const alsoTakes = ([id, scheme]: readonly [operationId: string, scheme: keyof typeof SENT]) => {
  const [kind, place, name] = SENT[scheme];
  const other = { scheme, kind, in: place, name, scopes: [] };
  return {
    authenticate: (operation, keys) =>
      operation.id === id
        ? defaultParts.authenticate(
            { ...operation, security: [...operation.security, [{ ...other, spot: operation.spot }]] },
            keys,
          )
        : defaultParts.authenticate(operation, keys),
  } satisfies MockFault;
};

/** Credentials of one scheme that open what is for another one. */
const apart = mutants('security', using(deposits, alsoTakes), 'credentials-apart', [
  ['partner-lists', 'partners see the list that is for the staff', ['listBoxes', 'partner']],
  ['badge-lists', 'a badge is enough to see the list', ['listBoxes', 'badge']],
  ['desk-lists', 'the key of a desk is enough to see the list', ['listBoxes', 'desk']],
  ['branch-lists', 'the key of a branch is enough to see the list', ['listBoxes', 'branch']],
  ['keeper-shows', 'a password is enough to see a box', ['showBox', 'keeper']],
  ['staff-shows', 'the token of the staff is enough to see a box', ['showBox', 'staff']],
  ['partner-shows', 'the token of a partner is enough to see a box', ['showBox', 'partner']],
  ['branch-shows', 'the key of a branch is enough to see a box', ['showBox', 'branch']],
]);

export const securityMutants = [...requirements, ...schemes, ...apart];
