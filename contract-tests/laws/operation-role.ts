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

/** The resource of an operation, and its action. */
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
  // An operation belongs to the first resource that names it.
  return new Map(pairs.reverse());
});

/** The documented 2xx statuses of an operation, in ascending order; for a range, the usual status. */
export function successStatuses({ method, responses }: Operation): number[] {
  const explicit = explicitStatuses(responses).filter((status) => status >= 200 && status < 300);
  if (explicit.length > 0) return explicit;
  return responses.some(({ key }) => key === '2XX') ? [method === 'POST' ? 201 : 200] : [];
}

/** Whether the document has neither a success nor a redirect: then no particular one is promised. */
export function leavesStatusOpen({ responses }: Operation): boolean {
  return responses.every(({ key }) => /^(?:[145]|default)/.test(key));
}

/** The documented statuses for invalid input. If there are both, the document does not state which is for what. */
export function invalidStatuses(operation: Operation): number[] {
  const documented = explicitStatuses(operation.responses);
  return [400, 422].filter((status) => documented.includes(status));
}

/** The preferred status for invalid input: 400 before 422. */
export function invalidStatus(operation: Operation): number | undefined {
  return invalidStatuses(operation)[0];
}

/**
 * The collection whose records a path parameter identifies, if they can be listed or created. It goes by position in the
 * path: the parameter of `/owners/{id}` has another name in `/owners/{ownerId}/pets`.
 */
export function ownerOf({ resources }: Contract, operation: Operation, name: string): Resource | undefined {
  const owner = recordNamedBy(resources, operation, name);
  return owner?.actions.list || owner?.actions.create ? owner : undefined;
}

/** The role of an operation beside a resource's main ones: mostly inferred, so that no rule relies on it. */
interface FurtherRole {
  readonly resource: Resource;
  readonly further: Further;
}

export function furtherRoleOf(contract: Contract, operation: Operation): FurtherRole | undefined {
  return furtherRolesOf(contract).get(operation);
}

/** The resource of an operation, in any role. */
export function resourceOf(contract: Contract, operation: Operation): Resource | undefined {
  return (roleOf(contract, operation) ?? furtherRoleOf(contract, operation))?.resource;
}

/**
 * The operation that adds a record to a collection: also one on another path, or a PUT that creates what is missing, if a
 * read can show that it is missing.
 */
export function creatorOf({ actions, further }: Resource): Operation | undefined {
  return (
    actions.create ??
    further.find(({ role }) => role === 'create')?.operation ??
    (actions.read && createsAtPath(actions.replace) ? actions.replace : undefined)
  );
}

/** Whether the document promises that an operation creates the missing record that its path names. */
export function createsAtPath(operation: Operation | undefined): boolean {
  return operation?.method === 'PUT' && upsertOf(operation)?.certainty === 'promised';
}

/** Whether members that an update leaves out are promised to stay: for PUT that is open (RFC 9110 §9.3.4). */
export const keepsRest = ({ method }: Operation): boolean => method !== 'PUT';

/**
 * The role of a request.
 * @param creates it is to create the record that its path names, or says that it did
 */
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

/** The last change of a record; it determines the rule that a deviation breaks. */
export type LastEvent =
  | 'created'
  | 'replaced'
  | 'updated'
  | 'change refused'
  | 'neighbour changed'
  | 'other requests';

/**
 * Who sends a request: the number of a case, and for a part of it a further number: `[12, 3]`. Work that cases share
 * begins with {@link SHARED}.
 */
export type CasePlace = readonly number[];

/** Stands for records that several cases use, and for parents of others. */
export const SHARED = -1;

/** Whether a place is that of shared work, or a part of it. */
export const isShared = ([first]: CasePlace): boolean => first === SHARED;

/** Compares cases; a part sorts behind the whole. */
export function comparePlaces(one: CasePlace, other: CasePlace): number {
  const index = one.findIndex((number, at) => number !== other[at]);
  return index === -1 ? one.length - other.length : (one[index] ?? 0) - (other[index] ?? -Infinity);
}

