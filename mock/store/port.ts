import { type Data, parseJson } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';

export type { Awaitable };

export type Id = string | number | bigint;

export const isId = (value: unknown): value is Id => ['string', 'number', 'bigint'].includes(typeof value);

/** Identifies a record among all collections. */
export const recordKey = (collection: string, id: Id): string => `${collection} ${id}`;

export type Scalar = string | number | bigint | boolean | null;

/** A collection of records, as far as a store needs to know. */
export interface Collection {
  /** Unique within the store. */
  readonly name: string;
  /** What lists can filter by: members, and parameters of the collection's own path. */
  readonly keys: readonly string[];
  /**
   * Combinations of keys whose values must be unique among records with the same parents (null is ignored). Undefined:
   * none.
   */
  readonly unique?: readonly (readonly string[])[];
  /** The id of the n-th record that the store numbers, from 1. Ascending if ids have an order. */
  idOf(ordinal: number): Id;
  /** Completes a record for storage, in the form in which it is returned. */
  complete(id: Id, input: Given): Entry;
  /** The seeded records, in order of their ordinals. */
  seeds(): Iterable<Entry>;
  /** The number of seeded records, if known. */
  readonly size?: number;
  /** The mock's own collection: its changes are not reported. */
  readonly isInternal?: true;
  /** The number of ids that count as created once it is seeded. Undefined: one for each seed. */
  readonly numbered?: number;
}

/** The input for a new record. */
export interface Given {
  /** Undefined: the store assigns one. */
  readonly id: Id | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  /** Values of the path's own parameters, by key. */
  readonly scope: readonly Condition[];
}

/** A stored record. */
export interface Entry {
  readonly id: Id;
  /** Its JSON text, as returned to clients. */
  readonly text: string;
  /** The value of each of the collection's keys; each item of a list counts. */
  readonly keys: readonly KeyValue[];
}

export type KeyValue = Scalar | undefined | readonly Scalar[];

/** Holds for records whose key has one of the values. */
export interface Condition {
  readonly key: string;
  readonly anyOf: readonly Scalar[];
}

export interface Query {
  readonly where: readonly Condition[];
  readonly offset: number;
  /** Infinity: all. */
  readonly limit: number;
  /** Whether the total is needed, which may be slow with many records. */
  readonly counted?: boolean;
}

export interface Page {
  /** A JSON array of the records. */
  readonly text: string;
  readonly count: number;
  /** The number of matching records on all pages. Undefined: not counted. */
  readonly total: number | undefined;
}

/** Whether a record with this text may be changed; checked atomically with the change. */
export type Allows = (text: string) => boolean;

/** The index of the first new record that cannot be stored, since another has its id or a unique value. */
export interface Taken {
  readonly taken: number;
}

/**
 * Stores records. Results may be promises, so that a store can be a database; conditions are passed down, so that it can
 * use an index; it assigns ids, so that several mocks can share it. Lists are in the order in which ids were assigned.
 */
export interface Store {
  list(collection: Collection, query: Query): Awaitable<Page>;
  /** The record's text. Undefined: no record has the id and meets all conditions. */
  read(collection: Collection, id: Id, where: readonly Condition[]): Awaitable<string | undefined>;
  /** `taken`: another record has the id, or a unique value. */
  create(collection: Collection, input: Given): Awaitable<Entry | 'taken'>;
  /** Atomic: creates all of these or none. */
  createAll(collection: Collection, inputs: readonly Given[]): Awaitable<readonly Entry[] | Taken>;
  /**
   * Atomically replaces a record by the result of `edit`. Undefined: there is no such record. False: it was not changed,
   * since `allows` rejects it or another record has a unique value.
   */
  change(
    collection: Collection,
    id: Id,
    where: readonly Condition[],
    edit: (text: string) => Given,
    allows?: Allows,
  ): Awaitable<string | false | undefined>;
  /** False: there is no such record, or `allows` rejects it. */
  remove(collection: Collection, id: Id, where: readonly Condition[], allows?: Allows): Awaitable<boolean>;
  /** Atomically removes those of these records that exist and that `allows` accepts, and returns them. */
  removeAll(
    collection: Collection,
    ids: readonly Id[],
    where: readonly Condition[],
    allows?: Allows,
  ): Awaitable<readonly Removed[]>;
  /** Atomically seeds those of these collections that were never used; others are seeded on first use. */
  fill(collections: readonly Collection[]): Awaitable<void>;
  /** Whether a collection still has just its seeds, without generating them. Absent: the store does not know. */
  isUnchanged?(collection: Collection): boolean;
  /** Everything that a collection holds. */
  contents(collection: Collection): Awaitable<Contents>;
  /** Atomically replaces the contents of these collections, and resets all others. */
  restore(contents: ReadonlyMap<Collection, Contents>): Awaitable<void>;
  /** Returns all collections to their seeds. */
  reset(): Awaitable<void>;
  /** The settings of sessions, beside their records. */
  readonly settings: SettingsStore;
  /** Undefined: the store ends with the mock, or other mocks share it. */
  readonly memo?: Memo;
  /** The records of another session, which begin with the same seeds. Closing it deletes them. */
  fork(session: string): Store;
  close(): Awaitable<void>;
}

/** The records of a collection that meet all conditions, in the order of their ids. */
export function recordsWhere(
  store: Store,
  collection: Collection,
  where: readonly Condition[],
  limit = Number.POSITIVE_INFINITY,
): Awaitable<readonly Data[]> {
  return andThen(
    store.list(collection, { where, offset: 0, limit }),
    ({ text }) => parseJson(text) as Data[],
  );
}

/** A removed record, as it was. */
export type Removed = Pick<Entry, 'id' | 'text'>;

export interface Contents {
  readonly entries: readonly Entry[];
  /** The number of ids that the store has assigned: the next one is `idOf(numbered + 1)`. */
  readonly numbered: number;
}

/** A text that a store keeps beside its records, even across resets. */
export interface Memo {
  get(): string | undefined;
  set(text: string): void;
}

/** A JSON value for each session, stored like its records; closing the session deletes it. */
export interface SettingsStore {
  /** Undefined: there is no value. */
  get(session: string): unknown;
  /** In one transaction. */
  update(session: string, edit: (value: unknown) => unknown): Awaitable<void>;
  /** Resolves when all mocks with the same store have the earlier updates. Absent: there are no others. */
  replicated?(): Promise<void>;
  /** Called for each update by another mock. Absent: there are none. */
  subscribe?(listener: (session: string, value: unknown) => void): void;
}

/** Opens the store of the main session. `notice` receives events of the store itself. */
export type OpenStore = (
  collections: readonly Collection[],
  notice?: (text: string) => void,
) => Awaitable<Store>;

/** The store cannot be opened: a usage error, whose message contains no password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/**
 * An open store is unavailable: unreachable, its disk full, or its data damaged. A failed write may have been committed; no
 * acknowledged one is lost, except by damage.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Reports once that a store has failed, and once that it works again, instead of for every request. */
export function createOutageReport(store: string, notice: (text: string) => void) {
  let isDown = false;
  return {
    failed(reason: string) {
      if (!isDown) notice(`${store} is unavailable, and requests get a 503: ${reason}`);
      isDown = true;
    },
    worked() {
      if (isDown) notice(`${store} is available again`);
      isDown = false;
    },
  };
}
