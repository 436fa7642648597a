import { fromBase64 } from '#platform';
import {
  type AccountOperation,
  accountOperation,
  type Data,
  foldedName,
  idIn,
  isOfForm,
  isRecord,
  type Operation,
  ownEntry,
  parseJson,
  refusedAs,
  type Shape,
  shapeAt,
  uniqueKeys,
  valueAt,
  withValueAt,
} from '#spec';
import type { MockRequest } from '../../http/exchange.ts';
import { isRefusal, type Outcome, type Refusal } from '../../http/refusal.ts';
import { signatureOf } from '../../http/tokens.ts';
import type { Id, Store } from '../../store/port.ts';
import { type Account, accountOf, credentialsIn, keepAccount, nobodyKnown } from '../accounts.ts';
import type { RecordCollection } from '../collection.ts';
import { keepsUnnamed, namedMembers } from '../forms.ts';
import type { Run, Task } from './action.ts';
import { type AccountContext, type Found, logIn, newAccount, refusalOf, withoutSecrets } from './log-in.ts';
import { compileShowAccount, placeOfAccount } from './show-account.ts';

/**
 * Registers accounts, logs them in and shows the account of a token. Undefined: the operation has nothing to do with
 * accounts.
 */
export function compileAccount(context: AccountContext): Run | undefined {
  const meaning = accountOperation(context.operation);
  if (!meaning) return undefined;
  const show = compileShowAccount(context, meaning);
  const { profiles, operation, collection } = context;
  const isRemoved = meaning.role === 'current' && operation.method === 'DELETE';
  const creates = createsAccounts(context, meaning);
  return async (task, next) => {
    const { store, time } = task;
    const result = await ROLES[meaning.role](context, meaning, task);
    if (result !== undefined && 'refuse' in result) return result;
    let kept: Data | undefined;
    // An operation on the current account reads and changes the account's record, not a shared one.
    const innerTask =
      result?.account && meaning.role === 'current' && collection && !collection.resource.id
        ? ofAccount(context, collection, task, result.account, (members) => {
            kept = members;
          })
        : task;
    const outcome: Outcome = await next(innerTask);
    if (isRefusal(outcome)) return outcome;
    if (meaning.role === 'logout') {
      await revoke(context, sentTokenIn(meaning, task), task);
      return show(outcome, task, undefined);
    }
    if (!result) return show(outcome, task, result);
    if (result.draft) {
      const created = creates && outcome.version !== undefined ? idOf(creates, outcome.version) : undefined;
      const records = creates && created !== undefined ? { [creates.name]: created } : {};
      const account = await profiles.make(store, { ...result.draft, records }, time);
      return show(outcome, task, { ...result, account, draft: undefined });
    }
    const { account, changes } = result;
    if (isRemoved) await profiles.remove(store, account);
    if (isRemoved || !changes) return show(outcome, task, isRemoved ? undefined : result);
    const members = withoutSecrets(changedMembers(account, changes.members, kept, meaning));
    const changed = await profiles.change(store, account, members, changes.password);
    return show(outcome, task, { ...result, account: changed });
  };
}

/**
 * An account's members after a request: those that the request names as they were stored; all, where it names none (JSON
 * Patch).
 */
