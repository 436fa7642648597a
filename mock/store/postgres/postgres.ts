import type { OpenStore, Store } from '../port.ts';
import { forgetSession } from '../sql/collections.ts';
import type { Dialect, NewRow, Query, Reserved, Steps } from '../sql/database.ts';
import { openSqlSession } from '../sql/session.ts';
import { type Address, openDatabase, type PostgresDatabase, readAddress } from './database.ts';
import { openSessionLeases, openSettings, type SessionLeases } from './replicas.ts';
import { migrate } from './schema.ts';

/**
 * A store in a PostgreSQL database, which several mocks may share.
 * @throws StoreError if the database is unreachable
 */
export function postgresStore(url: string): OpenStore {
  const address = readAddress(url);
  return async (collections, notice = () => {}) => {
    const database = await openDatabase(address, notice);
    const { settings, leases } = await prepare(database, address).catch(async (error) => {
      await database.close();
      throw error;
    });
    const dialect = postgresDialect(database, leases);
    let closing: Promise<void> | undefined;

    async function closeSession(session: string): Promise<void> {
      if (!(await leases.release(session))) return;
      await deleteSession(database, leases, session);
      // Replicas cache a session's settings until they read an update.
      if (settings.get(session) !== undefined) await settings.update(session, () => undefined);
    }

    function open(session: string, close: () => Promise<void>): Store {
      const fork = (name: string) => open(name, () => closeSession(name));
      return { ...openSqlSession(dialect, session, collections), settings, fork, close };
    }

    return open('', () => {
      settings.close();
      leases.close();
      closing ??= database.close();
      return closing;
    });
  };
}

async function prepare(database: PostgresDatabase, address: Address) {
  await migrate(database, address);
  const leases = openSessionLeases(database);
  for (const session of await leases.abandoned()) await deleteSession(database, leases, session);
  return { settings: await openSettings(database), leases };
}

async function deleteSession(database: PostgresDatabase, leases: SessionLeases, session: string) {
  await forgetSession(database, session);
  await leases.forget(session);
}

/** For several replicas that share a database; moves many rows in one statement. */
function postgresDialect(database: PostgresDatabase, leases: SessionLeases): Dialect {
  return {
    database,
    isShared: true,
    claimCollection: `${INSERT_COLLECTION} DO NOTHING RETURNING number`,
    renewCollection: `${INSERT_COLLECTION} DO UPDATE SET number = excluded.number, keys = excluded.keys
      RETURNING number`,
    setCounters: 'UPDATE paddock_collection SET made = $3, placed = $4 WHERE session = $1 AND name = $2',
    insertRecords,
    reserve: RESERVE,
    createReserve: (session, name) => createReserve(database, session, name),
    enterSession: (session) => (session === '' ? undefined : leases.use(session)),
  };
}

/** One statement, so that a record is never without its index. */
function* insertRecords(query: Query, number: number, rows: readonly NewRow[]): Steps<readonly number[]> {
  const keys = rows.flatMap(({ place, keys }) => keys.map(([name, value]) => ({ place, name, value })));
  const columns = [
    rows.map(({ place }) => place),
    rows.map(({ id }) => id),
    rows.map(({ facts }) => facts),
    rows.map(({ text }) => text),
    keys.map(({ place }) => place),
    keys.map(({ name }) => name),
    keys.map(({ value }) => value),
  ];
  const inserted = yield* query({ text: INSERT_RECORDS, values: [number, ...columns] });
  if (inserted.length === rows.length) return [];
  const places = new Set(inserted.map(({ place }) => Number(place)));
  return rows.flatMap(({ place }, index) => (places.has(place) ? [] : index));
}

const INSERT_COLLECTION = `INSERT INTO paddock_collection (session, name, keys, number, made, placed)
  VALUES ($1, $2, $3, nextval('paddock_number'), 0, 0) ON CONFLICT (session, name)`;

const INSERT_RECORDS = `WITH inserted AS (
    INSERT INTO paddock_record (collection, place, id, facts, text)
    SELECT $1::bigint, r.place, r.id, r.facts, r.text
    FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) AS r (place, id, facts, text)
    ON CONFLICT DO NOTHING RETURNING place
  ), indexed AS (
    INSERT INTO paddock_key (collection, name, value, place)
    SELECT $1::bigint, k.name, k.value, k.place
    FROM unnest($6::bigint[], $7::text[], $8::text[]) AS k (place, name, value) JOIN inserted USING (place)
  )
  SELECT place FROM inserted`;

interface Waiting {
  readonly wantsId: boolean;
  readonly resolve: (reserved: Reserved | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reserves places and ids in the database, permanently, whatever happens to the record. Requests that arrive during one
 * statement share the next, since only one transaction at a time can update the counters.
 */
function createReserve({ query }: PostgresDatabase, session: string, name: string) {
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function reserveAll(): Promise<void> {
    const batch = waiting;
    waiting = [];
    const ids = batch.filter(({ wantsId }) => wantsId).length;
    try {
      const [row] = await query({ text: RESERVE, values: [session, name, ids, batch.length] });
      let ordinal = Number(row?.made) - ids;
      let place = Number(row?.placed) - batch.length;
      for (const { wantsId, resolve } of batch) {
        place++;
        if (wantsId) ordinal++;
        resolve(row && { number: Number(row.number), place, ordinal });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) await reserveAll();
    isRunning = false;
  }

  return (wantsId: boolean) =>
    new Promise<Reserved | undefined>((resolve, reject) => {
      waiting.push({ wantsId, resolve, reject });
      if (!isRunning) run();
    });
}

const RESERVE = `UPDATE paddock_collection SET made = made + $3, placed = placed + $4
  WHERE session = $1 AND name = $2 RETURNING number, made, placed`;
