import pg from 'pg';
import { percentDecode } from '#spec';
import { type Awaitable, createOutageReport, StoreError, StoreUnavailable } from '../port.ts';
import type { Statement } from '../sql/database.ts';

/** The address of a database, and how to show it without its password. */
export interface Address {
  /** The original text, for the driver only. */
  readonly url: string;
  /** `host:5432/name` */
  readonly label: string;
  /** Removes the password from a text. */
  readonly redact: (text: string) => string;
}

/** @throws StoreError, which repeats nothing of the text, since any part may be the password */
export function readAddress(url: string): Address {
  if (!URL.canParse(url)) {
    throw new StoreError(
      'this postgres URL cannot be read; a password with characters such as # / ? @ : must be percent-encoded',
    );
  }
  const { host, port, pathname, password } = new URL(url);
  const secrets = [password, percentDecode(password)].filter((secret) => secret !== '');
  return {
    url,
    label: `${host}${port === '' ? ':5432' : ''}${pathname}`,
    redact: (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text),
  };
}

/** `bigint` columns are returned as strings. */
export type ResultRows = readonly Readonly<Record<string, string>>[];

export type Query = (statement: Statement) => Promise<ResultRows>;

/** A pool of connections to one database. While the database is unreachable, queries throw StoreUnavailable. */
export interface PostgresDatabase {
  readonly query: Query;
  /** Atomic; repeated after a conflict with other transactions. */
  transaction<T>(work: (query: Query) => Awaitable<T>): Promise<T>;
  close(): Promise<void>;
}

/** A server allows some hundred connections, for all replicas together. */
const CONNECTIONS = 10;

/** Milliseconds to wait for a free connection, and for a result: beyond that, a 503 tells a client more. */
const CONNECT_MS = 5000;
const QUERY_MS = 15_000;

/** Milliseconds for running queries when the store is closed. */
const CLOSE_MS = 1000;

/** Seeding and resetting move whole collections. */
const LONG_MS = 600_000;

/** The most prepared statements on each connection; only filters by many values at once create further ones. */
const MAX_PREPARED = 200;
const MAX_ATTEMPTS = 10;

/**
 * Connects once, as a check.
 * @throws StoreError if the database is unreachable
 */
export async function openDatabase(
  address: Address,
  notice: (text: string) => void,
): Promise<PostgresDatabase> {
  const pool = new pg.Pool({
    connectionString: address.url,
    application_name: 'paddock',
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
  });
  // The pool removes a lost idle connection by itself.
  pool.on('error', () => {});
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  const names = new Map<string, string>();
  const outages = createOutageReport(`the database at ${address.label}`, notice);

  function prepared({ text, values = [] }: Statement) {
    if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `paddock_${names.size}`);
    const name = names.get(text);
    return { text, values: values as unknown[], ...(name !== undefined && { name }) };
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count++) {
      try {
        const result = await work();
        outages.worked();
        return result;
      } catch (error) {
        if (isConflict(error) && count < MAX_ATTEMPTS) continue;
        if (!isUnavailable(error)) throw error;
        const reason = address.redact(reasonOf(error));
        outages.failed(reason);
        throw new StoreUnavailable(reason);
      }
    }
  }

  async function once<T>(work: (query: Query) => Awaitable<T>): Promise<T> {
    const client = await pool.connect();
    // Without a listener, a connection lost between two statements would end the process.
    const ignore = () => {};
    client.on('error', ignore);
    let failure: unknown;
    try {
      await client.query('BEGIN');
      const query: Query = async (statement) =>
        (await client.query({ ...prepared(statement), query_timeout: LONG_MS } as pg.QueryConfig)).rows;
      const result = await work(query);
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
      client.release(isUnavailable(failure));
    }
  }

  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw new StoreError(
      `cannot connect to the database at ${address.label}: ${address.redact(reasonOf(error))}`,
    );
  }
  return {
    query: (statement) => attempt(async () => (await pool.query(prepared(statement))).rows),
    transaction: (work) => attempt(() => once(work)),
    async close() {
      const late = setTimeout(() => {
        for (const client of clients) void client.end();
      }, CLOSE_MS);
      await pool.end();
      clearTimeout(late);
    },
  };
}

interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly errors?: readonly Failure[];
}

/** System errors: the server is unreachable, or the connection was lost. */
const SYSTEM_CODES =
  /^E(?:CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|HOSTDOWN)$/;

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A): connection exception, insufficient resources, operator intervention,
 * system error; a conflict after all retries; a read-only standby; credentials that are being changed.
 */
const SQL_STATES = /^(?:08|28|53|57|58)|^(?:40001|40P01|25006)$/;

/** The driver's errors have no code. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|connection error/;

/** Whether the database failed, rather than the statement. */
function isUnavailable(failure: unknown): boolean {
  if (typeof failure !== 'object' || failure === null) return false;
  const { code, message } = failure as Failure;
  if (typeof code === 'string') return SYSTEM_CODES.test(code) || SQL_STATES.test(code);
  return MESSAGES.test(String(message));
}

/** The transaction was rolled back and can be retried: serialization failure, deadlock. */
function isConflict(failure: unknown): boolean {
  const { code } = failure as Failure;
  return code === '40001' || code === '40P01';
}

/** One line; for a host name with several addresses, the first error. */
function reasonOf(failure: unknown): string {
  const { message, code, errors: [first] = [] } = failure as Failure;
  return String(message || first?.message || code || failure).replace(/\s+/g, ' ');
}
