import pg from 'pg';
import { StoreAway, StoreError } from '../store-error.ts';
import type { Address } from './address.ts';
import { isAway, isConflict, reasonOf } from './failure.ts';

export type Value = string | number | readonly string[] | readonly number[];

export interface Statement {
  readonly text: string;
  readonly values?: readonly Value[];
}

/** `bigint` columns come as texts. */
export type Rows = readonly Readonly<Record<string, string>>[];

export type Ask = (statement: Statement) => Promise<Rows>;

/** A pool of connections to one database. What fails because the database is away is a StoreAway. */
export interface Database {
  readonly ask: Ask;
  /** All of it or nothing; done again from its beginning when others came in between. */
  transact<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A server allows some hundred connections, for all replicas together. */
const CONNECTIONS = 10;
/** Milliseconds to wait for a free connection, and for an answer: beyond that a client learns more from a 503. */
const CONNECT_MS = 5000;
const ANSWER_MS = 15_000;
/** Seeding and resetting move whole collections. */
const LONG_MS = 600_000;
/** Texts that are prepared on each connection; only filters by many values at once make further ones. */
const MAX_PREPARED = 200;
const MAX_ATTEMPTS = 10;

/**
 * Connects once, to see that all is well.
 * @throws StoreError in words when the database cannot be had
 */
export async function openDatabase(address: Address, notice: (text: string) => void): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: address.url,
    application_name: 'paddock',
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  });
  // A connection that breaks while nobody uses it: the pool has let go of it already.
  pool.on('error', () => {});
  const names = new Map<string, string>();
  let isGone = false;

  function prepared({ text, values = [] }: Statement) {
    const known = names.get(text);
    if (known === undefined && names.size < MAX_PREPARED) names.set(text, `paddock_${names.size}`);
    const name = names.get(text);
    return { text, values: values as unknown[], ...(name !== undefined && { name }) };
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count++) {
      try {
        const result = await work();
        if (isGone) notice(`the database at ${address.shown} is back`);
        isGone = false;
        return result;
      } catch (error) {
        if (isConflict(error) && count < MAX_ATTEMPTS) continue;
        if (!isAway(error)) throw error;
        const reason = address.redact(reasonOf(error));
        if (!isGone) notice(`the database at ${address.shown} is away, and requests get a 503: ${reason}`);
        isGone = true;
        throw new StoreAway(reason);
      }
    }
  }

  async function once<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    // Without a listener, a connection that breaks between two statements would end the process.
    const ignore = () => {};
    client.on('error', ignore);
    let failure: unknown;
    try {
      await client.query('BEGIN');
      const ask: Ask = async (statement) =>
        (await client.query({ ...prepared(statement), query_timeout: LONG_MS } as pg.QueryConfig)).rows;
      const result = await work(ask);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      failure = error;
      await client.query('ROLLBACK').catch((broken) => {
        failure = broken;
      });
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(isAway(failure));
    }
  }

  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw new StoreError(
      `the database at ${address.shown} cannot be had: ${address.redact(reasonOf(error))}`,
    );
  }
  return {
    ask: (statement) => attempt(async () => (await pool.query(prepared(statement))).rows),
    transact: (work) => attempt(() => once(work)),
    close: () => pool.end(),
  };
}
