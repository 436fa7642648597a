import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../port.ts';
import { failureOf, type SqliteError } from './connection.ts';

/**
 * Opens a file that is new, or Paddock's own, with tables of the newest version.
 * @throws StoreError when it cannot be used
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
  // A file has one owner, which then needs no lock for each read; several mocks share a server instead.
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec('PRAGMA journal_mode = WAL');
  // Every commit is written to the system before it is acknowledged, and survives a killed process. FULL would also
  // sync the disk at each commit, which takes milliseconds: without it a power failure can lose the last commits, but
  // never corrupts the file.
  database.exec('PRAGMA synchronous = NORMAL');
  // Takes the lock now, and not at the first write.
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

/** https://www.sqlite.org/fileformat2.html §1.3: all of it stands on the first page. */
const MAGIC = 'SQLite format 3\0';
const APPLICATION_ID = 68;
const LEAF_PAGE = 0x0d;
const PAGE_TYPE = 100;
const CELL_COUNT = 103;

/** The longest page. */
const FIRST_PAGE = 2 ** 16;
/** The first transaction of a file makes the tables: they stand at the beginning of its log. */
const FIRST_TRANSACTION = 2 ** 18;
/** Header of the log, header of a frame, and the smallest page: a shorter one holds no page. */
const SHORTEST_LOG = 32 + 24 + 512;
const OWN_TABLE = 'CREATE TABLE paddock_collection';

/**
 * Reads whose file it is without SQLite, which even for reading leaves files beside that of another program, and may
 * change it by what an ended process has left there.
 * @throws StoreError for a file of another program
 */
function refuseForeignFile(path: string): void {
  const page = beginningOf(path, FIRST_PAGE);
  // What cannot be read is reported by SQLite, and what is new or empty belongs to nobody.
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
