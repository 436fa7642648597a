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
  type Resource,
  referencesOf,
  retentionOf,
  secretsOf,
  transienceOf,
  useMeaning,
  valueAt,
  wordsOf,
  writeMeaning,
} from '#spec';
import type { Exchange } from '../send/response.ts';
import { ABSENT, CONFLICT, FORBIDDEN, NOT_FOUND, UNAUTHORISED } from '../send/wire.ts';
import { blamedMembers, isMeaningless, membersIn } from './blame.ts';
import { type Evidence, recordOf } from './evidence.ts';
import { documentedOf, is4xx } from './expect-status.ts';
import type { Breach, LawName } from './law.ts';
import { isIdName, markMember, recordInBody } from './mark.ts';
import { creatorOf, resourceOf, roleOf } from './operation-role.ts';

/** What a request is refused with that refers to nothing, or is not valid. */
const MISSING = [400, NOT_FOUND, 422];
/** What a service says that has no such thing. */
const NONE: ReadonlySet<number> = new Set([...ABSENT, ...MISSING]);
/** What a login with a made-up password, or a request of tokens with a made-up code, is refused with. */
const NO_ACCOUNT: ReadonlySet<number> = new Set([UNAUTHORISED, FORBIDDEN, ...MISSING]);

/**
 * What the document leaves unsaid, so that the service may refuse a request that the document allows: for people. Undefined:
 * nothing, it must not.
 */
export function unsaidIn(evidence: Evidence): string | undefined {
  const { operation, response, role } = evidence;
  const { isWebSocket, isNotImplemented } = useMeaning(operation);
  if (isWebSocket && !role && is4xx(response)) return 'the document says that it is a WebSocket';
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

/** How a request must be answered that is valid, whatever its path names. */
const OF_VALID: ReadonlySet<LawName> = new Set<LawName>(['status', 'example-accepted', 'unknown-id']);
const OF_REMOVALS: ReadonlySet<LawName> = new Set<LawName>(['removed-is-gone', 'linearizable']);

/**
 * What the document says in words alone, or leaves to the service, by which a refusal of a valid request may be right, or a
 * record that was made be gone: what such a breach rests on. Undefined: nothing.
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
 * What these stand for is no matter of the request: a credential, a payment, a permission, what is not there or no longer,
 * a conflict, a condition, a lock, the law. Many documents leave them out.
 */
const OF_OTHERS: ReadonlySet<number> = new Set([
  ...[UNAUTHORISED, 402, FORBIDDEN, NOT_FOUND, CONFLICT],
  ...[410, 412, 423, 424, 428, 451],
]);

/** A valid credential is one, and what the run alone has sent conflicts with nothing. */
const OF_NOBODY: ReadonlySet<number> = new Set([UNAUTHORISED, CONFLICT]);

/** Whether a request was refused with a status of which the document is silent, and nothing else was promised for it. */
export function isSilentRefusal({ law, kind }: Pick<Breach, 'law' | 'kind'>): boolean {
  const [, status] = typeof kind === 'string' ? kind.split('undocumented-') : [];
  return law === 'status' && OF_OTHERS.has(Number(status));
}

/** A scheme says how a credential is sent, and not what it permits: a service may have several kinds of keys. */
function openRights({ operation, response }: Pick<Exchange, 'operation' | 'response'>): Basis | undefined {
  const isOpen = response.status === FORBIDDEN && documentedOf(operation, [FORBIDDEN]).length === 0;
  return isOpen && operation.security.some((one) => one.length > 0)
    ? basisOf(['schema'], operation.spot)
    : undefined;
}

/**
 * A body says what a service may have reasons to refuse that no schema has: what it names is not there, or somebody else's; a text
 * that names something is none of those that it takes, where a refusal is documented; or not of the form that the description
 * of a member asks for.
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
  const asked = told.map((one) => (one.value === undefined ? undefined : demandedOf(one.shape)));
  return asked.every((one) => one !== undefined) ? asked[0] : undefined;
}

/**
 * Where a document describes no refusal but of credentials, it does not say either that a service has what a path without
 * parameters shows: a plug-in, a device. Undefined: the request may be wrong, or it is about records.
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

/** The member of a request that nobody can make up: whoever logs in, or asks for tokens, has it from the service. */
function secretOf(operation: Operation): string | undefined {
  const { role, password, sentToken } = accountOperation(operation) ?? {};
  if (role === 'login') return password;
  if (role === 'refresh') return sentToken;
  // Beside the new one stands the one that the account has.
  if (role === 'current') return secretsOf(operation).find((name) => name !== password);
  return role === 'grant' ? (password ?? sentToken ?? 'code') : undefined;
}

/**
 * A record may have nothing of what follows it in the path: a picture that nobody has set. Nothing but that is wrong with a
 * request that says no more.
 */
function mayLack({ operation, role, exchange, response }: Evidence): boolean {
  // What can be removed by itself need not be there.
  const { id, actions } = role?.resource ?? {};
  const isPart = !role || (role.action === 'read' && id?.parameter === undefined && actions?.remove);
  if (!isPart || !/\}\/[^{}]+$/.test(operation.path)) return false;
  const { body, query = {} } = exchange.input;
  return body === undefined && (response.status === NOT_FOUND || Object.keys(query).length === 0);
}

