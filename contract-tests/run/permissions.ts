import {
  accountOperation,
  answerShape,
  bodyMedia,
  type Contract,
  explicitStatuses,
  hasSameSchema,
  isNamedAct as isActByName,
  isNamedLogin,
  isSaidElsewhere,
  itemsOf,
  memberShape,
  ON_ONE,
  type Operation,
  pathParameters,
  type Resource,
  recordName,
  SAFE_METHODS,
  type Shape,
  sameRecord,
  secretsOf,
} from '#spec';
import {
  creatorOf,
  furtherRoleOf,
  ownerOf,
  resourceOf,
  roleOf,
  successStatuses,
} from '../laws/operation-role.ts';
import type { Settings } from '../settings/settings.ts';
import { optionFor } from './not-reached.ts';
import { linkSources } from './path-values.ts';

/** Why the run does not call an operation. */
export type RefusalCode =
  /** `--exclude` names it. */
  | 'excluded'
  /** Its name says that it does something: to the service as a whole, to a session, or to what it names. */
  | 'named act'
  /** The document says so (`x-paddock`). */
  | 'not safe'
  /** It writes, and its path names no record that the run can make. */
  | 'no own record'
  /** It creates below a record of somebody else. */
  | 'foreign parent'
  | 'login'
  /** TRACE reflects what it is sent, with the credential (RFC 9110 §9.3.8). */
  | 'trace';

export interface Refusal {
  readonly operation: Operation;
  readonly code: RefusalCode;
  readonly reason: string;
}

/**
 * Which operations a run calls. By default it changes and removes only records that it has made, or whose ids the user has
 * given: whatever else writes is withheld, until `--allow` or `x-paddock: { safe: true }` permits it.
 */
export interface Permissions {
  /** Undefined: it may be called. */
  of(operation: Operation): Refusal | undefined;
  /** The user permits whatever the operation does, to anybody's records. */
  isAllowed(operation: Operation): boolean;
  /** It may change something: its values must name records of the run's own. */
  changes(operation: Operation): boolean;
  /**
   * It makes something of no collection that the run knows, which therefore stays: one valid request is sent, and those that
   * must be refused until one of them is accepted.
   */
  isSentOnce(operation: Operation): boolean;
  /** A record that the run can make is named by this path parameter. */
  canOwn(operation: Operation, name: string): boolean;
  /** All operations that are not called, in the order of the document. */
  readonly refusals: readonly Refusal[];
}

export type PermissionSettings = Pick<
  Settings,
  'allow' | 'exclude' | 'values' | 'prepares' | 'stateless' | 'onLoopback' | 'writes'
>;

