import type {
  Collection,
  Condition,
  Entry,
  Given,
  Id,
  KeyValue,
  Page,
  Query,
  Scalar,
  Taken,
} from './port.ts';
import { type Row, RowList } from './row-list.ts';

/** Rows by id and by each key, and the pages that were listed since the last write. */
export interface Table {
  readonly collection: Collection;
  readonly byId: LayeredMap<Id, Row>;
  readonly rows: RowList;
  /** One map for each of the collection's keys. */
  readonly index: readonly LayeredMap<Scalar, RowList>[];
  readonly pages: PageCache;
  lastOrdinal: number;
  /** The number of the last generated id. */
  lastMade: number;
}

/** Copies a table in constant time: both share what neither changes. */
export function copyTable(table: Table): Table {
  return {
    ...table,
    byId: new LayeredMap(table.byId),
    rows: table.rows.copy(),
    index: table.index.map((rowsOf) => new LayeredMap(rowsOf)),
    pages: createPageCache(),
  };
}

export function seedTable(collection: Collection): Table {
  const table = fillTable(collection, collection.seeds());
  return { ...table, lastMade: collection.numbered ?? table.lastMade };
}

export function fillTable(collection: Collection, entries: Iterable<Entry>): Table {
  const table: Table = {
    collection,
    byId: new LayeredMap(),
    rows: new RowList(),
    index: collection.keys.map(() => new LayeredMap()),
    pages: createPageCache(),
    lastOrdinal: 0,
    lastMade: 0,
  };
  for (const entry of entries) {
    table.lastMade++;
    // Ids from a narrow pattern may repeat.
    if (!table.byId.has(entry.id)) insertRow(table, entry);
  }
  return table;
}

/** Keeps the parents of a record that an earlier path named, if the current one does not. */
export function withOldScope({ keys: names }: Collection, input: Given, old: Entry['keys']): Given {
  const kept = names.flatMap((key, at): Condition[] => {
    const value = key.startsWith('{') ? old[at] : undefined;
    const isSaid =
      value === undefined || Array.isArray(value) || input.scope.some((condition) => condition.key === key);
    return isSaid ? [] : [{ key, anyOf: [value as Scalar] }];
  });
  return kept.length === 0 ? input : { ...input, scope: [...input.scope, ...kept] };
}

/** `chosen` are the ids of other new records. */
export function createRow(
  table: Table,
  input: Given,
  chosen: ReadonlySet<Id | undefined> = NO_IDS,
): Row | 'taken' {
  const { lastMade } = table;
  const id = input.id ?? nextId(table, chosen);
  if (id === undefined || table.byId.has(id)) return 'taken';
  const entry = table.collection.complete(id, input);
  if (!table.collection.unique || !hasTwin(table, entry, input.scope)) return insertRow(table, entry);
  table.lastMade = lastMade;
  return 'taken';
}

/** Creates all or none. */
export function createRows(table: Table, inputs: readonly Given[]): readonly Entry[] | Taken {
  const { lastMade } = table;
  const chosen = new Set(inputs.map(({ id }) => id));
  const made: Row[] = [];
  for (const input of inputs) {
    const row = createRow(table, input, chosen);
    if (row === 'taken') {
      for (const other of made) deleteRow(table, other);
      table.lastMade = lastMade;
      return { taken: made.length };
    }
    made.push(row);
  }
  return made;
}

/** Whether another row with the same parents has a unique value. */
export function hasTwin(
  { collection: { keys: names, unique }, index }: Table,
  { id, keys }: Entry,
  scope: Given['scope'],
): boolean {
  if (!unique) return false;
  const places = scope.map(({ key }) => names.indexOf(key));
  const isTwin = (row: Row) => row.id !== id && places.every((at) => row.keys[at] === keys[at]);
  return unique.some((together) => {
    const [at = 0, ...others] = together.map((name) => names.indexOf(name));
    const isSame = (row: Row) =>
      isTwin(row) && others.every((other) => sharesValue(row.keys[other], keys[other]));
    return uniqueValues(keys[at]).some((value) => [...(index[at]?.get(value) ?? [])].some(isSame));
  });
}

function sharesValue(one: KeyValue, other: KeyValue): boolean {
  const values = uniqueValues(one);
  return uniqueValues(other).some((value) => values.includes(value));
}

/** The values of a unique key that must be unique. */
export function uniqueValues(value: KeyValue): readonly Scalar[] {
  return value === null ? NO_SCALARS : scalarsOf(value);
}

const NO_IDS: ReadonlySet<Id | undefined> = new Set();

/** Undefined: there seems to be no free id left. */
function nextId(table: Table, chosen: ReadonlySet<Id | undefined>): Id | undefined {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const id = table.collection.idOf(++table.lastMade);
    if (!table.byId.has(id) && !chosen.has(id)) return id;
  }
  return undefined;
}

