import type { Collection, Condition, Entry, Given, Id, KeyValue, Page, Query, Scalar } from './port.ts';

/** An entry with its place in the order. */
interface Row extends Entry {
  readonly ordinal: number;
}

/** Rows by id and by each key, and list answers that hold until the next write. */
export interface Table {
  readonly collection: Collection;
  readonly byId: Map<Id, Row>;
  /** Ascending by ordinal, as are the lists in the index. */
  readonly rows: Row[];
  /** One map for each of the collection's keys. */
  readonly index: readonly Map<Scalar, Row[]>[];
  readonly pages: Map<string, Page>;
  lastOrdinal: number;
  /** The n of the last id that the table made. */
  lastMade: number;
}

/** Answers kept for each collection; a client that asks for ever new pages must not fill the memory. */
const MAX_PAGES = 256;

const NO_ROWS: Row[] = [];

/** Rows never change, so that a copy needs none of its own. */
export function copyTable(table: Table): Table {
  return {
    ...table,
    byId: new Map(table.byId),
    rows: [...table.rows],
    index: table.index.map((rowsOf) => new Map([...rowsOf].map(([value, rows]) => [value, [...rows]]))),
    pages: new Map(),
  };
}

export function seedTable(collection: Collection): Table {
  const table = fillTable(collection, collection.seeds());
  return { ...table, lastMade: collection.numbered ?? table.lastMade };
}

export function fillTable(collection: Collection, entries: Iterable<Entry>): Table {
  const table: Table = {
    collection,
    byId: new Map(),
    rows: [],
    index: collection.keys.map(() => new Map()),
    pages: new Map(),
    lastOrdinal: 0,
    lastMade: 0,
  };
  for (const entry of entries) {
    table.lastMade++;
    // Ids after a narrow pattern can meet.
    if (!table.byId.has(entry.id)) insertRow(table, entry);
  }
  return table;
}

export function listPage(table: Table, { where, offset, limit }: Query): Page {
  const name = pageName(where, offset, limit);
  const known = table.pages.get(name);
  if (known) return known;
  const matching = matchingRows(table, where);
  const texts: string[] = [];
  const end = Math.min(matching.length, offset + limit);
  for (let at = offset; at < end; at++) texts.push((matching[at] as Row).text);
  const page = { text: `[${texts.join(',')}]`, count: texts.length, total: matching.length };
  if (table.pages.size >= MAX_PAGES) table.pages.clear();
  table.pages.set(name, page);
  return page;
}

/** A name for the same question; conditions are quoted, so that no value can look like another condition. */
function pageName(where: readonly Condition[], offset: number, limit: number): string {
  let name = `${offset} ${limit}`;
  for (const { key, anyOf } of where) {
    name += ` ${key}`;
    for (const value of anyOf)
      name += typeof value === 'string' ? JSON.stringify(value) : `=${typeof value}${value}`;
  }
  return name;
}

/** The rows of the rarest condition, less those for which another one does not hold. */
function matchingRows(table: Table, where: readonly Condition[]): readonly Row[] {
  if (where.length === 0) return table.rows;
  const found = where.map((condition) => rowsWhere(table, condition)).sort((a, b) => a.length - b.length);
  const [rarest = NO_ROWS] = found;
  return where.length === 1 ? rarest : rarest.filter((row) => holdsAll(table, row, where));
}

function rowsWhere({ collection, index }: Table, { key, anyOf }: Condition): readonly Row[] {
  const rowsOf = index[collection.keys.indexOf(key)];
  const [first] = anyOf;
  if (anyOf.length === 1) return rowsOf?.get(first as Scalar) ?? NO_ROWS;
  const union = new Set(anyOf.flatMap((value) => rowsOf?.get(value) ?? NO_ROWS));
  return [...union].sort((a, b) => a.ordinal - b.ordinal);
}

export function findRow(table: Table, id: Id, where: readonly Condition[]): Row | undefined {
  const row = table.byId.get(id);
  return row && (where.length === 0 || holdsAll(table, row, where)) ? row : undefined;
}

function holdsAll({ collection }: Table, row: Row, where: readonly Condition[]): boolean {
  return where.every(({ key, anyOf }) => {
    const values = scalarsOf(row.keys[collection.keys.indexOf(key)]);
    return values.some((value) => anyOf.includes(value));
  });
}

export function createRow(table: Table, given: Given): Entry | 'taken' {
  const id = given.id ?? nextId(table);
  if (id === undefined || table.byId.has(id)) return 'taken';
  return insertRow(table, table.collection.complete(id, given));
}

/** Undefined: there seems to be no free id left. */
function nextId(table: Table): Id | undefined {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const id = table.collection.idOf(++table.lastMade);
    if (!table.byId.has(id)) return id;
  }
  return undefined;
}

/** Made ids meet those that clients chose, or each other where a pattern allows few. */
const MAX_ATTEMPTS = 1000;

function insertRow(table: Table, { id, text, keys }: Entry): Row {
  const row: Row = { id, text, keys, ordinal: ++table.lastOrdinal };
  table.byId.set(id, row);
  table.rows.push(row);
  for (const list of indexLists(table, row)) list.push(row);
  forgetPages(table);
  return row;
}

export function replaceRow(table: Table, old: Row, { text, keys }: Entry): Row {
  const row: Row = { id: old.id, text, keys, ordinal: old.ordinal };
  table.byId.set(row.id, row);
  table.rows[placeOf(table.rows, row)] = row;
  for (const list of indexLists(table, old)) list.splice(placeOf(list, old), 1);
  for (const list of indexLists(table, row)) list.splice(placeOf(list, row), 0, row);
  forgetPages(table);
  return row;
}

export function deleteRow(table: Table, row: Row): void {
  table.byId.delete(row.id);
  for (const list of [table.rows, ...indexLists(table, row)]) list.splice(placeOf(list, row), 1);
  forgetPages(table);
}

/** To clear an empty map costs as much as to make a new one. */
function forgetPages({ pages }: Table): void {
  if (pages.size > 0) pages.clear();
}

/** The lists of the index in which a row belongs. */
function indexLists({ index }: Table, { keys }: Row): Row[][] {
  const lists: Row[][] = [];
  // Each create comes through here: plain loops make it half as dear.
  for (let at = 0; at < index.length; at++) {
    const rowsOf = index[at] as Map<Scalar, Row[]>;
    const key = keys[at];
    if (Array.isArray(key)) for (const value of scalarsOf(key)) lists.push(listIn(rowsOf, value));
    else if (key !== undefined) lists.push(listIn(rowsOf, key as Scalar));
  }
  return lists;
}

function listIn(rowsOf: Map<Scalar, Row[]>, value: Scalar): Row[] {
  let list = rowsOf.get(value);
  if (!list) {
    list = [];
    rowsOf.set(value, list);
  }
  return list;
}

const NO_SCALARS: readonly Scalar[] = [];

function scalarsOf(value: KeyValue): readonly Scalar[] {
  if (value === undefined) return NO_SCALARS;
  return Array.isArray(value) ? [...new Set(value as readonly Scalar[])] : [value as Scalar];
}

/** Where a row of this ordinal stands, or would stand. */
function placeOf(rows: readonly Row[], { ordinal }: Row): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as Row).ordinal < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}
