import { StoreError } from '../store-error.ts';
import type { Address } from './address.ts';
import type { PostgresDatabase } from './database.ts';

/**
 * What made the tables what they are, one step for each version; a step that was ever published is never changed.
 * Each statement can be done again: replicas may start at once, and not every engine takes DDL in a transaction.
 * Tables and indexes are plain, so that engines which distribute them need nothing that PostgreSQL alone has.
 */
const STEPS: readonly (readonly string[])[] = [
  [
    'CREATE SEQUENCE IF NOT EXISTS paddock_number',
    // Collections bear numbers, because their names would stand in every row of the index, and because a reset can
    // put another number into one row in the place of changing a million.
    `CREATE TABLE IF NOT EXISTS paddock_collection (
       session TEXT NOT NULL,
       name TEXT NOT NULL,
       number BIGINT NOT NULL,
       keys TEXT NOT NULL,
       made BIGINT NOT NULL,
       placed BIGINT NOT NULL,
       PRIMARY KEY (session, name)
     )`,
    `CREATE TABLE IF NOT EXISTS paddock_record (
       collection BIGINT NOT NULL,
       place BIGINT NOT NULL,
       id TEXT NOT NULL,
       facts TEXT NOT NULL,
       text TEXT NOT NULL,
       PRIMARY KEY (collection, place)
     )`,
    'CREATE UNIQUE INDEX IF NOT EXISTS paddock_record_id ON paddock_record (collection, id)',
    `CREATE TABLE IF NOT EXISTS paddock_key (
       collection BIGINT NOT NULL,
       name TEXT NOT NULL,
       value TEXT NOT NULL,
       place BIGINT NOT NULL,
       PRIMARY KEY (collection, name, value, place)
     )`,
    'CREATE INDEX IF NOT EXISTS paddock_key_place ON paddock_key (collection, place)',
  ],
  [
    'CREATE TABLE IF NOT EXISTS paddock_version (one INT PRIMARY KEY, version BIGINT NOT NULL)',
    'INSERT INTO paddock_version (one, version) VALUES (1, 0) ON CONFLICT (one) DO NOTHING',
    `CREATE TABLE IF NOT EXISTS paddock_note (
       session TEXT PRIMARY KEY,
       version BIGINT NOT NULL,
       text TEXT NOT NULL
     )`,
    'CREATE INDEX IF NOT EXISTS paddock_note_version ON paddock_note (version)',
    `CREATE TABLE IF NOT EXISTS paddock_use (
       session TEXT NOT NULL,
       replica TEXT NOT NULL,
       at TIMESTAMPTZ NOT NULL,
       PRIMARY KEY (session, replica)
     )`,
  ],
];

/**
 * Brings the tables to the newest version.
 * @throws StoreError when they are those of a newer Paddock
 */
export async function migrate({ query }: PostgresDatabase, { shown }: Address): Promise<void> {
  await retried(() =>
    query({ text: 'CREATE TABLE IF NOT EXISTS paddock_schema (one INT PRIMARY KEY, version INT NOT NULL)' }),
  );
  await query({
    text: 'INSERT INTO paddock_schema (one, version) VALUES (1, 0) ON CONFLICT (one) DO NOTHING',
  });
  const [row] = await query({ text: 'SELECT version FROM paddock_schema WHERE one = 1' });
  const version = Number(row?.version);
  if (version > STEPS.length) {
    throw new StoreError(
      `the database at ${shown} has tables of a newer Paddock (version ${version}, and this one knows ${STEPS.length})`,
    );
  }
  for (let next = version; next < STEPS.length; next++) {
    for (const text of STEPS[next] ?? []) await retried(() => query({ text }));
    await query({
      text: 'UPDATE paddock_schema SET version = $1 WHERE one = 1 AND version < $1',
      values: [next + 1],
    });
  }
}

/** Two that create the same thing at once can meet, whatever IF NOT EXISTS says; the later one then finds it there. */
async function retried(query: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await query();
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (attempt > 5 || !MEETINGS.has(code ?? '')) throw error;
    }
  }
}

/** SQLSTATE: unique_violation, duplicate_table, duplicate_object, "tuple concurrently updated". */
const MEETINGS = new Set(['23505', '42P07', '42710', 'XX000']);
