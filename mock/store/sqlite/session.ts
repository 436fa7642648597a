import type { Collection, Condition, Contents, Entry, Given, Id, Page, Query, Store } from '../port.ts';
import { keyText } from '../sql/key-text.ts';
import { type Statement, selectPage, selectRecord, selectTotal } from '../sql/select.ts';
import type { Connection } from './connection.ts';
import { type KeptRecord, openRows, type Table } from './rows.ts';
import { forgetSession, openTables } from './tables.ts';

const NOTHING: ReadonlyMap<Collection, Contents> = new Map();

/** What the sessions in one file share. */
export interface Opened {
  readonly connection: Connection;
  readonly collections: readonly Collection[];
  /** Told which session is used. */
  readonly onFork: (session: string) => void;
}

/** The store of one session within a file; `onClose` says what else its end means. */
export function openSession(opened: Opened, session: string, onClose?: () => void): Store {
  const { connection, collections, onFork } = opened;
  const { prepare, within } = connection;
  const rows = openRows(connection);
  const tables = openTables(connection, rows, session, collections);
  const all = ({ text, values }: Statement) => prepare(text).all(...values);

  function find(table: Table, id: Id, where: readonly Condition[]): KeptRecord | undefined {
    return all(selectRecord(writerFor(table), keyText(id), where))[0] as KeptRecord | undefined;
  }

  function insert(table: Table, given: Given): Entry | 'taken' {
    const isGiven = given.id !== undefined;
    for (let attempt = 0; attempt < (isGiven ? 1 : MAX_ATTEMPTS); attempt++) {
      const entry = table.collection.complete(given.id ?? rows.nextId(table), given);
      if (rows.insert(table, entry)) return entry;
    }
    return 'taken';
  }

  function pageOf(table: Table, query: Query): Page {
    const writer = writerFor(table);
    const texts = all(selectPage(writer, query)) as unknown as readonly { text: string }[];
    const text = `[${texts.map((row) => row.text).join(',')}]`;
    if (!query.counted) return { text, count: texts.length, total: undefined };
    const [counted] = all(selectTotal(writer, query.where));
    return { text, count: texts.length, total: Number(counted?.total) };
  }

  return {
    list(collection, query) {
      const table = tables.of(collection);
      return table.pages.get(query, () => pageOf(table, query));
    },
    read: (collection, id, where) => find(tables.of(collection), id, where)?.text,
    create(collection, given) {
      const table = tables.of(collection);
      return within(() => insert(table, given));
    },
    change(collection, id, where, edit) {
      const table = tables.of(collection);
      return within(() => {
        const record = find(table, id, where);
        if (!record) return undefined;
        const entry = collection.complete(id, edit(record.text));
        rows.replace(table, record.place, entry);
        return entry.text;
      });
    },
    remove(collection, id, where) {
      const table = tables.of(collection);
      return within(() => {
        const record = find(table, id, where);
        if (record) rows.remove(table, record.place);
        return record !== undefined;
      });
    },
    contents: (collection) => tables.contents(collection),
    restore: (contents) => tables.refill(contents),
    reset: () => tables.refill(NOTHING),
    fork(name) {
      onFork(name);
      return openSession(opened, name);
    },
    // The last store of the main session closes the file; any other session is forgotten with its store.
    close: () => (onClose ? onClose() : forgetSession(connection, session)),
  };
}

/** Made ids meet those that clients chose, or each other where a pattern allows few. */
const MAX_ATTEMPTS = 1000;

function writerFor({ number }: Table) {
  return {
    collection: (hold: (value: number) => string) => hold(number),
    placeholder: () => '?',
  };
}
