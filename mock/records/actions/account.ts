import { fromBase64 } from '#platform';
import { type AccountOperation, isRecord, type Operation, ownEntry, plainName } from '#spec';
import type { MockRequest } from '../../http/exchange.ts';
import { isRefusal, type Outcome, type Refusal } from '../../http/refusal.ts';
import type { Store } from '../../store/port.ts';
import { accountsOf, credentialsIn, nobodyKnown } from '../accounts.ts';
import type { Act, Task } from './action.ts';
import {
  type AccountContext,
  type Found,
  findAccount,
  logIn,
  newAccount,
  refusalOf,
  withoutSecret,
} from './log-in.ts';
import { compileShowAccount } from './show-account.ts';

/** Lets an operation know accounts: who registers can log in, and is who its token names. */
export function compileAccount(context: AccountContext, meaning: AccountOperation, act: Act): Act {
  const show = compileShowAccount(context, meaning);
  return async (task) => {
    const found = await ROLES[meaning.role](context, meaning, task);
    if (found !== undefined && 'refuse' in found) return found;
    const outcome: Outcome = await act(task);
    if (isRefusal(outcome)) return outcome;
    if (meaning.role === 'logout')
      for (const token of context.senders.tokensOf(task)) context.tokens.giveBack(token);
    return show(outcome, task, found);
  };
}

/** Undefined: it is about no account, and the operation responds as any other. */
type FindAccount = (
  context: AccountContext,
  meaning: AccountOperation,
  task: Task,
) => Promise<Found | Refusal | undefined>;

const ROLES: Readonly<Record<AccountOperation['role'], FindAccount>> = {
  async register(context, meaning, { values, store }) {
    const credentials = credentialsIn(meaning, values.body);
    const { identities, password } = credentials;
    if (identities.length === 0 || password === undefined) return undefined;
    // Where no status says so, names need not be unique: who comes later has the name.
    const taken = context.operation.responses.find(saysTaken);
    const unique = taken && credentialsIn(withUnique(meaning, taken), values.body).identities;
    if (unique && (await findAccount(context, store, unique)))
      return { refuse: 'conflict', message: `An account of ${identities.join(' or ')} exists` };
    return { account: newAccount(context, meaning, store, credentials) };
  },

  async login(context, meaning, { values, request, store }) {
    // The credential of the request was right.
    if (meaning.password === undefined) return trusted(context, meaning, store, basicUser(request));
    const account = await logIn(context, meaning, store, credentialsIn(meaning, values.body));
    return account ? { account } : refusalOf(context.operation, meaning);
  },

  async grant(context, meaning, task) {
    const { values, request, store } = task;
    const sent = { ...values.parameters.query, ...(isRecord(values.body) && values.body) };
    const of = grantIn(sent, request);
    const { type, scope } = of;
    if (type === 'refresh_token') return refreshed(context, meaning, task, of.refreshtoken, scope);
    if (type === 'password') {
      const { identities, password } = credentialsIn(meaning, sent);
      const members = Object.fromEntries(meaning.identities.map((name) => [name, ownEntry(sent, name)]));
      const account = await logIn(context, meaning, store, { members, identities, password });
      return account ? { account, scope } : refusalOf(context.operation, meaning);
    }
    // Nobody but the service knows its clients, codes and assertions: any is taken. A program is nobody's account.
    if (type !== 'client_credentials')
      return { ...trusted(context, meaning, store, of.code ?? of.clientid), scope };
    return { account: nobodyKnown(of.clientid ?? type), scope, isClient: true };
  },

  async refresh(context, meaning, task) {
    const { sentToken } = meaning;
    const { body } = task.values;
    const sent = sentToken !== undefined && isRecord(body) ? body[sentToken] : undefined;
    if (typeof sent === 'string') return refreshed(context, meaning, task, sent, undefined);
    return foundOf(context, task);
  },

  logout: async () => undefined,

  async current(context, meaning, task) {
    const found = foundOf(context, task);
    if (!found || context.operation.method === 'GET') return found;
    const { account } = found;
    const sent = credentialsIn(meaning, task.values.body);
    const { members, identities, password = account.password } = sent;
    const changed = accountsOf(task.store).put({
      ...account,
      ...(identities.length > 0 && { identities: [...new Set([...account.identities, ...identities])] }),
      members: { ...account.members, ...withoutSecret(meaning, members) },
      password,
    });
    return { account: changed };
  },
};

/** What a document may say of a name that somebody has. A 422 that FastAPI describes for every operation is about the form of requests alone. */
function saysTaken({ key, content }: Operation['responses'][number]): boolean {
  const details = content[0]?.shape?.properties.get('detail');
  return key === '409' || (key === '422' && !details?.items?.properties.has('loc'));
}

/** Those that tell accounts apart as the response says: "Username already exists" leaves mail addresses free. */
function withUnique(meaning: AccountOperation, { spot }: Operation['responses'][number]): AccountOperation {
  const text = isRecord(spot.value) ? plainName(String(spot.value.description ?? '')) : '';
  const named = meaning.identities.filter((name) => text.includes(plainName(name)));
  return named.length > 0 ? { ...meaning, identities: named } : meaning;
}

/** An account that needs no password here. */
function trusted(
  context: AccountContext,
  meaning: AccountOperation,
  store: Store,
  subject = 'somebody',
): Found {
  const identities = [subject];
  const known = accountsOf(store).find(identities);
  const credentials = { members: {}, identities, password: undefined };
  return { account: known ?? newAccount(context, meaning, store, credentials) };
}

/** RFC 7617 §2. */
function basicUser({ headers }: MockRequest): string | undefined {
  const [, pair] = /^basic +(\S+)$/i.exec(String(headers.authorization ?? '')) ?? [];
  return (pair && fromBase64(pair).split(':')[0]) || undefined;
}

function foundOf({ senders }: AccountContext, task: Task): Found | undefined {
  const holder = senders.holderOf(task);
  const account = senders.accountOf(task);
  return account && { account, scope: holder?.scope };
}

/** A refresh token may ask for less than it is good for (RFC 6749 §6). */
function refreshed(
  { operation, tokens, logins }: AccountContext,
  meaning: AccountOperation,
  task: Task,
  token: string | undefined,
  less: string | undefined,
): Found | Refusal | undefined {
  const now = task.time();
  const holder =
    token === undefined ? undefined : (tokens.holderOf(token, now, 'refresh') ?? tokens.holderOf(token, now));
  if (!holder && !logins.takesAnybody) {
    const refusal = refusalOf(operation, meaning);
    if (refusal) return refusal;
  }
  const { subject, scope } = holder ?? { subject: 'somebody' };
  const account =
    accountsOf(task.store).find([subject]) ??
    accountsOf(task.store).put({ subject, identities: [subject], members: {}, password: logins.password });
  return { account, scope: less ?? scope };
}

/** The members of a token request by their plain names (RFC 6749 §4), those of a client also from HTTP Basic (§2.3.1). */
function grantIn(sent: Readonly<Record<string, unknown>>, request: MockRequest) {
  const texts = Object.entries(sent).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[plainName(name), value] as const] : [],
  );
  const client = basicUser(request);
  const of: Readonly<Record<string, string | undefined>> = {
    ...(client && { clientid: client }),
    ...Object.fromEntries(texts),
  };
  const { granttype, refreshtoken, code, password, clientid, scope } = of;
  const suited = refreshtoken ? 'refresh_token' : code ? 'authorization_code' : undefined;
  const type = granttype ?? (password ? 'password' : (suited ?? 'client_credentials'));
  return { type, refreshtoken, code, clientid, scope };
}