/** A change of nothing that it is about. */
function namesNone({ role, request, operation }: Evidence): boolean {
  if ((role?.action !== 'update' && role?.action !== 'replace') || !isRecord(request.body)) return false;
  const named = namedMembers(operation);
  return named.size > 0 && !Object.keys(request.body).some((name) => named.has(name));
}

/** A further create with the text of an earlier one may be refused for that. */
function isTaken({ role, request, operation, model }: Evidence): boolean {
  if (role?.action !== 'create') return false;
  const { path, shape } = recordInBody(role.resource, operation);
  const member = shape && markMember(shape);
  const text = member && valueAt(request.body, [...path, member]);
  return Number(model.createsOf(role.resource, text)?.sent) > 1;
}

/** More are not remembered: a reference beyond them counts as made up. */
const MOST = 20_000;

/** The ids that records of the service have shown: their own, and those of what they refer to. */
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
      if (refers(contract, name)) for (const one of scalars) named.add(`${name}\n${one}`);
      if (name === id?.property)
        for (const one of scalars) {
          ids.add(one);
          named.add(`${id.parameter}\n${one}`);
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
      // Records of every collection are counted from 1 on.
      const isCounted = inPaths.has(name) && /^\d+$/.test(String(value));
      return !isCounted && ids.has(String(value));
    },
  };
}

/** `pet_id`, `queue_names`, and `pool_name` where a path has `{pool_name}`. */
function refers(contract: Contract, name: string): boolean {
  return isIdName(name) || namesSeveral(name) || pathNames(contract).has(name);
}

const namesSeveral = (name: string) => wordsOf(name).length > 1 && SEVERAL.has(wordsOf(name).at(-1) ?? '');

/** What several others are called. */
const SEVERAL = new Set(['names', 'slugs', 'keys']);

/** What paths name records by: a body that has it refers to one. An `id` alone is its own. */
const pathNames = oncePer(({ operations }: Contract): ReadonlySet<string> => {
  const parameters = operations.flatMap((operation) => operation.parameters);
  const names = parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : []));
  return new Set(names.filter((name) => foldedName(name).length > 2));
});

function scalarsIn(value: unknown): string[] {
  return [value].flat().flatMap((one) => (one === null || typeof one === 'object' ? [] : [String(one)]));
}

/**
 * The members of a request that refer to something that no response has shown: the run had to make an id up, and the service
 * need not have anything by it.
 */
export function madeUpReferences({ contract, request, role, model, operation }: Evidence): readonly string[] {
  const parents = role?.resource.parents ?? [];
  const keys = new Set([role?.resource.id?.property, ...parents.map(({ property }) => property)]);
  const { shape } = recordInBody(role?.resource, operation);
  const { resources } = contract;
  const naming = new Set(
    [
      ...(shape ? referencesOf(shape, resources).filter((one) => !one.shape) : []),
      // What the record shows of a member goes for the body, too.
      ...[shape, role?.resource.shape].flatMap((one) => (one ? expandableMembers(one, resources) : [])),
    ].map(({ property }) => property),
  );
  const madeUpIn = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(madeUpIn);
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([name, member]) => {
      if (!(refers(contract, name) || naming.has(name)) || keys.has(name)) return madeUpIn(member);
      return scalarsIn(member).some((one) => !model.hasShown(name, one)) ? [name] : [];
    });
  };
  return [...new Set([...madeUpIn(request.body), ...madeUpIn(request.parameters.query)])];
}
