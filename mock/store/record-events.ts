import { andThen } from '../http/exchange.ts';
import { type Awaitable, type Collection, type Entry, type Id, recordKey, type Store } from './port.ts';

/** A change of one record in a session. */
export interface RecordEvent {
  /** Ascending within the session, counted while there are listeners. */
  readonly number: number;
  /** By the session's clock, in milliseconds since 1970. */
  readonly at: number;
  readonly kind: 'created' | 'changed' | 'removed';
  /** Its `name` is the path of the resource. */
  readonly collection: Collection;
  readonly id: Id;
  /** The JSON text of the record; for a removed one, its last text. */
  readonly text: string;
  /** The previous JSON text; for changed records only. */
  readonly before?: string;
  /** The real service behind the mock made the change, and notifies its clients itself. */
  readonly isLearned?: true;
}

export interface RecordListener {
  /** Called after the write, before the response to its request is sent. */
  happened(event: RecordEvent): void;
  /** All records were replaced at once: by a reset, a restored state or a changed document. */
  replaced?(): void;
  /** The session has ended. */
  closed?(): void;
}

/**
 * Changes of a session's records from any source: requests, the control API, the user's code. Other mocks with the same
 * store notify their own listeners.
 */
export interface RecordEvents {
  readonly last: number;
  /** Returns a function that unsubscribes. */
  subscribe(listener: RecordListener): () => void;
  /** Runs a write that repeats a change of the real service. */
  learn<T>(collection: Collection, id: Id, write: () => Awaitable<T>): Promise<T>;
  /** Calls `replaced` of every listener, for changes that the store does not see. */
  replaced(): void;
  close(): void;
}

/** A store that can be replaced while in use. */
export interface SwitchedStore extends Store {
  switchTo(next: Store): void;
  /** Undefined: there are no listeners, so the store's own functions are called directly. */
  reportTo(report: Report | undefined): void;
}

interface Report {
  record(event: Omit<RecordEvent, 'number' | 'at'>): void;
  replaced(): void;
}

export function createSwitch(first: Store): SwitchedStore {
  let current = first;
  let reporting: Report | undefined;
  const use = () => Object.assign(store, reporting ? reportingStore(current, reporting) : current);
  const store: SwitchedStore = {
    ...first,
    switchTo(next) {
      current = next;
      use();
      reporting?.replaced();
    },
    reportTo(report) {
      reporting = report;
      use();
    },
  };
  return store;
}

/** `time` is the session's clock. */
export function createRecordEvents(store: SwitchedStore, time: () => number): RecordEvents {
  // A Set, since a listener may leave while others are called.
  const listeners = new Set<RecordListener>();
  let number = 0;
  const learned = new Set<string>();
  const replaced = () => {
    // Earlier numbers refer to other records.
    number += 1;
    for (const listener of [...listeners]) listener.replaced?.();
  };
  const report: Report = {
    record(event) {
      const isLearned = learned.has(recordKey(event.collection.name, event.id));
      const numbered: RecordEvent = {
        ...event,
        number: ++number,
        at: time(),
        ...(isLearned && { isLearned }),
      };
      for (const listener of [...listeners]) listener.happened(numbered);
    },
    replaced,
  };
  return {
    get last() {
      return number;
    },
    subscribe(listener) {
      if (listeners.size === 0) store.reportTo(report);
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) store.reportTo(undefined);
      };
    },
    async learn(collection, id, write) {
      const key = recordKey(collection.name, id);
      learned.add(key);
      try {
        return await write();
      } finally {
        learned.delete(key);
      }
    },
    replaced,
    close() {
      const all = [...listeners];
      listeners.clear();
      store.reportTo(undefined);
      for (const listener of all) listener.closed?.();
    },
  };
}

function reportingStore(store: Store, report: Report): Store {
  const record: Report['record'] = (event) => event.collection.isInternal || report.record(event);
  const { replaced } = report;
  const removeAll: Store['removeAll'] = (collection, ...how) =>
    andThen(store.removeAll(collection, ...how), (removed) => {
      for (const { id, text } of removed) record({ kind: 'removed', collection, id, text });
      return removed;
    });
  return {
    ...store,
    create(collection, input) {
      return andThen(store.create(collection, input), (entry): Entry | 'taken' => {
        if (entry !== 'taken') record({ kind: 'created', collection, id: entry.id, text: entry.text });
        return entry;
      });
    },
    createAll(collection, inputs) {
      return andThen(store.createAll(collection, inputs), (made) => {
        if ('taken' in made) return made;
        for (const { id, text } of made) record({ kind: 'created', collection, id, text });
        return made;
      });
    },
    change(collection, id, where, edit, allows) {
      let before = '';
      const remember: typeof edit = (text) => {
        before = text;
        return edit(text);
      };
      return andThen(store.change(collection, id, where, remember, allows), (text) => {
        if (typeof text === 'string') record({ kind: 'changed', collection, id, text, before });
        return text;
      });
    },
    remove: (collection, id, ...how) =>
      andThen(removeAll(collection, [id], ...how), (removed) => removed.length > 0),
    removeAll,
    restore: (contents) => andThen(store.restore(contents), replaced),
    reset: () => andThen(store.reset(), replaced),
  };
}
