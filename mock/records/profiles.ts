import {
  accountOperation,
  answerShape,
  type Contract,
  type Data,
  type Further,
  fullyFits,
  holdsAccounts,
  idIn,
  isIdentity,
  isPassword,
  isRecord,
  memberShape,
  once,
  parseJson,
  type Resource,
  type Shape,
  saidOfCollection,
  schemaKey,
  stringifyJson,
} from '#spec';
import { type Awaitable, allOf, andThen } from '../http/exchange.ts';
import { isRefusal } from '../http/refusal.ts';
import { type Id, recordKey, recordsWhere, type Store } from '../store/port.ts';
import { type Account, accountOf, accountsWith, keepAccount, passwordHash } from './accounts.ts';
import type { ActionContext, ActionName, Run, Task } from './actions/action.ts';
import { compileInitial } from './actions/initial.ts';
import { namesIn, renewed } from './actions/made-by.ts';
import { isStored, type RecordCollection } from './collection.ts';
import { compileItemAddress } from './item.ts';
import { linksOf, MADE, moveLinks, removeRecord } from './links.ts';
import { idsOf, type RelationsOf } from './relations.ts';

export interface NewAccount extends Pick<Account, 'identities' | 'members'> {
  /** Undefined: it has no password of its own. */
  readonly password: string | undefined;
  /** Its existing records, by collection name. */
  readonly records?: Account['records'];
}

/** The records that show accounts, such as users and profiles: an account and its records stay equal. */
export interface Profiles {
  /** An account with its records' members. Undefined: it, or one of its records, was removed. */
  whole(store: Store, account: Account): Awaitable<Account | undefined>;
  find(store: Store, identities: readonly string[]): Promise<Account | undefined>;
  /** Creates an account, and its records if they are missing. */
  make(store: Store, draft: NewAccount, time: Task['time']): Promise<Account>;
  /** Saves an account's members, also to its records. */
  keep(store: Store, before: Account, members: Data): Promise<Account>;
  /** Saves them, and updates other records that show the account. */
  change(store: Store, before: Account, members: Data, password?: string): Promise<Account>;
  remove(store: Store, account: Account): Promise<void>;
  /** Compiles updating an account when its record changes. Undefined: no account has a record there. */
  compileFollow(context: ActionContext & { readonly action: ActionName }): Run | undefined;
}

interface ProfilesContext {
  readonly contract: Contract;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly relationsOf: RelationsOf;
}

/** A collection with records of accounts. */
interface Profile {
  readonly collection: RecordCollection;
  /** The members for logging in. */
  readonly names: readonly string[];
  /** The member that is both the record's id and a name of the account. */
  readonly idName: string | undefined;
  /** The account's members that the record can have. */
  readonly fitting: (members: Data) => Data;
  readonly initial: (task: Pick<Task, 'time'>) => Data;
}

