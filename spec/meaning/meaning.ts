import type { Certainty, Sign } from './basis.ts';
import type { Does, OperationFacts, RecordFacts, UniqueMeaning } from './keys.ts';

export type { Json } from './forms.ts';
export type { Does, MemberMeaning, PageSign, UniqueMeaning } from './keys.ts';

/**
 * What a document means beyond its schemas, as plain JSON. Collections are named by their paths, operations by method and
 * path, schemas by JSON Pointers (RFC 6901), and members by their names with dots between.
 */
export interface Meaning {
  readonly collections: Readonly<Record<CollectionPath, CollectionMeaning>>;
  /** Every operation of the document. */
  readonly operations: Readonly<Record<OperationKey, OperationMeaning>>;
}

/** The evidence for a fact. */
export interface FactBasis {
  readonly certainty: Certainty;
  readonly signs: readonly Sign[];
  /** The places in the document, as `file:line`. */
  readonly because: readonly string[];
  /** The value and place that a later overlay replaces: `list, openapi.yaml:12`. */
  readonly insteadOf?: string;
}

/** `/owners/{ownerId}/dogs` */
export type CollectionPath = string;
/** `GET /pets/{petId}` */
export type OperationKey = string;

/** A collection of records, or with `single` the one record of state at its path. */
export interface CollectionMeaning extends RecordFacts {
  readonly single?: true;
  /** JSON Pointer to the Schema Object of a record. */
  readonly record?: string;
  /** The collection at a shorter path that has the same records. */
  readonly sharedWith?: CollectionPath;
  readonly unique?: readonly UniqueMeaning[];
}

export interface OperationMeaning extends Omit<OperationFacts, 'refuses'> {
  readonly does: Does;
  /** Statuses by reason; beside those of operations also `taken` and `kept`, which come from the record. */
  readonly refuses?: Readonly<Record<string, string>>;
}

/** The parameters of an operation that have no meaning beyond their schemas. */
export function unknownParameters(
  { parameters }: { readonly parameters: readonly { readonly in: string; readonly name: string }[] },
  { query = {}, idempotencyKey }: OperationMeaning,
): string[] {
  const names = new Set(Object.keys(query).flatMap((name) => [name, name.replace(/\[.*\]$/, '')]));
  return parameters.flatMap(({ in: place, name }) => {
    const isKnown = place === 'query' ? names.has(name) : KNOWN_HEADERS.has(name) || name === idempotencyKey;
    return place === 'path' || isKnown ? [] : [name];
  });
}

/** Headers with a meaning of their own: RFC 9110 §13.1 and RFC 7240. */
const KNOWN_HEADERS: ReadonlySet<string> = new Set([
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'prefer',
]);
