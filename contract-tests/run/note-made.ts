import {
  isAtItem,
  jobOf,
  memberShape,
  type Operation,
  pathParameters,
  type Resource,
  recordPath,
  resultsOf,
  stringifyJson,
  valueAt,
} from '#spec';
import type { Evidence } from '../laws/evidence.ts';
import { markIn, recordInBody, recordsIn } from '../laws/mark.ts';
import {
  type CasePlace,
  furtherRoleOf,
  type Role,
  resourceOf,
  roleOfRequest,
} from '../laws/operation-role.ts';
import { createdIdOf, isId } from '../laws/sent-members.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { type Exchange, isSuccess } from '../send/response.ts';
import type { Created } from '../send/trail.ts';
import { ACCEPTED, CREATED, type WireRequest } from '../send/wire.ts';
import type { CreatedRecord, Item } from './ledger.ts';
import type { Run } from './run.ts';

/** The sender of a request: the case, and its place. */
interface Maker {
  readonly caseId: string;
  readonly place: CasePlace;
}

/** What a request creates if it succeeds. */
interface Making {
  /** Undefined: it belongs to no collection. */
  readonly resource: Resource | undefined;
  /** The id that the client chose. */
  readonly id: unknown;
  /** `inferred`: the response may show an existing record. `made up`: the named record should not exist. */
  readonly sign: 'role' | 'inferred' | 'once' | 'made up';
}

/** Undefined: it creates nothing. */
export function makingOf(
  { plan: { contract, permissions }, log: { ledger } }: Run,
  operation: Operation,
  input: RequestInput,
  role: Role | undefined,
): Making | undefined {
  if (role?.action === 'create') {
    const { path, shape } = recordInBody(role.resource, operation);
    const property = role.resource.id?.property ?? '';
    const chosen = valueAt(input.body, [...path, property]);
    const isChosen = isId(chosen) && !(shape && memberShape(shape, property)?.readOnly);
    return { resource: role.resource, id: isChosen ? chosen : undefined, sign: 'role' };
  }
  const beside = furtherRoleOf(contract, operation);
  if (beside?.further.role === 'create') {
    const { resource } = beside;
    // The run has checked that the record in the path does not exist.
    return isAtItem(resource, operation)
      ? { resource, id: input.path?.[resource.id?.parameter ?? ''], sign: 'role' }
      : { resource, id: undefined, sign: 'inferred' };
  }
  if (permissions.isSentOnce(operation)) return { resource: undefined, id: undefined, sign: 'once' };
  const [last = ''] = pathParameters(operation.path).slice(-1);
  const isAtPath = operation.path.endsWith(`{${last}}`) && operation.method !== 'DELETE';
  if (!isAtPath || !permissions.changes(operation)) return undefined;
  const owner = resourceOf(contract, operation);
  const resource = owner?.id?.parameter === last ? owner : undefined;
  const state = resource && ledger.stateOf(itemOf(resource, input));
  // A change of a removed record may create it again.
  if (state === 'standing' || (state === undefined && !input.unknownId && !input.madeUp)) return undefined;
  return { resource, id: input.path?.[last], sign: 'made up' };
}

/**
 * Records what an exchange created or removed, whatever its request was for.
 * @returns the created record, if its id is known
 */
export function noteInLedger(
  run: Run,
  evidence: Evidence,
  maker: Maker,
): Pick<Created, 'resource' | 'id'> | undefined {
  const { contract, permissions, mark } = run.plan;
  const { ledger } = run.log;
  const { role, operation, exchange, response } = evidence;
  const { request, input } = exchange;
  const isFaulty = request.faulty !== undefined;
  const mayLook = resourceOf(contract, operation)?.actions.list !== undefined;
  const isOnce = permissions.isSentOnce(operation);
  // A server error for a request that must be rejected is ignored, unless a list can show whether it created something.
  if (response.status >= 500 && (!isFaulty || mayLook || isOnce))
    noteUncertain(run, exchange, maker, response.status !== 503);
  if (!isSuccess(response)) return undefined;
  const making = makingOf(run, operation, input, role);
  if (making) {
    const { resource, sign } = making;
    const responseId = resource ? createdIdOf(resource, exchange) : valueAt(evidence.json, ['id']);
    const id = sign === 'made up' || !isId(responseId) ? making.id : responseId;
    const sentMark = markIn(bodyText(request), mark);
    const isShown = sentMark !== undefined && markIn(response.text ?? '', mark) === sentMark;
    if (sign === 'inferred' && !isShown && response.status !== CREATED) return undefined;
    const isKnown = sign !== 'inferred' || isShown;
    const record = {
      ...recordOf(operation, input, maker),
      mark: sentMark,
      id: isKnown ? id : undefined,
      certain: true,
    };
    noteAs(run, record, maker, resource);
    if (!resource || !isKnown || id === undefined || sign === 'made up') return undefined;
    run.session.ownership.note(resource, id);
    return { resource, id };
  }
  const many = furtherRoleOf(contract, operation);
  if (many?.further.role === 'createMany') return noteMany(run, evidence, maker, many.resource);
  if (role?.action === 'remove') ledger.strikeRemoved(itemOf(role.resource, input));
  else if (role && CHANGES.has(role.action)) noteMoved(run, role.resource, evidence);
  return undefined;
}

