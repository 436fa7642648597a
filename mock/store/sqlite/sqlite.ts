import { parseJson, stringifyJson } from '#spec';
import { type Memo, type OpenStore, type SettingsStore, type Store, StoreUnavailable } from '../port.ts';
import { forgetSession } from '../sql/collections.ts';
import { type Dialect, type NewRow, wait } from '../sql/database.ts';
import { openSqlSession } from '../sql/session.ts';
import { type Connection, connect } from './connection.ts';
import { openFile } from './file.ts';

/**
 * A store in one SQLite file, which survives the process.
 * @throws StoreError if the file cannot be opened
 */
export function sqliteStore(path: string): OpenStore {
  // When a document changes, its new store is opened before the old one is closed.
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

    const settings = settingsOf(connection);
    const openSession = (session: string) => ({ ...openSqlSession(dialect, session, collections), settings });

    function fork(session: string): Store {
      expiry.cancel(session);
      return { ...openSession(session), fork, close: () => forget(connection, session) };
    }
    return { ...openSession(''), memo: memoOf(connection), fork, close };
  };
}

function open(path: string, notice: (text: string) => void) {
  const connection = connect(openFile(path), path, notice);
  return { connection, dialect: sqliteDialect(connection), expiry: expireSessions(connection) };
}

function memoOf({ query }: Connection): Memo {
  return {
    get() {
      const [row] = query({ text: 'SELECT text FROM paddock_memo WHERE one = 1' });
      return row && String(row.text);
    },
    set: (text) =>
      void query({ text: 'INSERT OR REPLACE INTO paddock_memo (one, text) VALUES (1, $1)', values: [text] }),
  };
}

function settingsOf({ query }: Connection): SettingsStore {
  const get = (session: string) => {
    const text = 'SELECT text FROM paddock_settings WHERE session = $1';
    const [row] = unlessDamaged(() => query({ text, values: [session] })) ?? [];
    return row && parseJson(String(row.text));
  };
  return {
    get,
    update(session, edit) {
      const text = 'INSERT OR REPLACE INTO paddock_settings (session, text) VALUES ($1, $2)';
      query({ text, values: [session, stringifyJson(edit(get(session)))] });
    },
  };
}

/** Damage was reported already; the rest of the file is still served. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return undefined;
  }
}

function forget(connection: Connection, session: string): void {
  connection.query({ text: 'DELETE FROM paddock_settings WHERE session = $1', values: [session] });
  forgetSession(connection, session);
}

/** Deletes sessions that an earlier process has left in the file. */
interface SessionExpiry {
  /** Call when the session is used again. */
  cancel(session: string): void;
  stop(): void;
}

/** In milliseconds: as long as a mock keeps an idle session. */
const IDLE_MS = 3_600_000;

function expireSessions(connection: Connection): SessionExpiry {
  const tables = ['paddock_collection', 'paddock_settings'];
  const rows = tables.flatMap((table) => {
    const text = `SELECT DISTINCT session FROM ${table} WHERE session <> ''`;
    return unlessDamaged(() => connection.query({ text })) ?? [];
  });
  const unused = new Set(rows.map(({ session }) => String(session)));
  const timer = setTimeout(() => {
    // If it fails, the next process tries again.
    for (const session of unused) unlessDamaged(() => forget(connection, session));
    unused.clear();
  }, IDLE_MS).unref();
  return {
    cancel: (session) => unused.delete(session),
    stop: () => clearTimeout(timer),
  };
}

/** A file has one owner, which numbers collections and records itself. */
function sqliteDialect(connection: Connection): Dialect {
  return {
    database: connection,
    isShared: false,
    claimCollection: INSERT_COLLECTION,
    renewCollection: INSERT_COLLECTION,
    setCounters: 'UPDATE paddock_collection SET made = $3 WHERE session = $1 AND name = $2',
    // `RETURNING` would take twice as long.
    insertRecords: (_query, number, rows) => wait(insertRecords(connection, number, rows)),
    reserve: RESERVE,
    createReserve: (session, name) => (wantsId) => {
      const [row] = connection.query({ text: RESERVE, values: [session, name, Number(wantsId)] });
      return row && { number: Number(row.number), place: 0, ordinal: Number(row.made) };
    },
    enterSession: () => {},
  };
}

function insertRecords({ run }: Connection, number: number, rows: readonly NewRow[]): readonly number[] {
  const skipped: number[] = [];
  for (const [index, { id, facts, text, keys }] of rows.entries()) {
    const { changes, lastInsertRowid } = run({ text: INSERT_RECORD, values: [number, id, facts, text] });
    if (changes === 0) skipped.push(index);
    else {
      const place = Number(lastInsertRowid);
      for (const [name, value] of keys) run({ text: INSERT_KEY, values: [number, name, value, place] });
    }
  }
  return skipped;
}

const INSERT_COLLECTION = `INSERT INTO paddock_collection (session, name, keys, made) VALUES ($1, $2, $3, 0)
  RETURNING number`;
const INSERT_RECORD = `INSERT INTO paddock_record (collection, id, facts, text) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING`;
const INSERT_KEY = 'INSERT INTO paddock_key (collection, name, value, place) VALUES ($1, $2, $3, $4)';
const RESERVE = `UPDATE paddock_collection SET made = made + $3 WHERE session = $1 AND name = $2
  RETURNING number, made, 0 AS placed`;
