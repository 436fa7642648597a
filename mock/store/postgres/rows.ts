import type { Collection, Entry } from '../port.ts';
import { type Row, rowOf } from '../sql/row.ts';
import type { Ask } from './database.ts';

/** False: the id is taken. One statement, so that a record is never without its index. */
export async function insertRecord(
  ask: Ask,
  collection: Collection,
  { number, place }: { readonly number: number; readonly place: number },
  entry: Entry,
): Promise<boolean> {
  const { id, facts, text, keys } = rowOf(collection, entry);
  const names = keys.map(([name]) => name);
  const values = keys.map(([, value]) => value);
  const added = await ask({ text: INSERT_ONE, values: [number, place, id, facts, text, names, values] });
  return added.length > 0;
}

const INSERT_ONE = `WITH added AS (
    INSERT INTO paddock_record (collection, place, id, facts, text)
    VALUES ($1::bigint, $2::bigint, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING place
  ), indexed AS (
    INSERT INTO paddock_key (collection, name, value, place)
    SELECT $1::bigint, k.name, k.value, added.place
    FROM added, unnest($6::text[], $7::text[]) AS k (name, value)
  )
  SELECT place FROM added`;

/** Rows in one statement, while a collection is filled. */
const BATCH = 1000;

/** Fills a new collection, within a transaction. Gives how many entries there were. */
export async function fillCollection(
  ask: Ask,
  collection: Collection,
  number: number,
  entries: Iterable<Entry>,
): Promise<number> {
  let place = 0;
  let batch: (Row & { readonly place: number })[] = [];
  for (const entry of entries) {
    batch.push({ ...rowOf(collection, entry), place: ++place });
    if (batch.length < BATCH) continue;
    await insertBatch(ask, number, batch);
    batch = [];
  }
  if (batch.length > 0) await insertBatch(ask, number, batch);
  return place;
}

async function insertBatch(
  ask: Ask,
  number: number,
  rows: readonly (Row & { readonly place: number })[],
): Promise<void> {
  const columns = [
    rows.map(({ place }) => place),
    rows.map(({ id }) => id),
    rows.map(({ facts }) => facts),
    rows.map(({ text }) => text),
  ];
  const added = await ask({ text: INSERT_MANY, values: [number, ...columns] });
  // Ids after a narrow pattern can meet; the later record is then none.
  const places = new Set(added.map(({ place }) => Number(place)));
  const kept = places.size === rows.length ? rows : rows.filter(({ place }) => places.has(place));
  await insertKeys(ask, number, kept);
}

const INSERT_MANY = `INSERT INTO paddock_record (collection, place, id, facts, text)
  SELECT $1::bigint, r.place, r.id, r.facts, r.text
  FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) AS r (place, id, facts, text)
  ON CONFLICT DO NOTHING RETURNING place`;

async function insertKeys(
  ask: Ask,
  number: number,
  rows: readonly { readonly place: number; readonly keys: Row['keys'] }[],
): Promise<void> {
  const keys = rows.flatMap(({ place, keys }) => keys.map(([name, value]) => ({ place, name, value })));
  if (keys.length === 0) return;
  const columns = [
    keys.map(({ name }) => name),
    keys.map(({ value }) => value),
    keys.map(({ place }) => place),
  ];
  await ask({ text: INSERT_KEYS, values: [number, ...columns] });
}

const INSERT_KEYS = `INSERT INTO paddock_key (collection, name, value, place)
  SELECT $1::bigint, k.name, k.value, k.place
  FROM unnest($2::text[], $3::text[], $4::bigint[]) AS k (name, value, place)`;

/** A record as it was found. */
export interface Found {
  readonly number: number;
  readonly place: number;
  readonly text: string;
  readonly facts: string;
}

/** Within a transaction. False: it has changed since it was found. */
export async function replaceRecord(
  ask: Ask,
  collection: Collection,
  { number, place, ...old }: Found,
  entry: Entry,
): Promise<boolean> {
  const { facts, text, keys } = rowOf(collection, entry);
  const changed = await ask({ text: UPDATE, values: [number, place, old.text, old.facts, text, facts] });
  if (changed.length === 0) return false;
  await ask({ text: DELETE_KEYS, values: [number, place] });
  await insertKeys(ask, number, [{ place, keys }]);
  return true;
}

const UPDATE = `UPDATE paddock_record SET text = $5, facts = $6
  WHERE collection = $1 AND place = $2 AND text = $3 AND facts = $4 RETURNING place`;
const DELETE_KEYS = 'DELETE FROM paddock_key WHERE collection = $1 AND place = $2';

/** Within a transaction. False: somebody else was first. */
export async function deleteRecord(ask: Ask, { number, place }: Found): Promise<boolean> {
  const text = 'DELETE FROM paddock_record WHERE collection = $1 AND place = $2 RETURNING place';
  const gone = await ask({ text, values: [number, place] });
  await ask({ text: DELETE_KEYS, values: [number, place] });
  return gone.length > 0;
}
