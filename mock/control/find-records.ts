import { type Data, type Identity, idIn, parseJson, stringifyJson } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import type { AtPath } from '../records/snapshot/collection-path.ts';
import type { Condition, Entry, Id, Store } from '../store/port.ts';
import { meetsAll } from '../store/table.ts';

interface RecordQuery {
  readonly where: readonly Condition[];
  /** Only the record with this id, wherever it is listed. Undefined: any. */
  readonly id: Id | undefined;
  readonly offset: number;
  readonly limit: number;
  /** A text in one of the values, case-insensitive; empty: any record. */
  readonly filter: string;
  /** The member whose value must contain the text; empty: any. */
  readonly member: string;
  /** The member that sorts them, with `-` in front descending; empty: the newest first. */
  readonly sort: string;
}

/** A record in the control API. */
export interface FoundRecord {
  readonly id: Id;
  readonly record: Data;
  /** The path of its collection, without the base path: `/shelves/3/books`. */
  readonly path: string;
}

export interface FoundRecords {
  /** On all pages. */
  readonly total: number;
  readonly records: readonly FoundRecord[];
}

/** The number of records in a collection; does not generate seeds just to count them. */
export async function countRecords(store: Store, collection: RecordCollection): Promise<number> {
  const { size, unique } = collection;
  if (size !== undefined && unique === undefined && store.isUnchanged?.(collection)) return size;
  const { total = 0 } = await store.list(collection, { where: [], offset: 0, limit: 0, counted: true });
  return total;
}

/** Searches a collection. The store pages itself, unless texts or parents must be compared. */
export async function findRecords(
  { collection, pathOf }: Pick<AtPath, 'collection' | 'pathOf'>,
  store: Store,
  query: RecordQuery,
): Promise<FoundRecords> {
  const { where, offset, limit, filter, member, sort } = query;
  const { id, parents } = collection.resource;
  const viewOf = (entry: Entry): FoundRecord => ({
    id: entry.id,
    record: parseJson(entry.text) as Data,
    path: pathOf(entry),
  });
  if (query.id !== undefined) {
    const text = await store.read(collection, query.id, where);
    if (text === undefined) return { total: 0, records: [] };
    const { entries } = parents.length > 0 ? await store.contents(collection) : { entries: [] };
    const entry = entries.find((one) => one.id === query.id);
    const view = {
      id: query.id,
      record: parseJson(text) as Data,
      path: entry ? pathOf(entry) : collection.name,
    };
    return { total: 1, records: [view] };
  }
  if (filter === '' && limit === 0 && where.length === 0)
    return { total: await countRecords(store, collection), records: [] };
  if (filter === '' && sort === '' && id && parents.length === 0)
    return listPage(store, collection, id, query);
  const { entries } = await store.contents(collection);
  const hasText = compileHasText(filter, member);
  const wanted = entries.filter((entry) => meetsAll(collection, entry, where) && hasText(entry.text));
  const matches = sort === '' ? wanted.reverse() : sorted(wanted, sort);
  return { total: matches.length, records: matches.slice(offset, offset + limit).map(viewOf) };
}

/** Stores list the oldest first. */
async function listPage(
  store: Store,
  collection: RecordCollection,
  id: Identity,
  { offset, limit }: RecordQuery,
): Promise<FoundRecords> {
  const total = await countRecords(store, collection);
  const end = Math.max(0, total - offset);
  const start = Math.max(0, end - limit);
  const { text } = await store.list(collection, { where: [], offset: start, limit: end - start });
  const records = (parseJson(text) as Data[]).reverse();
  const { name: path } = collection;
  return { total, records: records.map((record) => ({ id: idIn(id, record) as Id, record, path })) };
}

function sorted(entries: readonly Entry[], sort: string): Entry[] {
  const [, sign, member = ''] = /^(-?)(.*)$/s.exec(sort) ?? [];
  const direction = sign === '-' ? -1 : 1;
  const valued = entries.map((entry) => {
    const record = parseJson(entry.text) as Readonly<Record<string, unknown>>;
    return { entry, value: Object.hasOwn(record, member) ? record[member] : undefined };
  });
  // Records without the member come last in both directions.
  return valued
    .sort((left, right) => {
      if (isAbsent(left.value) || isAbsent(right.value))
        return Number(isAbsent(left.value)) - Number(isAbsent(right.value));
      return direction * compared(left.value, right.value);
    })
    .map(({ entry }) => entry);
}

const isAbsent = (value: unknown) => value === undefined || value === null;

const ORDER = new Intl.Collator('en', { numeric: true });

function compared(one: unknown, other: unknown): number {
  if (isNumber(one) && isNumber(other)) return one < other ? -1 : Number(one > other);
  return ORDER.compare(shownText(one), shownText(other));
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';

const shownText = (value: unknown) => (typeof value === 'string' ? value : stringifyJson(value));

/** A string in JSON text, with the colon if it is a member's name. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Searches the text without parsing, so that a hundred thousand records take only a moment. */
function compileHasText(filter: string, member: string): (text: string) => boolean {
  if (filter === '') return () => true;
  const wanted = JSON.stringify(filter).slice(1, -1).toLowerCase();
  const hasWanted = (text: string) => text.toLowerCase().includes(wanted);
  const valuesIn = (text: string) => text.replace(STRING, (string, colon) => (colon ? '' : string));
  return (text) => {
    if (!hasWanted(text)) return false;
    if (member === '') return hasWanted(valuesIn(text));
    const record = parseJson(text) as Readonly<Record<string, unknown>>;
    return Object.hasOwn(record, member) && hasWanted(stringifyJson(record[member]));
  };
}