/** The creator of a record. Undefined: it does not matter. */
export type Maker = CasePlace | undefined;

/**
 * Whether a viewer may judge the state of a record: its maker, the parts of the maker or the whole, and for shared records
 * everyone. Otherwise the state depends on concurrent cases.
 */
export function isOwn(maker: Maker, viewer: Maker): boolean {
  if (maker === undefined || viewer === undefined || isShared(maker)) return true;
  const [whole, part] = maker.length <= viewer.length ? [maker, viewer] : [viewer, maker];
  return whole.every((number, index) => number === part[index]);
}

/** A record that the run created, in its expected state. */
export interface OwnRecord {
  readonly resource: Resource;
  readonly id: unknown;
  readonly maker: Maker;
  /** The path parameters of the create request: the parents of a nested record. */
  readonly parents: Data;
  /** The sent members that the record must show, with their latest values. */
  readonly sent: Data;
  /** All members that the latest change sent. */
  readonly changed: Data;
  /** The members that writes have set. The service filled in the others, and may do so again. */
  readonly writtenMembers: readonly string[];
  /** The written members that the latest change, a replacement, left out. */
  readonly leftOut?: readonly string[];
  /** The members that the latest change, a merge patch, removed. */
  readonly nulled?: readonly string[];
  /** Items that the service added to the record's sets. */
  readonly added?: Readonly<Record<string, readonly unknown[]>>;
  /** The record as it was last read; undefined: not yet. */
  readonly seen: Data | undefined;
  /** The record as it was last read before the latest change. */
  readonly before: Data | undefined;
  readonly last: LastEvent;
  readonly written: 'created' | 'replaced' | 'updated';
  /** A list has shown it since the latest write. */
  readonly listed: boolean;
  readonly removed: boolean;
}

/**
 * The run's records in the state that acknowledged requests left them in. Records of other clients are not included: they
 * may change at any time.
 */
export interface KnownRecords {
  /** The case that looks at the records: those of other cases are left out. Undefined: all are included. */
  readonly viewer?: Maker;
  /** Whether a response shows a record of another case, in which the viewer has no part. */
  isOfOthers(resource: Resource, record: unknown, parents: Data): boolean;
  readonly records: readonly OwnRecord[];
  /**
   * The records of a collection that may match, one after the other.
   * @param may tested first, since checking whether a record may be judged is slower
   */
  recordsOf(resource: Resource, may: (record: OwnRecord) => boolean): Iterable<OwnRecord>;
  find(resource: Resource, id: unknown, parents: Data): OwnRecord | undefined;
  /** The create requests with a text in the marked member, and the ids that they returned. */
  createsOf(
    resource: Resource,
    text: unknown,
  ): { readonly sent: number; readonly ids: ReadonlySet<string> } | undefined;
  /** Whether a text was only ever sent in rejected creates. */
  wasRefused(resource: Resource, text: unknown): boolean;
  /** Whether a record from the service has shown a value in a member with this name, or as its id. */
  hasShown(name: string, value: unknown): boolean;
  /** The ids of all records of a resource that the run has seen so far, whoever created them. */
  idsOf(resource: Resource, parents: Data): Pick<ReadonlySet<string>, 'has'>;
}

/** Whether a 202 returns a job instead of the record. */
export function showsJob(resource: Resource, { responses }: Operation): boolean {
  const shapes = responseFor(responses, ACCEPTED)?.content.flatMap(({ shape }) => shape ?? []) ?? [];
  if (shapes.some((shape) => isEqual(shape.spot.value, resource.shape.spot.value))) return false;
  return (
    shapes.length === 0 ||
    shapes.some((shape) => memberNames(shape).some((name) => STATES.has(foldedName(name))))
  );
}

/** Members in which a job states its progress. */
const STATES = setOf('status state phase progress done completed');

/** The path parameters that identify a resource's parents. */
export function parentsOf(resource: Resource, path: Data | undefined): Data {
  return Object.fromEntries(resource.parents.map(({ parameter }) => [parameter, String(path?.[parameter])]));
}
