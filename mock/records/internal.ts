import { type Data, isRecord, parseJson, stringifyJson } from '#spec';
import { type Awaitable, andThen, type ResponseContent } from '../http/exchange.ts';
import {
  type Collection,
  type Entry,
  type Id,
  type KeyValue,
  recordsWhere,
  type Store,
} from '../store/port.ts';

/** A collection of the mock itself: stored, saved and reset with the records, but invisible to clients. */
export interface InternalCollection<T = unknown> extends Collection {
  /** Reads a record from a saved state. Undefined: it is invalid. */
  read(value: unknown): Entry | undefined;
  /** The required format, for messages. */
  readonly form: string;
  entryOf(record: T): Entry;
}

interface InternalForm<T> {
  /** A name that no path of a document can have. */
  readonly name: `~${string}`;
  readonly keys: Readonly<Record<string, (record: T) => KeyValue>>;
  readonly idOf: (record: T) => string;
  readonly isRecord: (value: unknown) => value is T;
  readonly form: string;
}

export function internalCollection<T>({
  name,
  keys,
  idOf,
  isRecord,
  form,
}: InternalForm<T>): InternalCollection<T> {
  const entryOf = (record: T): Entry => ({
    id: idOf(record),
    text: stringifyJson(record),
    keys: Object.values(keys).map((keyOf) => keyOf(record)),
  });
  return {
    name,
    form,
    entryOf,
    keys: Object.keys(keys),
    isInternal: true,
    idOf: String,
    complete: (id: Id, { members }: { readonly members: Data }) => ({ ...entryOf(members as T), id }),
    seeds: () => [],
    size: 0,
    read: (value) => (isRecord(value) ? entryOf(value) : undefined),
  };
}

/** Undefined: there is no record with this id. */
export function readInternal<T>(
  store: Store,
  collection: InternalCollection<T>,
  id: string,
): Awaitable<T | undefined> {
  return andThen(store.read(collection, id, []), (text) =>
    text === undefined ? undefined : (parseJson(text) as T),
  );
}

/** The records with one of these values. */
export function listInternal<T>(
  store: Store,
  collection: InternalCollection<T>,
  key: string,
  anyOf: readonly string[],
): Awaitable<readonly T[]> {
  return recordsWhere(store, collection, [{ key, anyOf }]) as Awaitable<readonly T[]>;
}

/** Saves changes to a record, or creates it. */
export async function keepInternal<T extends object>(
  store: Store,
  collection: InternalCollection<T>,
  record: T,
): Promise<void> {
  const { id } = collection.entryOf(record);
  const input = { id, members: record as Data, scope: [] };
  const changed = await store.change(collection, id, [], () => input);
  if (changed === undefined && (await store.create(collection, input)) === 'taken')
    await store.change(collection, id, [], () => input);
}

export interface Answered {
  readonly id: string;
  /** A hash of the request. */
  readonly sent: string;
  readonly response: ResponseContent;
  /** The body is bytes, as one character each. */
  readonly isBytes?: true;
}

/** Responses by idempotency key, kept as long as the records. */
export const ANSWERED = internalCollection<Answered>({
  name: '~answered',
  keys: {},
  idOf: ({ id }) => id,
  isRecord: (value): value is Answered =>
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.sent === 'string' &&
    isRecord(value.response),
  form: 'an object with "id", "sent" and "response"',
});
