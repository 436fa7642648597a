import type { Dialect, NewRow, Query } from '../sql/database.ts';
import { insertKeys } from '../sql/records.ts';
import type { Steps } from '../sql/steps.ts';
import type { Connection } from './connection.ts';

/** A file has one owner, and numbers collections and records by itself. */
export function sqliteDialect(connection: Connection): Dialect {
  return {
    database: connection,
    isShared: false,
    claimCollection: INSERT_COLLECTION,
    renewCollection: INSERT_COLLECTION,
    setCounters: 'UPDATE paddock_collection SET made = $3 WHERE session = $1 AND name = $2',
    insertRecords,
    createReserve: (session, name) => (wantsId) => {
      const [row] = connection.query({ text: RESERVE, values: [session, name, Number(wantsId)] });
      return row && { number: Number(row.number), place: 0, ordinal: Number(row.made) };
    },
    enterSession: () => {},
  };
}

function* insertRecords(query: Query, number: number, rows: readonly NewRow[]): Steps<number> {
  let count = 0;
  for (const { id, facts, text, keys } of rows) {
    const [inserted] = yield* query({ text: INSERT_RECORD, values: [number, id, facts, text] });
    if (!inserted) continue;
    yield* insertKeys(query, number, Number(inserted.place), keys);
    count++;
  }
  return count;
}

const INSERT_COLLECTION = `INSERT INTO paddock_collection (session, name, keys, made) VALUES ($1, $2, $3, 0)
  RETURNING number`;
const INSERT_RECORD = `INSERT INTO paddock_record (collection, id, facts, text) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING RETURNING place`;
const RESERVE = `UPDATE paddock_collection SET made = made + $3 WHERE session = $1 AND name = $2
  RETURNING number, made`;
