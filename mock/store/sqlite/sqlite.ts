import { DatabaseSync } from 'node:sqlite';
import type { OpenStore, Store } from '../port.ts';
import { forgetSession } from '../sql/collections.ts';
import { openSqlSession } from '../sql/session.ts';
import { StoreError } from '../store-error.ts';
import { connect } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { expireSessions } from './expire-sessions.ts';
import { failureOf, type SqliteError } from './failure.ts';
import { refuseForeignFile } from './file-owner.ts';
import { migrate } from './schema.ts';

/** How long a start waits for an earlier process to unlock the file, in milliseconds. */
const WAIT_MS = 2000;

/**
 * A store in one SQLite file, which survives the process.
 * @throws StoreError when the file cannot be opened
 */
export function sqliteStore(path: string): OpenStore {
  // When a document changes, its successor's store is opened before the first one is closed.
  let file: ReturnType<typeof open> | undefined;
  let users = 0;

  return (collections, notice = () => {}) => {
    file ??= open(path, notice);
    const { connection, dialect, expiry } = file;
    users++;
    let isOpen = true;

    function close(): void {
      if (!isOpen) return;
      isOpen = false;
      if (--users > 0) return;
      expiry.stop();
      connection.close();
      file = undefined;
    }

    function fork(session: string): Store {
      expiry.cancel(session);
      const store = openSqlSession(dialect, session, collections);
      return { ...store, fork, close: () => forgetSession(connection, session) };
    }
    return { ...openSqlSession(dialect, '', collections), fork, close };
  };
}

function open(path: string, notice: (text: string) => void) {
  const connection = connect(openFile(path), path, notice);
  return { connection, dialect: sqliteDialect(connection), expiry: expireSessions(connection) };
}

function openFile(path: string): DatabaseSync {
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
