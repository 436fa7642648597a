import type { Collection, Entry } from '../port.ts';
import type { Dialect, NewRow, Query } from './database.ts';
import { type Row, rowOf } from './row.ts';
import type { Steps } from './steps.ts';

/** A record as it was found. */
export interface StoredRecord {
  /** Of its collection. */
  readonly number: number;
  readonly place: number;
  readonly text: string;
  readonly facts: string;
}

/** Rows in one statement, while a collection is filled. */
const BATCH = 1000;

/** Fills a new collection, within a transaction. Gives how many entries there were. */
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
    // Ids after a narrow pattern can meet; the later record is then skipped.
    yield* insertRecords(query, number, batch);
    batch = [];
  }
  yield* insertRecords(query, number, batch);
  return place;
}

/** Within a transaction. */
function* insertKeys(query: Query, number: number, place: number, keys: Row['keys']): Steps<void> {
  if (keys.length === 0) return;
  const tuples = keys.map((_, at) => `($1, $${2 * at + 3}, $${2 * at + 4}, $2)`).join(', ');
  const text = `INSERT INTO paddock_key (collection, name, value, place) VALUES ${tuples}`;
  yield* query({ text, values: [number, place, ...keys.flat()] });
}

/** Within a transaction. False: it has changed since it was found. */
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

/** Within a transaction. False: another request has removed it. */
export function* deleteRecord(query: Query, { number, place }: StoredRecord): Steps<boolean> {
  const removed = yield* query({ text: DELETE, values: [number, place] });
  yield* query({ text: DELETE_KEYS, values: [number, place] });
  return removed.length > 0;
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
const DELETE = 'DELETE FROM paddock_record WHERE collection = $1 AND place = $2 RETURNING place';
const DELETE_KEYS = 'DELETE FROM paddock_key WHERE collection = $1 AND place = $2';
