import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { createOutageReport, StoreUnavailable } from '../port.ts';
import type { ResultRows, Statement } from '../sql/database.ts';

/**
 * An open file, shared by all of its sessions.
 * @throws StoreUnavailable with the reason, if the disk is full or fails, or the file is damaged
 */
export interface Connection {
  query(statement: Statement): ResultRows;
  /** For statements without results. */
  run(statement: Statement): ReturnType<StatementSync['run']>;
  /** Atomic; passed to the operating system at the commit. */
  transaction<T>(work: (query: Connection['query']) => T): T;
  close(): void;
}

/** Values are bound, so that there are few statements; only filters by many values at once create further ones. */
const MAX_PREPARED = 200;

interface Prepared {
  readonly statement: StatementSync;
  /** The value for each placeholder. */
  readonly order: readonly number[];
}

export function connect(database: DatabaseSync, path: string, notice: (text: string) => void): Connection {
  const outages = createOutageReport(`the file ${path}`, notice);
  const damages = createOutageReport(`a part of the file ${path}`, notice);
  const prepared = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    const entry = prepared.get(text);
    if (entry) return entry;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    // The driver binds values to `?` twice as fast as to named placeholders.
    const order = Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number) - 1);
    const made = { statement: database.prepare(text.replaceAll(/\$\d+/g, '?')), order };
    prepared.set(text, made);
    return made;
  }

  function bound({ text, values = [] }: Statement): [StatementSync, SQLInputValue[]] {
    const { statement, order } = prepare(text);
    return [statement, order.map((at) => values[at] as string | number)];
  }

  function query(text: Statement): ResultRows {
    const [statement, values] = bound(text);
    return statement.all(...values) as unknown as ResultRows;
  }

  function reported<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const failure = failureOf(error as SqliteError);
      if (!failure) throw error;
      (failure.isDamage ? damages : outages).failed(failure.reason);
      throw new StoreUnavailable(failure.reason);
    }
  }

  function rollBack(): void {
    try {
      query({ text: 'ROLLBACK' });
    } catch {
      // SQLite rolls back by itself after some errors (https://www.sqlite.org/lang_transaction.html §3).
    }
  }

  function transact<T>(work: (query: Connection['query']) => T): T {
    let isOpen = false;
    try {
      query({ text: 'BEGIN IMMEDIATE' });
      isOpen = true;
      const result = work(query);
      query({ text: 'COMMIT' });
      outages.worked();
      return result;
    } catch (error) {
      if (isOpen) rollBack();
      throw error;
    }
  }

  return {
    query: (text) => reported(() => query(text)),
    run: (text) =>
      reported(() => {
        const [statement, values] = bound(text);
        return statement.run(...values);
      }),
    transaction: (work) => reported(() => transact(work)),
    close: () => database.close(),
  };
}

export interface SqliteError extends Error {
  /** https://www.sqlite.org/rescode.html, including extended codes. */
  readonly errcode?: number;
}

/** A failure outside of this process. */
interface Failure {
  /** For the log: SQLite's name of the error, and the remedy. */
  readonly reason: string;
  /** Whether it is permanent. */
  readonly isDamage: boolean;
}

const DAMAGED = 'stop the mock; then put back a copy of the file, or remove it to begin with new records';

/** By primary result code. */
const FAILURES: Readonly<Record<number, { readonly name: string; readonly remedy: string }>> = {
  7: { name: 'SQLITE_NOMEM', remedy: 'give the mock more memory' },
  8: { name: 'SQLITE_READONLY', remedy: 'let this user write to the file and its folder' },
  10: { name: 'SQLITE_IOERR', remedy: 'look whether its disk is full, or fails' },
  11: { name: 'SQLITE_CORRUPT', remedy: DAMAGED },
  13: { name: 'SQLITE_FULL', remedy: 'make room on its disk' },
  14: { name: 'SQLITE_CANTOPEN', remedy: 'look whether its folder is there, and this user may write in it' },
  26: { name: 'SQLITE_NOTADB', remedy: DAMAGED },
};

/** Why SQLite failed. Undefined: the cause is within the program. */
export function failureOf({ errcode = 0, message }: SqliteError): Failure | undefined {
  const failure = FAILURES[errcode & 0xff];
  if (!failure) return undefined;
  const { name, remedy } = failure;
  const code = errcode > 0xff ? `${name}, extended code ${errcode}` : name;
  return { reason: `${message} (${code}): ${remedy}`, isDamage: remedy === DAMAGED };
}
