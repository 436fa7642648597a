import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';

/**
 * Migrations, one for each version of the schema; one that was ever published is never changed. Records are listed
 * in the order of their rowid. Collections have numbers, because their names would be repeated in every row of the
 * index.
 */
const MIGRATIONS = [
  `CREATE TABLE paddock_collection (
     number INTEGER PRIMARY KEY,
     session TEXT NOT NULL,
     name TEXT NOT NULL,
     keys TEXT NOT NULL,
     made INTEGER NOT NULL,
     UNIQUE (session, name)
   ) STRICT;
   CREATE TABLE paddock_record (
     place INTEGER PRIMARY KEY,
     collection INTEGER NOT NULL,
     id TEXT NOT NULL,
     facts TEXT NOT NULL,
     text TEXT NOT NULL,
     UNIQUE (collection, id)
   ) STRICT;
   CREATE INDEX paddock_record_order ON paddock_record (collection, place);
   CREATE TABLE paddock_key (
     collection INTEGER NOT NULL,
     name TEXT NOT NULL,
     value TEXT NOT NULL,
     place INTEGER NOT NULL,
     PRIMARY KEY (collection, name, value, place)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX paddock_key_of_record ON paddock_key (place);`,
];

const OTHER_TABLES = `SELECT count(*) AS others FROM sqlite_schema
  WHERE tbl_name NOT GLOB 'paddock_*' AND tbl_name NOT GLOB 'sqlite_*'`;

/**
 * Migrates a file to the newest version.
 * @throws StoreError for a file of a newer Paddock, or of another program
 */
export function migrate(database: DatabaseSync, path: string): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  const { others } = database.prepare(OTHER_TABLES).get() as { others: number };
  if (others > 0) throw new StoreError(`${path} holds tables of another program; name another file`);
  if (version > MIGRATIONS.length) {
    throw new StoreError(`${path} was written by a newer Paddock (tables of version ${version})`);
  }
  for (let next = version; next < MIGRATIONS.length; next++) {
    database.exec(`BEGIN; ${MIGRATIONS[next]} PRAGMA user_version = ${next + 1}; COMMIT`);
  }
}
