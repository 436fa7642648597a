import {
  accountOperation,
  type Basis,
  basisOf,
  bodyMedia,
  type Contract,
  conditionOf,
  demandedOf,
  describesRefusal,
  expandableMembers,
  foldedName,
  isRecord,
  namedMembers,
  namedStatusOf,
  type Operation,
  oncePer,
  opennessOf,
  type Resource,
  referencesOf,
  retentionOf,
  saysMissing,
  secretsOf,
  stringifyJson,
  transienceOf,
  useMeaning,
  valueAt,
  wordsOf,
  writeMeaning,
} from '#spec';
import { type Exchange, isSuccess } from '../send/response.ts';
import { ABSENT, CONFLICT, FORBIDDEN, NOT_FOUND, UNAUTHORISED } from '../send/wire.ts';
import { blamedMembers, isMeaningless, membersIn } from './blame.ts';
import { type Evidence, recordOf } from './evidence.ts';
import { lacksCredential } from './excused-status.ts';
import { documentedOf, is4xx } from './expect-status.ts';
import type { Breach, LawName } from './law.ts';
import { isIdName, markMember, recordInBody } from './mark.ts';
import { creatorOf, resourceOf, roleOf } from './operation-role.ts';

/** Statuses for a request that refers to nothing, or is invalid. */
const MISSING = [400, NOT_FOUND, 422];
/** Statuses for a missing thing. */
const NONE: ReadonlySet<number> = new Set([...ABSENT, ...MISSING]);
/** Statuses for a login with a made-up password, or a token request with a made-up code. */
const NO_ACCOUNT: ReadonlySet<number> = new Set([UNAUTHORISED, FORBIDDEN, ...MISSING]);

/**
 * What the document leaves unsaid and may justify an error to a valid request, for people. Undefined: nothing, the service
 * must accept it.
 */
export function unsaidIn(evidence: Evidence): string | undefined {
  const { operation, response, role, exchange } = evidence;
  const { isWebSocket, isNotImplemented } = useMeaning(operation);
  if (isWebSocket && !role && is4xx(response)) return 'the document says that it is a WebSocket';
  const [scheme] = operation.security.flat();
  if (response.status === UNAUTHORISED && scheme && lacksCredential(exchange) && !exchange.input.refused)
    return `it needs a credential: say --credential ${scheme.scheme}=V`;
  const secret = secretOf(operation);
  if (secret !== undefined && NO_ACCOUNT.has(response.status))
    return `no account is known: say --value ${secret}=V`;
  if (MISSING.includes(response.status) && isTaken(evidence)) return 'another record has a value of the body';
  if (documentedOf(operation, [response.status]).length === 0) return undefined;
  if (response.status === UNAUTHORISED && operation.security.length === 0)
    return 'the document does not say which credential is asked for: say --header "Authorization: ..."';
  if (isNotImplemented && response.status >= 400) return 'the document says that it is not implemented';
  if (!MISSING.includes(response.status)) return undefined;
  const [madeUp] = madeUpReferences(evidence);
  if (madeUp !== undefined) return `no value of ${madeUp} is known to exist: say --value ${madeUp}=V`;
  if (writeMeaning(operation).acts) return 'the document does not say what the body needs for what is done';
  if (namesNone(evidence)) return 'the document names what is changed, and the body has none of it';
  return mayLack(evidence) ? 'the document does not say what it needs of what its path names' : undefined;
}

/** Rules for requests that are valid, whatever their path names. */
const OF_VALID: ReadonlySet<LawName> = new Set<LawName>(['status', 'example-accepted', 'unknown-id']);
const OF_REMOVALS: ReadonlySet<LawName> = new Set<LawName>(['removed-is-gone', 'linearizable']);

/**
 * The statement in prose, or the freedom of the service, that may justify an error to a valid request, or the removal of a
 * created record: the breach rests on it. Undefined: none.
 */
export function saidInWords(
  contract: Contract,
  { operation, response, input }: Exchange,
  breach: Pick<Breach, 'law' | 'kind' | 'suspects'>,
): Basis | undefined {
  if (isSilentRefusal(breach)) return basisOf(['schema'], operation.spot);
  const { law, kind, suspects } = breach;
  const isRefusal = OF_VALID.has(law) && is4xx(response) && !input.refused;
  const isMissing = kind === 'missing' || law === 'linearizable';
  const resource = resourceOf(contract, operation);
  const creator = resource && creatorOf(resource);
  const mayBeGone = isMissing || (isRefusal && response.status === NOT_FOUND);
  const remove = OF_REMOVALS.has(law) ? resource?.actions.remove : undefined;
  return (
    (law === 'unauthorised-first' && isSuccess(response) ? opennessOf(operation) : undefined) ??
    (OF_VALID.has(law) && input.example && namesMissing({ operation, response, input })
      ? basisOf(['schema'], operation.spot)
      : undefined) ??
    (creator && mayBeGone ? transienceOf(creator) : undefined) ??
    (remove && retentionOf(remove)) ??
    (isRefusal
      ? (conditionOf(operation, response.status) ??
        openRights({ operation, response }) ??
        absentView(contract, { operation, response, input }) ??
        openRefusal(contract, { operation, response, input }, suspects))
      : undefined) ??
    (OF_VALID.has(law) && response.status >= 400 ? namedStatusOf(operation, response.status) : undefined)
  );
}

