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

/** What everybody logs in with who has not registered, as long as the mock takes the built-in key. */
export const BUILT_IN_PASSWORD = 'paddock-dev-password';

/** Whom a mock lets in who has not registered. */
export interface Logins {
  readonly takesAnybody: boolean;
  /** That of everybody else. Undefined: keys of the user's own open the mock, and what everybody knows does not. */
  readonly password: string | undefined;
  /** The operations that let in who has registered, and nobody else. */
  readonly registered: ReadonlySet<Operation>;
}

/** Somebody who can log in. */
export interface Account {
  /** What its tokens name: the first identity that it had. It stays, whatever the account is called later. */
  readonly subject: string;
  /** All that it logs in with: a name, an e-mail address. */
  readonly identities: readonly string[];
  /** Identities that it had before. */
  readonly former?: readonly string[];
  /** What responses show of it. */
  readonly members: Data;
  /** As `passwordHash` makes it. Undefined: it logs in with what everybody has who has not registered. */
  readonly password?: string;
  /** The records that show it, by the names of their collections. */
  readonly records?: Readonly<Record<string, Id>>;
  /** It was removed: its tokens are good for nothing, and its names are free. */
  readonly isGone?: boolean;
  /** The signatures of tokens with which it has logged out. */
  readonly revoked?: readonly string[];
}

/** Accounts are records as all others: they survive with the store, and are saved and reset with it. */
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

/** The accounts with one of these values: identities, former ones, or records. */
export function accountsWith(
  store: Store,
  key: 'identity' | 'former' | 'record',
  values: readonly string[],
): Awaitable<readonly Account[]> {
  return listInternal(store, ACCOUNTS, key, values);
}

/** Keeps what is new of an account; one that is not there yet is made. */
export async function keepAccount(store: Store, account: Account): Promise<Account> {
  await keepInternal(store, ACCOUNTS, account);
  return account;
}

/** Salted with the subject, so that a saved state is the same each time and shows neither a password nor who shares one. */
export function passwordHash(subject: string, password: string): string {
  let hash = password;
  for (let round = 0; round < ROUNDS; round++) hash = digest(`paddock ${subject} `, hash);
  return hash;
}

/** Who has the hash has to try a thousand times as long. */
const ROUNDS = 1000;

/** Of whom nothing but a token is known: a program, or an account that was forgotten. */
export function nobodyKnown(subject: string): Account {
  return { subject, identities: [], members: {} };
}

/** The credentials in a body, or in what else a request has in its place. */
export function credentialsIn({ sent, identities, password }: AccountOperation, body: unknown) {
  const record = valueAt(body, sent);
  const members: Data = isRecord(record) ? record : {};
  const named = identities.flatMap((name) => (typeof members[name] === 'string' ? [members[name]] : []));
  const secret = password === undefined ? undefined : members[password];
  return { members, identities: named, password: typeof secret === 'string' ? secret : undefined };
}

/** Who has sent a request with a token of theirs. */
export interface Sender {
  readonly account: Account;
  readonly holder: Holder;
  /** It is the account for which a key stands where nothing logs in. */
  readonly isKey?: true;
}

/** Keys may do everything, and so may programs, of which nothing is known. */
export const mayDoAll = ({ account, isKey }: Sender): boolean => isKey || account.identities.length === 0;

/** Who has sent the requests of one operation. */
export interface Senders {
  /** All that a request has for a credential. */
  tokensOf(request: MockRequest): readonly string[];
  /** Undefined: the request bears no token, or a key. `revoked`: its account is gone, or has logged out with it. */
  senderOf(request: MockRequest, store: Store, at: number): Awaitable<Sender | 'revoked' | undefined>;
}

const KEY_HOLDER = 'paddock';

/** What clients of a login send where the document says nothing of it (RFC 6750 §2.1). */
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
  // Where everybody may ask, clients that are logged in send their token all the same.
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
        return andThen(accountOf(store, holder.subject), (known) => {
          if (!known) return { account: nobodyKnown(holder.subject), ...about };
          if (known.revoked?.includes(signatureOf(token))) return 'revoked' as const;
          return andThen(profiles.whole(store, known), (account) =>
            account ? { account, ...about } : 'revoked',
          );
        });
      }
      return undefined;
    },
  };
}

/** Whether the document shows who one is, and nothing logs in: another service does, and who has a key is somebody. */
const standsForAccount = oncePer(({ operations }: Pick<Contract, 'operations'>): boolean => {
  const roles = new Set(operations.map((one) => accountOperation(one)?.role));
  return roles.has('current') && !roles.has('login') && !roles.has('grant');
});
