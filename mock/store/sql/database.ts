import type { Awaitable } from '../port.ts';

/** SQL with placeholders `$1`, `$2`, ... */
export interface Statement {
  readonly text: string;
  readonly values?: readonly Value[];
}

export type Value = string | number | readonly string[] | readonly number[];

/** Integers come as strings from PostgreSQL, and as numbers from SQLite. */
export type ResultRows = readonly Readonly<Record<string, string | number>>[];

export interface Database {
  query(statement: Statement): Awaitable<ResultRows>;
  /** All of it or nothing; `work` is repeated after a conflict with other transactions. */
  transaction<T>(work: (query: Database['query']) => Awaitable<T>): Awaitable<T>;
}

/** Within a transaction, or outside. */
export type Query = (statement: Statement) => Steps<ResultRows>;

/** Where a new record goes. */
export interface Reserved {
  /** Of the collection, as it is now: a reset may give it another one. */
  readonly number: number;
  readonly place: number;
  /** The n of a new id; counts only where one was asked for. */
  readonly ordinal: number;
}

/** An entry as the tables hold it. */
export interface Row {
  /** The id, as `keyText`. */
  readonly id: string;
  readonly text: string;
  /** A JSON list of the id and the values of the keys: what the columns of the index cannot give back. */
  readonly facts: string;
  /** What goes into the index: name of the key and `keyText` of a value, no pair twice. */
  readonly keys: readonly (readonly [name: string, value: string])[];
}

export type NewRow = Row & { readonly place: number };

/** What databases do differently. */
export interface Dialect {
  readonly database: Database;
  /** Whether other processes use the database at the same time. */
  readonly isShared: boolean;
  /** Enters a collection and returns its number, unless it is there: session, name, keys. */
  readonly claimCollection: string;
  /** Gives a collection a number under which there are no records, and returns it: session, name, keys. */
  readonly renewCollection: string;
  /** Sets the counters of ids and places: session, name, ids, places. */
  readonly setCounters: string;
  /** Skips rows whose id is taken, and returns their indexes. */
  insertRecords(query: Query, number: number, rows: readonly NewRow[]): Steps<readonly number[]>;
  /** Counts ids and places as given, and returns the last ones: session, name, ids, places. */
  readonly reserve: string;
  /** Reserves a place, and an id if it is wanted; undefined: the collection is not there. */
  createReserve(session: string, name: string): (wantsId: boolean) => Awaitable<Reserved | undefined>;
  /** To be called at each use of a session. */
  enterSession(session: string): Awaitable<void>;
}

/**
 * Work on a database, written once for a driver with results (SQLite) and one with promises of them (PostgreSQL): where
 * an async function has `await`, a generator has `yield* wait(...)`.
 */
export type Steps<T> = Generator<Awaitable<unknown>, T, unknown>;

export function* wait<T>(value: Awaitable<T>): Steps<T> {
  return (yield value) as T;
}

/** The result itself where no step had to wait for a promise. */
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