export function compileProfiles({ contract, collections, relationsOf }: ProfilesContext): Profiles {
  const stored = [...collections.values()].filter(isStored);
  const profiles = once(() => profilesOf(contract, stored));
  const recordsOf = ({ records = {} }: Account) =>
    profiles().flatMap((profile) => {
      const id = records[profile.collection.name];
      return id === undefined ? [] : [{ ...profile, id }];
    });

  function whole(store: Store, account: Account): Awaitable<Account | undefined> {
    if (account.isGone) return undefined;
    const records = recordsOf(account);
    if (records.length === 0) return account;
    const texts = records.map(({ collection, id }) => store.read(collection, id, []));
    return andThen(allOf(texts), (all) => {
      if (all.includes(undefined)) return undefined;
      // A record's schema decides about its members: one that the record lacks, the account lacks, too.
      const others = Object.entries(account.members).filter(([name]) =>
        records.every(({ collection }) => !memberShape(collection.resource.shape, name)),
      );
      const parsed = all.map((text) => parseJson(String(text)) as Data);
      return renamed(account, Object.assign(Object.fromEntries(others), ...parsed));
    });
  }

  async function find(store: Store, identities: readonly string[]): Promise<Account | undefined> {
    if (identities.length === 0) return undefined;
    for (const stored of await accountsWith(store, 'identity', identities)) {
      const account = await whole(store, stored);
      if (account?.identities.some((one) => identities.includes(one))) return account;
    }
    for (const profile of profiles()) {
      const { collection } = profile;
      const record = await recordWith(profile, store, identities);
      if (!record) continue;
      const [id, members] = record;
      const linked = await accountsWith(store, 'record', [recordKey(collection.name, id)]);
      for (const stored of linked) {
        const account = await whole(store, stored);
        if (account) return account;
      }
      const names = Object.entries(members).flatMap(([name, value]) =>
        profile.names.includes(name) && typeof value === 'string' ? [value] : [],
      );
      const subject = await freeSubject(store, identities[0] ?? '');
      return keepAccount(store, {
        ...{ subject, members, identities: [...new Set([...names, ...identities])] },
        records: { [collection.name]: id },
      });
    }
    return undefined;
  }

  async function make(
    store: Store,
    { identities, members, password, records: created = {} }: NewAccount,
    time: Task['time'],
  ): Promise<Account> {
    const subject = await freeSubject(store, identities[0] ?? '');
    const records: Record<string, Id> = { ...created };
    for (const older of await accountsWith(store, 'identity', identities)) {
      const left = older.identities.filter((identity) => !identities.includes(identity));
      await keepAccount(store, { ...older, identities: left });
    }
    const isForOthers = ({ actions: { create } }: Resource) =>
      Object.keys(created).length > 0 && create && accountOperation(create)?.role === 'register';
    for (const profile of profiles().filter(({ collection }) => !isForOthers(collection.resource))) {
      const { collection, idName, fitting, initial } = profile;
      if (records[collection.name] !== undefined || collection.resource.parents.length > 0) continue;
      const [oldId] = (await recordWith(profile, store, identities)) ?? [];
      const ownMembers = fitting(members);
      const sentId = (idName === undefined ? undefined : ownMembers[idName]) as Id | undefined;
      const input = { id: sentId, members: { ...initial({ time }), ...ownMembers }, scope: [] };
      const made = oldId === undefined ? await store.create(collection, input) : undefined;
      const id = oldId ?? (made === 'taken' ? input.id : made?.id);
      if (id === undefined) continue;
      records[collection.name] = id;
      if (typeof made !== 'object') await moved(store, collection, id, id, ownMembers);
    }
    const hash = password === undefined ? {} : { password: passwordHash(subject, password) };
    const hasRecords = Object.keys(records).length > 0;
    const account: Account = { subject, identities, members, ...(hasRecords && { records }), ...hash };
    return keepAccount(store, (await whole(store, account)) ?? account);
  }

  async function keep(store: Store, before: Account, members: Data, password?: string): Promise<Account> {
    const records: Record<string, Id> = { ...before.records };
    const gone = Object.keys(before.members).filter((name) => members[name] === undefined);
    const removed = Object.fromEntries(gone.map((name) => [name, undefined]));
    for (const { collection, idName, fitting, id } of recordsOf(before)) {
      const ownMembers = { ...fitting(members), ...removed };
      const { [idName ?? '']: named } = ownMembers as Readonly<Record<string, Id | undefined>>;
      const next = idName === undefined ? id : (named ?? id);
      records[collection.name] = await moved(store, collection, id, next, ownMembers);
    }
    return keepAccount(store, {
      ...renamed(before, members),
      ...(before.records && { records }),
      ...(password !== undefined && { password: passwordHash(before.subject, password) }),
    });
  }

  /** Changes a record's members and id, with its links and nested records. Returns the id that it has then. */
  async function moved(
    store: Store,
    collection: RecordCollection,
    id: Id,
    next: Id,
    members: Data,
  ): Promise<Id> {
    const edit = (text: string, at: Id) => {
      const all = Object.entries({ ...(parseJson(text) as Data), ...members });
      return { id: at, members: Object.fromEntries(all.filter(([, one]) => one !== undefined)), scope: [] };
    };
    if (next === id) {
      await store.change(collection, id, [], (text) => edit(text, id));
      return id;
    }
    const text = await store.read(collection, id, []);
    if (text === undefined || (await store.read(collection, next, [])) !== undefined) return id;
    const isMade = (await store.create(collection, edit(text, next))) !== 'taken';
    await store.remove(collection, id, []);
    // The record conflicted with its old version, by another unique member.
    if (!isMade) await store.create(collection, edit(text, next));
    await moveLinks(store, collection.name, id, next);
    for (const { collection: below, where } of relationsOf(collection).owned) {
      for (const one of await idsOf(store, below, where(id)))
        await store.change(below, one, [], (old) => {
          return { id: one, members: parseJson(old) as Data, scope: where(next) };
        });
    }
    return next;
  }

  /** Updates the records that show an account. */
  async function renew(store: Store, before: Account, after: Account): Promise<void> {
    const changed = Object.fromEntries(
      Object.entries(after.members).filter(
        ([name, value]) => stringifyJson(value) !== stringifyJson(before.members[name] ?? null),
      ),
    );
    if (Object.keys(changed).length === 0) return;
    const links = await linksOf(store, before);
    const parts = [...before.identities, ...namesIn(before)].map((one) =>
      stringifyJson(one).replace(/^"|"$/g, ''),
    );
    for (const collection of stored) {
      const { entries } = await store.contents(collection);
      for (const { id, text } of entries) {
        if (!parts.some((part) => text.includes(part))) continue;
        const isMade = links.has({ collection: collection.name, id, flag: MADE });
        const next = (old: string) => renewed(parseJson(old) as Data, { before, changed, isMade });
        if (!next(text)) continue;
        await store.change(collection, id, [], (old) => {
          return { id, members: next(old) ?? (parseJson(old) as Data), scope: [] };
        });
      }
    }
  }

  /** A record created with a password becomes an account. */
  const compileMade =
    ({ collection, names }: Profile): Run =>
    async (task, next) => {
      const outcome = await next(task);
      const password = passwordIn(task.values.body);
      const { id } = collection.resource;
      if (isRefusal(outcome) || outcome.version === undefined || password === undefined || !id)
        return outcome;
      const members = parseJson(outcome.version) as Data;
      const identities = names.map((name) => members[name]).filter((one) => typeof one === 'string');
      const records = { [collection.name]: idIn(id, members) as Id };
      if (identities.length > 0)
        await make(task.store, { identities, members, password, records }, task.time);
      return outcome;
    };

  return {
    ...{ whole, find, make, keep },
    async change(store, before, members, password) {
      const after = await keep(store, before, members, password);
      await renew(store, before, after);
      return after;
    },
    async remove(store, account) {
      for (const { collection, id } of recordsOf(account)) {
        await removeRecord(store, collection, id, []);
        await relationsOf(collection).removeBelow?.(store, id);
      }
      const { subject, identities } = account;
      await keepAccount(store, { subject, identities: [], former: identities, members: {}, isGone: true });
    },
    compileFollow({ operation, collection, action }) {
      if (!FOLLOWED.has(action) || accountOperation(operation)) return undefined;
      const { name } = collection;
      const profile = profiles().find((one) => one.collection.name === name);
      if (profile && action === 'create') return compileMade(profile);
      const addressOf = profile && compileItemAddress(collection, operation);
      if (!addressOf) return undefined;
      return async (task, next) => {
        const { store, values } = task;
        const { id } = addressOf(values);
        const old = await store.read(collection, id, []);
        const [linked] = await accountsWith(store, 'record', [recordKey(name, id)]);
        const account = linked && (await whole(store, linked));
        const outcome = await next(task);
        const text = isRefusal(outcome) ? undefined : await store.read(collection, id, []);
        if (old === undefined || text === undefined) return outcome;
        const password = passwordIn(values.body);
        if (text === old && password === undefined) return outcome;
        const profile = parseJson(old) as Data;
        const before = account ?? { subject: '', identities: [], members: profile };
        const others = Object.entries(before.members).filter(([one]) => !Object.hasOwn(profile, one));
        const members = { ...Object.fromEntries(others), ...(parseJson(text) as Data) };
        const after = account ? await keep(store, account, members, password) : { ...before, members };
        await renew(store, before, after);
        return outcome;
      };
    },
  };
}

