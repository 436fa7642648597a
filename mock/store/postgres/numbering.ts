import type { Database } from './database.ts';

/** Where a new record goes. */
export interface Reserved {
  /** Of the collection, as it is now: a reset gives it another one. */
  readonly number: number;
  readonly place: number;
  /** The n of a new id; counts only where one was asked for. */
  readonly ordinal: number;
}

interface Waiting {
  readonly wantsId: boolean;
  readonly resolve: (reserved: Reserved | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Places and ids from the database, given once for good, whatever becomes of the record. All that wait while one
 * statement is on its way go with the next, since the row that counts can be changed by one at a time.
 * Undefined: the collection is not there.
 */
export function createNumbering({ ask }: Database, session: string, name: string) {
  let waiting: Waiting[] = [];
  let isAsking = false;

  async function askForAll(): Promise<void> {
    const asked = waiting;
    waiting = [];
    const ids = asked.filter(({ wantsId }) => wantsId).length;
    try {
      const [row] = await ask({ text: RESERVE, values: [session, name, ids, asked.length] });
      let ordinal = Number(row?.made) - ids;
      let place = Number(row?.placed) - asked.length;
      for (const { wantsId, resolve } of asked) {
        place++;
        if (wantsId) ordinal++;
        resolve(row && { number: Number(row.number), place, ordinal });
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  async function run(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) await askForAll();
    isAsking = false;
  }

  return (wantsId: boolean): Promise<Reserved | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ wantsId, resolve, reject });
      if (!isAsking) run();
    });
}

const RESERVE = `UPDATE paddock_collection SET made = made + $3, placed = placed + $4
  WHERE session = $1 AND name = $2 RETURNING number, made, placed`;
