import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../port.ts';
import { failureOf, type SqliteError } from './connection.ts';

/**
 * Opens a new file or one of Paddock, with the newest tables.
 * @throws StoreError if it cannot be used
 */
export function openFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    refuseForeignFile(path);
    database = new DatabaseSync(path);
    prepare(database);
    migrate(database, path);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StoreError ? error : new StoreError(`${path} ${reasonOf(error as SqliteError)}`);
  }
}

/** How long a start waits for an earlier process to unlock the file, in milliseconds. */
const WAIT_MS = 2000;

function prepare(database: DatabaseSync): void {
  database.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
  // A file has one owner, so that reads need no locks; mocks that share records use a server instead.
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec('PRAGMA journal_mode = WAL');
  // Every commit is passed to the operating system before it is acknowledged, and survives a killed process. FULL would
  // also sync the disk at each commit, which takes milliseconds: without it a power failure can lose the last commits, but
  // never corrupts the file.
  database.exec('PRAGMA synchronous = NORMAL');
  // Takes the lock now rather than at the first write.
  database.exec('BEGIN EXCLUSIVE; COMMIT');
}

function reasonOf(error: SqliteError): string {
  const reasons: Readonly<Record<number, string>> = {
    5: 'is in use by another process',
    8: 'cannot be written to',
    14: 'cannot be opened; is there such a folder, and may this user write in it?',
    26: 'is not an SQLite database',
  };
  const { errcode = 0, message } = error;
  return reasons[errcode & 0xff] ?? `cannot be used: ${failureOf(error)?.reason ?? message}`;
}

/**
 * Migrations, one per version of the schema; published ones never change. Records are listed in the order of their rowid.
 * Collections have numbers, since names would repeat in every row of the index.
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
  'CREATE TABLE paddock_memo (one INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;',
  'CREATE TABLE paddock_settings (session TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;',
];

const OTHER_TABLES = `SELECT count(*) AS others FROM sqlite_schema
  WHERE tbl_name NOT GLOB 'paddock_*' AND tbl_name NOT GLOB 'sqlite_*'`;

/**
 * Migrates a file to the newest version.
 * @throws StoreError for a file of a newer Paddock, or of another program
 */
function migrate(database: DatabaseSync, path: string): void {
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

/** https://www.sqlite.org/fileformat2.html §1.3: all of it is on the first page. */
const MAGIC = 'SQLite format 3\0';
const APPLICATION_ID = 68;
const LEAF_PAGE = 0x0d;
const PAGE_TYPE = 100;
const CELL_COUNT = 103;

/** The largest page size. */
const FIRST_PAGE = 2 ** 16;
/** The first transaction creates the tables: they are at the beginning of the log. */
const FIRST_TRANSACTION = 2 ** 18;
/** The log's header, a frame's header, and the smallest page: a shorter log has no page. */
const SHORTEST_LOG = 32 + 24 + 512;
const OWN_TABLE = 'CREATE TABLE paddock_collection';

/**
 * Reads a file's owner without SQLite, which even for reading creates files beside another program's, and may change it by
 * replaying a log.
 * @throws StoreError for a file of another program
 */
function refuseForeignFile(path: string): void {
  const page = beginningOf(path, FIRST_PAGE);
  // SQLite reports an unreadable file, and a new or empty one is free to use.
  if (page === undefined || page.length === 0) return;
  if (page.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new StoreError(`${path} is not an SQLite database`);
  if (page.includes(OWN_TABLE)) return;
  const log = beginningOf(`${path}-wal`, FIRST_TRANSACTION);
  if (log?.includes(OWN_TABLE)) return;
  const hasTables = page[PAGE_TYPE] !== LEAF_PAGE || page.readUInt16BE(CELL_COUNT) > 0;
  const hasLog = log !== undefined && log.length >= SHORTEST_LOG;
  if (hasTables || hasLog || page.readUInt32BE(APPLICATION_ID) !== 0)
    throw new StoreError(`${path} belongs to another program; name another file`);
}

function beginningOf(path: string, most: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    if (!fstatSync(file).isFile()) return undefined;
    const bytes = Buffer.alloc(most);
    return bytes.subarray(0, readSync(file, bytes, 0, most, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