const FOLLOWED: ReadonlySet<ActionName> = new Set<ActionName>(['create', 'replace', 'update', 'action']);

/** An account with new members, whose identities follow. */
function renamed(account: Account, members: Data): Account {
  const identities = new Set(account.identities);
  const former = new Set(account.former);
  for (const [name, value] of Object.entries(members)) {
    const { [name]: old } = account.members;
    if (!isIdentity(name) || typeof value !== 'string' || value === old) continue;
    if (typeof old === 'string' && identities.delete(old)) former.add(old);
    identities.add(value);
  }
  for (const one of identities) former.delete(one);
  return {
    ...account,
    ...{ members, identities: [...identities] },
    ...(former.size > 0 && { former: [...former] }),
  };
}

/** A free subject: a renamed account keeps its subject, which may be another account's name by now. */
async function freeSubject(store: Store, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const subject = number === 1 ? wanted : `${wanted}-${number}`;
    if (!(await accountOf(store, subject))) return subject;
  }
}

async function recordWith(
  { collection, names }: Profile,
  store: Store,
  identities: readonly string[],
): Promise<[Id, Data] | undefined> {
  const { id } = collection.resource;
  const record = (await recordsWhere(store, collection, [])).find((one) =>
    names.some((name) => identities.includes(String(one[name]))),
  );
  return record && id && [idIn(id, record) as Id, record];
}

