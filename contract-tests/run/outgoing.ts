import {
  actingParameter,
  type Contract,
  conditionalOf,
  isRecord,
  memberShape,
  type Operation,
  SAFE_METHODS,
  valueAt,
  withValueAt,
} from '#spec';
import { CredentialFailed } from '../credentials/obtain.ts';
import { readWire } from '../laws/evidence.ts';
import { keyOf } from '../laws/known-records.ts';
import { recordInBody } from '../laws/mark.ts';
import { parentsOf, roleOf } from '../laws/operation-role.ts';
import type { PatientClient } from '../send/patience.ts';
import {
  AbsentValue,
  type Condition,
  pathTexts,
  planRequest,
  type RequestInput,
} from '../send/plan-request.ts';
import { decodeResponse, type Exchange, isSuccess } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { type Fault, headerOf, UNAUTHORISED, type WireRequest, type WireResponse } from '../send/wire.ts';
import { NotReached } from './not-reached.ts';
import type { Plan, Run, Session } from './run.ts';

/** A request as it is sent, and the credentials that it was made with. */
export interface Outgoing {
  readonly request: WireRequest;
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Makes a request with credentials that are good for a while, as the user's code wants it.
 * @throws NotReached where no credential can be had, or the user's code leaves the request out
 * @throws UserCodeError
 */
export async function outgoing(
  { plan, session }: Pick<Run, 'plan' | 'session'>,
  operation: Operation,
  input: RequestInput,
  tag?: string,
): Promise<Outgoing> {
  const { settings, userCode } = plan;
  await unlocked(session, () => session.keyring.fresh(operation));
  const keys = { ...settings.credentials };
  const planned = plannedOf(settings, operation, input, tag);
  const made = await userCode.outgoing(operation, planned, input.refused !== undefined);
  if ('skip' in made) throw new NotReached(`a hook skips it: ${made.skip}`, 'hook');
  return { request: inItsTurn(plan, operation, input, made.message), keys };
}

/** The request with what decides whether others may be under way meanwhile. */
function inItsTurn(
  { contract, permissions }: Pick<Plan, 'contract' | 'permissions'>,
  operation: Operation,
  input: RequestInput,
  request: WireRequest,
): WireRequest {
  const isSafe = SAFE_METHODS.has(operation.method);
  if (isSafe) {
    const changes = permissions.changes(operation) || actingParameter(operation, input.query) !== undefined;
    return changes ? { ...request, changes } : request;
  }
  const faults = faultsOf(contract, operation, input, request);
  return faults.length > 0 ? { ...request, faulty: { operation: operation.id, faults } } : request;
}

/** What is wrong with a request, by the document and on purpose. */
function faultsOf(
  contract: Contract,
  operation: Operation,
  input: RequestInput,
  request: WireRequest,
): Fault[] {
  const { refused, unknownId, madeUp, creates } = input;
  const { violations } = readWire(contract, operation, pathTexts(operation, input), request);
  const atPlace = Map.groupBy(violations, (one) => [one.in, one.name, one.pointer].join(' '));
  const faults = [...atPlace].map(([at, all]): Fault => {
    const keywords = all.map(({ kind, keyword }) => `${kind} ${keyword}`).join(' ');
    const [{ pointer, received, limit }] = all as [(typeof all)[0]];
    // Validation that converts texts to numbers, say, refuses other values for a number than for a text.
    const demanded = [pointer === '' ? 'the whole' : 'a member', typeof limit === 'string' ? limit : ''];
    const type = received === null ? 'null' : Array.isArray(received) ? 'array' : typeof received;
    const kind = [...demanded, type, keywords].join(' ');
    return { place: `${at} ${keywords}`, kind };
  });
  // Who asks for a credential need not look at it.
  const isNone = refused && refused.headers.length + refused.query.length === 0;
  if (refused) faults.push({ place: isNone ? 'no credential' : 'credential', kind: JSON.stringify(refused) });
  if ((unknownId || madeUp) && !creates) faults.push({ place: 'path', kind: 'names no record' });
  return faults;
}

function plannedOf(...given: Parameters<typeof planRequest>): WireRequest {
  try {
    return planRequest(...given);
  } catch (error) {
    throw error instanceof AbsentValue ? new NotReached(error.message) : error;
  }
}

/** Sends a request, and shows the response as the user's code wants it. @throws NotReached, UserCodeError */
export async function sendOutgoing(
  { userCode }: Pick<Plan, 'userCode'>,
  client: PatientClient,
  operation: Operation,
  { request }: Outgoing,
  { input, awaited }: { readonly input: RequestInput; readonly awaited?: number | undefined },
): Promise<WireResponse> {
  const response = await client.send(request, operation.id, awaited);
  const made = await userCode.incoming(operation, request, response, input.refused !== undefined);
  if ('skip' in made) throw new NotReached(`a hook skips it: ${made.skip}`, 'hook');
  return made.message;
}

/** Whether a request that was refused is to be sent again, with a new credential. @throws NotReached */
export async function isRenewed(
  session: Session,
  operation: Operation,
  { refused, presented, provoked, expected }: RequestInput,
  { keys }: Outgoing,
  { status }: WireResponse,
): Promise<boolean> {
  const isOwn = !refused && !presented && !provoked && expected?.status !== status;
  return status === UNAUTHORISED && isOwn && unlocked(session, () => session.keyring.renew(operation, keys));
}

/** A request with the body that has what its path says of the record and of what that belongs to: a request does not contradict itself. */
export function asInPath(contract: Contract, operation: Operation, input: RequestInput): RequestInput {
  const { body, path } = input;
  const resource = roleOf(contract, operation)?.resource;
  if (!resource || !isRecord(body) || !path) return input;
  const { id, parents, actions } = resource;
  const { path: place, shape } = recordInBody(resource, operation);
  const record = valueAt(body, place);
  if (!shape || !isRecord(record)) return input;
  const pairs = [
    ...parents,
    ...(id && operation !== actions.create ? [{ parameter: id.parameter, property: id.property }] : []),
  ].flatMap(({ parameter, property }): [string, unknown][] => {
    const value = parameter === undefined ? undefined : path[parameter];
    if (property === undefined || value === undefined) return [];
    const member = memberShape(shape, property);
    // What breaks the schema does so on purpose.
    const isOrdinary = property in record && typeof record[property] === typeof value;
    return member && !member.readOnly && !member.values && isOrdinary ? [[property, value]] : [];
  });
  return { ...input, body: withValueAt(body, place, () => ({ ...record, ...Object.fromEntries(pairs) })) };
}

/** Sends a request that no rule is to judge. */
export async function ask(
  run: Pick<Run, 'plan' | 'session'>,
  client: PatientClient,
  { operation, input }: Pick<Exchange, 'operation' | 'input'>,
): Promise<Exchange> {
  const sent = await outgoing(run, operation, input);
  const wire = await sendOutgoing(run.plan, client, operation, sent, { input });
  return { operation, input, request: sent.request, response: decodeResponse(wire, operation) };
}

async function unlocked<T>({ lockOut }: Pick<Session, 'lockOut'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CredentialFailed)) throw error;
    lockOut(error.message);
    throw new NotReached(error.message, 'gave-up');
  }
}

