import { StoreError } from '../port.ts';
import type { Address, PostgresDatabase } from './database.ts';

/**
 * Migrations, one per version of the schema; published ones never change. Each statement is idempotent, since replicas may
 * start at once and not every engine supports DDL in a transaction. Tables and indexes avoid PostgreSQL specifics, so that
 * distributed engines with its protocol work, too.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    'CREATE SEQUENCE IF NOT EXISTS paddock_number',
    // Collections have numbers: names would repeat in every row of the index, and a reset changes the number in one row
    // instead of a million rows.
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
 * Migrates the tables to the newest version.
 * @throws StoreError if a newer Paddock has created them
 */
export async function migrate({ query }: PostgresDatabase, { label }: Address): Promise<void> {
  await retryRace(() =>
    query({ text: 'CREATE TABLE IF NOT EXISTS paddock_schema (one INT PRIMARY KEY, version INT NOT NULL)' }),
  );
  await query({
    text: 'INSERT INTO paddock_schema (one, version) VALUES (1, 0) ON CONFLICT (one) DO NOTHING',
  });
  const [row] = await query({ text: 'SELECT version FROM paddock_schema WHERE one = 1' });
  const version = Number(row?.version);
  if (version > MIGRATIONS.length) {
    throw new StoreError(
      `the database at ${label} has tables of a newer Paddock (version ${version}, and this one knows ${MIGRATIONS.length})`,
    );
  }
  for (let next = version; next < MIGRATIONS.length; next++) {
    for (const text of MIGRATIONS[next] ?? []) await retryRace(() => query({ text }));
    await query({
      text: 'UPDATE paddock_schema SET version = $1 WHERE one = 1 AND version < $1',
      values: [next + 1],
    });
  }
}

/** Concurrent DDL for one object can fail despite IF NOT EXISTS; a retry then finds the object. */
async function retryRace(query: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await query();
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (attempt > 5 || !RACES.has(code ?? '')) throw error;
    }
  }
}

/** SQLSTATE: unique_violation, duplicate_table, duplicate_object, "tuple concurrently updated". */
const RACES = new Set(['23505', '42P07', '42710', 'XX000']);
