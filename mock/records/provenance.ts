import { isRecord } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import { type Condition, type Id, recordKey, type Store } from '../store/port.ts';
import { internalCollection, keepInternal, listInternal, readInternal } from './internal.ts';

/** Where a record comes from, in a mock of a running service. Seeded records have no provenance. */
export interface Provenance {
  /** The name of the collection. */
  readonly collection: string;
  /** Undefined: it describes the whole collection. */
  readonly id?: Id;
  /**
   * `real`: the real service has shown it; `own`: the mock has created it for a client, and the real service does not know
   * it; `unseeded`: the collection's seeded records were dropped.
   */
  readonly kind: 'real' | 'own' | 'unseeded';
  /** The parents that paths have named. */
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

/** Undefined: nothing is known about the record or collection. */
export function provenanceOf(store: Store, collection: string, id?: Id): Awaitable<Provenance | undefined> {
  return readInternal(store, PROVENANCE, provenanceKey(collection, id));
}

export function setProvenance(store: Store, provenance: Provenance): Promise<void> {
  return keepInternal(store, PROVENANCE, provenance);
}

export function removeProvenance(store: Store, collection: string, id: Id): Awaitable<boolean> {
  return store.remove(PROVENANCE, provenanceKey(collection, id), []);
}

/** The ids, as text, of a collection's records that the mock has created for clients. */
export function ownIds(store: Store, collection: string): Awaitable<ReadonlySet<string>> {
  return andThen(
    listInternal(store, PROVENANCE, 'own', [collection]),
    (all) => new Set(all.map(({ id }) => String(id))),
  );
}
