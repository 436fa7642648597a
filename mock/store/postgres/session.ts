import type { Collection, Condition, Entry, Given, Id, Store } from '../port.ts';
import { keyText } from '../sql/key-text.ts';
import { entryOf } from '../sql/row.ts';
import { selectPage, selectRecord, selectTotal, type Writer } from '../sql/select.ts';
import { StoreAway } from '../store-error.ts';
import type { Database } from './database.ts';
import { createNumbering } from './numbering.ts';
import { deleteRecord, type Found, insertRecord, replaceRecord } from './rows.ts';
import { openTables } from './tables.ts';

/** The store of one session within a database; `onClose` says what else its end means. */
export function openSession(
  database: Database,
  session: string,
  collections: readonly Collection[],
  onClose?: () => Promise<void>,
): Store {
  const { ask, transact } = database;
  const tables = openTables(database, session, collections);
  const numberings = new Map(
    collections.map(({ name }) => [name, createNumbering(database, session, name)] as const),
  );

  const writerFor = ({ name }: Collection): Writer => ({
    collection: (hold) =>
      `(SELECT number FROM paddock_collection WHERE session = ${hold(session)} AND name = ${hold(name)})`,
    placeholder: (n) => `$${n}`,
  });

  async function reserve(collection: Collection, wantsId: boolean) {
    const next = numberings.get(collection.name) as ReturnType<typeof createNumbering>;
    const reserved = await next(wantsId);
    if (reserved) return reserved;
    await tables.ready(collection, true);
    const again = await next(wantsId);
    if (!again) throw new StoreAway('the session is being forgotten by another replica');
    return again;
  }

  async function find(
    collection: Collection,
    id: Id,
    where: readonly Condition[],
  ): Promise<Found | undefined> {
    await tables.ready(collection);
    const [row] = await ask(selectRecord(writerFor(collection), keyText(id), where));
    if (!row) return undefined;
    const { collection: number, place, text = '', facts = '' } = row;
    return { number: Number(number), place: Number(place), text, facts };
  }

  async function create(collection: Collection, given: Given): Promise<Entry | 'taken'> {
    await tables.ready(collection);
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

  return {
    async list(collection, query) {
      await tables.ready(collection);
      const writer = writerFor(collection);
      const texts = await ask(selectPage(writer, query));
      const [counted] = await ask(selectTotal(writer, query.where));
      const text = `[${texts.map((row) => row.text).join(',')}]`;
      return { text, count: texts.length, total: Number(counted?.total) };
    },
    read: async (collection, id, where) => (await find(collection, id, where))?.text,
    create,
    change,
    async remove(collection, id, where) {
      const found = await find(collection, id, where);
      return found !== undefined && transact((own) => deleteRecord(own, found));
    },
    async contents(collection) {
      await tables.ready(collection);
      const [counted] = await ask({ text: COUNTED, values: [session, collection.name] });
      const rows = await ask({ text: ALL_RECORDS, values: [Number(counted?.number)] });
      const entries = rows.map(({ text = '', facts = '' }) => entryOf({ text, facts }));
      return { entries, numbered: Number(counted?.made) };
    },
    restore: (contents) => tables.refill(contents),
    reset: () => tables.refill(new Map()),
    fork: (name) => openSession(database, name, collections),
    // The main session's store closes the connections; any other session is forgotten with its store.
    close: () => (onClose ? onClose() : tables.forget()),
  };
}

/** Made ids meet those that clients chose, or each other where a pattern allows few. */
const MAX_ATTEMPTS = 1000;

const COUNTED = 'SELECT number, made FROM paddock_collection WHERE session = $1 AND name = $2';
const ALL_RECORDS = 'SELECT text, facts FROM paddock_record WHERE collection = $1 ORDER BY place';