/** Whether requests of an operation are refused that have no condition. */
export function needsCondition(contract: Contract, operation: Operation): boolean {
  const { needsCondition, headers } = conditionalOf(contract, operation);
  return needsCondition?.certainty === 'promised' || headers['if-match']?.required === true;
}

/** What names any version; undefined: the header is said to have another form, a number say. */
export function anyVersion(contract: Contract, operation: Operation): string | undefined {
  const schema = conditionalOf(contract, operation).headers['if-match']?.schema;
  const violations = schema ? contract.validators.compile(schema, 'request')('*') : [];
  return violations.length === 0 ? '*' : undefined;
}

/** The entity tag of a record, and the request that it was shown to. */
export interface Version {
  /** Undefined: it cannot be named. */
  readonly tag: string | undefined;
  /** Undefined: any version is meant. */
  readonly shownTo: SentStep | undefined;
}

interface Known {
  /** As the paths of requests have it. */
  readonly id: string;
  readonly versions: Version[];
  /** Nothing has been sent since that may have changed the record. */
  isCurrent: boolean;
}

/** The versions of records, as far as one sender has been shown them. */
export class Versions {
  readonly #contract: Contract;
  readonly #records = new Map<string, Known>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Undefined: it was not shown, or what was sent since may have changed the record. */
  find(operation: Operation, { path }: RequestInput, version: Exclude<Condition, 'none'>['version']) {
    const known = this.#records.get(this.#keyOf(operation, path) ?? '');
    const last = known?.versions.at(-1);
    if (version === 'former') return known?.versions.findLast(({ tag }) => tag !== last?.tag);
    return known?.isCurrent ? last : undefined;
  }

  note({ operation, input, response }: Exchange, step: SentStep): void {
    const isSafe = SAFE_METHODS.has(operation.method);
    const ids = new Set(Object.values(input.path ?? {}).map(String));
    if (!isSafe) for (const known of this.#records.values()) if (ids.has(known.id)) known.isCurrent = false;
    const key = this.#keyOf(operation, input.path);
    const tag = headerOf(response, 'etag');
    if (key === undefined || tag === undefined || !isSuccess(response)) return;
    const id = String(input.path?.[roleOf(this.#contract, operation)?.resource.id?.parameter ?? '']);
    const known = this.#records.get(key) ?? { id, versions: [], isCurrent: true };
    known.versions.push({ tag, shownTo: step });
    known.isCurrent = true;
    this.#records.set(key, known);
  }

  /** Undefined: the operation does not read, replace or update one record. */
  #keyOf(operation: Operation, path: RequestInput['path']): string | undefined {
    const { resource, action } = roleOf(this.#contract, operation) ?? {};
    const parameter = resource?.id?.parameter;
    if (!resource || parameter === undefined || action === 'create' || action === 'list') return undefined;
    return keyOf(resource, path?.[parameter], parentsOf(resource, path));
  }
}
