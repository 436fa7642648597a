import type { Awaitable } from '../port.ts';

/** SQL with placeholders `$1`, `$2`, ... */
export interface Statement {
  readonly text: string;
  readonly values?: readonly Value[];
}

export type Value = string | number | readonly string[] | readonly number[];

/** Integers are returned as strings by PostgreSQL, and as numbers by SQLite. */
export type ResultRows = readonly Readonly<Record<string, string | number>>[];

export interface Database {
  query(statement: Statement): Awaitable<ResultRows>;
  /** Atomic; `work` is repeated after a conflict with other transactions. */
  transaction<T>(work: (query: Database['query']) => Awaitable<T>): Awaitable<T>;
}

/** Within a transaction, or outside. */
export type Query = (statement: Statement) => Steps<ResultRows>;

/** The place of a new record. */
export interface Reserved {
  /** The collection's current number, which a reset may change. */
  readonly number: number;
  readonly place: number;
  /** The number of a new id; only valid if one was requested. */
  readonly ordinal: number;
}

/** An entry as stored in the tables. */
export interface Row {
  /** The id, as `keyText`. */
  readonly id: string;
  readonly text: string;
  /** A JSON list of the id and the key values, which the index columns cannot restore. */
  readonly facts: string;
  /** The index rows: the key's name and its value's `keyText`, without duplicates. */
  readonly keys: readonly (readonly [name: string, value: string])[];
}

export type NewRow = Row & { readonly place: number };

/** What differs between databases. */
export interface Dialect {
  readonly database: Database;
  /** Whether other processes use the database at the same time. */
  readonly isShared: boolean;
  /** Inserts a collection and returns its number, unless it exists: session, name, keys. */
  readonly claimCollection: string;
  /** Gives a collection a new number without records, and returns it: session, name, keys. */
  readonly renewCollection: string;
  /** Sets the counters of ids and places: session, name, ids, places. */
  readonly setCounters: string;
  /** Skips rows whose id is taken, and returns their indexes. */
  insertRecords(query: Query, number: number, rows: readonly NewRow[]): Steps<readonly number[]>;
  /** Increases the counters, and returns the last values: session, name, ids, places. */
  readonly reserve: string;
  /** Reserves a place, and an id if needed. Undefined: the collection does not exist. */
  createReserve(session: string, name: string): (wantsId: boolean) => Awaitable<Reserved | undefined>;
  /** Call at each use of a session. */
  enterSession(session: string): Awaitable<void>;
}

/**
 * Database work, written once for a synchronous driver (SQLite) and an asynchronous one (PostgreSQL): in place of `await`
 * in an async function, these generators have `yield* wait(...)`.
 */
export type Steps<T> = Generator<Awaitable<unknown>, T, unknown>;

export function* wait<T>(value: Awaitable<T>): Steps<T> {
  return (yield value) as T;
}

/** Returns the result directly if no step had to wait for a promise. */
export function run<T>(steps: Steps<T>): Awaitable<T> {
  let step = steps.next();
  while (!step.done) {
    if (step.value instanceof Promise) return resume(steps, step.value);
    step = steps.next(step.value);
  }
  return step.value;
}

async function resume<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  let value: Awaitable<unknown> = first;
  for (;;) {
    const step = await Promise.resolve(value).then(
      (result) => steps.next(result),
      (error) => steps.throw(error),
    );
    if (step.done) return step.value;
    value = step.value;
  }
}