function changedMembers(
  { members }: Account,
  sent: Data,
  kept: Data | undefined,
  { identities }: AccountOperation,
): Data {
  if (!kept) return { ...members, ...sent };
  if (Object.keys(sent).length === 0) return { ...members, ...kept };
  const changed = Object.keys(sent).map((name) => {
    return [name, kept[name] ?? (identities.includes(name) ? sent[name] : undefined)] as const;
  });
  const all = { ...members, ...Object.fromEntries(changed) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The collection in which registering creates the account's record. */
function createsAccounts(
  { collection, operation }: Pick<AccountContext, 'collection' | 'operation'>,
  { role }: AccountOperation,
): RecordCollection | undefined {
  const isCreate = role === 'register' && collection?.resource.actions.create === operation;
  return isCreate ? collection : undefined;
}

const idOf = ({ resource: { id } }: RecordCollection, text: string): Id | undefined =>
  id && (idIn(id, parseJson(text) as Data) as Id | undefined);

/** A task whose store has the account as the one record of a collection. */
function ofAccount(
  { operation, seeds }: AccountContext,
  collection: RecordCollection,
  task: Task,
  { subject, members, records }: Account,
  keep: (members: Data) => void,
): Task {
  const { store } = task;
  const { resource, name } = collection;
  const path = placeOfAccount(resource.shape);
  const seeded = seeds.record(resource, subject);
  // An account with a record in a collection keeps optional members there, so here they are not made up.
  const whole = withValueAt(seeded, path, (made) => ({
    ...(!records && isRecord(made) && made),
    ...members,
  })) as Data;
  const onlyNamed = compileOnlyNamed(resource.shape, path);
  let entry = collection.complete(operation.path, {
    id: operation.path,
    members: onlyNamed(whole),
    scope: [],
  });
  return {
    ...task,
    store: {
      ...store,
      read: (one, ...of) => (one.name === name ? entry.text : store.read(one, ...of)),
      create: (one, input) => (one.name === name ? 'taken' : store.create(one, input)),
      remove: (one, ...how) => one.name === name || store.remove(one, ...how),
      change(one, id, where, edit, allows) {
        if (one.name !== name) return store.change(one, id, where, edit, allows);
        const edited = edit(entry.text);
        entry = collection.complete(id, { ...edited, members: onlyNamed(edited.members) });
        const profile = valueAt(parseJson(entry.text), path);
        keep(isRecord(profile) ? profile : {});
        return entry.text;
      },
    },
  };
}

/** Leaves out members that the schema does not name, such as a new password or a flag of the profile. */
function compileOnlyNamed(record: Shape, path: readonly string[]): (members: Data) => Data {
  const shape = shapeAt(record, path);
  if (!shape || keepsUnnamed(shape)) return (members) => members;
  const named = namedMembers(shape);
  const isNamed = ([name]: [string, unknown]) => named.has(name);
  return (members) =>
    withValueAt(members, path, (one) =>
      isRecord(one) ? Object.fromEntries(Object.entries(one).filter(isNamed)) : one,
    ) as Data;
}

/**
 * Notes that the token of a request, and the refresh token in its body, were logged out; those of an unknown account for an
 * account of its own.
 */
async function revoke(
  { senders, tokens }: AccountContext,
  sent: string | undefined,
  { request, store, sender, time }: Task,
): Promise<void> {
  const holder = sent === undefined ? undefined : tokens.holderOf(sent, time(), 'refresh');
  const subject = sender ? sender.account.subject : holder?.subject;
  if (sender?.isKey || subject === undefined) return;
  const account = (await accountOf(store, subject)) ?? sender?.account ?? nobodyKnown(subject);
  const signatures = [...senders.tokensOf(request), sent ?? '']
    .filter((token) => token !== '')
    .map(signatureOf);
  const revoked = [...(account.revoked ?? []), ...signatures].slice(-MOST_REVOKED);
  await keepAccount(store, { ...account, revoked });
}

/** Per account; older tokens have mostly expired. */
const MOST_REVOKED = 100;

/** Finds the account that a request is about. Undefined: it is about none, and the operation responds as usual. */
type FindAccount = (
  context: AccountContext,
  meaning: AccountOperation,
  task: Task,
) => Promise<Found | Refusal | undefined>;

const ROLES: Readonly<Record<AccountOperation['role'], FindAccount>> = {
  async register(context, meaning, { values, store }) {
    const { profiles, accountRoles } = context;
    const credentials = credentialsIn(meaning, values.body);
    const { identities, password } = credentials;
    if (identities.length === 0 || password === undefined) return undefined;
    const conflict = await refuseTaken(context, meaning, store, values.body);
    if (conflict) return conflict;
    const draft = newAccount(accountRoles, credentials);
    // Without a documented status for it, names need not be unique: the newest registration has the name.
    if (createsAccounts(context, meaning)) return { draft };
    const account = await profiles.find(store, identities);
    if (!account) return { draft };
    return { account, changes: { members: draft.members, password } };
  },

  async login(context, meaning, { values, request, store }) {
    const sent = values.body ?? values.parameters.query;
    // The request's own credential was valid already, or another service has confirmed it.
    if (meaning.password === undefined) {
      const [named] = credentialsIn(meaning, sent).identities;
      return trusted(context, store, named ?? basicUser(request));
    }
    const login = await logIn(context, meaning, store, credentialsIn(meaning, sent));
    return login ?? refusalOf(context.operation, meaning);
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
      const login = await logIn(context, meaning, store, { members, identities, password });
      return login ? { ...login, scope } : refusalOf(context.operation, meaning);
    }
    // Only the service knows its clients, codes and assertions: any is accepted. A client program has no account.
    if (type !== 'client_credentials')
      return { ...(await trusted(context, store, of.code ?? of.clientid)), scope };
    return { account: nobodyKnown(of.clientid ?? type), scope, isClient: true };
  },

  async refresh(context, meaning, task) {
    const sent = sentTokenIn(meaning, task);
    if (sent !== undefined) return refreshed(context, meaning, task, sent, undefined);
    return foundOf(task);
  },

  logout: async () => undefined,

  async current(context, meaning, task) {
    const { operation } = context;
    const current = foundOf(task);
    const isOpen = operation.security.length === 0 && operation.responses.some(({ key }) => key === '401');
    if (!current && isOpen) return refusalOf(operation, meaning);
    if (!current || operation.method === 'GET' || operation.method === 'DELETE') return current;
    const { body } = task.values;
    const conflict = await refuseTaken(context, meaning, task.store, body, current.account);
    if (conflict) return conflict;
    const { members, password } = credentialsIn(meaning, body);
    // Forms send an empty field to keep the password; an empty password would make logging in impossible.
    return { ...current, changes: { members, password: password || undefined } };
  },
};

/** The token in a body. */
function sentTokenIn({ sentToken }: AccountOperation, { values: { body } }: Task): string | undefined {
  const sent = sentToken !== undefined && isRecord(body) ? body[sentToken] : undefined;
  return typeof sent === 'string' ? sent : undefined;
}

/** Refuses the name of another account, where the document says that names are unique. */
async function refuseTaken(
  { operation, profiles, collection }: AccountContext,
  meaning: AccountOperation,
  store: Store,
  body: unknown,
  current?: Account,
): Promise<Refusal | undefined> {
  // The operation may belong to no collection.
  const documented = operation.said.facts.unique?.map(({ members }) => members);
  if (!documented && !operation.responses.some(saysTaken)) return undefined;
  // Where the document says which members are unique, others may repeat.
  const promised = (collection ? uniqueKeys(collection.resource) : []).flatMap((key) =>
    key.certainty === 'promised' ? [key.properties] : [],
  );
  const unique = new Set((documented ?? promised).flatMap((key) => (key.length === 1 ? key : [])));
  const named = meaning.identities.filter((name) => unique.has(name));
  const { identities } = credentialsIn(named.length > 0 ? { ...meaning, identities: named } : meaning, body);
  const wanted = identities.filter((identity) => !current?.identities.includes(identity));
  if (wanted.length === 0 || !(await profiles.find(store, wanted))) return undefined;
  return { refuse: 'conflict', message: `An account of ${wanted.join(' or ')} exists` };
}

/** Whether a response can mean that a name is taken. */
const saysTaken = (response: Operation['responses'][number]): boolean =>
  response.key === '409' || (response.key === '422' && !isOfForm(response));

/** An account without a password check. */
async function trusted({ profiles }: AccountContext, store: Store, subject = 'somebody'): Promise<Found> {
  const identities = [subject];
  const account = await profiles.find(store, identities);
  return account ? { account } : { draft: { identities, members: {}, password: undefined } };
}

/** The user of HTTP Basic credentials (RFC 7617 §2). */
function basicUser({ headers }: MockRequest): string | undefined {
  const [, pair] = /^basic +(\S+)$/i.exec(String(headers.authorization ?? '')) ?? [];
  return (pair && fromBase64(pair).split(':')[0]) || undefined;
}

function foundOf({ sender }: Task): Found | undefined {
  return sender && { account: sender.account, scope: sender.holder.scope };
}

/** The account of a refresh token. A request may narrow its scope (RFC 6749 §6). */
async function refreshed(
  { operation, tokens, logins, profiles }: AccountContext,
  meaning: AccountOperation,
  { store, time }: Task,
  token: string | undefined,
  less: string | undefined,
): Promise<Found | Refusal | undefined> {
  const now = time();
  const holder =
    token === undefined ? undefined : (tokens.holderOf(token, now, 'refresh') ?? tokens.holderOf(token, now));
  const { subject, scope } = holder ?? { subject: 'somebody' };
  const storedAccount = await accountOf(store, subject);
  const account = storedAccount && (await profiles.whole(store, storedAccount));
  const isRevoked = storedAccount && (!account || storedAccount.revoked?.includes(signatureOf(token ?? '')));
  const isRefused = refusedAs(operation, meaning.role === 'grant') !== undefined;
  if ((!holder || isRevoked) && !logins.takesAnybody && isRefused) return refusalOf(operation, meaning);
  const about = { scope: less ?? scope };
  if (account) return { ...about, account };
  return { ...about, draft: { identities: [subject], members: {}, password: undefined } };
}

/** The members of a token request by folded name (RFC 6749 §4); a client's id also from HTTP Basic (§2.3.1). */
function grantIn(sent: Data, request: MockRequest) {
  const texts = Object.entries(sent).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[foldedName(name), value] as const] : [],
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
