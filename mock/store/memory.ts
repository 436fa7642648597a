import { findRow, listPage } from './find-rows.ts';
import type { Collection, Store } from './port.ts';
import {
  copyTable,
  createRow,
  deleteRow,
  fillTable,
  hasTwin,
  replaceRow,
  seedTable,
  type Table,
} from './table.ts';

/** The reference store: everything in this process, every result at once. */
export function openMemoryStore(collections: readonly Collection[]): Store {
  const seeded = new Map<string, Table>();
  const byName = new Map(collections.map((collection) => [collection.name, collection]));

  /**
   * What all sessions share, and none changes. A collection is seeded when it is first asked for: most runs of a
   * large document touch few of them.
   */
  function seedOf(name: string): Table {
    const known = seeded.get(name);
    if (known) return known;
    const made = seedTable(byName.get(name) as Collection);
    seeded.set(name, made);
    return made;
  }
  return openSession(seedOf);
}

/** The tables of one session: the shared ones until it first writes to one. */
function openSession(seedOf: (name: string) => Table): Store {
  const tables = new Map<string, Table>();

  const tableOf = ({ name }: Collection): Table => tables.get(name) ?? seedOf(name);

  function ownTableOf({ name }: Collection): Table {
    const known = tables.get(name);
    if (known) return known;
    const made = copyTable(seedOf(name));
    tables.set(name, made);
    return made;
  }

  return {
    list: (collection, query) => listPage(tableOf(collection), query),
    read: (collection, id, where) => findRow(tableOf(collection), id, where)?.text,
    create: (collection, given) => createRow(ownTableOf(collection), given),
    change(collection, id, where, edit) {
      const row = findRow(tableOf(collection), id, where);
      if (!row) return undefined;
      const given = edit(row.text);
      const table = ownTableOf(collection);
      const entry = collection.complete(row.id, given);
      return !hasTwin(table, entry, given.scope) && replaceRow(table, row, entry).text;
    },
    remove(collection, id, where) {
      const row = findRow(tableOf(collection), id, where);
      if (row) deleteRow(ownTableOf(collection), row);
      return row !== undefined;
    },
    contents(collection) {
      const { rows, lastMade } = tableOf(collection);
      return { entries: [...rows], numbered: lastMade };
    },
    restore(contents) {
      tables.clear();
      for (const [collection, { entries, numbered }] of contents) {
        const table = fillTable(collection, entries);
        tables.set(collection.name, { ...table, lastMade: numbered });
      }
    },
    reset: () => tables.clear(),
    fork: () => openSession(seedOf),
    close: () => tables.clear(),
  };
}
