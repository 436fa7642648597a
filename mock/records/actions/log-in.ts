import {
  type AccountOperation,
  isIdentity,
  type Operation,
  parseJson,
  type SessionCookie,
  textAt,
} from '#spec';
import type { Refusal } from '../../http/refusal.ts';
import type { Tokens } from '../../http/tokens.ts';
import type { Store } from '../../store/port.ts';
import { type Account, accountsOf, type credentialsIn, type Logins, type Senders } from '../accounts.ts';
import type { RecordCollection } from '../collection.ts';
import { type Standing, USERS } from '../standing.ts';
import type { ActionContext } from './action.ts';

type Data = Readonly<Record<string, unknown>>;

export interface AccountContext extends Omit<ActionContext, 'collection'> {
  readonly tokens: Tokens;
  readonly logins: Logins;
  readonly senders: Senders;
  readonly standing: Standing;
  /** Undefined: the document knows of no cookie of a login. */
  readonly cookie: SessionCookie | undefined;
  /** Its responses are made up, and show nothing of what a request says. */
  readonly isSampled: boolean;
}

/** The account that a request is about. */
export interface Found {
  readonly account: Account;
  /** What its tokens are good for. Undefined: for all. */
  readonly scope?: string | undefined;
  /** A program that acts for itself asks again instead of refreshing (RFC 6749 §4.4.3). */
  readonly isClient?: boolean;
}

export type Credentials = ReturnType<typeof credentialsIn>;

/**
 * The account that credentials are of: one that was registered, a record of somebody, or somebody else with the password that
 * everybody has. Undefined: they are wrong, and the document has a refusal for that.
 */
export async function logIn(
  context: AccountContext,
  meaning: AccountOperation,
  store: Store,
  { members, identities, password }: Credentials,
): Promise<Account | undefined> {
  const known = await findAccount(context, store, identities);
  const isRight = password !== undefined && password === (known ? known.password : context.logins.password);
  if (!isRight && !context.logins.takesAnybody && refusalOf(context.operation, meaning)) return undefined;
  return known ?? newAccount(context, meaning, store, { members, identities, password });
}

export async function findAccount(
  { collections, logins }: AccountContext,
  store: Store,
  identities: readonly string[],
): Promise<Account | undefined> {
  const known = accountsOf(store).find(identities);
  const [subject] = identities;
  if (known || subject === undefined) return known;
  for (const collection of collections.values()) {
    if (!USERS.test(collection.resource.path)) continue;
    const members = await recordOf(collection, store, identities);
    if (members) return accountsOf(store).put({ subject, identities, members, password: logins.password });
  }
  return undefined;
}

async function recordOf(
  collection: RecordCollection,
  store: Store,
  identities: readonly string[],
): Promise<Data | undefined> {
  const own = [...collection.resource.shape.properties.keys()].filter(isIdentity);
  if (own.length === 0) return undefined;
  const { text } = await store.list(collection, { where: [], offset: 0, limit: Number.POSITIVE_INFINITY });
  const records = parseJson(text) as Data[];
  return records.find((record) => own.some((name) => identities.includes(String(record[name]))));
}

export function newAccount(
  { standing }: AccountContext,
  meaning: AccountOperation,
  store: Store,
  { members, identities, password }: Credentials,
): Account {
  const [subject = ''] = identities;
  const email = identities.find((one) => one.includes('@'));
  const own = { ...(email !== undefined && { email }), ...standing.initialOf(identities) };
  return accountsOf(store).put({
    ...{ subject, identities, password },
    members: { ...own, ...withoutSecret(meaning, members) },
  });
}

export function withoutSecret({ password }: AccountOperation, members: Data): Data {
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== password));
}

/** Undefined: the document knows no refusal of wrong credentials, and everybody is let in. */
export function refusalOf({ responses }: Operation, { role }: AccountOperation): Refusal | undefined {
  const isGrant = role === 'grant';
  const preferred = isGrant ? [400, 401, 403] : [401, 403, 400, 422];
  const documented = preferred.flatMap((status) => {
    const response = responses.find(({ key }) => key === String(status));
    return response ? [{ status, text: textAt(response.spot, 'description') ?? '' }] : [];
  });
  const named = documented.find(({ text }) => WRONG.test(text));
  // By what RFC 6749 §5.2 and RFC 9110 §15.5.2 have for it.
  const usual = documented.find(({ status }) => status === 401 || (isGrant && status === 400));
  const isOther = ({ key, content }: Operation['responses'][number]) =>
    key === '4XX' || (key === 'default' && content.length > 0 && responses.some((one) => /^2/.test(one.key)));
  const other = responses.some(isOther) ? { status: isGrant ? 400 : 401 } : undefined;
  const { status } = named ?? usual ?? other ?? {};
  if (status === undefined) return undefined;
  return {
    refuse: isGrant && status === 400 ? 'invalid grant' : 'unauthorized',
    status,
    message: MESSAGES[role] ?? '',
  };
}

const WRONG =
  /\b(?:wrong|invalid|incorrect|bad|expired|unknown|not match)\b[^.]*\b(?:passwords?(?! model| format)|credentials?|grant|(?:refresh )?token)\b/i;

const MESSAGES: Readonly<Partial<Record<AccountOperation['role'], string>>> = {
  login: 'No account has this name and this password',
  grant: 'No account has this name and this password, or this refresh token',
  refresh: 'No account has this refresh token',
};
