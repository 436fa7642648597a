import {
  answerShape,
  bodyMedia,
  type Contract,
  explicitStatuses,
  memberShape,
  ON_ONE,
  type Operation,
  type Resource,
  type Shape,
} from '#spec';
import { creatorOf, furtherRoleOf, ownerOf, roleOf } from '../laws/operation-role.ts';
import { SAFE_METHODS } from '../send/wire.ts';
import type { Settings } from '../settings/settings.ts';
import { linkSources } from './path-values.ts';

/** Why the run does not call an operation. */
export type RefusalCode =
  /** `--exclude` names it. */
  | 'excluded'
  /** Its name says that it acts on the service as a whole, or on the run's own credential. */
  | 'acts on the service'
  /** It writes, and its path names no record that the run can make. */
  | 'no own record'
  /** It may create a record, which no schema, status or collection says. */
  | 'presumed create'
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
 * given: whatever else writes is withheld, until `--allow` or `x-paddock-safe` permits it.
 */
export interface Permissions {
  /** Undefined: it may be called. */
  of(operation: Operation): Refusal | undefined;
  /** The user permits whatever the operation does, to anybody's records. */
  isAllowed(operation: Operation): boolean;
  /** It may change something: its values must name records of the run's own. */
  changes(operation: Operation): boolean;
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
    settings.allow.has(operation.id) || operation.declaredSafe || settings.stateless;

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
    const isOwn = namesOwn(operation);
    if (actsOnService(contract, operation)) return isOwn ? undefined : 'acts on the service';
    if (SAFE_METHODS.has(method) || asks(operation)) return undefined;
    if (isLogin(contract, operation)) return givesCredential(operation, settings) ? undefined : 'login';
    if (isCreate(contract, operation))
      return parametersOf(operation).every((name) => mayBeParent(operation, name))
        ? undefined
        : 'foreign parent';
    if (isOwn || makesAtPath(operation)) return undefined;
    return isPresumedCreate(operation) ? 'presumed create' : 'no own record';
  }

  /** A record is the run's own, and what follows it in the path is a part of it. */
  function namesOwn(operation: Operation): boolean {
    if (parametersOf(operation).some((name) => canOwn(operation, name))) return true;
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
    const { resource } = roleOf(contract, operation) ?? {};
    if (!resource?.id || !settings.writes || creatorOf(resource) !== operation) return false;
    const names = parametersOf(operation);
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
    return owner.id !== undefined && settings.writes && creator !== undefined && !refusalOf(creator);
  }

  /** What no operation of the document makes belongs to the service's set-up: it has to be somebody else's. */
  function mayBeParent(operation: Operation, name: string): boolean {
    if (canOwn(operation, name)) return true;
    const owner = ownerOf(contract, operation, name);
    return owner !== undefined && creatorOf(owner) === undefined;
  }

  return {
    of: refusalOf,
    isAllowed,
    canOwn,
    changes: (operation) =>
      (!SAFE_METHODS.has(operation.method) && !asks(operation)) || actsOnService(contract, operation),
    get refusals() {
      return contract.operations.flatMap((operation) => refusalOf(operation) ?? []);
    },
  };
}

const hasMember = (shape: Shape | undefined, name: string) =>
  shape !== undefined && memberShape(shape, name) !== undefined;

/** The collection whose records a path parameter identifies, also where only other paths list and create them. */
export function collectionOf(contract: Contract, operation: Operation, name: string): Resource | undefined {
  const viewed = ({ id, path }: Resource) =>
    id?.parameter === name && operation.path.startsWith(`${path}/{${name}}`);
  return ownerOf(contract, operation, name) ?? contract.resources.find(viewed);
}

/** The names in the operation's path, in their order. */
export function parametersOf({ path }: Operation): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
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
  for (const name of parametersOf(operation).toReversed()) {
    const owner = collectionOf(contract, operation, name);
    if (owner && permissions.canOwn(operation, name)) return { name, owner };
  }
  return undefined;
}

/** The words of a name: `removeAllPets` and `remove-all_pets` have the same ones. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** The last segment that is no parameter: what is done, where a path has a verb in it. */
function lastWords({ path }: Operation): string[] {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'));
  return wordsOf(segments.at(-1) ?? '');
}

/** What changes a service as a whole, or ends the session that the run itself is in. */
const ON_SERVICE = new Set(
  (
    'shutdown restart reboot stop quit exit kill terminate reset clear purge flush wipe erase truncate empty prune vacuum ' +
    'import restore rollback migrate upgrade uninstall reindex rebuild reload destroy drop ' +
    'logout logoff signout revoke rotate refresh invalidate expire deactivate disable'
  ).split(' '),
);

/** `log-out` and `shut_down` are written in two words as well. */
const IN_TWO_WORDS = /^(?:log|sign|shut|time) (?:out|off|down)$/;

