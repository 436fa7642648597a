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

/**
 * Who sends a request: a case by its number, a part of it by that and its own number behind it, `[12, 3]`. Work that several
 * cases share begins with {@link SHARED}.
 */
export type CasePlace = readonly number[];

/** What several cases work with, and what is made for others to stand below. */
export const SHARED = -1;

/** Whether it is work that several cases share, or a part of it. */
export const isShared = ([first]: CasePlace): boolean => first === SHARED;

/** The order of cases; a part comes behind the whole. */
export function comparePlaces(one: CasePlace, other: CasePlace): number {
  const index = one.findIndex((number, at) => number !== other[at]);
  return index === -1 ? one.length - other.length : (one[index] ?? 0) - (other[index] ?? -Infinity);
}

/** Who has made a record. Undefined: it does not matter. */
export type Maker = CasePlace | undefined;

/**
 * Whether what a record is may be said by one who looks at it: by its maker, the parts of it or the whole, and of what is
 * shared by all. What happens to it between the requests of its maker depends on what runs beside it.
 */
export function isOwn(maker: Maker, viewer: Maker): boolean {
  if (maker === undefined || viewer === undefined || isShared(maker)) return true;
  const [whole, part] = maker.length <= viewer.length ? [maker, viewer] : [viewer, maker];
  return whole.every((number, index) => number === part[index]);
}

/** A record that the run has made, as it must be now. */
export interface OwnRecord {
  readonly resource: Resource;
  readonly id: unknown;
  readonly maker: Maker;
  /** Path parameters of the create: what a nested record belongs to. */
  readonly parents: Data;
  /** The members that were sent and that the record must have, with their latest values. */
  readonly sent: Data;
  /** All members that the latest change sent. */
  readonly changed: Data;
  /** The members that the latest change, a merge patch, has removed. */
  readonly nulled?: readonly string[];
  /** The items of its sets that the service has added by itself. */
  readonly added?: Readonly<Record<string, readonly unknown[]>>;
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
  /** Who looks at them: those that other cases have made are not among them. Undefined: all are. */
  readonly viewer?: Maker;
  /** Whether a case has made a record that a response shows, and the viewer has no part in it. */
  isOfOthers(resource: Resource, record: unknown, parents: Data): boolean;
  readonly records: readonly OwnRecord[];
  /**
   * Those of a collection that may be meant, looked for one after the other.
   * @param may asked first, since whether a record may be looked at takes longer to find out
   */
  recordsOf(resource: Resource, may: (record: OwnRecord) => boolean): Iterable<OwnRecord>;
  find(resource: Resource, id: unknown, parents: Data): OwnRecord | undefined;
  /** The create requests that were sent with a text in the marked member, and the ids they were acknowledged with. */
  createsOf(
    resource: Resource,
    text: unknown,
  ): { readonly sent: number; readonly ids: ReadonlySet<string> } | undefined;
  /** Whether a text was only ever in the marked member of refused creates. */
  wasRefused(resource: Resource, text: unknown): boolean;
  /** Whether a record that the service has shown has a value in a member of this name, or for its id. */
  hasShown(name: string, value: unknown): boolean;
  /** The ids of all records of a resource that the run has seen so far, whoever made them. */
  idsOf(resource: Resource, parents: Data): Pick<ReadonlySet<string>, 'has'>;
}

/** The path parameters that a resource's records belong to. */
export function parentsOf(resource: Resource, path: Data | undefined): Data {
  return Object.fromEntries(resource.parents.map(({ parameter }) => [parameter, String(path?.[parameter])]));
}
