import type { Resource } from '#spec';

type Data = Readonly<Record<string, unknown>>;

/** What happened to a record last; it names the law that a deviation breaks. */
export type LastEvent =
  | 'created'
  | 'replaced'
  | 'updated'
  | 'change refused'
  | 'neighbour changed'
  | 'other requests';

/** A record that the run has made, as it must be now. */
export interface OwnRecord {
  readonly resource: Resource;
  readonly id: unknown;
  /** Path parameters of the create: what a nested record belongs to. */
  readonly parents: Data;
  /** The members that were sent, with their latest values. */
  readonly sent: Data;
  /** The members that the latest change sent. */
  readonly changed: Data;
  /** The members that the latest change, a merge patch, has removed. */
  readonly nulled?: readonly string[];
  /** The record as it was last read; undefined: not yet. */
  readonly seen: Data | undefined;
  /** The record as it was last read before the latest event. */
  readonly before: Data | undefined;
  readonly last: LastEvent;
  readonly written: 'created' | 'replaced' | 'updated';
  /** A list has shown it since it was written. */
  readonly listed: boolean;
  readonly removed: boolean;
}

/**
 * The run's own records as acknowledged requests must have left them. Records of other clients are not in it: they
 * may change at any time.
 */
export interface KnownRecords {
  readonly records: readonly OwnRecord[];
  find(resource: Resource, id: unknown, parents: Data): OwnRecord | undefined;
  /** The create requests that were sent with a text in the marked member, and the ids they were acknowledged with. */
  createsOf(
    resource: Resource,
    text: unknown,
  ): { readonly sent: number; readonly ids: ReadonlySet<string> } | undefined;
  /** Whether a text was only ever in the marked member of refused creates. */
  wasRefused(resource: Resource, text: unknown): boolean;
  /** The ids of all records of a resource that the run has seen so far, whoever made them. */
  idsOf(resource: Resource, parents: Data): Pick<ReadonlySet<string>, 'has'>;
}

/** The path parameters that a resource's records belong to. */
export function parentsOf(resource: Resource, path: Data | undefined): Data {
  return Object.fromEntries(resource.parents.map(({ parameter }) => [parameter, String(path?.[parameter])]));
}
