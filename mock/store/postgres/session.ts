import type { Collection, Condition, Entry, Given, Id, Notes, Query, Store } from '../port.ts';
import { keyText } from '../sql/key-text.ts';
import { entryOf } from '../sql/row.ts';
import { selectPage, selectRecord, selectTotal, type Writer } from '../sql/select.ts';
import { StoreAway } from '../store-error.ts';
import type { Database } from './database.ts';
import { createNumbering } from './numbering.ts';
import type { Presence } from './presence.ts';
import { deleteRecord, type Found, insertRecord, replaceRecord } from './rows.ts';
import { forgetSession, openTables } from './tables.ts';

/** What the sessions in one database share. */
export interface Connected {
  readonly database: Database;
  readonly collections: readonly Collection[];
  readonly notes: Notes;
  readonly presence: Presence;
}

/** The store of one session within a database; `onClose` says what else its end means. */
export function openSession(connected: Connected, session: string, onClose?: () => Promise<void>): Store {
  const { database, collections, notes, presence } = connected;
  const { ask, transact } = database;
  const tables = openTables(database, session, collections);
  const numberings = new Map(
    collections.map(({ name }) => [name, createNumbering(database, session, name)] as const),
  );
  let entering: Promise<void> | undefined;

  const writerFor = ({ name }: Collection): Writer => ({
    collection: (hold) =>
      `(SELECT number FROM paddock_collection WHERE session = ${hold(session)} AND name = ${hold(name)})`,
    placeholder: (n) => `$${n}`,
  });

  async function ready(collection: Collection): Promise<void> {
    if (session !== '') {
      presence.touch(session);
      entering ??= presence.enter(session);
      await entering.catch((error) => {
        entering = undefined;
        throw error;
      });
    }
    await tables.ready(collection);
  }

  /** Whether there was nothing to be found because another replica has forgotten the session; it is then made anew. */
  async function wasForgotten(collection: Collection): Promise<boolean> {
    if (session === '' || (await tables.isThere(collection))) return false;
    await tables.ready(collection, true);
    return true;
  }

  async function reserve(collection: Collection, wantsId: boolean) {
    const next = numberings.get(collection.name) as ReturnType<typeof createNumbering>;
    const reserved = (await next(wantsId)) ?? ((await wasForgotten(collection)) && (await next(wantsId)));
    if (!reserved) throw new StoreAway('another replica is forgetting the session');
    return reserved;
  }

  async function find(
    collection: Collection,
    id: Id,
    where: readonly Condition[],
  ): Promise<Found | undefined> {
    await ready(collection);
    const statement = selectRecord(writerFor(collection), keyText(id), where);
    let [row] = await ask(statement);
    if (!row && (await wasForgotten(collection))) [row] = await ask(statement);
    if (!row) return undefined;
    const { collection: number, place, text = '', facts = '' } = row;
    return { number: Number(number), place: Number(place), text, facts };
  }

  async function texts(collection: Collection, query: Query): Promise<readonly string[]> {
    const statement = selectPage(writerFor(collection), query);
    let rows = await ask(statement);
    if (rows.length === 0 && (await wasForgotten(collection))) rows = await ask(statement);
    return rows.map(({ text = '' }) => text);
  }

  async function create(collection: Collection, given: Given): Promise<Entry | 'taken'> {
    await ready(collection);
    const isGiven = given.id !== undefined;
    for (let attempt = 0; attempt < (isGiven ? 1 : MAX_ATTEMPTS); attempt++) {
      const reserved = await reserve(collection, !isGiven);
      const entry = collection.complete(given.id ?? collection.idOf(reserved.ordinal), given);
      if (await insertRecord(ask, collection, reserved, entry)) return entry;
    }
    return 'taken';
  }

  /** What was read is what is changed, or it is read again: no lock is held while the edit is made. */
  async function change(
    collection: Collection,
    id: Id,
    where: readonly Condition[],
    edit: (text: string) => Given,
  ): Promise<string | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const found = await find(collection, id, where);
      if (!found) return undefined;
      const entry = collection.complete(id, edit(found.text));
      if (await transact((own) => replaceRecord(own, collection, found, entry))) return entry.text;
    }
    throw new StoreAway('too many change one record at once');
  }

  async function forget(): Promise<void> {
    await forgetSession(database, session);
    // Replicas know a note until they see another one.
    if (notes.of(session) !== undefined) await notes.change(session, () => '');
  }

  return {
    async list(collection, query) {
      await ready(collection);
      const found = await texts(collection, query);
      const page = { text: `[${found.join(',')}]`, count: found.length };
      if (!query.counted) return { ...page, total: undefined };
      const [counted] = await ask(selectTotal(writerFor(collection), query.where));
      return { ...page, total: Number(counted?.total) };
    },
    read: async (collection, id, where) => (await find(collection, id, where))?.text,
    create,
    change,
    async remove(collection, id, where) {
      const found = await find(collection, id, where);
      return found !== undefined && transact((own) => deleteRecord(own, found));
    },
    async contents(collection) {
      await ready(collection);
      await wasForgotten(collection);
      const [counted] = await ask({ text: COUNTED, values: [session, collection.name] });
      const rows = await ask({ text: ALL_RECORDS, values: [Number(counted?.number)] });
      const entries = rows.map(({ text = '', facts = '' }) => entryOf({ text, facts }));
      return { entries, numbered: Number(counted?.made) };
    },
    restore: (contents) => tables.refill(contents),
    reset: () => tables.refill(new Map()),
    notes,
    fork: (name) => openSession(connected, name),
    // The main session's store closes the connections; any other session is forgotten by the last one that used it.
    async close() {
      if (onClose) await onClose();
      else if (await presence.leave(session)) await forget();
    },
  };
}

/** Made ids meet those that clients chose, or each other where a pattern allows few. */
const MAX_ATTEMPTS = 1000;

const COUNTED = 'SELECT number, made FROM paddock_collection WHERE session = $1 AND name = $2';
const ALL_RECORDS = 'SELECT text, facts FROM paddock_record WHERE collection = $1 ORDER BY place';
