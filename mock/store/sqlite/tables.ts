import { parseJson, stringifyJson } from '#spec';
import { createPageCache } from '../page-cache.ts';
import type { Collection, Contents, Entry } from '../port.ts';
import { entryOf, withKeysOf } from '../sql/row.ts';
import type { Connection } from './connection.ts';
import type { KeptRecord, Rows, Table } from './rows.ts';

/** The tables of one session. */
export interface Tables {
  /** A collection is seeded when it is first asked for, as in memory. Not to be called within a transaction. */
  of(collection: Collection): Table;
  contents(collection: Collection): Contents;
  /** Takes out all that the session holds, and puts this in its place; other collections are seeded anew. */
  refill(contents: ReadonlyMap<Collection, Contents>): void;
}

export function openTables(
  connection: Connection,
  rows: Rows,
  session: string,
  collections: readonly Collection[],
): Tables {
  const { prepare, run, within } = connection;
  const byName = new Map(collections.map((collection) => [collection.name, collection]));
  const known = new Map<string, Table>();

  function fill(collection: Collection, entries: Iterable<Entry>, numbered: number | undefined): Table {
    const keys = stringifyJson(collection.keys);
    const { lastInsertRowid } = run(INSERT_COLLECTION, session, collection.name, keys);
    const table = { collection, number: Number(lastInsertRowid), pages: createPageCache() };
    let made = 0;
    for (const entry of entries) {
      made++;
      // Ids after a narrow pattern can meet.
      rows.insert(table, entry);
    }
    run('UPDATE paddock_collection SET made = ? WHERE number = ?', numbered ?? made, table.number);
    return table;
  }

  function load(collection: Collection): Table | undefined {
    const row = prepare(FIND_COLLECTION).get(session, collection.name);
    if (!row) return undefined;
    const table = { collection, number: Number(row.number), pages: createPageCache() };
    if (row.keys !== stringifyJson(collection.keys)) index(table, parseJson(String(row.keys)) as string[]);
    return table;
  }

  /** The document has other filters than the one with which the records were stored. */
  function index(table: Table, oldNames: readonly string[]): void {
    const { collection, number } = table;
    const all = prepare(ALL_RECORDS).all(number);
    for (const { place, text, facts } of all as unknown as KeptRecord[]) {
      const entry = entryOf({ text, facts });
      rows.replace(table, place, withKeysOf(collection, entry, oldNames));
    }
    run('UPDATE paddock_collection SET keys = ? WHERE number = ?', stringifyJson(collection.keys), number);
  }

  function of({ name }: Collection): Table {
    const open = known.get(name);
    if (open) return open;
    const collection = byName.get(name) as Collection;
    const table = within(() => load(collection) ?? fill(collection, collection.seeds(), collection.numbered));
    known.set(name, table);
    return table;
  }

  return {
    of,
    contents(collection) {
      const { number } = of(collection);
      const entries = prepare(ALL_RECORDS).all(number) as unknown as KeptRecord[];
      const { made } = prepare('SELECT made FROM paddock_collection WHERE number = ?').get(number) ?? {};
      return { entries: entries.map(entryOf), numbered: Number(made) };
    },
    refill(contents) {
      known.clear();
      within(() => {
        deleteAll(connection, session);
        for (const [collection, { entries, numbered }] of contents) fill(collection, entries, numbered);
      });
    },
  };
}

/** Takes out all that a session has. */
export function forgetSession(connection: Connection, session: string): void {
  connection.within(() => deleteAll(connection, session));
}

function deleteAll({ run }: Connection, session: string): void {
  for (const table of ['paddock_record', 'paddock_key'])
    run(`DELETE FROM ${table} WHERE collection IN (${OWN_NUMBERS})`, session);
  run('DELETE FROM paddock_collection WHERE session = ?', session);
}

const ALL_RECORDS = 'SELECT place, text, facts FROM paddock_record WHERE collection = ? ORDER BY place';
const INSERT_COLLECTION = 'INSERT INTO paddock_collection (session, name, keys, made) VALUES (?, ?, ?, 0)';
const FIND_COLLECTION = 'SELECT number, keys FROM paddock_collection WHERE session = ? AND name = ?';
const OWN_NUMBERS = 'SELECT number FROM paddock_collection WHERE session = ?';
