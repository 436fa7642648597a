import { parseJson, stringifyJson } from '#spec';
import type { Awaitable, Collection, Contents } from '../port.ts';
import { type Database, type Dialect, type Query, run, type Steps, wait } from './database.ts';
import { deleteAll, entryOf, insertAll, replaceRecord, withKeysOf } from './records.ts';

/** The collections of one session in the database. */
export interface StoredCollections {
  /**
   * Seeds a collection on first use, and rebuilds its index if it was stored with other filters than the document's.
   * `again`: another replica has deleted the session since.
   */
  prepare(collection: Collection, again?: boolean): Steps<void>;
  exists(collection: Collection): Steps<boolean>;
  /** In one transaction: seeds those of these collections that are not stored yet. */
  fill(collections: readonly Collection[]): Awaitable<void>;
  /** In one transaction: replaces the contents of these collections, and resets all others. */
  replaceAll(contents: ReadonlyMap<Collection, Contents>): Awaitable<void>;
}

export function openCollections(
  dialect: Dialect,
  session: string,
  collections: readonly Collection[],
): StoredCollections {
  const { database, isShared } = dialect;
  const byName = new Map(collections.map((collection) => [collection.name, collection]));
  const prepared = new Map<string, Awaitable<void>>();

  function* load(collection: Collection): Steps<void> {
    const values = [session, collection.name];
    const [row] = yield* wait(database.query({ text: FIND, values }));
    if (row?.keys === stringifyJson(collection.keys)) return;
    yield transact(
      database,
      row ? (query) => reindex(query, collection) : (query) => seed(query, collection),
    );
  }

  function* seed(query: Query, collection: Collection): Steps<void> {
    const values = [session, collection.name, stringifyJson(collection.keys)];
    // Waits for another replica that does the same, and then has nothing to do.
    const [claimed] = yield* query({ text: dialect.claimCollection, values });
    if (claimed) yield* fill(query, collection, Number(claimed.number), undefined);
  }

  function* fill(
    query: Query,
    collection: Collection,
    number: number,
    contents: Contents | undefined,
  ): Steps<void> {
    const count = yield* insertAll(
      dialect,
      query,
      collection,
      number,
      contents?.entries ?? collection.seeds(),
    );
    const ids = (contents ?? collection).numbered ?? count;
    yield* query({ text: dialect.setCounters, values: [session, collection.name, ids, count] });
  }

  function* reindex(query: Query, collection: Collection): Steps<void> {
    const values = [session, collection.name];
    const [row] = yield* query({ text: isShared ? `${FIND} FOR UPDATE` : FIND, values });
    const keys = stringifyJson(collection.keys);
    if (!row || row.keys === keys) return;
    const oldNames = parseJson(String(row.keys)) as string[];
    const number = Number(row.number);
    for (const { place, ...record } of yield* query({ text: ALL_RECORDS, values: [number] })) {
      const old = { text: String(record.text), facts: String(record.facts) };
      const entry = withKeysOf(collection, entryOf(old), oldNames);
      yield* replaceRecord(query, collection, { number, place: Number(place), ...old }, entry);
    }
    const text = 'UPDATE paddock_collection SET keys = $3 WHERE session = $1 AND name = $2';
    yield* query({ text, values: [...values, keys] });
  }

  return {
    *prepare({ name }, again = false) {
      if (again || !prepared.has(name)) {
        const loading = run(load(byName.get(name) as Collection));
        prepared.set(name, loading);
        // Retried after a failure, since the database may have been unreachable.
        if (loading instanceof Promise) loading.catch(() => prepared.delete(name));
      }
      yield prepared.get(name);
    },
    *exists({ name }) {
      return (yield* wait(database.query({ text: FIND, values: [session, name] }))).length > 0;
    },
    fill: (wanted) =>
      transact(database, function* (query) {
        for (const collection of wanted) {
          const rows = yield* query({ text: FIND, values: [session, collection.name] });
          if (rows.length === 0) yield* seed(query, collection);
        }
      }),
    replaceAll(contents) {
      const contentsByName = new Map([...contents].map(([{ name }, one]) => [name, one]));
      if (!isShared) prepared.clear();
      return transact(database, function* (query) {
        const names = new Set(contentsByName.keys());
        // Collections of other documents are left alone.
        const text = 'SELECT name, number FROM paddock_collection WHERE session = $1';
        const rows = yield* query({ text: isShared ? `${text} FOR UPDATE` : text, values: [session] });
        const ownRows = rows.filter(({ name }) => byName.has(String(name)));
        yield* deleteAll(query, ownRows.map(numberOf));
        for (const { name, number } of ownRows) {
          // Other replicas rely on their prepared collections.
          if (isShared) names.add(String(name));
          else
            yield* query({
              text: 'DELETE FROM paddock_collection WHERE number = $1',
              values: [Number(number)],
            });
        }
        for (const collection of collections) {
          const { name, keys } = collection;
          if (!names.has(name)) continue;
          const values = [session, name, stringifyJson(keys)];
          const [row] = yield* query({ text: dialect.renewCollection, values });
          yield* fill(query, collection, Number(row?.number), contentsByName.get(name));
        }
      });
    },
  };
}

export function forgetSession(database: Database, session: string): Awaitable<void> {
  return transact(database, (query) => deleteSession(query, session));
}

function* deleteSession(query: Query, session: string): Steps<void> {
  const text = 'DELETE FROM paddock_collection WHERE session = $1 RETURNING number';
  const deleted = yield* query({ text, values: [session] });
  yield* deleteAll(query, deleted.map(numberOf));
}

const numberOf = ({ number }: { readonly number?: unknown }) => Number(number);

export function transact<T>(database: Database, work: (query: Query) => Steps<T>): Awaitable<T> {
  return database.transaction((query) => run(work((statement) => wait(query(statement)))));
}

const FIND = 'SELECT number, keys FROM paddock_collection WHERE session = $1 AND name = $2';
const ALL_RECORDS = 'SELECT place, text, facts FROM paddock_record WHERE collection = $1';