export function createPermissions(contract: Contract, settings: PermissionSettings): Permissions {
  const known = new Map<Operation, Refusal | undefined>();
  const open = new Set<Operation>();
  const isAllowed = (operation: Operation) =>
    settings.allow.has(operation.id) || operation.said.facts.safe === true || settings.stateless;

  function refusalOf(operation: Operation): Refusal | undefined {
    if (known.has(operation)) return known.get(operation);
    // An operation that needs itself to make what it works on can own nothing.
    if (open.has(operation)) return refuse(operation, 'no own record');
    open.add(operation);
    const code = judge(operation);
    open.delete(operation);
    const refusal = code && refuse(operation, code);
    if (open.size === 0) known.set(operation, refusal);
    return refusal;
  }

  function judge(operation: Operation): RefusalCode | undefined {
    const { id, method } = operation;
    if (settings.exclude.has(id)) return 'excluded';
    if (isAllowed(operation)) return undefined;
    if (method === 'TRACE' && !settings.onLoopback) return 'trace';
    const isSafe = SAFE_METHODS.has(method);
    const isOwn = !isSafe && namesOwn(operation);
    if (operation.said.facts.safe === false && !isOwn) return 'not safe';
    if (isNamedAct(contract, operation)) return isOwn ? undefined : 'named act';
    if (isSafe || isQuestion(contract, operation)) return undefined;
    if (isLogin(contract, operation))
      return secretsOf(operation).every((name) => name in settings.values) ? undefined : 'login';
    if (isCreate(contract, operation))
      return pathParameters(operation.path).every((name) => mayBeParent(operation, name))
        ? undefined
        : 'foreign parent';
    return isOwn || makesAtPath(operation) || isSentOnce(operation) ? undefined : 'no own record';
  }

  /** A record is the run's own, and what follows it in the path is a part of it. */
  function namesOwn(operation: Operation): boolean {
    if (pathParameters(operation.path).some((name) => canOwn(operation, name))) return true;
    const { resource, further } = furtherRoleOf(contract, operation) ?? {};
    if (!resource?.id || !further || !ON_ONE.has(further.role) || further.parameter !== undefined)
      return false;
    const body = bodyMedia(operation.body)?.shape;
    const { property } = resource.id;
    const id = body && memberShape(body, property);
    if (id === undefined || id.readOnly || !canMake(resource)) return false;
    // An id that may be left out, and no record in the response: the operation may change all records by the same body.
    return body?.required.has(property) === true || hasMember(answerShape(operation), property);
  }

  /** It makes the record that its path names, below what is the run's own or nobody's in particular. */
  function makesAtPath(operation: Operation): boolean {
    const resource = resourceOf(contract, operation);
    if (!resource?.id || !settings.writes || creatorOf(resource) !== operation) return false;
    const names = pathParameters(operation.path);
    return (
      names.at(-1) === resource.id.parameter &&
      names.slice(0, -1).every((name) => mayBeParent(operation, name))
    );
  }

  function canOwn(operation: Operation, name: string): boolean {
    if (Object.hasOwn(settings.values, name) || settings.prepares.has(operation.id)) return true;
    const owner = collectionOf(contract, operation, name);
    if (owner) return canMake(owner);
    return linkSources(contract, settings, operation, name).some(
      ({ operation: source }) => roleOf(contract, source)?.action === 'create' && !refusalOf(source),
    );
  }

  function canMake(owner: Resource): boolean {
    const creator = creatorOf(owner);
    if (owner.id === undefined || !settings.writes || creator === undefined) return false;
    return !isSentOnce(creator) && !refusalOf(creator);
  }

  /** What no operation of the document makes belongs to the service's set-up: it has to be somebody else's. */
  function mayBeParent(operation: Operation, name: string): boolean {
    if (canOwn(operation, name)) return true;
    const owner = ownerOf(contract, operation, name);
    return owner !== undefined && creatorOf(owner) === undefined;
  }

  /** 201 says that it makes something (RFC 9110 §15.3.2), and the body what, or a list. */
  function isSentOnce(operation: Operation): boolean {
    const { method, path, body, responses } = operation;
    const media = bodyMedia(body);
    return (
      method === 'POST' &&
      !path.includes('{') &&
      ((media?.isJson && media.shape?.mainType === 'object') || isListed(contract, operation)) &&
      explicitStatuses(responses).includes(201) &&
      !isState(contract, operation) &&
      // It changes the account whose credential it has.
      accountOperation(operation)?.role !== 'current' &&
      !isAllowed(operation) &&
      !isCreate(contract, operation)
    );
  }

  return {
    of: refusalOf,
    isAllowed,
    isSentOnce,
    canOwn,
    changes: (operation) =>
      SAFE_METHODS.has(operation.method) ? isNamedAct(contract, operation) : !isQuestion(contract, operation),
    get refusals() {
      return contract.operations.flatMap((operation) => refusalOf(operation) ?? []);
    },
  };
}

/** The collection whose records a path parameter identifies, also where only other paths list and create them. */
export function collectionOf(contract: Contract, operation: Operation, name: string): Resource | undefined {
  const viewed = ({ id, path }: Resource) =>
    id?.parameter === name && operation.path.startsWith(`${path}/{${name}}`);
  return ownerOf(contract, operation, name) ?? contract.resources.find(viewed);
}

/**
 * The collection that a change works on where it has no main role there: it may remove what stands below a record, or make
 * the record unfit for anything else, and needs one of its own. Undefined: it is no such change.
 */
export function spentBy(
  contract: Contract,
  permissions: Permissions,
  operation: Operation,
): { readonly name: string; readonly owner: Resource } | undefined {
  if (!permissions.changes(operation) || roleOf(contract, operation) || isCreate(contract, operation))
    return undefined;
  for (const name of pathParameters(operation.path).toReversed()) {
    const owner = collectionOf(contract, operation, name);
    if (owner && permissions.canOwn(operation, name)) return { name, owner };
  }
  return undefined;
}

const NAMES: Readonly<Record<RefusalCode, (operation: Operation) => string>> = {
  excluded: () => '--exclude',
  'named act': () => 'its name says that it does something beside reading and writing records',
  'not safe': () => 'the document says that it is not safe',
  'no own record': ({ path }) =>
    path.includes('{')
      ? 'it writes to a record that the run cannot make itself'
      : 'it writes, and names no single record',
  'foreign parent': () => 'it creates a record below one that the run cannot make itself',
  login: (operation) =>
    `it takes a password: give ${secretsOf(operation)
      .map((name) => `--value ${name}=V`)
      .join(' ')}`,
  trace: () => 'TRACE reflects the credential, and the target is not on this machine',
};

