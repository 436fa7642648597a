import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { StoreAway } from '../store-error.ts';

/** One open file, shared by all sessions in it. */
export interface Connection {
  /** Prepared at its first use. */
  prepare(text: string): StatementSync;
  run(text: string, ...values: SQLInputValue[]): ReturnType<StatementSync['run']>;
  /**
   * All of it or nothing, and handed to the system when it is done.
   * @throws StoreAway when the disk is full or fails
   */
  within<T>(work: () => T): T;
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
    const made = database.prepare(text);
    prepared.set(text, made);
    return made;
  }

  return {
    prepare,
    run: (text, ...values) => prepare(text).run(...values),
    within(work) {
      try {
        prepare('BEGIN IMMEDIATE').run();
        const result = work();
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
