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
import { readRequest } from '../laws/evidence.ts';
import { keyOf } from '../laws/known-records.ts';
import { recordInBody } from '../laws/mark.ts';
import { parentsOf, roleOf } from '../laws/operation-role.ts';
import type { PatientClient } from '../send/patience.ts';
import { AbsentValue, type Condition, planRequest, type RequestInput } from '../send/plan-request.ts';
import { decodeResponse, type Exchange, isSuccess } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { type Fault, headerOf, UNAUTHORISED, type WireRequest, type WireResponse } from '../send/wire.ts';
import { NotReached } from './not-reached.ts';
import type { Plan, Run, Session } from './run.ts';

/** A request on the wire, and the credentials that it was made with. */
export interface Outgoing {
  readonly request: WireRequest;
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Makes a request with valid credentials, and applies the user's code.
 * @throws NotReached if there is no credential, or the user's code excludes the request
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

/** The request, with what determines whether others may be sent concurrently. */
function inItsTurn(
  { contract, permissions }: Pick<Plan, 'contract' | 'permissions'>,
  operation: Operation,
  input: RequestInput,
  request: WireRequest,
): WireRequest {
  if (SAFE_METHODS.has(operation.method)) {
    const changes = permissions.changes(operation) || actingParameter(operation, input.query) !== undefined;
    return changes ? { ...request, changes } : request;
  }
  const faults = faultsOf(contract, operation, input, request);
  return faults.length > 0 ? { ...request, faulty: { operation: operation.id, faults } } : request;
}

/** What is intentionally wrong with a request according to the document. */
function faultsOf(
  contract: Contract,
  operation: Operation,
  input: RequestInput,
  request: WireRequest,
): Fault[] {
  const { refused, unknownId, madeUp, creates } = input;
  const { violations } = readRequest(contract, { operation, input, request });
  const atPlace = Map.groupBy(violations, (violation) =>
    [violation.in, violation.name, violation.pointer].join(' '),
  );
  const faults = [...atPlace].map(([at, all]): Fault => {
    const keywords = all.map(({ kind, keyword }) => `${kind} ${keyword}`).join(' ');
    const [{ pointer, received, limit }] = all as [(typeof all)[0]];
    // Validation that converts types rejects other values for a number than for a text.
    const demanded = [pointer === '' ? 'the whole' : 'a member', typeof limit === 'string' ? limit : ''];
    const type = received === null ? 'null' : Array.isArray(received) ? 'array' : typeof received;
    const kind = [...demanded, type, keywords].join(' ');
    return { place: `${at} ${keywords}`, kind };
  });
  // An endpoint that issues credentials may ignore them.
  const isNone = refused && refused.headers.length + refused.query.length === 0;
  if (refused) faults.push({ place: isNone ? 'no credential' : 'credential', kind: JSON.stringify(refused) });
  if ((unknownId || madeUp) && !creates) faults.push({ place: 'path', kind: 'names no record' });
  return faults;
}

function plannedOf(...args: Parameters<typeof planRequest>): WireRequest {
  try {
    return planRequest(...args);
  } catch (error) {
    throw error instanceof AbsentValue ? new NotReached(error.message) : error;
  }
}

/**
 * Sends a request, and applies the user's code to the response.
 * @throws NotReached, UserCodeError
 */
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

/**
 * Whether to send a rejected request again with a new credential.
 * @throws NotReached
 */
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

/** Sets the body's members for the record and its parents to the values in the path, so that a request is consistent. */
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
    // A value that violates the schema does so intentionally.
    const isOrdinary = property in record && typeof record[property] === typeof value;
    return member && !member.readOnly && !member.values && isOrdinary ? [[property, value]] : [];
  });
  return { ...input, body: withValueAt(body, place, () => ({ ...record, ...Object.fromEntries(pairs) })) };
}

/** Sends a request that no rule judges. */
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

/** Whether an operation rejects requests without a condition. */
export function needsCondition(contract: Contract, operation: Operation): boolean {
  const { needsCondition, headers } = conditionalOf(contract, operation);
  return needsCondition?.certainty === 'promised' || headers['if-match']?.required === true;
}

/** The condition for any version; undefined: the header has another form, such as a number. */
export function anyVersion(contract: Contract, operation: Operation): string | undefined {
  const schema = conditionalOf(contract, operation).headers['if-match']?.schema;
  const violations = schema ? contract.validators.compile(schema, 'request')('*') : [];
  return violations.length === 0 ? '*' : undefined;
}

/** The entity tag of a record, and the request that returned it. */
export interface Version {
  /** Undefined: it cannot be used in a condition. */
  readonly tag: string | undefined;
  /** Undefined: it stands for any version. */
  readonly shownTo: SentStep | undefined;
}

interface Known {
  /** As in the paths of requests. */
  readonly id: string;
  readonly versions: Version[];
  /** No later request may have changed the record. */
  isCurrent: boolean;
}

/** The versions of records that one sender has received. */
export class Versions {
  readonly #contract: Contract;
  readonly #records = new Map<string, Known>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Undefined: it was not returned, or a later request may have changed the record. */
  find(operation: Operation, { path }: RequestInput, version: Exclude<Condition, 'none'>['version']) {
    const record = this.#records.get(this.#keyOf(operation, path) ?? '');
    const last = record?.versions.at(-1);
    if (version === 'former') return record?.versions.findLast(({ tag }) => tag !== last?.tag);
    return record?.isCurrent ? last : undefined;
  }

  note({ operation, input, response }: Exchange, step: SentStep): void {
    const isSafe = SAFE_METHODS.has(operation.method);
    const ids = new Set(Object.values(input.path ?? {}).map(String));
    if (!isSafe)
      for (const record of this.#records.values()) if (ids.has(record.id)) record.isCurrent = false;
    const key = this.#keyOf(operation, input.path);
    const tag = headerOf(response, 'etag');
    if (key === undefined || tag === undefined || !isSuccess(response)) return;
    const id = String(input.path?.[roleOf(this.#contract, operation)?.resource.id?.parameter ?? '']);
    const record = this.#records.get(key) ?? { id, versions: [], isCurrent: true };
    record.versions.push({ tag, shownTo: step });
    record.isCurrent = true;
    this.#records.set(key, record);
  }

  /** Undefined: the operation does not read, replace or update a single record. */
  #keyOf(operation: Operation, path: RequestInput['path']): string | undefined {
    const { resource, action } = roleOf(this.#contract, operation) ?? {};
    const parameter = resource?.id?.parameter;
    if (!resource || parameter === undefined || action === 'create' || action === 'list') return undefined;
    return keyOf(resource, path?.[parameter], parentsOf(resource, path));
  }
}
