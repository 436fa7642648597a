import { isRecord } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import { type Condition, type Id, recordKey, type Store } from '../store/port.ts';
import { internalCollection, keepInternal, listInternal, readInternal } from './internal.ts';

/** Where a record comes from, in a mock in front of a real service; one that is seeded has no origin. */
export interface Origin {
  /** The name of the collection. */
  readonly collection: string;
  /** Undefined: it is said of the whole collection. */
  readonly id?: Id;
  /**
   * `real`: the real service has shown it; `own`: the mock has made it for a client, and the real service does not know it;
   * `unseeded`: the seeded records of the collection have left.
   */
  readonly kind: 'real' | 'own' | 'unseeded';
  /** What paths have said of its parents. */
  readonly scope?: readonly Condition[];
}

export const ORIGINS = internalCollection<Origin>({
  name: '~origins',
  keys: { own: ({ kind, collection }) => (kind === 'own' ? collection : undefined) },
  idOf: ({ collection, id }) => originKey(collection, id),
  isRecord: (value): value is Origin =>
    isRecord(value) &&
    typeof value.collection === 'string' &&
    ['real', 'own', 'unseeded'].includes(String(value.kind)),
  form: 'an object with "collection", "kind" and, but for "unseeded", "id"',
});

const originKey = (collection: string, id: Id | undefined) =>
  id === undefined ? collection : recordKey(collection, id);

/** Undefined: nothing is known of the record, or of the collection. */
export function originOf(store: Store, collection: string, id?: Id): Awaitable<Origin | undefined> {
  return readInternal(store, ORIGINS, originKey(collection, id));
}

export function setOrigin(store: Store, origin: Origin): Promise<void> {
  return keepInternal(store, ORIGINS, origin);
}

export function removeOrigin(store: Store, collection: string, id: Id): Awaitable<boolean> {
  return store.remove(ORIGINS, originKey(collection, id), []);
}

/** The ids, as texts, of the records of a collection that the mock has made for clients. */
export function ownIds(store: Store, collection: string): Awaitable<ReadonlySet<string>> {
  return andThen(
    listInternal(store, ORIGINS, 'own', [collection]),
    (origins) => new Set(origins.map(({ id }) => String(id))),
  );
}