/**
 * Statuses that are not about the request itself: a credential, a payment, a permission, a missing or removed thing, a
 * conflict, a condition, a lock, legal reasons. Many documents omit them.
 */
const OF_OTHERS: ReadonlySet<number> = new Set([
  UNAUTHORISED,
  402,
  FORBIDDEN,
  NOT_FOUND,
  CONFLICT,
  410,
  412,
  423,
  424,
  428,
  451,
]);

/** A valid credential is sufficient, and values that only the run sends conflict with nothing. */
const OF_NOBODY: ReadonlySet<number> = new Set([UNAUTHORISED, CONFLICT]);

/** Whether a request got an error status that the document does not mention, and that no other promise rules out. */
export function isSilentRefusal({ law, kind }: Pick<Breach, 'law' | 'kind'>): boolean {
  const [, status] = typeof kind === 'string' ? kind.split('undocumented-') : [];
  return law === 'status' && OF_OTHERS.has(Number(status));
}

/** Whether an error says that something does not exist that the text of a member, or the key of a map, names. */
function namesMissing({ operation, response, input }: Pick<Exchange, 'operation' | 'response' | 'input'>) {
  const { text = '' } = response;
  const shape = bodyMedia(operation.body)?.shape;
  if (!shape || !saysMissing(text)) return false;
  const described = new Set(membersIn(shape, input.body, []).map(({ name }) => name));
  const texts = [...`${stringifyJson(input.body)}`.matchAll(/"([^"\\]{3,})"/g)];
  return texts.some(([, sent = '']) => !described.has(sent) && text.includes(sent));
}

/** A security scheme defines how a credential is sent, not what it permits: a service may have several kinds of keys. */
function openRights({ operation, response }: Pick<Exchange, 'operation' | 'response'>): Basis | undefined {
  const isOpen = response.status === FORBIDDEN && documentedOf(operation, [FORBIDDEN]).length === 0;
  return isOpen && operation.security.some((requirement) => requirement.length > 0)
    ? basisOf(['schema'], operation.spot)
    : undefined;
}

/**
 * Reasons in a body to reject a valid request that no schema expresses: it refers to something that is missing or another
 * account's; a naming text is not one that the service knows, if an error is documented; or it lacks the form that a
 * member's description asks for.
 */
function openRefusal(
  contract: Contract,
  { operation, response, input }: Pick<Exchange, 'operation' | 'response' | 'input'>,
  suspects: Breach['suspects'] = [],
): Basis | undefined {
  const open = basisOf(['schema'], operation.spot);
  if (suspects.some(({ path, value }) => refers(contract, path.at(-1) ?? '') && !isMeaningless(value)))
    return open;
  if (!isRecord(input.body) || documentedOf(operation, [response.status]).length > 0) return undefined;
  const isOfPath = response.status === NOT_FOUND && operation.path.includes('{');
  if (OF_OTHERS.has(response.status)) return isOfPath || OF_NOBODY.has(response.status) ? undefined : open;
  const shape = bodyMedia(operation.body)?.shape;
  const members = shape ? membersIn(shape, input.body, []) : [];
  const blamed = blamedMembers(response, members);
  const told = blamed.length > 0 ? blamed : members.filter(({ value }) => value !== undefined);
  const asked = told.map((bodyMember) =>
    bodyMember.value === undefined ? undefined : demandedOf(bodyMember.shape),
  );
  return asked.every((basis) => basis !== undefined) ? asked[0] : undefined;
}

/**
 * Where a document has no errors except those of credentials, it does not promise that what a path without parameters
 * shows exists: a plug-in, a device. Undefined: the request may be wrong, or it is about records.
 */
function absentView(
  contract: Contract,
  { operation, response, input }: Pick<Exchange, 'operation' | 'response' | 'input'>,
): Basis | undefined {
  const { method, responses, spot, path } = operation;
  const isPlain = ABSENT.has(response.status) || Object.keys(input.query ?? {}).length === 0;
  const isBare = method === 'GET' && !path.includes('{') && isPlain;
  const others = responses.filter(({ key }) => !OF_CREDENTIALS.has(Number(key)));
  const isOfView = isBare && !describesRefusal(others) && !roleOf(contract, operation);
  return isOfView && NONE.has(response.status) ? basisOf(['path'], spot) : undefined;
}

const OF_CREDENTIALS: ReadonlySet<number> = new Set([UNAUTHORISED, FORBIDDEN]);

/** The member of a request that the run cannot make up: a login or token request gets it from the service. */
function secretOf(operation: Operation): string | undefined {
  const { role, password, sentToken } = accountOperation(operation) ?? {};
  if (role === 'login') return password;
  if (role === 'refresh') return sentToken;
  // A change of password sends the current one beside the new one.
  if (role === 'current') return secretsOf(operation).find((name) => name !== password);
  return role === 'grant' ? (password ?? sentToken ?? 'code') : undefined;
}

