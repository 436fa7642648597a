import {
  type Action,
  type Contract,
  explicitStatuses,
  type Further,
  foldedName,
  isEqual,
  memberNames,
  type Operation,
  oncePer,
  type Resource,
  recordNamedBy,
  responseFor,
  setOf,
  upsertOf,
} from '#spec';
import { ACCEPTED, type Data } from '../send/wire.ts';

/** The resource that an operation works on, and what it does there. */
export interface Role {
  readonly resource: Resource;
  readonly action: Action;
}

export function roleOf(contract: Contract, operation: Operation): Role | undefined {
  return rolesOf(contract).get(operation);
}

const rolesOf = oncePer(({ resources }: Contract): ReadonlyMap<Operation, Role> => {
  const pairs = resources.flatMap((resource) =>
    Object.entries(resource.actions).map(([action, operation]): [Operation, Role] => [
      operation,
      { resource, action: action as Action },
    ]),
  );
  // The first resource that names an operation has it.
  return new Map(pairs.reverse());
});

/** The documented 2xx statuses of an operation, in ascending order; of a range the usual one. */
export function successStatuses({ method, responses }: Operation): number[] {
  const explicit = explicitStatuses(responses).filter((status) => status >= 200 && status < 300);
  if (explicit.length > 0) return explicit;
  return responses.some(({ key }) => key === '2XX') ? [method === 'POST' ? 201 : 200] : [];
}

/** Whether neither a success nor a redirection is documented: with which one it responds is not promised then. */
export function leavesStatusOpen({ responses }: Operation): boolean {
  return responses.every(({ key }) => /^(?:[145]|default)/.test(key));
}

/** The statuses that the document names for invalid input. Where it names both, it does not say which is for what. */
export function invalidStatuses(operation: Operation): number[] {
  const documented = explicitStatuses(operation.responses);
  return [400, 422].filter((status) => documented.includes(status));
}

/** The status that stands for all of them: 400 before 422. */
export function invalidStatus(operation: Operation): number | undefined {
  return invalidStatuses(operation)[0];
}

/**
 * The collection whose records a path parameter identifies, where they can be listed or created. By its place in the
 * path: the parameter of `/owners/{id}` has another name in `/owners/{ownerId}/pets`.
 */
export function ownerOf({ resources }: Contract, operation: Operation, name: string): Resource | undefined {
  const owner = recordNamedBy(resources, operation, name);
  return owner?.actions.list || owner?.actions.create ? owner : undefined;
}

/** What an operation does beside the main ones of a resource: mostly inferred, so that no law holds a service to it. */
interface FurtherRole {
  readonly resource: Resource;
  readonly further: Further;
}

export function furtherRoleOf(contract: Contract, operation: Operation): FurtherRole | undefined {
  return furtherRolesOf(contract).get(operation);
}

/** The resource that an operation works on, in whichever role. */
export function resourceOf(contract: Contract, operation: Operation): Resource | undefined {
  return (roleOf(contract, operation) ?? furtherRoleOf(contract, operation))?.resource;
}

/**
 * The operation that adds a record to a collection: on another path where its own has none, or the PUT that makes what is
 * not there, where a read shows that it is not.
 */
export function creatorOf({ actions, further }: Resource): Operation | undefined {
  return (
    actions.create ??
    further.find(({ role }) => role === 'create')?.operation ??
    (actions.read && createsAtPath(actions.replace) ? actions.replace : undefined)
  );
}

/** Whether an operation is promised to make the record that its path names, where there is none. */
export function createsAtPath(operation: Operation | undefined): boolean {
  return operation?.method === 'PUT' && upsertOf(operation)?.certainty === 'promised';
}

/** Whether what an update leaves out is promised to stay: of a PUT that is left open (RFC 9110 §9.3.4). */
export const keepsRest = ({ method }: Operation): boolean => method !== 'PUT';

/** The role of a request. @param creates it is to make the record that its path names, or says that it has done so */
export function roleOfRequest(contract: Contract, operation: Operation, creates: boolean): Role | undefined {
  const role = roleOf(contract, operation);
  const isCreate = creates && role?.action === 'replace' && createsAtPath(operation);
  return isCreate ? { resource: role.resource, action: 'create' } : role;
}

const furtherRolesOf = oncePer(({ resources }: Contract): ReadonlyMap<Operation, FurtherRole> => {
  const pairs = resources.flatMap((resource) =>
    resource.further.map((further) => [further.operation, { resource, further }] as const),
  );
  return new Map(pairs);
});

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
  /** The members that writes have given it. Others the service has filled in by itself, and may fill in so again. */
  readonly writtenMembers: readonly string[];
  /** Those of them that the latest change, a replacement, has left out. */
  readonly leftOut?: readonly string[];
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

/**
 * Whether what is only accepted (202) is answered with something else than the record: with the job that is to make or to
 * change it.
 */
export function showsJob(resource: Resource, { responses }: Operation): boolean {
  const shapes = responseFor(responses, ACCEPTED)?.content.flatMap(({ shape }) => shape ?? []) ?? [];
  if (shapes.some((shape) => isEqual(shape.spot.value, resource.shape.spot.value))) return false;
  return (
    shapes.length === 0 ||
    shapes.some((shape) => memberNames(shape).some((name) => STATES.has(foldedName(name))))
  );
}

/** What a job says of how far it is. */
const STATES = setOf('status state phase progress done completed');

/** The path parameters that a resource's records belong to. */
export function parentsOf(resource: Resource, path: Data | undefined): Data {
  return Object.fromEntries(resource.parents.map(({ parameter }) => [parameter, String(path?.[parameter])]));
}
