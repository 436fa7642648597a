import { digest } from '#platform';
import {
  type AccountOperation,
  accountOperation,
  type Contract,
  type Data,
  isRecord,
  type Operation,
  oncePer,
  type Requirement,
  type SessionCookie,
  valueAt,
} from '#spec';
import { compileKeyCheck, type Keys, tokenIn } from '../http/authenticate.ts';
import { type Awaitable, andThen, type MockRequest } from '../http/exchange.ts';
import { type Holder, signatureOf, type Tokens } from '../http/tokens.ts';
import { type Id, recordKey, type Store } from '../store/port.ts';
import { internalCollection, keepInternal, listInternal, readInternal } from './internal.ts';

/** The password of every unregistered account, while the mock accepts the built-in key. */
export const BUILT_IN_PASSWORD = 'paddock-dev-password';

/** Which credentials unregistered accounts may log in with. */
export interface Logins {
  readonly takesAnybody: boolean;
  /** The default password. Undefined: the mock has the user's own keys, and no public password. */
  readonly password: string | undefined;
  /** The operations that only accept registered accounts. */
  readonly registered: ReadonlySet<Operation>;
}

/** An account that can log in. */
export interface Account {
  /** The name in its tokens: its first identity, which stays even if the account is renamed. */
  readonly subject: string;
  /** Its login names: a user name, an e-mail address. */
  readonly identities: readonly string[];
  /** Its earlier identities. */
  readonly former?: readonly string[];
  /** The members that responses show. */
  readonly members: Data;
  /** The result of `passwordHash`. Undefined: it logs in with the default password. */
  readonly password?: string;
  /** The records that show it, by collection name. */
  readonly records?: Readonly<Record<string, Id>>;
  /** It was removed: its tokens are invalid, and its names are free. */
  readonly isGone?: boolean;
  /** The signatures of tokens that were logged out. */
  readonly revoked?: readonly string[];
}

/** Accounts are stored like all records: they persist, and are saved and reset with them. */
export const ACCOUNTS = internalCollection<Account>({
  name: '~accounts',
  keys: {
    identity: ({ identities }) => identities,
    former: ({ former = [] }) => former,
    record: ({ records = {} }) => Object.entries(records).map(([name, id]) => recordKey(name, id)),
  },
  idOf: ({ subject }) => subject,
  isRecord: (value): value is Account =>
    isRecord(value) &&
    typeof value.subject === 'string' &&
    isTexts(value.identities) &&
    isTexts(value.former ?? []) &&
    isTexts(value.revoked ?? []) &&
    isRecord(value.members) &&
    isRecord(value.records ?? {}) &&
    ['string', 'undefined'].includes(typeof value.password),
  form: 'an object with "subject", "identities" (a list of texts) and "members"',
});

const isTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');

export function accountOf(store: Store, subject: string): Awaitable<Account | undefined> {
  return readInternal(store, ACCOUNTS, subject);
}

/** The accounts with one of these values: current identities, former ones, or records. */
export function accountsWith(
  store: Store,
  key: 'identity' | 'former' | 'record',
  values: readonly string[],
): Awaitable<readonly Account[]> {
  return listInternal(store, ACCOUNTS, key, values);
}

/** Saves changes to an account, or creates it. */
export async function keepAccount(store: Store, account: Account): Promise<Account> {
  await keepInternal(store, ACCOUNTS, account);
  return account;
}

/** Salted with the subject, so that saved states are reproducible and hide both passwords and who shares one. */
export function passwordHash(subject: string, password: string): string {
  let hash = password;
  for (let round = 0; round < ROUNDS; round++) hash = digest(`paddock ${subject} `, hash);
  return hash;
}

/** Makes guessing a password from its hash a thousand times slower. */
const ROUNDS = 1000;

/** An account known only by its token: a client program, or an account that was lost. */
export function nobodyKnown(subject: string): Account {
  return { subject, identities: [], members: {} };
}

/** The credentials in a body, or in another part of the request. */
export function credentialsIn({ sent, identities, password }: AccountOperation, body: unknown) {
  const record = valueAt(body, sent);
  const members: Data = isRecord(record) ? record : {};
  const named = identities.flatMap((name) => (typeof members[name] === 'string' ? [members[name]] : []));
  const secret = password === undefined ? undefined : members[password];
  return { members, identities: named, password: typeof secret === 'string' ? secret : undefined };
}

/** The authenticated account of a request. */
export interface Sender {
  readonly account: Account;
  readonly holder: Holder;
  /** The account of an API key, where no operation logs in. */
  readonly isKey?: true;
}

/** Keys and client programs, about which nothing is known, may do everything. */
export const mayDoAll = ({ account, isKey }: Sender): boolean => isKey || account.identities.length === 0;

/** Finds the sender of an operation's requests. */
export interface Senders {
  /** All credentials in the request. */
  tokensOf(request: MockRequest): readonly string[];
  /** Undefined: the request has no token, or a key. `revoked`: the token's account was removed, or has logged out. */
  senderOf(request: MockRequest, store: Store, at: number): Awaitable<Sender | 'revoked' | undefined>;
}

const KEY_HOLDER = 'paddock';

/** The credential that clients send after a login, unless the document describes another (RFC 6750 §2.1). */
const BEARER = { in: 'header', name: 'authorization' } as const;

interface SendersContext {
  readonly contract: Contract;
  readonly credentials: Requirement;
  readonly keys: Pick<Keys, 'apiKeys'>;
  readonly tokens: Tokens;
  readonly cookie: SessionCookie | undefined;
  readonly profiles: {
    whole(store: Store, account: Account): Awaitable<Account | undefined>;
  };
}

export function compileSenders({ security }: Operation, context: SendersContext): Senders {
  const { contract, keys, tokens, cookie, profiles } = context;
  // On public operations, logged-in clients may still send their token.
  const asking = security.length > 0 ? security.flat() : context.credentials;
  const named = [...asking, ...(cookie ? [cookie] : [])];
  const credentials = named.length > 0 ? named : [BEARER];
  const isKey = standsForAccount(contract) ? compileKeyCheck(keys.apiKeys) : undefined;
  const tokensOf = (request: MockRequest) => credentials.map((credential) => tokenIn(credential, request));
  return {
    tokensOf,
    senderOf(request, store, at) {
      for (const token of tokensOf(request)) {
        const issued = tokens.holderOf(token, at);
        const holder = issued ?? (isKey?.(token) ? { subject: KEY_HOLDER } : undefined);
        if (!holder) continue;
        const about = issued ? { holder } : { holder, isKey: true as const };
        return andThen(accountOf(store, holder.subject), (stored) => {
          if (!stored) return { account: nobodyKnown(holder.subject), ...about };
          if (stored.revoked?.includes(signatureOf(token))) return 'revoked' as const;
          return andThen(profiles.whole(store, stored), (account) =>
            account ? { account, ...about } : 'revoked',
          );
        });
      }
      return undefined;
    },
  };
}

/** Whether the document has a current account but no login: another service provides it, and a key stands for an account. */
const standsForAccount = oncePer(({ operations }: Pick<Contract, 'operations'>): boolean => {
  const roles = new Set(operations.map((operation) => accountOperation(operation)?.role));
  return roles.has('current') && !roles.has('login') && !roles.has('grant');
});