/** A new password in the body, or in an object in it. */
function passwordIn(body: unknown): string | undefined {
  const objects = isRecord(body) ? [body, ...Object.values(body).filter(isRecord)] : [];
  const sent = objects.flatMap((one) => Object.entries(one)).find(([name]) => isPassword(name))?.[1];
  return typeof sent === 'string' && sent !== '' ? sent : undefined;
}

/** The collections with a login name that are named like users, or have the schema of accounts. */
function profilesOf(contract: Contract, collections: readonly RecordCollection[]): Profile[] {
  const accounts = contract.operations.flatMap((operation) => {
    const meaning = accountOperation(operation);
    return meaning ? [{ operation, meaning }] : [];
  });
  if (accounts.length === 0) return [];
  const accountForms = accounts.flatMap(({ operation, meaning }) =>
    meaning.role === 'current' || meaning.role === 'register' ? objectsIn(answerShape(operation)) : [],
  );
  const names = new Set([
    ...accounts.flatMap(({ meaning }) => meaning.identities),
    ...accountForms.flatMap(({ properties }) => [...properties.keys()].filter(isIdentity)),
  ]);
  const schemas = new Set(accountForms.map(schemaKey));
  const register = accounts.find(({ meaning }) => meaning.role === 'register')?.operation;
  const profiles = collections.flatMap((collection) => {
    const { path, shape, id, actions, further } = collection.resource;
    const members = [...shape.properties.keys()];
    const named = members.filter((name) => names.has(name));
    const isMade = accounts.some(
      ({ operation, meaning }) => meaning.role === 'register' && operation === actions.create,
    );
    // Records that cannot be created and have an account's name as id are created with the account.
    const isNamed = id && names.has(id.property) && !actions.create && !further.some(makes);
    const { accounts: isSaid } = saidOfCollection(collection.resource).facts;
    const isCalled = isSaid ?? (isMade || isNamed || holdsAccounts(path) || schemas.has(schemaKey(shape)));
    if (!id || id.inner !== undefined || named.length === 0 || !isCalled) return [];
    return [
      {
        collection,
        names: members.filter((name) => isIdentity(name) || names.has(name)),
        idName: names.has(id.property) ? id.property : undefined,
        fitting: compileFitting(collection),
        initial: register ? compileInitial({ collection, operation: register }) : () => ({}),
      },
    ];
  });
  // `/teams/{teamId}/members` counts only where there is no other collection of accounts.
  const isBelow = ({ collection }: Profile) => collection.resource.parents.length > 0;
  return profiles.every(isBelow) ? profiles : profiles.filter((one) => !isBelow(one));
}

const makes = ({ role }: Further) => role === 'create' || role === 'createMany';

function objectsIn(answer: Shape | undefined): Shape[] {
  if (!answer) return [];
  return [answer, ...[...answer.properties.values()].filter(({ mainType }) => mainType === 'object')];
}

function compileFitting({ resource: { shape } }: RecordCollection): Profile['fitting'] {
  const isShown = ([name, value]: [string, unknown]) => {
    const member = shape.properties.get(name);
    return member && !member.writeOnly && fullyFits(member, value);
  };
  return (sent) => Object.fromEntries(Object.entries(sent).filter(isShown));
}
