import type { Allows, Collection, Condition, Id, Page, Query, Store } from './port.ts';
import type { Row, RowList } from './row-list.ts';
import {
  copyTable,
  createRow,
  createRows,
  deleteRow,
  fillTable,
  hasTwin,
  meetsAll,
  replaceRow,
  seedTable,
  type Table,
  withOldScope,
} from './table.ts';

/** The reference store: everything in this process, every result synchronous. */
export function openMemoryStore(collections: readonly Collection[]): Store {
  const seeded = new Map<string, Table>();
  const byName = new Map(collections.map((collection) => [collection.name, collection]));

  /**
   * The initial tables, which all sessions share and none changes. A collection is seeded on first use, since most runs use
   * few collections of a large document.
   */
  function seedOf(name: string): Table {
    const table = seeded.get(name);
    if (table) return table;
    const made = seedTable(byName.get(name) as Collection);
    seeded.set(name, made);
    return made;
  }
  return openSession(seedOf);
}

/** The tables of one session: the shared ones until its first write. */
function openSession(seedOf: (name: string) => Table): Store {
  const tables = new Map<string, Table>();
  let settings: unknown;

  const tableOf = ({ name }: Collection): Table => tables.get(name) ?? seedOf(name);

  function ownTableOf({ name }: Collection): Table {
    const table = tables.get(name);
    if (table) return table;
    const made = copyTable(seedOf(name));
    tables.set(name, made);
    return made;
  }

  function removeRows(
    collection: Collection,
    ids: readonly Id[],
    where: readonly Condition[],
    allows?: Allows,
  ): readonly Row[] {
    return ids.flatMap((id) => {
      const row = findRow(tableOf(collection), id, where);
      if (!row || allows?.(row.text) === false) return [];
      deleteRow(ownTableOf(collection), row);
      return row;
    });
  }

  return {
    list: (collection, query) => listPage(tableOf(collection), query),
    read: (collection, id, where) => findRow(tableOf(collection), id, where)?.text,
    create: (collection, input) => createRow(ownTableOf(collection), input),
    createAll: (collection, inputs) => createRows(ownTableOf(collection), inputs),
    change(collection, id, where, edit, allows) {
      const row = findRow(tableOf(collection), id, where);
      if (!row) return undefined;
      if (allows?.(row.text) === false) return false;
      const input = withOldScope(collection, edit(row.text), row.keys);
      const table = ownTableOf(collection);
      const entry = collection.complete(row.id, input);
      return !hasTwin(table, entry, input.scope) && replaceRow(table, row, entry).text;
    },
    remove: (collection, id, ...how) => removeRows(collection, [id], ...how).length > 0,
    removeAll: removeRows,
    fill(collections) {
      for (const { name } of collections) seedOf(name);
    },
    isUnchanged: ({ name }) => !tables.has(name),
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
    settings: {
      get: () => settings,
      update(_, edit) {
        settings = edit(settings);
      },
    },
    fork: () => openSession(seedOf),
    close: () => tables.clear(),
  };
}

/** The rows of one page, and the number on all pages if requested. */
interface FoundRows {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
}

function listPage(table: Table, query: Query): Page {
  return table.pages.get(query, () => {
    const { rows, total } = findRows(table, query);
    return { text: `[${rows.map(({ text }) => text).join(',')}]`, count: rows.length, total };
  });
}

function findRow(table: Table, id: Id, where: readonly Condition[]): Row | undefined {
  const row = table.byId.get(id);
  return row && (where.length === 0 || meetsAll(table.collection, row, where)) ? row : undefined;
}

/** Reads no further than the end of the page, unless all are counted. */
function findRows(table: Table, { where, offset, limit, counted }: Query): FoundRows {
  const [first] = where;
  if (!first) return sliceOf(table.rows, offset, limit, counted);
  if (where.length === 1 && first.anyOf.length === 1) {
    const [list] = listsFor(table, first);
    return list ? sliceOf(list, offset, limit, counted) : { rows: [], total: counted ? 0 : undefined };
  }
  const rows: Row[] = [];
  let total = 0;
  for (const row of matchingRows(table, where)) {
    if (total >= offset && rows.length < limit) rows.push(row);
    total++;
    if (!counted && rows.length >= limit) break;
  }
  return { rows, total: counted ? total : undefined };
}

function sliceOf(list: RowList, offset: number, limit: number, counted: boolean | undefined): FoundRows {
  return { rows: list.slice(offset, limit), total: counted ? list.length : undefined };
}

/** The rows of the most selective condition that match the others, too, in order. */
function* matchingRows(table: Table, where: readonly Condition[]): Generator<Row> {
  const groups = where.map((condition) => listsFor(table, condition));
  const sizes = groups.map((lists) => lists.reduce((sum, { length }) => sum + length, 0));
  const selective = sizes.indexOf(Math.min(...sizes));
  const others = where.filter((_, at) => at !== selective);
  for (const row of merge(groups[selective] ?? [])) if (meetsAll(table.collection, row, others)) yield row;
}

function listsFor({ collection, index }: Table, { key, anyOf }: Condition): RowList[] {
  const rowsOf = index[collection.keys.indexOf(key)];
  return [...new Set(anyOf)].flatMap((value) => rowsOf?.get(value) ?? []);
}

/** Merges lists by ordinal, without duplicates. */
function* merge(lists: readonly RowList[]): Generator<Row> {
  if (lists.length === 1) return yield* lists[0] as RowList;
  const heads = lists.map((list) => {
    const rows = list[Symbol.iterator]();
    return { rows, next: rows.next() };
  });
  for (;;) {
    let lowest: Row | undefined;
    for (const { next } of heads) {
      if (!next.done && (!lowest || next.value.ordinal < lowest.ordinal)) lowest = next.value;
    }
    if (!lowest) return;
    yield lowest;
    for (const head of heads) if (head.next.value === lowest) head.next = head.rows.next();
  }
}
