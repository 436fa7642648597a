import { type Data, parseJson } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';

export type { Awaitable };

export type Id = string | number | bigint;
/** Names a record among those of all collections. */
export const recordKey = (collection: string, id: Id): string => `${collection} ${id}`;

export type Scalar = string | number | bigint | boolean | null;

/** A collection of records, as a store needs to know it. */
export interface Collection {
  /** Unique within the store. */
  readonly name: string;
  /** What lists select by: properties that they filter by, and parameters of the collection's own path. */
  readonly keys: readonly string[];
  /**
   * Keys of which no two records below the same parents have the same values, all of a list together (`null` is none);
   * undefined: there are none.
   */
  readonly unique?: readonly (readonly string[])[];
  /** The id of the n-th record that the store numbers, from 1. Ascending where ids have an order. */
  idOf(ordinal: number): Id;
  /** The record as it is kept and answered. */
  complete(id: Id, input: Given): Entry;
  /** The records that the collection begins with, in order of their ordinals. */
  seeds(): Iterable<Entry>;
  /** How many there are, where that is known. */
  readonly size?: number;
  /** Of the mock itself: nobody is told of what happens to its records. */
  readonly isInternal?: true;
  /** How many ids count as made once it is seeded; undefined: one for each seed. */
  readonly numbered?: number;
}

/** What a client gave for a new record. */
export interface Given {
  /** Undefined: the store assigns one. */
  readonly id: Id | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  /** Values of the path's own parameters, by key. */
  readonly scope: readonly Condition[];
}

/** One record. */
export interface Entry {
  readonly id: Id;
  /** Its JSON text; records are kept as they are answered. */
  readonly text: string;
  /** One for each of the collection's keys; a list counts with each of its items. */
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
  /** Whether the total is wanted, which may cost the more the more records there are. */
  readonly counted?: boolean;
}

export interface Page {
  /** A JSON array of the records. */
  readonly text: string;
  readonly count: number;
  /** Records that match, on all pages; undefined: they were not counted. */
  readonly total: number | undefined;
}

/** Whether a record with this text may be changed; asked in the same step as it is. */
export type Allows = (text: string) => boolean;

/** Which of several new records cannot be stored: another one has its id, or the value of a unique key. */
export interface Taken {
  readonly taken: number;
}

/**
 * Where the records are. Results may be promises, so that a store can be a database; conditions are handed
 * down, so that it can use an index; ids come from the store, so that several mocks can share it.
 * Lists are in the order in which ids were given.
 */
export interface Store {
  list(collection: Collection, query: Query): Awaitable<Page>;
  /** The record's text; undefined: there is none with this id for which all conditions hold. */
  read(collection: Collection, id: Id, where: readonly Condition[]): Awaitable<string | undefined>;
  /** `taken`: another record has the id, or the value of a unique key. */
  create(collection: Collection, input: Given): Awaitable<Entry | 'taken'>;
  /** All of these in one step, or none. */
  createAll(collection: Collection, inputs: readonly Given[]): Awaitable<readonly Entry[] | Taken>;
  /**
   * Replaces a record by what `edit` makes of its text, in one step. Undefined: there is none. False: it stays as it is,
   * since `allows` does not allow it, or another record has the value of a unique key.
   */
  change(
    collection: Collection,
    id: Id,
    where: readonly Condition[],
    edit: (text: string) => Given,
    allows?: Allows,
  ): Awaitable<string | false | undefined>;
  /** False: there was none, or `allows` does not allow it. */
  remove(collection: Collection, id: Id, where: readonly Condition[], allows?: Allows): Awaitable<boolean>;
  /** Removes in one step those of these records that are there and that `allows` allows, and returns them. */
  removeAll(
    collection: Collection,
    ids: readonly Id[],
    where: readonly Condition[],
    allows?: Allows,
  ): Awaitable<readonly Removed[]>;
  /** Seeds those of these collections that have never been used, in one step; others are seeded at their first use. */
  fill(collections: readonly Collection[]): Awaitable<void>;
  /** Whether a collection holds its seeds, which need not be made to know it. Absent: the store does not know. */
  isUnchanged?(collection: Collection): boolean;
  /** All that a collection holds. */
  contents(collection: Collection): Awaitable<Contents>;
  /** In one step: these collections hold this and nothing else, all others go back to their seeds. */
  restore(contents: ReadonlyMap<Collection, Contents>): Awaitable<void>;
  /** Back to the seeds. */
  reset(): Awaitable<void>;
  /** What is set for sessions beside their records. */
  readonly settings: SettingsStore;
  /** Undefined: the store ends with the mock, or other mocks share it. */
  readonly memo?: Memo;
  /** The records of a session: they begin with the same seeds, and no other session sees them. Closing deletes them. */
  fork(session: string): Store;
  close(): Awaitable<void>;
}

/** The records of a collection for which all conditions hold, in the order of their ids. */
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

/** A record that is gone, as it was. */
export type Removed = Pick<Entry, 'id' | 'text'>;

export interface Contents {
  readonly entries: readonly Entry[];
  /** How many ids the store has made: the next one is `idOf(numbered + 1)`. */
  readonly numbered: number;
}

/** A text that a store keeps beside its records, whatever becomes of them. */
export interface Memo {
  get(): string | undefined;
  set(text: string): void;
}

/** A JSON value for each session, which is kept as its records are; closing the session deletes it. */
export interface SettingsStore {
  /** Undefined: nothing is set. */
  get(session: string): unknown;
  /** In one transaction. */
  update(session: string, edit: (value: unknown) => unknown): Awaitable<void>;
  /** Resolves when earlier updates have reached every mock that shares the store; absent: there are no others. */
  replicated?(): Promise<void>;
  /** Called for each update by another mock; absent: there are none. */
  subscribe?(listener: (session: string, value: unknown) => void): void;
}

/** Opens the store of the main session. `notice` receives what happens to the store on its own. */
export type OpenStore = (
  collections: readonly Collection[],
  notice?: (text: string) => void,
) => Awaitable<Store>;

/** The store cannot be opened: a usage error, whose message contains no password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/**
 * An open store cannot be used for now: it cannot be reached, its disk is full, or what it holds is damaged. Whether the
 * write that failed was committed is not known; nothing that was acknowledged is lost, unless by damage.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Reports that a store has failed, and that it works again, once each: every request would repeat it. */
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
