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
  /** Its name is that of an action: on the service as a whole, a session, or the named thing. */
  | 'named act'
  /** The document says so (`x-paddock`). */
  | 'not safe'
  /** It writes, and its path names no record that the run can create. */
  | 'no own record'
  /** It creates below a record of somebody else. */
  | 'foreign parent'
  | 'login'
  /** TRACE reflects the request with its credential (RFC 9110 §9.3.8). */
  | 'trace';

export interface Refusal {
  readonly operation: Operation;
  readonly code: RefusalCode;
  readonly reason: string;
}

/**
 * Decides which operations a run calls. By default it changes and removes only records that it created, or whose ids the
 * user gave: other writes are withheld, unless `--allow` or `x-paddock: { safe: true }` permits them.
 */
export interface Permissions {
  /** Undefined: it may be called. */
  of(operation: Operation): Refusal | undefined;
  /** Whether the user permits all effects of the operation, on anybody's records. */
  isAllowed(operation: Operation): boolean;
  /** Whether it may change something: then its path must name records of the run. */
  changes(operation: Operation): boolean;
  /**
   * Whether it creates something outside all known collections, which cannot be removed: then the run sends one valid
   * request, and invalid ones until one of them is accepted.
   */
  isSentOnce(operation: Operation): boolean;
  /** Whether a path parameter names a record that the run can create. */
  canOwn(operation: Operation, name: string): boolean;
  /** The operations that are not called, in the order of the document. */
  readonly refusals: readonly Refusal[];
}

export type PermissionSettings = Pick<
  Settings,
  'allow' | 'exclude' | 'values' | 'prepares' | 'stateless' | 'onLoopback' | 'writes'
>;

export function createPermissions(contract: Contract, settings: PermissionSettings): Permissions {
  const cache = new Map<Operation, Refusal | undefined>();
  const open = new Set<Operation>();
  const isAllowed = (operation: Operation) =>
    settings.allow.has(operation.id) || operation.said.facts.safe === true || settings.stateless;

  function refusalOf(operation: Operation): Refusal | undefined {
    if (cache.has(operation)) return cache.get(operation);
    // An operation that is needed to create its own subject can own nothing.
    if (open.has(operation)) return refuse(operation, 'no own record');
    open.add(operation);
    const code = judge(operation);
    open.delete(operation);
    const refusal = code && refuse(operation, code);
    if (open.size === 0) cache.set(operation, refusal);
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

  /** A record of the run may be named, and what follows it in the path is a part of it. */
  function namesOwn(operation: Operation): boolean {
    if (pathParameters(operation.path).some((name) => canOwn(operation, name))) return true;
    const { resource, further } = furtherRoleOf(contract, operation) ?? {};
    if (!resource?.id || !further || !ON_ONE.has(further.role) || further.parameter !== undefined)
      return false;
    const body = bodyMedia(operation.body)?.shape;
    const { property } = resource.id;
    const id = body && memberShape(body, property);
    if (id === undefined || id.readOnly || !canMake(resource)) return false;
    // With an optional id, and no record in the response, one body may change all records.
    return body?.required.has(property) === true || hasMember(answerShape(operation), property);
  }

  /** Whether it creates the record that its path names, below a record of the run or of nobody in particular. */
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

  /** Whether a parameter may name a parent: a record of the run, or one of the service's set-up, which nothing creates. */
  function mayBeParent(operation: Operation, name: string): boolean {
    if (canOwn(operation, name)) return true;
    const owner = ownerOf(contract, operation, name);
    return owner !== undefined && creatorOf(owner) === undefined;
  }

  /** 201 says that it creates something (RFC 9110 §15.3.2), and the body what, or a list. */
  function isSentOnce(operation: Operation): boolean {
    const { method, path, body, responses } = operation;
    const media = bodyMedia(body);
    return (
      method === 'POST' &&
      !path.includes('{') &&
      ((media?.isJson && media.shape?.mainType === 'object') || isListed(contract, operation)) &&
      explicitStatuses(responses).includes(201) &&
      !isState(contract, operation) &&
      // It changes the account of its own credential.
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

/** The collection whose records a path parameter identifies, including those that only other paths list and create. */
export function collectionOf(contract: Contract, operation: Operation, name: string): Resource | undefined {
  const viewed = ({ id, path }: Resource) =>
    id?.parameter === name && operation.path.startsWith(`${path}/{${name}}`);
  return ownerOf(contract, operation, name) ?? contract.resources.find(viewed);
}

/**
 * The collection that an operation without a main role changes: it may remove children of a record, or make the record
 * unusable, and needs a record of its own. Undefined: it is no such change.
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

/** Whether an operation is named as an action. The collection `/imports/{id}` is none: it is read and written there. */
function isNamedAct(contract: Contract, operation: Operation): boolean {
  const { resource } = roleOf(contract, operation) ?? {};
  const isRecord = resource !== undefined && Object.keys(resource.actions).length > 1;
  const { further } = furtherRoleOf(contract, operation) ?? {};
  // An import accepts what a create accepts.
  const isMany = further?.role === 'createMany' && further.certainty === 'promised';
  return isActByName(operation, {
    isOfRecord: resource !== undefined || isMany,
    isRead: isRecord || isWritten(contract, operation),
  });
}

/** Whether it is a login: by name, unless it creates records that are listed or removed. */
function isLogin(contract: Contract, operation: Operation): boolean {
  const { list, remove } = roleOf(contract, operation)?.resource.actions ?? {};
  return !list && !remove && isNamedLogin(operation);
}

/**
 * Whether a POST is a search: it lists records of a known collection, and its body has no required members of a record, so
 * that nothing is created.
 */
function isQuestion(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST' || isNamedAct(contract, operation)) return false;
  if (successStatuses(operation).some((status) => status !== OK)) return false;
  const { further } = furtherRoleOf(contract, operation) ?? {};
  if (further?.role === 'view' && further.certainty === 'promised') return !isSaidElsewhere(operation.said);
  if (further && further.role !== 'view') return false;
  const asked = bodyMedia(operation.body)?.shape;
  const items = itemsOf(operation);
  // A response with an id is a record that contains a list.
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

/** Whether a GET shows what PUT or PATCH on the same path sets (RFC 9110 §9.3.4). */
function isWritten({ operations }: Contract, { path }: Operation): boolean {
  return operations.some(
    (operation) => operation.path === path && (operation.method === 'PUT' || operation.method === 'PATCH'),
  );
}

/** Whether a POST creates: in a collection it does; elsewhere it must document a 201 (RFC 9110 §15.3.2). */
export function isCreate(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST') return false;
  const role = roleOf(contract, operation);
  // A verb in the path suggests a create, whatever the response shows: `/pets/add` for the collection `/pets`.
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
  resources.some((resource) => resource.path === path && resource.list !== undefined);

/** Whether a read of the same path shows a single object that exists once. */
function isState({ operations }: Contract, { path }: Operation): boolean {
  const read = operations.find((operation) => operation.path === path && operation.method === 'GET');
  return read !== undefined && answerShape(read)?.mainType === 'object' && !itemsOf(read);
}

/** Whether a path is that of the collection, in the singular or plural: its records may be read at `/pet/{id}`. */
const isAt = (resource: Resource, { path }: Operation) => recordName(path) === recordName(resource.path);
