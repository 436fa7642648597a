import { type AccountOperation, isRecord, type Operation, valueAt } from '#spec';
import { tokenIn } from '../http/authenticate.ts';
import type { MockRequest } from '../http/exchange.ts';
import type { Tokens } from '../http/tokens.ts';
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

/** The accounts of one store: they live as long as the mock. */
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

/** The credentials in a body. */
export function credentialsIn({ sent, identities, password }: AccountOperation, body: unknown) {
  const record = valueAt(body, sent);
  const members: Data = isRecord(record) ? record : {};
  const named = identities.flatMap((name) => (typeof members[name] === 'string' ? [members[name]] : []));
  const secret = password === undefined ? undefined : members[password];
  return { members, identities: named, password: typeof secret === 'string' ? secret : undefined };
}

/** The account whose token a request bears. Undefined: it bears none, or a key. */
export function subjectIn({ security }: Operation, request: MockRequest, tokens: Tokens): string | undefined {
  for (const credential of security.flat()) {
    const subject = tokens.subjectOf(tokenIn(credential, request));
    if (subject !== undefined) return subject;
  }
  return undefined;
}

/** Who has sent a request. */
export function accountIn(
  operation: Operation,
  request: MockRequest,
  store: Store,
  tokens: Tokens,
): Account | undefined {
  const subject = subjectIn(operation, request, tokens);
  return subject === undefined ? undefined : accountsOf(store).find([subject]);
}

/** The token itself. */
export function tokenOf({ security }: Operation, request: MockRequest): string | undefined {
  return security
    .flat()
    .map((credential) => tokenIn(credential, request))
    .find((token) => token !== '');
}
