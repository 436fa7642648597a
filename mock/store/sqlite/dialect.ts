import type { Dialect, NewRow } from '../sql/database.ts';
import { wait } from '../sql/steps.ts';
import type { Connection } from './connection.ts';

/** A file has one owner, and numbers collections and records by itself. */
export function sqliteDialect(connection: Connection): Dialect {
  return {
    database: connection,
    isShared: false,
    claimCollection: INSERT_COLLECTION,
    renewCollection: INSERT_COLLECTION,
    setCounters: 'UPDATE paddock_collection SET made = $3 WHERE session = $1 AND name = $2',
    // `RETURNING` would double the time.
    insertRecords: (_query, number, rows) => wait(insertRecords(connection, number, rows)),
    createReserve: (session, name) => (wantsId) => {
      const [row] = connection.query({ text: RESERVE, values: [session, name, Number(wantsId)] });
      return row && { number: Number(row.number), place: 0, ordinal: Number(row.made) };
    },
    enterSession: () => {},
  };
}

function insertRecords({ run }: Connection, number: number, rows: readonly NewRow[]): number {
  let count = 0;
  for (const { id, facts, text, keys } of rows) {
    const { changes, lastInsertRowid } = run({ text: INSERT_RECORD, values: [number, id, facts, text] });
    if (changes === 0) continue;
    const place = Number(lastInsertRowid);
    for (const [name, value] of keys) run({ text: INSERT_KEY, values: [number, name, value, place] });
    count++;
  }
  return count;
}

const INSERT_COLLECTION = `INSERT INTO paddock_collection (session, name, keys, made) VALUES ($1, $2, $3, 0)
  RETURNING number`;
const INSERT_RECORD = `INSERT INTO paddock_record (collection, id, facts, text) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING`;
const INSERT_KEY = 'INSERT INTO paddock_key (collection, name, value, place) VALUES ($1, $2, $3, $4)';
const RESERVE = `UPDATE paddock_collection SET made = made + $3 WHERE session = $1 AND name = $2
  RETURNING number, made`;