/** Read by its name alone: by this an operation is only ever withheld. */
function actsOnService(contract: Contract, operation: Operation): boolean {
  const segment = lastWords(operation);
  const isSafe = SAFE_METHODS.has(operation.method);
  // The collection `/imports/{id}` is read as any other; `/imports/run` is not.
  const endsInParameter = operation.path.endsWith('}');
  const isNamed = (words: readonly string[]) =>
    words.some((word) => ON_SERVICE.has(word)) || IN_TWO_WORDS.test(words.slice(0, 2).join(' '));
  if (isSafe) return !endsInParameter && segment.length <= 2 && isNamed(segment.slice(0, 2));
  if (isNamed(segment)) return true;
  return roleOf(contract, operation) === undefined && isNamed(wordsOf(operation.id).slice(0, 2));
}

/** What a safe request sets going where a query parameter has such a name: `GET /watches?recheck_all=1`. */
const SETS_GOING = new Set(['recheck', 'trigger', 'run', 'delete', 'remove', 'force']);

/** The query parameter of a safe request that does something, by its name. */
export function actingParameter(
  { method }: Operation,
  query: Readonly<Record<string, unknown>> = {},
): string | undefined {
  if (!SAFE_METHODS.has(method)) return undefined;
  return Object.keys(query).find((name) =>
    wordsOf(name).some((word) => SETS_GOING.has(word) || ON_SERVICE.has(word)),
  );
}

/** A POST that asks: the body takes what is too long for a query. */
const ASKING = new Set(['search', 'query', 'validate']);

function asks(operation: Operation): boolean {
  const isAsking = lastWords(operation).some((word) => ASKING.has(word));
  return operation.method === 'POST' && isAsking && !operation.path.endsWith('}');
}

const LOGIN = new Set(['login', 'logon', 'signin', 'authenticate', 'session', 'sessions', 'token', 'auth']);

/** Too many of them with a made-up password lock an account. */
function isLogin(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST' || passwordsIn(operation).length === 0) return false;
  const { resource } = roleOf(contract, operation) ?? {};
  const words = [...lastWords(operation), ...wordsOf(operation.id)];
  const isNamed = words.some(
    (word, index) => LOGIN.has(word) || /^(?:log|sign) in$/.test(`${words[index - 1]} ${word}`),
  );
  return isNamed && !resource?.actions.list && !resource?.actions.remove;
}

const PASSWORD = /pass(?:word|phrase|wd|code)?$|secret$|^otp$|^pin$/i;

/** The members of a login that nobody but the user can know. */
function passwordsIn({ body }: Operation): string[] {
  const shape = bodyMedia(body)?.shape;
  return [...(shape?.properties ?? [])]
    .filter(([name, member]) => PASSWORD.test(name) || member.find('format')?.value === 'password')
    .map(([name]) => name);
}

function givesCredential(operation: Operation, { values }: PermissionSettings): boolean {
  return passwordsIn(operation).every((name) => name in values);
}

/** A collection takes records by POST, or 201 says that one is made (RFC 9110 §15.3.2). */
export function isCreate(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST') return false;
  const role = roleOf(contract, operation);
  // A verb suggests it, whatever the response shows: `/pets/add` of the collection `/pets`.
  if (role) return role.action === 'create' && !(hasVerb(operation) && !isAt(role.resource, operation));
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  const creates = further?.role === 'create' || further?.role === 'createMany';
  if (further && (further.sign === 'extension' || operation.path === resource?.path)) return creates;
  // Frameworks document 201 for whatever is a POST: schema or path must say that there is a collection, too.
  if (!explicitStatuses(operation.responses).includes(201) || hasVerb(operation)) return false;
  const [last = ''] = lastWords(operation).slice(-1);
  return creates || (/[^s]s$/.test(last) && !operation.path.endsWith('}'));
}

/** Whether an operation has the collection's own path, which may end in a slash. */
const isAt = (resource: Resource, { path }: Operation) =>
  path === resource.path || path === `${resource.path}/`;

const CREATING = new Set([
  'create',
  'add',
  'new',
  'insert',
  'register',
  'signup',
  'save',
  'store',
  'upsert',
  'put',
]);

const hasVerb = (operation: Operation) => lastWords(operation).some((word) => CREATING.has(word));

function isPresumedCreate(operation: Operation): boolean {
  return hasVerb(operation) || (operation.method === 'PUT' && operation.path.endsWith('}'));
}

const NAMES: Readonly<Record<RefusalCode, (operation: Operation) => string>> = {
  excluded: () => '--exclude',
  'acts on the service': () => 'its name says that it acts on the service as a whole, or on a session',
  'no own record': ({ path }) =>
    path.includes('{')
      ? 'it writes to a record that the run cannot make itself'
      : 'it writes, and names no single record',
  'presumed create': () => 'only its name or its method suggests that it creates a record',
  'foreign parent': () => 'it creates a record below one that the run cannot make itself',
  login: (operation) =>
    `it takes a password: give ${passwordsIn(operation)
      .map((name) => `--value ${name}=V`)
      .join(' ')}`,
  trace: () => 'TRACE reflects the credential, and the target is not on this machine',
};

function refuse(operation: Operation, code: RefusalCode): Refusal {
  const [name] = parametersOf(operation).slice(-1);
  const mayGive = (code === 'no own record' || code === 'foreign parent') && name !== undefined;
  const remedy =
    code === 'excluded' || code === 'login'
      ? ''
      : `; ${mayGive ? `--value ${name}=V or ` : ''}--allow sends it`;
  return { operation, code, reason: `${NAMES[code](operation)}${remedy}` };
}
