import type { Reserved } from '../sql/database.ts';
import type { PostgresDatabase } from './database.ts';

interface Waiting {
  readonly wantsId: boolean;
  readonly resolve: (reserved: Reserved | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Places and ids from the database, given once for good, whatever becomes of the record. All that wait while one
 * statement is on its way go with the next, since the row of the counters is updated by one transaction at a time.
 */
export function createReserve({ query }: PostgresDatabase, session: string, name: string) {
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