/** The option that permits an operation, for a shell. */
export const allowing = ({ id }: Operation) => optionFor('--allow', id);

function refuse(operation: Operation, code: RefusalCode): Refusal {
  const [name] = pathParameters(operation.path).slice(-1);
  const mayGive = (code === 'no own record' || code === 'foreign parent') && name !== undefined;
  const remedy =
    code === 'excluded' || code === 'login'
      ? ''
      : `; ${mayGive ? `--value ${name}=V or ` : ''}${allowing(operation)} sends it`;
  return { operation, code, reason: `${NAMES[code](operation)}${remedy}` };
}

const hasMember = (shape: Shape | undefined, name: string) =>
  shape !== undefined && memberShape(shape, name) !== undefined;

/** Whether its name says that it does something. The collection `/imports/{id}` is read as any other, and so is what is written at the same path. */
function isNamedAct(contract: Contract, operation: Operation): boolean {
  const { resource } = roleOf(contract, operation) ?? {};
  const isRecord = resource !== undefined && Object.keys(resource.actions).length > 1;
  const { further } = furtherRoleOf(contract, operation) ?? {};
  // An import takes what a create takes.
  const isMany = further?.role === 'createMany' && further.certainty === 'promised';
  return isActByName(operation, {
    isOfRecord: resource !== undefined || isMany,
    isRead: isRecord || isWritten(contract, operation),
  });
}

/** A login, unless it creates records that are listed or removed. */
function isLogin(contract: Contract, operation: Operation): boolean {
  const { list, remove } = roleOf(contract, operation)?.resource.actions ?? {};
  return !list && !remove && isNamedLogin(operation);
}

/**
 * A POST that lists records of a known collection, for which its body says what is looked for: it has none of what a record
 * must have, and nothing is made.
 */
function isQuestion(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST' || isNamedAct(contract, operation)) return false;
  if (successStatuses(operation).some((status) => status !== OK)) return false;
  const { further } = furtherRoleOf(contract, operation) ?? {};
  if (further?.role === 'view' && further.certainty === 'promised') return !isSaidElsewhere(operation.said);
  if (further && further.role !== 'view') return false;
  const asked = bodyMedia(operation.body)?.shape;
  const items = itemsOf(operation);
  // What has an id of its own is a record with a list in it.
  if (!items || hasMember(answerShape(operation), 'id')) return false;
  if (asked?.mainType !== 'object') return false;
  const isList = ({ items }: Shape) => items !== undefined && items.mainType !== 'string';
  if ([...asked.properties.values()].some(isList)) return false;
  return contract.resources.some(({ shape, actions }) => {
    const { create, list } = actions;
    const isListed =
      [shape, list && itemsOf(list)].some((one) => one && hasSameSchema(one, items)) ||
      sameRecord(items, shape);
    const isRecord = [shape, bodyMedia(create?.body)?.shape].some((one) => one && hasSameSchema(one, asked));
    return isListed && !isRecord && [...asked.required.keys()].every((name) => !memberShape(shape, name));
  });
}

const OK = 200;

/** What a PUT or PATCH of the same path sets is what a GET shows (RFC 9110 §9.3.4). */
function isWritten({ operations }: Contract, { path }: Operation): boolean {
  return operations.some((one) => one.path === path && (one.method === 'PUT' || one.method === 'PATCH'));
}

/** A collection takes records by POST; elsewhere 201 has to say that one is made (RFC 9110 §15.3.2). */
export function isCreate(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST') return false;
  const role = roleOf(contract, operation);
  // A verb suggests it, whatever the response shows: `/pets/add` of the collection `/pets`.
  if (role)
    return (
      role.action === 'create' &&
      (isAt(role.resource, operation) ||
        (operation.said.facts.does !== undefined && !isSaidElsewhere(operation.said)))
    );
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  if (further?.role !== 'create' && further?.role !== 'createMany') return false;
  if (operation.path === resource?.path) return true;
  if (operation.said.facts.does !== undefined) return !isSaidElsewhere(operation.said);
  return further.certainty === 'promised';
}

const isListed = ({ resources }: Contract, { path }: Operation) =>
  resources.some((one) => one.path === path && one.list !== undefined);

/** Whether what a read of the same path shows is one thing, which the service has once. */
function isState({ operations }: Contract, { path }: Operation): boolean {
  const read = operations.find((one) => one.path === path && one.method === 'GET');
  return read !== undefined && answerShape(read)?.mainType === 'object' && !itemsOf(read);
}

/** Whether a path is that of the collection, in the singular or the plural: its records may be read at `/pet/{id}`. */
const isAt = (resource: Resource, { path }: Operation) => recordName(path) === recordName(resource.path);