/** Generated ids may equal ones that clients chose, or each other for a narrow pattern. */
const MAX_ATTEMPTS = 1000;

function insertRow(table: Table, { id, text, keys }: Entry): Row {
  const row: Row = { id, text, keys, ordinal: ++table.lastOrdinal };
  table.byId.set(id, row);
  table.rows.push(row);
  for (const list of ownLists(table, row)) list.push(row);
  table.pages.clear();
  return row;
}

export function replaceRow(table: Table, old: Row, { text, keys }: Entry): Row {
  const row: Row = { id: old.id, text, keys, ordinal: old.ordinal };
  table.byId.set(row.id, row);
  table.rows.replace(row);
  for (const list of ownLists(table, old)) list.remove(old);
  for (const list of ownLists(table, row)) list.insert(row);
  table.pages.clear();
  return row;
}

export function deleteRow(table: Table, row: Row): void {
  table.byId.delete(row.id);
  for (const list of [table.rows, ...ownLists(table, row)]) list.remove(row);
  table.pages.clear();
}

/** The index lists for a row, copied for changes if they are shared. */
function ownLists({ index }: Table, { keys }: Row): RowList[] {
  const lists: RowList[] = [];
  // Every create runs this: plain loops take half as long.
  for (let at = 0; at < index.length; at++) {
    const rowsOf = index[at] as LayeredMap<Scalar, RowList>;
    const key = keys[at];
    if (Array.isArray(key)) for (const value of scalarsOf(key)) lists.push(ownList(rowsOf, value));
    else if (key !== undefined) lists.push(ownList(rowsOf, key as Scalar));
  }
  return lists;
}

function ownList(rowsOf: LayeredMap<Scalar, RowList>, value: Scalar): RowList {
  let list = rowsOf.getOwn(value);
  if (!list) {
    list = rowsOf.get(value)?.copy() ?? new RowList();
    rowsOf.set(value, list);
  }
  return list;
}

const NO_SCALARS: readonly Scalar[] = [];

/** Whether a record meets all conditions, by its keys. */
export function meetsAll(
  { keys }: Pick<Collection, 'keys'>,
  entry: Pick<Entry, 'keys'>,
  where: readonly Condition[],
): boolean {
  return where.every(({ key, anyOf }) =>
    scalarsOf(entry.keys[keys.indexOf(key)]).some((value) => anyOf.includes(value)),
  );
}

function scalarsOf(value: KeyValue): readonly Scalar[] {
  if (value === undefined) return NO_SCALARS;
  return Array.isArray(value) ? [...new Set(value as readonly Scalar[])] : [value as Scalar];
}

/**
 * A map on top of another, which stays as it is: a session shares the initial rows and only holds its changes, however many
 * rows there are.
 */
class LayeredMap<K, V extends object> {
  readonly #below: LayeredMap<K, V> | undefined;
  /** Null: removed, whatever the map below has. */
  readonly #own = new Map<K, V | null>();

  constructor(below?: LayeredMap<K, V>) {
    this.#below = below;
  }

  get(key: K): V | undefined {
    const value = this.#own.get(key);
    return value === undefined ? this.#below?.get(key) : (value ?? undefined);
  }

  /** Undefined: only the map below may have a value, which must not be changed. */
  getOwn(key: K): V | undefined {
    return this.#own.get(key) ?? undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V): void {
    this.#own.set(key, value);
  }

  delete(key: K): void {
    if (this.#below?.has(key)) this.#own.set(key, null);
    else this.#own.delete(key);
  }
}

/** Pages per collection, so that a client with ever new queries does not fill the memory. */
const MAX_PAGES = 256;

/** In characters: without a documented limit, a page may be as long as its collection. */
const MAX_LENGTH = 2 ** 18;

/** Pages of one collection, valid until the next write. */
interface PageCache {
  get(query: Query, load: (query: Query) => Page): Page;
  /** Call at each write. */
  clear(): void;
}

export function createPageCache(): PageCache {
  const pages = new Map<string, Page>();
  return {
    get(query, load) {
      const key = cacheKey(query);
      const cached = pages.get(key);
      if (cached) return cached;
      const page = load(query);
      if (pages.size >= MAX_PAGES) pages.clear();
      if (page.text.length <= MAX_LENGTH) pages.set(key, page);
      return page;
    },
    clear() {
      // Clearing an empty map is as slow as creating one.
      if (pages.size > 0) pages.clear();
    },
  };
}

/** Strings are quoted, so that no value can look like another condition. */
function cacheKey({ where, offset, limit, counted }: Query): string {
  let text = counted ? `${offset} ${limit} counted` : `${offset} ${limit}`;
  for (const { key, anyOf } of where) {
    text += ` ${key}`;
    for (const value of anyOf)
      text += typeof value === 'string' ? JSON.stringify(value) : `=${typeof value}${value}`;
  }
  return text;
}
