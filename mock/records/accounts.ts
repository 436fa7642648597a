import { type AccountOperation, isRecord, type Operation, type SessionCookie, valueAt } from '#spec';
import { tokenIn } from '../http/authenticate.ts';
import type { MockRequest } from '../http/exchange.ts';
import type { Holder, Tokens } from '../http/tokens.ts';
import type { Store } from '../store/port.ts';

type Data = Readonly<Record<string, unknown>>;

/** What everybody logs in with who has not registered, as long as the mock takes the built-in key. */
export const BUILT_IN_PASSWORD = 'paddock-dev-password';

/** Whom a mock lets in who has not registered. */
export interface Logins {
  readonly takesAnybody: boolean;
  /** That of everybody else. Undefined: keys of the user's own open the mock, and what everybody knows does not. */
  readonly password: string | undefined;
}

/** Somebody who can log in. */
export interface Account {
  /** The identity that its tokens name. */
  readonly subject: string;
  /** All that it logs in with: a name, an e-mail address. */
  readonly identities: readonly string[];
  /** What responses show of it. */
  readonly members: Data;
  /** Undefined: nobody can log in with it. */
  readonly password: string | undefined;
}

/** The accounts of one store: they live as long as the mock, or until its session is reset. */
export interface Accounts {
  /** The account with one of these identities. */
  find(identities: readonly string[]): Account | undefined;
  put(account: Account): Account;
}

/** Of one store; the oldest go. */
const MOST = 10_000;

const books = new WeakMap<Store, Accounts>();

export function accountsOf(store: Store): Accounts {
  const known = books.get(store) ?? createAccounts();
  books.set(store, known);
  return known;
}

function createAccounts(): Accounts {
  const accounts = new Map<string, Account>();
  return {
    find: (identities) =>
      [...accounts.values()].find((account) => identities.some((one) => account.identities.includes(one))),
    put(account) {
      accounts.set(account.subject, account);
      const [oldest] = accounts.keys();
      if (accounts.size > MOST && oldest !== undefined) accounts.delete(oldest);
      return account;
    },
  };
}

/** Nobody can log in any more with what was registered. */
export function forgetAccounts(store: Store): void {
  books.delete(store);
}

/** Of whom nothing but a token is known: a program, or an account that was forgotten. */
export function nobodyKnown(subject: string): Account {
  return { subject, identities: [], members: {}, password: undefined };
}

/** The credentials in a body, or in what else a request has in its place. */
export function credentialsIn({ sent, identities, password }: AccountOperation, body: unknown) {
  const record = valueAt(body, sent);
  const members: Data = isRecord(record) ? record : {};
  const named = identities.flatMap((name) => (typeof members[name] === 'string' ? [members[name]] : []));
  const secret = password === undefined ? undefined : members[password];
  return { members, identities: named, password: typeof secret === 'string' ? secret : undefined };
}

/** A request with what tells who has sent it, and whether that is over. */
interface Sent {
  readonly request: MockRequest;
  readonly store: Store;
  readonly time: () => number;
}

/** Who has sent the requests of one operation. */
export interface Senders {
  /** All that a request has for a credential. */
  tokensOf(task: Sent): readonly string[];
  /** Whom the token was given to. Undefined: the request bears none, or a key. */
  holderOf(task: Sent): Holder | undefined;
  accountOf(task: Sent): Account | undefined;
}

export function compileSenders(
  { security }: Operation,
  tokens: Tokens,
  cookie: SessionCookie | undefined,
): Senders {
  const credentials = [...security.flat(), ...(cookie ? [cookie] : [])];
  const sentIn = ({ request }: Sent) => credentials.map((credential) => tokenIn(credential, request));

  function holderOf(task: Sent): Holder | undefined {
    for (const token of sentIn(task)) {
      const holder = tokens.holderOf(token, task.time());
      if (holder) return holder;
    }
    return undefined;
  }
  return {
    tokensOf: sentIn,
    holderOf,
    accountOf(task) {
      const holder = holderOf(task);
      return holder && (accountsOf(task.store).find([holder.subject]) ?? nobodyKnown(holder.subject));
    },
  };
}
