import {
  type AccountOperation,
  type Data,
  isPassword,
  isSecretName,
  type Operation,
  refusedAs,
  type SessionCookie,
} from '#spec';
import type { Refusal } from '../../http/refusal.ts';
import type { Tokens } from '../../http/tokens.ts';
import type { Store } from '../../store/port.ts';
import type { AccountRoles } from '../account-roles.ts';
import { type Account, type credentialsIn, type Logins, passwordHash, type Senders } from '../accounts.ts';
import type { RecordCollection } from '../collection.ts';
import type { NewAccount, Profiles } from '../profiles.ts';
import type { OperationContext } from './action.ts';

export interface AccountContext extends OperationContext {
  readonly tokens: Tokens;
  readonly logins: Logins;
  readonly senders: Senders;
  readonly accountRoles: AccountRoles;
  readonly profiles: Profiles;
  /** Undefined: the operation works on no records. */
  readonly collection: RecordCollection | undefined;
  /** Undefined: the document has no session cookie. */
  readonly cookie: SessionCookie | undefined;
  /** Its responses are samples, not records of the request. */
  readonly isSampled: boolean;
}

/** The account of a request: an existing one, or a draft that becomes one after the request. */
export type Found = About &
  (
    | { readonly account: Account; readonly draft?: undefined }
    | { readonly account?: undefined; readonly draft: NewAccount }
  );

/** An existing account. */
export type Shown = Extract<Found, { readonly draft?: undefined }>;

interface About {
  /** The scope of its tokens. Undefined: all. */
  readonly scope?: string | undefined;
  /** A client that acts for itself gets no refresh token (RFC 6749 §4.4.3). */
  readonly isClient?: boolean;
  /** What the request changes in the account. */
  readonly changes?: { readonly members: Data; readonly password: string | undefined };
}

export type Credentials = ReturnType<typeof credentialsIn>;

/**
 * The account for credentials: a registered one, one of a seeded record, or an unknown one with the default password.
 * Undefined: the credentials are wrong, and the account is registered, somebody can register, or the document has a refusal
 * for that.
 */
export async function logIn(
  { profiles, logins, operation, accountRoles }: AccountContext,
  meaning: AccountOperation,
  store: Store,
  credentials: Credentials,
): Promise<Found | undefined> {
  const { identities, password } = credentials;
  const account = await profiles.find(store, identities);
  const isRight =
    password !== undefined &&
    (account?.password === undefined
      ? password === logins.password
      : passwordHash(account.subject, password) === account.password);
  const isRegistered = account?.password !== undefined;
  const isRefused =
    isRegistered ||
    logins.registered.has(operation) ||
    refusedAs(operation, meaning.role === 'grant') !== undefined;
  if (!isRight && !logins.takesAnybody && isRefused) return undefined;
  return account ? { account } : { draft: newAccount(accountRoles, { ...credentials, password: undefined }) };
}

export function newAccount(
  accountRoles: AccountRoles,
  { members, identities, password }: Omit<Credentials, 'sent'>,
): NewAccount {
  const email = identities.find((identity) => identity.includes('@'));
  const initial = { ...(email !== undefined && { email }), ...accountRoles.initialOf(identities) };
  return { identities, password, members: { ...initial, ...withoutSecrets(members) } };
}

export function withoutSecrets(members: Data): Data {
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => !isPassword(name) && !isSecretName(name)),
  );
}

export function refusalOf(operation: Operation, { role }: AccountOperation): Refusal {
  const isGrant = role === 'grant';
  const documented = refusedAs(operation, isGrant);
  const status = documented ?? (isGrant ? 400 : 401);
  return {
    refuse: isGrant && status === 400 ? 'invalid grant' : 'unauthorized',
    status,
    message: MESSAGES[role] ?? '',
    ...(documented === undefined && { cause: 'the document has no response for that' }),
  };
}

const MESSAGES: Readonly<Partial<Record<AccountOperation['role'], string>>> = {
  login: 'No account has this name and this password',
  grant: 'No account has this name and this password, or this refresh token',
  refresh: 'No account has this refresh token',
  current: 'Nobody is logged in',
};
