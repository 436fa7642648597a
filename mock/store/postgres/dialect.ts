import type { Dialect, NewRow, Query } from '../sql/database.ts';
import type { Steps } from '../sql/steps.ts';
import type { PostgresDatabase } from './database.ts';
import { createReserve } from './reserve.ts';
import type { SessionLeases } from './session-leases.ts';

/** Several replicas share a database, and move many rows in one statement. */
export function postgresDialect(database: PostgresDatabase, leases: SessionLeases): Dialect {
  return {
    database,
    isShared: true,
    claimCollection: `${INSERT_COLLECTION} DO NOTHING RETURNING number`,
    renewCollection: `${INSERT_COLLECTION} DO UPDATE SET number = excluded.number, keys = excluded.keys
      RETURNING number`,
    setCounters: 'UPDATE paddock_collection SET made = $3, placed = $4 WHERE session = $1 AND name = $2',
    insertRecords,
    createReserve: (session, name) => createReserve(database, session, name),
    enterSession: (session) => (session === '' ? undefined : leases.use(session)),
  };
}

/** One statement, so that a record is never without its index. */
function* insertRecords(query: Query, number: number, rows: readonly NewRow[]): Steps<number> {
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
  return (yield* query({ text: INSERT_RECORDS, values: [number, ...columns] })).length;
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
