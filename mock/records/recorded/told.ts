import type { Condition, Id } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Where and when something was recorded. */
export interface Moment {
  /** For messages. */
  readonly place: string;
  /** In milliseconds since 1970; undefined: not known. */
  readonly at: number | undefined;
}

/** What an exchange says of one record. */
export interface ToldRecord {
  /** As far as the request says. */
  readonly id: Id | undefined;
  /** What the request's path says of the parents. */
  readonly seen: readonly Condition[];
  /** The record as the response shows it; undefined: it does not. */
  readonly shown: Members | undefined;
  /** The members that the document has in such a response: what is not among them the record may have all the same. */
  readonly documented: ReadonlySet<string> | undefined;
  /** Makes the record from the last one that is known, where the response does not show it whole. */
  readonly from: (known: Members) => Members;
}

/** What an exchange says of a collection. */
export interface Told {
  readonly collection: RecordCollection;
  readonly records: readonly ToldRecord[];
  /** The record that is not there any more. */
  readonly gone?: { readonly id: Id | undefined; readonly seen: readonly Condition[] };
  /** The records are in the order of the collection. */
  readonly inOrder?: boolean;
}
