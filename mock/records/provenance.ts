import { isRecord } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import { type Condition, type Id, recordKey, type Store } from '../store/port.ts';
import { internalCollection, keepInternal, listInternal, readInternal } from './internal.ts';

/** Where a record comes from, in a mock in front of a real service; one that is seeded has none. */
export interface Provenance {
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

export const PROVENANCE = internalCollection<Provenance>({
  name: '~origins',
  keys: { own: ({ kind, collection }) => (kind === 'own' ? collection : undefined) },
  idOf: ({ collection, id }) => provenanceKey(collection, id),
  isRecord: (value): value is Provenance =>
    isRecord(value) &&
    typeof value.collection === 'string' &&
    ['real', 'own', 'unseeded'].includes(String(value.kind)),
  form: 'an object with "collection", "kind" and, but for "unseeded", "id"',
});

const provenanceKey = (collection: string, id: Id | undefined) =>
  id === undefined ? collection : recordKey(collection, id);

/** Undefined: nothing is known of the record, or of the collection. */
export function provenanceOf(store: Store, collection: string, id?: Id): Awaitable<Provenance | undefined> {
  return readInternal(store, PROVENANCE, provenanceKey(collection, id));
}

export function setProvenance(store: Store, provenance: Provenance): Promise<void> {
  return keepInternal(store, PROVENANCE, provenance);
}

export function removeProvenance(store: Store, collection: string, id: Id): Awaitable<boolean> {
  return store.remove(PROVENANCE, provenanceKey(collection, id), []);
}

/** The ids, as texts, of the records of a collection that the mock has made for clients. */
export function ownIds(store: Store, collection: string): Awaitable<ReadonlySet<string>> {
  return andThen(
    listInternal(store, PROVENANCE, 'own', [collection]),
    (all) => new Set(all.map(({ id }) => String(id))),
  );
}
