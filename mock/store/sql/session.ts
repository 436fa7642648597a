import { andThen } from '../../http/exchange.ts';
import {
  type Allows,
  type Collection,
  type Condition,
  type Contents,
  type Entry,
  type Given,
  type Id,
  type Query as ListQuery,
  type Page,
  type Removed,
  type Store,
  StoreUnavailable,
  type Taken,
} from '../port.ts';
import { createPageCache, uniqueValues, withOldScope } from '../table.ts';
import { openCollections, transact } from './collections.ts';
import {
  type Dialect,
  type NewRow,
  type Query,
  type Reserved,
  type ResultRows,
  run,
  type Statement,
  type Steps,
  wait,
} from './database.ts';
import { BATCH, deleteRecord, entryOf, keyText, replaceRecord, rowOf, type StoredRecord } from './records.ts';
import { selectPage, selectRecord, selectTotal, selectTwin } from './select.ts';

/** The records of one session in a database. */
export function openSqlSession(
  dialect: Dialect,
  session: string,
  collections: readonly Collection[],
): Omit<Store, 'fork' | 'close' | 'settings'> {
  const { database, isShared } = dialect;
  const stored = openCollections(dialect, session, collections);
  const reserves = new Map(collections.map(({ name }) => [name, dialect.createReserve(session, name)]));
  // Pages can only be cached if no other process writes to the database.
  const caches = new Map(isShared ? [] : collections.map(({ name }) => [name, createPageCache()]));
  const query: Query = (statement) => wait(database.query(statement));

  function* prepare(collection: Collection): Steps<void> {
    yield dialect.enterSession(session);
    yield* stored.prepare(collection);
  }

  /** Whether another replica has deleted the session, which is then created again. */
  function* wasDeleted(collection: Collection): Steps<boolean> {
    if (!isShared || session === '' || (yield* stored.exists(collection))) return false;
    yield* stored.prepare(collection, true);
    return true;
  }

  function* select(collection: Collection, statement: Statement): Steps<ResultRows> {
    yield* prepare(collection);
    const rows = yield* query(statement);
    return rows.length > 0 || !(yield* wasDeleted(collection)) ? rows : yield* query(statement);
  }

  function* find(
    collection: Collection,
    id: Id,
    where: readonly Condition[],
  ): Steps<StoredRecord | undefined> {
    const from = { session, name: collection.name };
    return storedOf(yield* select(collection, selectRecord(from, keyText(id), where)));
  }

  function* list(collection: Collection, wanted: ListQuery): Steps<Page> {
    const from = { session, name: collection.name };
    const rows = yield* select(collection, selectPage(from, wanted));
    const page = { text: `[${rows.map(({ text }) => text).join(',')}]`, count: rows.length };
    if (!wanted.counted) return { ...page, total: undefined };
    const [counted] = yield* query(selectTotal(from, wanted.where));
    return { ...page, total: Number(counted?.total) };
  }

  function* read(collection: Collection, id: Id, where: readonly Condition[]): Steps<string | undefined> {
    return (yield* find(collection, id, where))?.text;
  }

  function* reserve(collection: Collection, wantsId: boolean): Steps<Reserved> {
    const next = reserves.get(collection.name) as ReturnType<Dialect['createReserve']>;
    let reserved = yield* wait(next(wantsId));
    if (!reserved && (yield* wasDeleted(collection))) reserved = yield* wait(next(wantsId));
    if (!reserved) throw new StoreUnavailable('another replica is deleting the session');
    return reserved;
  }

  function* insert(query: Query, collection: Collection, input: Given): Steps<Entry | 'taken'> {
    const wantsId = input.id === undefined;
    for (let attempt = 0; attempt < (wantsId ? MAX_ATTEMPTS : 1); attempt++) {
      const { number, place, ordinal } = yield* reserve(collection, wantsId);
      const entry = collection.complete(input.id ?? collection.idOf(ordinal), input);
      const row = { ...rowOf(collection, entry), place };
      const at = { session, number, place };
      const store = function* (tx: Query): Steps<boolean | 'twin'> {
        if (yield* hasTwin(tx, dialect, collection, entry, input.scope, at)) return 'twin';
        return (yield* dialect.insertRecords(tx, number, [row])).length === 0;
      };
      // The id counter must not be used while the collection is locked.
      const isApart = isShared && hasUnique(collection);
      const stored = isApart ? yield* wait(transact(database, store)) : yield* store(query);
      if (stored === 'twin') return 'taken';
      if (stored) return entry;
    }
    return 'taken';
  }

  function* create(collection: Collection, input: Given): Steps<Entry | 'taken'> {
    yield* prepare(collection);
    // Replicas wait for each other at the id counter, so it must not stay locked until the record is stored.
    if (isShared) return yield* insert(query, collection, input);
    return yield* wait(transact(database, (tx) => insert(tx, collection, input)));
  }

  function* createAll(collection: Collection, inputs: readonly Given[]): Steps<readonly Entry[] | Taken> {
    yield* prepare(collection);
    yield* wasDeleted(collection);
    try {
      return yield* wait(transact(database, (tx) => insertEach(tx, collection, inputs)));
    } catch (error) {
      if (error instanceof TakenError) return { taken: error.index };
      throw error;
    }
  }

  /** Ids and places are counted within the transaction, so other creates wait for its end. */
  function* insertEach(tx: Query, collection: Collection, inputs: readonly Given[]): Steps<Entry[]> {
    const { name } = collection;
    const count = function* (ids: number, places: number): Steps<Reserved> {
      const [row] = yield* tx({ text: dialect.reserve, values: [session, name, ids, places] });
      if (!row) throw new StoreUnavailable('another replica is deleting the session');
      return { number: Number(row.number), place: Number(row.placed), ordinal: Number(row.made) };
    };
    const wanted = inputs.filter(({ id }) => id === undefined).length;
    const { number, place, ordinal } = yield* count(wanted, inputs.length);
    const chosen = new Set(inputs.map(({ id }) => id));
    let made = ordinal - wanted;
    const complete = function* (index: number): Steps<Entry> {
      const one = inputs[index] as Given;
      for (let attempt = 0; one.id === undefined && attempt < MAX_ATTEMPTS; attempt++) {
        const id = collection.idOf(made < ordinal ? ++made : (yield* count(1, 0)).ordinal);
        if (!chosen.has(id)) return collection.complete(id, one);
      }
      if (one.id === undefined) throw new TakenError(index);
      return collection.complete(one.id, one);
    };
    const entries: Entry[] = [];
    for (const index of inputs.keys()) entries.push(yield* complete(index));
    // With unique keys, a record may conflict with the one before it.
    const size = isShared && !hasUnique(collection) ? BATCH : 1;
    for (let begin = 0; begin < inputs.length; begin += size) {
      let indexes = inputs.slice(begin, begin + size).map((_, at) => begin + at);
      for (let attempt = 0; indexes.length > 0; attempt++) {
        const rows: NewRow[] = [];
        for (const index of indexes) {
          const entry = entries[index] as Entry;
          const at = { session, number, place: place - inputs.length + index + 1 };
          if (yield* hasTwin(tx, dialect, collection, entry, (inputs[index] as Given).scope, at))
            throw new TakenError(index);
          rows.push({ ...rowOf(collection, entry), place: at.place });
        }
        const skipped = yield* dialect.insertRecords(tx, number, rows);
        indexes = skipped.map((at) => indexes[at] as number);
        for (const index of indexes) {
          if (inputs[index]?.id !== undefined || attempt === MAX_ATTEMPTS) throw new TakenError(index);
          entries[index] = yield* complete(index);
        }
      }
    }
    return entries;
  }

  /** Retried if the record has changed since it was read: no lock is held during the edit. */
  function* change(
    collection: Collection,
    id: Id,
    where: readonly Condition[],
    edit: (text: string) => Given,
    allows?: Allows,
  ): Steps<string | false | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const row = yield* find(collection, id, where);
      if (!row) return undefined;
      if (allows?.(row.text) === false) return false;
      const input = withOldScope(collection, edit(row.text), entryOf(row).keys);
      const entry = collection.complete(id, input);
      const at = { session, ...row };
      const replace = function* (tx: Query): Steps<boolean | 'twin'> {
        if (yield* hasTwin(tx, dialect, collection, entry, input.scope, at)) return 'twin';
        return yield* replaceRecord(tx, collection, row, entry);
      };
      const replaced = yield* wait(transact(database, replace));
      if (replaced === 'twin') return false;
      if (replaced) return entry.text;
    }
    throw new StoreUnavailable(TOO_MANY);
  }

  function* removeAll(
    collection: Collection,
    ids: readonly Id[],
    where: readonly Condition[],
    allows?: Allows,
  ): Steps<readonly Removed[]> {
    yield* prepare(collection);
    yield* wasDeleted(collection);
    const from = { session, name: collection.name };
    return yield* wait(
      transact(database, function* (tx) {
        const removed: Removed[] = [];
        for (const id of ids) {
          const search = () => tx(selectRecord(from, keyText(id), where));
          let row = storedOf(yield* search());
          for (let attempt = 0; row && allows?.(row.text) !== false; attempt++) {
            if (yield* deleteRecord(tx, row)) {
              removed.push({ id, text: row.text });
              break;
            }
            if (attempt === MAX_ATTEMPTS) throw new StoreUnavailable(TOO_MANY);
            // The record has changed since it was read, as no lock is held before the removal.
            row = storedOf(yield* search());
          }
        }
        return removed;
      }),
    );
  }

  function* contents(collection: Collection): Steps<Contents> {
    const [row] = yield* select(collection, { text: FIND_COUNTER, values: [session, collection.name] });
    const rows = yield* query({ text: ALL_RECORDS, values: [Number(row?.number)] });
    const entries = rows.map(({ text, facts }) => entryOf({ text: String(text), facts: String(facts) }));
    return { entries, numbered: Number(row?.made) };
  }

  function write<T>({ name }: Collection, steps: Steps<T>) {
    caches.get(name)?.clear();
    return run(steps);
  }

  const replaceAll: Store['restore'] = (contents) => {
    for (const cache of caches.values()) cache.clear();
    return stored.replaceAll(contents);
  };

  return {
    list(collection, wanted) {
      const load = () => run(list(collection, wanted));
      // Without other processes, results are synchronous.
      return caches.get(collection.name)?.get(wanted, () => load() as Page) ?? load();
    },
    read: (collection, id, where) => run(read(collection, id, where)),
    create: (collection, input) => write(collection, create(collection, input)),
    change: (collection, ...how) => write(collection, change(collection, ...how)),
    createAll: (collection, inputs) => write(collection, createAll(collection, inputs)),
    remove: (collection, id, ...how) =>
      andThen(write(collection, removeAll(collection, [id], ...how)), ({ length }) => length > 0),
    removeAll: (collection, ...how) => write(collection, removeAll(collection, ...how)),
    fill: stored.fill,
    contents: (collection) => run(contents(collection)),
    restore: replaceAll,
    reset: () => replaceAll(new Map()),
  };
}

