import { isRecord } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import { type Collection, type Condition, type Id, isId, recordKey, type Store } from '../store/port.ts';
import type { Account } from './accounts.ts';
import { internalCollection, listInternal } from './internal.ts';

/** A relation between an account and a record: the account likes or follows it. */
export interface Link {
  /** The subject of the account. */
  readonly account: string;
  /** The name of the collection. */
  readonly collection: string;
  readonly id: Id;
  /** The record's member that shows it. */
  readonly flag: string;
}

export const LINKS = internalCollection<Link>({
  name: '~links',
  keys: {
    account: ({ account }) => account,
    record: ({ collection, id }) => recordKey(collection, id),
  },
  idOf: ({ account, flag, collection, id }) => JSON.stringify([account, flag, collection, String(id)]),
  isRecord: (value): value is Link =>
    isRecord(value) &&
    [value.account, value.collection, value.flag].every((one) => typeof one === 'string') &&
    isId(value.id),
  form: 'an object with "account", "collection", "id" and "flag"',
});

/** The internal flag for the records that an account has created. */
export const MADE = '~made';

/** The subject of the account that has created a record. Undefined: unknown. */
export function makerOf(store: Store, collection: string, id: Id): Awaitable<string | undefined> {
  return andThen(
    linksTo(store, collection, [id]),
    (links) => links.find(({ flag }) => flag === MADE)?.account,
  );
}

function linksTo(store: Store, collection: string, ids: readonly Id[]): Awaitable<readonly Link[]> {
  if (ids.length === 0) return [];
  const keys = ids.slice(0, MOST_KEYS).map((id) => recordKey(collection, id));
  return andThen(listInternal(store, LINKS, 'record', keys), (links) =>
    andThen(linksTo(store, collection, ids.slice(MOST_KEYS)), (others) => [...links, ...others]),
  );
}

/** The most values in one database statement. */
const MOST_KEYS = 1000;

const idOf = (link: Link) => LINKS.entryOf(link).id;

/** An account's links to records. */
export interface Links {
  has(flagged: Omit<Link, 'account'>): boolean;
}

export function linksOf(store: Store, { subject }: Account): Awaitable<Links> {
  return andThen(listInternal(store, LINKS, 'account', [subject]), (links) => {
    const ids = new Set(links.map(idOf));
    return { has: (flagged) => ids.has(idOf({ ...flagged, account: subject })) };
  });
}

/** Sets or removes a link, and returns whether it was set before; atomic for concurrent requests. */
export function setLink(store: Store, link: Link, isOn: boolean): Awaitable<boolean> {
  const id = idOf(link);
  return isOn
    ? andThen(store.create(LINKS, { id, members: { ...link }, scope: [] }), (made) => made === 'taken')
    : store.remove(LINKS, id, []);
}

/** Removes a record and its links. False: no record meets all conditions. */
export async function removeRecord(
  store: Store,
  collection: Collection,
  id: Id,
  where: readonly Condition[],
): Promise<boolean> {
  if (!(await store.remove(collection, id, where))) return false;
  await removeLinks(store, collection, [id]);
  return true;
}

/** Removes records and their links atomically. */
export async function removeRecords(
  store: Store,
  collection: Collection,
  ids: readonly Id[],
  where: readonly Condition[],
): Promise<void> {
  const removed = await store.removeAll(collection, ids, where);
  await removeLinks(
    store,
    collection,
    removed.map(({ id }) => id),
  );
}

async function removeLinks(store: Store, { name }: Collection, ids: readonly Id[]): Promise<void> {
  const links = await linksTo(store, name, ids);
  if (links.length > 0) await store.removeAll(LINKS, links.map(idOf), []);
}

/** Links follow a record whose id changes. */
export async function moveLinks(store: Store, collection: string, id: Id, next: Id): Promise<void> {
  for (const link of await linksTo(store, collection, [id])) {
    await setLink(store, { ...link, id: next }, true);
    await setLink(store, link, false);
  }
}
