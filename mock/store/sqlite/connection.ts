import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ResultRows, Statement } from '../sql/database.ts';
import { StoreAway } from '../store-error.ts';

/** One open file, shared by all sessions in it. */
export interface Connection {
  query(statement: Statement): ResultRows;
  /**
   * All of it or nothing, and handed to the system when it is done.
   * @throws StoreAway when the disk is full or fails
   */
  transaction<T>(work: (query: Connection['query']) => T): T;
  close(): void;
}

/** What differs from page to page stands in values, so that there are few texts; who filters by many values adds some. */
const MAX_PREPARED = 200;

export function connect(database: DatabaseSync): Connection {
  const prepared = new Map<string, StatementSync>();

  function prepare(text: string): StatementSync {
    const known = prepared.get(text);
    if (known) return known;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    const statement = database.prepare(text);
    // The counter of places, which SQLite keeps by itself.
    statement.setAllowUnknownNamedParameters(true);
    prepared.set(text, statement);
    return statement;
  }

  function query({ text, values = [] }: Statement): ResultRows {
    const named = Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value as string | number]));
    return prepare(text).all(named) as unknown as ResultRows;
  }

  return {
    query,
    transaction(work) {
      try {
        prepare('BEGIN IMMEDIATE').run();
        const result = work(query);
        prepare('COMMIT').run();
        return result;
      } catch (error) {
        if (database.isTransaction) prepare('ROLLBACK').run();
        throw isEnvironment(error as SqliteError) ? new StoreAway((error as Error).message) : error;
      }
    },
    close: () => database.close(),
  };
}

export interface SqliteError extends Error {
  /** https://www.sqlite.org/rescode.html */
  readonly errcode?: number;
}

/** SQLITE_IOERR and SQLITE_FULL: no fault of the mock's. */
function isEnvironment({ errcode = 0 }: SqliteError): boolean {
  return [10, 13].includes(errcode & 0xff);
}
