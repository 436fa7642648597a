import { parseJson, stringifyJson } from '#spec';
import {
  type Collection,
  type Entry,
  type Id,
  type KeyValue,
  type Scalar,
  StoreUnavailable,
} from '../port.ts';
import type { Dialect, NewRow, Query, Row, Steps } from './database.ts';

export function rowOf({ keys: names }: Collection, { id, text, keys }: Entry): Row {
  return {
    id: keyText(id),
    text,
    // Lists treat no value and an empty list alike.
    facts: stringifyJson([id, ...keys.map((value) => (value === undefined ? [] : value))]),
    keys: names.flatMap((name, at) => valuesOf(keys[at]).map((value) => [name, value] as const)),
  };
}

function valuesOf(value: KeyValue): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? [...new Set(value.map(keyText))] : [keyText(value as Scalar)];
}

export function entryOf({ text, facts }: Pick<Row, 'text' | 'facts'>): Entry {
  const [id, ...keys] = readFacts(facts);
  return { id, text, keys };
}

function readFacts(facts: string): [Id, ...KeyValue[]] {
  try {
    return parseJson(facts) as [Id, ...KeyValue[]];
  } catch {
    throw new StoreUnavailable('a stored record is damaged: put back a copy of the store, or reset the mock');
  }
}

/** A stored entry with the keys that its collection has now, if the document has changed since. */
export function withKeysOf(collection: Collection, entry: Entry, oldNames: readonly string[]): Entry {
  const members = parseJson(entry.text) as Readonly<Record<string, unknown>>;
  // Keys in braces come from the path, and are stored nowhere else.
  const scope = oldNames.flatMap((key, at) =>
    key.startsWith('{') ? [{ key, anyOf: [entry.keys[at] as Scalar] }] : [],
  );
  const { keys } = collection.complete(entry.id, { id: entry.id, members, scope });
  return { ...entry, keys };
}

/**
 * An id or key as text for an indexed column: two texts are equal if and only if the values are. Texts that are long, or
 * that databases do not store faithfully (U+0000, half surrogate pairs), are replaced by their SHA-256.
 */
export function keyText(value: Scalar): string {
  if (typeof value === 'number' || typeof value === 'bigint') return `n${value}`;
  if (typeof value !== 'string') return String(value);
  if (value.length <= LONGEST && value.isWellFormed() && !value.includes('\0')) return `s${value}`;
  // As JSON, which escapes half surrogate pairs: in UTF-8 they would all be the same.
  return `h${createHash('sha256').update(JSON.stringify(value)).digest('base64url')}`;
}

/** In UTF-16 units. PostgreSQL refuses index rows beyond some 2,700 bytes, and a row has several columns. */
const LONGEST = 200;

const { createHash } = process.getBuiltinModule('node:crypto');

/** A record as it was read. */
export interface StoredRecord {
  readonly number: number;
  readonly place: number;
  readonly text: string;
  readonly facts: string;
}

/** Rows per statement while a collection is filled. */
export const BATCH = 1000;

/** Fills a new collection, within a transaction. Returns the number of entries. */
export function* insertAll(
  { insertRecords }: Dialect,
  query: Query,
  collection: Collection,
  number: number,
  entries: Iterable<Entry>,
): Steps<number> {
  let place = 0;
  let batch: NewRow[] = [];
  for (const entry of entries) {
    batch.push({ ...rowOf(collection, entry), place: ++place });
    if (batch.length < BATCH) continue;
    // Ids from a narrow pattern may repeat; the later record is then skipped.
    yield* insertRecords(query, number, batch);
    batch = [];
  }
  yield* insertRecords(query, number, batch);
  return place;
}

function* insertKeys(query: Query, number: number, place: number, keys: Row['keys']): Steps<void> {
  if (keys.length === 0) return;
  const tuples = keys.map((_, at) => `($1, $${2 * at + 3}, $${2 * at + 4}, $2)`).join(', ');
  const text = `INSERT INTO paddock_key (collection, name, value, place) VALUES ${tuples}`;
  yield* query({ text, values: [number, place, ...keys.flat()] });
}

/** Within a transaction. False: it has changed since it was read. */
export function* replaceRecord(
  query: Query,
  collection: Collection,
  { number, place, ...old }: StoredRecord,
  entry: Entry,
): Steps<boolean> {
  const { facts, text, keys } = rowOf(collection, entry);
  const values = [number, place, old.text, old.facts, text, facts];
  const changed = yield* query({ text: UPDATE, values });
  if (changed.length === 0) return false;
  yield* query({ text: DELETE_KEYS, values: [number, place] });
  yield* insertKeys(query, number, place, keys);
  return true;
}

/** Within a transaction. False: it was changed or removed since it was read. */
export function* deleteRecord(query: Query, { number, place, text }: StoredRecord): Steps<boolean> {
  const removed = yield* query({ text: DELETE, values: [number, place, text] });
  if (removed.length === 0) return false;
  yield* query({ text: DELETE_KEYS, values: [number, place] });
  return true;
}

/** Within a transaction: deletes all records of these collections. */
export function* deleteAll(query: Query, numbers: readonly number[]): Steps<void> {
  for (const number of numbers) {
    yield* query({ text: 'DELETE FROM paddock_record WHERE collection = $1', values: [number] });
    yield* query({ text: 'DELETE FROM paddock_key WHERE collection = $1', values: [number] });
  }
}

const UPDATE = `UPDATE paddock_record SET text = $5, facts = $6
  WHERE collection = $1 AND place = $2 AND text = $3 AND facts = $4 RETURNING place`;

const DELETE =
  'DELETE FROM paddock_record WHERE collection = $1 AND place = $2 AND text = $3 RETURNING place';
const DELETE_KEYS = 'DELETE FROM paddock_key WHERE collection = $1 AND place = $2';