const CHANGES: ReadonlySet<Role['action']> = new Set(['update', 'replace']);

/** A change may give a record another id, made up by the run: it is found by that from then on. */
function noteMoved({ plan, log, session }: Run, resource: Resource, evidence: Evidence): void {
  const { operation, exchange, json } = evidence;
  const item = itemOf(resource, exchange.input);
  const id = valueAt(json, [...recordPath(resource, operation), resource.id?.property ?? '']);
  const mark = markIn(String(id), plan.mark);
  const isSent = mark !== undefined && markIn(bodyText(exchange.request), plan.mark) === mark;
  if (!isSent || String(id) === String(item.id) || log.ledger.stateOf(item) !== 'standing') return;
  log.ledger.move(item, id);
  session.ownership.note(resource, id);
}

/**
 * The records of a job are known when it ends: a list shows them by mark.
 * @returns the job, else the first record
 */
function noteMany(
  run: Run,
  { contract, operation, exchange, json, response }: Evidence,
  maker: Maker,
  resource: Resource,
): Pick<Created, 'resource' | 'id'> | undefined {
  const sent = recordsIn(exchange.input.body, operation);
  const results = resultsOf(operation, resource);
  const entries = results && valueAt(json, results.path);
  const made = sent.map((one, index) => {
    const result = Array.isArray(entries) ? entries[index] : undefined;
    const record = results?.record === undefined ? result : valueAt(result, [results.record]);
    const id = valueAt(record, [resource.id?.property ?? '']);
    return { mark: markIn(stringifyJson(one) ?? '', run.plan.mark), id: isId(id) ? id : undefined };
  });
  for (const { mark, id } of made) {
    if (results && id === undefined) continue;
    const record = { ...recordOf(operation, exchange.input, maker), mark, id, certain: id !== undefined };
    noteAs(run, record, maker, resource);
    if (id !== undefined) run.session.ownership.note(resource, id);
  }
  const job = response.status === ACCEPTED ? jobOf(operation, contract) : undefined;
  const of = contract.resources.find(({ actions }) => job && actions.read === job.read);
  const name = job && valueAt(json, [job.id]);
  if (of && isId(name)) return { resource: of, id: name };
  const first = made.find(({ id }) => id !== undefined);
  return first && { resource, id: first.id };
}

function itemOf({ id, actions, further }: Resource, { path }: RequestInput): Item {
  const operations = [...Object.values(actions), ...further.map(({ operation }) => operation)];
  return {
    operationIds: new Set(operations.map((operation) => operation.id)),
    id: path?.[id?.parameter ?? ''],
    path,
  };
}

/**
 * Records what a request without a response, or with a server error, may have created.
 * @param isLikely false: it most likely created nothing, and does not count as left
 */
export function noteUncertain(
  run: Run,
  { operation, input, request }: Pick<Exchange, 'operation' | 'input' | 'request'>,
  maker: Maker,
  isLikely = true,
): void {
  const { contract, mark } = run.plan;
  const role = roleOfRequest(contract, operation, input.creates === true);
  const note = (text: string, id: unknown, resource: Resource | undefined) => {
    const record = { ...recordOf(operation, input, maker), mark: markIn(text, mark), id, certain: false };
    noteAs(run, record, maker, resource, isLikely);
  };
  const making = makingOf(run, operation, input, role);
  if (making) note(bodyText(request), making.id, making.resource);
  const many = furtherRoleOf(contract, operation);
  if (making || many?.further.role !== 'createMany') return;
  for (const record of recordsIn(input.body, operation))
    note(stringifyJson(record) ?? '', undefined, many.resource);
}

function noteAs(
  { plan: { budget }, log: { ledger } }: Run,
  record: CreatedRecord,
  { place }: Maker,
  resource: Resource | undefined,
  isLikely = true,
): void {
  // A record without an id, or that may not exist, remains, unless a list shows it by its mark after its case.
  const isSure = record.certain && record.id !== undefined;
  const lasts = !resource || !budget.isRemovable(resource) || (isLikely && !isSure);
  ledger.note(record, place, lasts, resource !== undefined && budget.isBelowOthers(resource));
}

const bodyText = ({ body }: WireRequest) => Buffer.from(body ?? []).toString();

function recordOf({ id }: Operation, { path }: RequestInput, { caseId }: Maker) {
  return { operationId: id, caseId, path };
}
