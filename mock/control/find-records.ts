import { type Data, type Identity, idIn, parseJson, stringifyJson } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import type { AtPath } from '../records/snapshot/collection-path.ts';
import type { Condition, Entry, Id, Store } from '../store/port.ts';
import { meetsAll } from '../store/table.ts';

interface RecordQuery {
  readonly where: readonly Condition[];
  /** The one with this id alone, wherever it is listed; undefined: any. */
  readonly id: Id | undefined;
  readonly offset: number;
  readonly limit: number;
  /** A text in one of the values, whatever its case; empty: any record. */
  readonly filter: string;
  /** The member whose value must have the text; empty: any. */
  readonly member: string;
  /** The member that orders them, after `-` from the greatest on; empty: the newest first. */
  readonly sort: string;
}

/** A record as the control API shows it. */
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

/** How many a collection has; seeds are not made for it, where each of them is one. */
export async function countRecords(store: Store, collection: RecordCollection): Promise<number> {
  const { size, unique } = collection;
  if (size !== undefined && unique === undefined && store.isUnchanged?.(collection)) return size;
  const { total = 0 } = await store.list(collection, { where: [], offset: 0, limit: 0, counted: true });
  return total;
}

/** Searches a collection. The store itself pages where neither texts nor parents have to be looked at. */
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
  // What lacks the member is last in both directions.
  return valued
    .sort((one, other) => {
      if (isAbsent(one.value) || isAbsent(other.value))
        return Number(isAbsent(one.value)) - Number(isAbsent(other.value));
      return direction * compared(one.value, other.value);
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

/** A string of JSON text, with the colon that makes it the name of a member. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Looks at the text before anything is parsed: a hundred thousand records are tried in a moment. */
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