/**
 * Whether a record may lack what follows it in the path, such as a picture that nobody uploaded, and nothing else is wrong
 * with the request.
 */
function mayLack({ operation, role, exchange, response }: Evidence): boolean {
  // A part that can be removed separately need not exist.
  const { id, actions } = role?.resource ?? {};
  const isPart = !role || (role.action === 'read' && id?.parameter === undefined && actions?.remove);
  if (!isPart || !/\}\/[^{}]+$/.test(operation.path)) return false;
  const { body, query = {} } = exchange.input;
  return body === undefined && (response.status === NOT_FOUND || Object.keys(query).length === 0);
}

/** Whether a change has none of the members that the operation is documented to change. */
function namesNone({ role, request, operation }: Evidence): boolean {
  if ((role?.action !== 'update' && role?.action !== 'replace') || !isRecord(request.body)) return false;
  const named = namedMembers(operation);
  return named.size > 0 && !Object.keys(request.body).some((name) => named.has(name));
}

/** Whether the text of another create may be taken: a further create may be rejected for it. */
function isTaken({ role, request, operation, model }: Evidence): boolean {
  if (role?.action !== 'create') return false;
  const { path, shape } = recordInBody(role.resource, operation);
  const member = shape && markMember(shape);
  const text = member && valueAt(request.body, [...path, member]);
  return Number(model.createsOf(role.resource, text)?.sent) > 1;
}

/** The maximum number of remembered references; others count as made up. */
const MOST = 20_000;

/** The ids that records of the service have shown: their own, and those of their references. */
interface References {
  note(evidence: Evidence): void;
  readonly has: (name: string, value: unknown) => boolean;
}

export function createReferences(): References {
  const ids = new Set<string>();
  const named = new Set<string>();
  let inPaths: ReadonlySet<string> = new Set();

  function lookIn(contract: Contract, value: unknown, id: Resource['id']): void {
    if (Array.isArray(value)) for (const item of value) lookIn(contract, item, id);
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const scalars = scalarsIn(member);
      if (refers(contract, name)) for (const scalar of scalars) named.add(`${name}\n${scalar}`);
      if (name === id?.property)
        for (const scalar of scalars) {
          ids.add(scalar);
          named.add(`${id.parameter}\n${scalar}`);
        }
      lookIn(contract, member, undefined);
    }
  }

  return {
    note(evidence) {
      const { contract, page, role, succeeded } = evidence;
      if (!succeeded || ids.size + named.size > MOST) return;
      inPaths = pathNames(contract);
      lookIn(contract, page?.records ?? recordOf(evidence), role?.resource.id);
    },
    has(name, value) {
      if (named.has(`${name}\n${value}`)) return true;
      // Counters start at 1 in every collection.
      const isCounted = inPaths.has(name) && /^\d+$/.test(String(value));
      return !isCounted && ids.has(String(value));
    },
  };
}

/** Whether a member refers to another record: `pet_id`, `queue_names`, and `pool_name` where a path has `{pool_name}`. */
function refers(contract: Contract, name: string): boolean {
  return isIdName(name) || namesSeveral(name) || pathNames(contract).has(name);
}

const namesSeveral = (name: string) => wordsOf(name).length > 1 && SEVERAL.has(wordsOf(name).at(-1) ?? '');

/** Plural nouns for identifiers of other records. */
const SEVERAL = new Set(['names', 'slugs', 'keys']);

/** Path parameters that name records: a body member of that name is a reference. A bare `id` is the record's own. */
const pathNames = oncePer(({ operations }: Contract): ReadonlySet<string> => {
  const parameters = operations.flatMap((operation) => operation.parameters);
  const names = parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : []));
  return new Set(names.filter((name) => foldedName(name).length > 2));
});

function scalarsIn(value: unknown): string[] {
  return [value].flat().flatMap((one) => (one === null || typeof one === 'object' ? [] : [String(one)]));
}

/**
 * The members of a request that refer to something no response has shown: the run made the id up, and the service need not
 * have it.
 */
export function madeUpReferences({ contract, request, role, model, operation }: Evidence): readonly string[] {
  const parents = role?.resource.parents ?? [];
  const keys = new Set([role?.resource.id?.property, ...parents.map(({ property }) => property)]);
  const { shape } = recordInBody(role?.resource, operation);
  const { resources } = contract;
  const naming = new Set(
    [
      ...(shape ? referencesOf(shape, resources).filter((reference) => !reference.shape) : []),
      // References are described by the schema of the record as well as of the body.
      ...[shape, role?.resource.shape].flatMap((one) => (one ? expandableMembers(one, resources) : [])),
    ].map(({ property }) => property),
  );
  const madeUpIn = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(madeUpIn);
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([name, member]) => {
      if (!(refers(contract, name) || naming.has(name)) || keys.has(name)) return madeUpIn(member);
      return scalarsIn(member).some((scalar) => !model.hasShown(name, scalar)) ? [name] : [];
    });
  };
  return [...new Set([...madeUpIn(request.body), ...madeUpIn(request.parameters.query)])];
}