/** Generated ids may equal ones that clients chose, or each other for a narrow pattern. */
const MAX_ATTEMPTS = 1000;
const TOO_MANY = 'too many requests change one record at once';
const FIND_COUNTER = 'SELECT number, made FROM paddock_collection WHERE session = $1 AND name = $2';
const ALL_RECORDS = 'SELECT text, facts FROM paddock_record WHERE collection = $1 ORDER BY place';

/** Rolls back the creation of several records. */
class TakenError extends Error {
  readonly index: number;

  constructor(index: number) {
    super('another record has the id, or the value of a unique key');
    this.index = index;
  }
}

function storedOf([row]: ResultRows): StoredRecord | undefined {
  if (!row) return undefined;
  const { collection: number, place, text, facts } = row;
  return { number: Number(number), place: Number(place), text: String(text), facts: String(facts) };
}

const hasUnique = ({ unique = [] }: Collection): boolean => unique.length > 0;

/**
 * Whether another record has a unique value; within the transaction that stores the record. Replicas take turns: each locks
 * the collection's row until its record is stored.
 */
function* hasTwin(
  query: Query,
  { isShared }: Pick<Dialect, 'isShared'>,
  collection: Collection,
  entry: Entry,
  scope: Given['scope'],
  at: { readonly session: string; readonly number: number; readonly place: number },
): Steps<boolean> {
  const { keys, unique = [], name } = collection;
  const wanted = unique
    .map((together) =>
      together.map((key): Condition => ({ key, anyOf: uniqueValues(entry.keys[keys.indexOf(key)]) })),
    )
    .filter((conditions) => conditions.every(({ anyOf }) => anyOf.length > 0));
  if (wanted.length === 0) return false;
  if (isShared) yield* query({ text: LOCK, values: [at.session, name] });
  for (const [condition, ...others] of wanted) {
    if (!condition) continue;
    const twins = yield* query(selectTwin(at.number, at.place, condition, [...others, ...scope]));
    if (twins.length > 0) return true;
  }
  return false;
}

const LOCK = 'SELECT number FROM paddock_collection WHERE session = $1 AND name = $2 FOR UPDATE';
