import { parseJson, stringifyJson } from '#spec';
import type { Collection, Contents } from '../port.ts';
import { entryOf, withKeysOf } from '../sql/row.ts';
import type { Ask, Database } from './database.ts';
import { fillCollection, replaceRecord } from './rows.ts';

/** The collections of one session as the database has them. */
export interface Tables {
  /**
   * Sees to it that a collection is there, seeded by whoever comes first. `anew`: it was said to be there, and is
   * not, since another replica has forgotten the session.
   */
  ready(collection: Collection, anew?: boolean): Promise<void>;
  /** In one step: the session's collections hold this, and the others their seeds. */
  refill(contents: ReadonlyMap<Collection, Contents>): Promise<void>;
  /** Whether the collection is there still; a session can be forgotten by another replica. */
  isThere(collection: Collection): Promise<boolean>;
}

export function openTables(
  { ask, transact }: Database,
  session: string,
  collections: readonly Collection[],
): Tables {
  const byName = new Map(collections.map((collection) => [collection.name, collection]));
  const known = new Map<string, Promise<void>>();

  async function prepare(collection: Collection): Promise<void> {
    const { name } = collection;
    const keys = stringifyJson(collection.keys);
    const [row] = await ask({ text: FIND, values: [session, name] });
    if (row && row.keys === keys) return;
    await transact(row ? (own) => index(own, collection) : (own) => seed(own, collection));
  }

  async function seed(own: Ask, collection: Collection): Promise<void> {
    const number = await nextNumber(own);
    const values = [session, collection.name, number, stringifyJson(collection.keys)];
    // Waits while another replica does the same, and then has nothing to do.
    const [isFirst] = await own({ text: CLAIM, values });
    if (isFirst) await fill(own, collection, number, undefined);
  }

  async function fill(
    own: Ask,
    collection: Collection,
    number: number,
    contents: Contents | undefined,
  ): Promise<void> {
    const seeded = byName.get(collection.name) as Collection;
    const count = await fillCollection(own, seeded, number, contents?.entries ?? seeded.seeds());
    const made = contents?.numbered ?? seeded.numbered ?? count;
    const values = [session, seeded.name, number, stringifyJson(seeded.keys), made, count];
    await own({ text: ENTER, values });
  }

  /** The document has other filters than the one with which the records were stored. */
  async function index(own: Ask, collection: Collection): Promise<void> {
    const [row] = await own({ text: `${FIND} FOR UPDATE`, values: [session, collection.name] });
    if (!row || row.keys === stringifyJson(collection.keys)) return;
    const number = Number(row.number);
    const oldNames = parseJson(String(row.keys)) as string[];
    for (const { text = '', facts = '', place } of await own({ text: ALL_RECORDS, values: [number] })) {
      const entry = withKeysOf(collection, entryOf({ text, facts }), oldNames);
      await replaceRecord(own, collection, { number, place: Number(place), text, facts }, entry);
    }
    const values = [session, collection.name, stringifyJson(collection.keys)];
    await own({ text: 'UPDATE paddock_collection SET keys = $3 WHERE session = $1 AND name = $2', values });
  }

  return {
    async ready({ name }, anew = false) {
      let open = anew ? undefined : known.get(name);
      if (!open) {
        open = prepare(byName.get(name) as Collection);
        known.set(name, open);
        // What failed once, because the database was away, is to be tried again.
        open.catch(() => known.delete(name));
      }
      await open;
    },
    async refill(contents) {
      const given = new Map([...contents].map(([{ name }, one]) => [name, one]));
      await transact(async (own) => {
        const text = 'SELECT name, number FROM paddock_collection WHERE session = $1 FOR UPDATE';
        const old = await own({ text, values: [session] });
        const names = new Set([...old.map(({ name }) => name as string), ...given.keys()]);
        for (const collection of collections) {
          if (!names.has(collection.name)) continue;
          await fill(own, collection, await nextNumber(own), given.get(collection.name));
        }
        const replaced = old.filter(({ name }) => byName.has(name as string));
        await deleteRows(
          own,
          replaced.map(({ number }) => Number(number)),
        );
      });
    },
    async isThere({ name }) {
      return (await ask({ text: FIND, values: [session, name] })).length > 0;
    },
  };
}

/** Takes out all that a session has. */
export async function forgetSession({ transact }: Database, session: string): Promise<void> {
  await transact(async (own) => {
    const text = 'DELETE FROM paddock_collection WHERE session = $1 RETURNING number';
    const gone = await own({ text, values: [session] });
    await deleteRows(
      own,
      gone.map(({ number }) => Number(number)),
    );
    await own({ text: 'DELETE FROM paddock_use WHERE session = $1', values: [session] });
  });
}

async function nextNumber(ask: Ask): Promise<number> {
  const [row] = await ask({ text: "SELECT nextval('paddock_number') AS number" });
  return Number(row?.number);
}

async function deleteRows(ask: Ask, numbers: readonly number[]): Promise<void> {
  for (const table of ['paddock_record', 'paddock_key'])
    await ask({ text: `DELETE FROM ${table} WHERE collection = ANY($1::bigint[])`, values: [numbers] });
}

const FIND = 'SELECT number, keys FROM paddock_collection WHERE session = $1 AND name = $2';
const ALL_RECORDS = 'SELECT place, text, facts FROM paddock_record WHERE collection = $1';
const CLAIM = `INSERT INTO paddock_collection (session, name, number, keys, made, placed)
  VALUES ($1, $2, $3, $4, 0, 0) ON CONFLICT (session, name) DO NOTHING RETURNING number`;
const ENTER = `INSERT INTO paddock_collection (session, name, number, keys, made, placed)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (session, name) DO UPDATE
  SET number = excluded.number, keys = excluded.keys, made = excluded.made, placed = excluded.placed`;
