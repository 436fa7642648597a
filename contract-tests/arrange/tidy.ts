import { memberShape, type Operation, pathParameters, type Resource, stringifyJson, valueAt } from '#spec';
import { gatherEvidence } from '../laws/evidence.ts';
import { recordInBody } from '../laws/mark.ts';
import { creatorOf, parentsOf, resourceOf } from '../laws/operation-role.ts';
import { isId } from '../laws/sent-members.ts';
import type { CreatedRecord } from '../run/ledger.ts';
import { NotReached } from '../run/not-reached.ts';
import { ask, needsCondition, outgoing, sendOutgoing } from '../run/outgoing.ts';
import type { Plan, Run } from '../run/run.ts';
import { openClient } from '../send/client.ts';
import { createPace } from '../send/pace.ts';
import { createPatientClient, type PatientClient } from '../send/patience.ts';
import { isAbsent, type RequestInput, requiredQuery } from '../send/plan-request.ts';
import { jsonOf } from '../send/response.ts';
import { ABSENT, type Data, headerOf, Unreachable, UserCodeError } from '../send/wire.ts';
import { isMarked } from './creation.ts';
import { greatestPage } from './lists.ts';

/** Removes records of the run, over its own connection. */
interface Remover extends Run {
  readonly client: PatientClient;
  /** Cached lists during the final removal; undefined: no cache, since records are still being created. */
  readonly lists?: Map<string, Promise<Listing>>;
}

interface Listing {
  readonly records: readonly Data[];
  /** Whether there are no others. */
  readonly complete: boolean;
}

/**
 * Removes the records that a case created, where the document has a delete; records of others are never touched.
 * @param ids undefined: all of them
 */
export async function tidyAfter(
  run: Run,
  caseId: string,
  client: PatientClient,
  ids?: ReadonlySet<unknown>,
): Promise<void> {
  await removeAll({ ...run, client }, (record) => record.caseId === caseId && ids?.has(record.id) !== false);
}

/** The time to remove records, in milliseconds: after an interruption, and after the time limit. */
const TIDYING = 3000;
const OVERTIME = 30_000;
const OVERTIME_OF_EACH = 2000;

/** Final removal: records that served several cases, and those that remain of an aborted run. */
export async function leaveTidy(run: Run): Promise<void> {
  const { ended, pace, connections } = run.session;
  const isOver = ended.aborted || pace.isStopped() || performance.now() > pace.deadline;
  if (!isOver) return connections.use((client) => removeAll({ ...run, client }, () => true, true));
  // Aborted requests may still be in flight: their records stay in the ledger.
  if (!(await pace.turns.rest(TIDYING))) return;
  const { onLoopback: direct, tls, fetch } = run.plan.settings;
  const overtime = Math.max(OVERTIME, run.log.ledger.records.length * OVERTIME_OF_EACH);
  const limit = AbortSignal.timeout(ended.aborted ? TIDYING : overtime);
  const connection = openClient({ timeout: TIDYING, direct, abort: limit, tls, fetch });
  const watched = run.log.wireLog?.watch(connection) ?? connection;
  await removeAll({ ...run, client: createPatientClient(watched, 0, createPace()) }, () => true, true);
  watched.close();
}

/** The latest first: children are created after their parents. */
async function removeAll(
  by: Remover,
  chosen: (record: CreatedRecord) => boolean,
  isLast = false,
): Promise<void> {
  const { ledger } = by.log;
  if (!by.plan.settings.writes || by.session.gaveUp() !== undefined) return;
  // A removed record is not requested again: a service may reuse its id.
  for (const record of ledger.takeRemoved(chosen)) forget(by, record);
  const remover = isLast ? { ...by, lists: new Map() } : by;
  for (const record of ledger.records.toReversed()) {
    if (!chosen(record)) continue;
    const entry = await located(remover, record, isLast);
    if (!entry?.certain || (!isLast && (ledger.isNeeded(entry) || isMalformed(by.plan, entry)))) continue;
    // A record without an id stays.
    if (entry.id === undefined) ledger.noteStaying(entry);
    else await remove(remover, entry);
  }
}

/**
 * Finds the id of a record: if the response was missing or did not show it, a list may show the record by its mark.
 * @param isLast removes unlisted records from the ledger: until then their create may be in flight
 * @returns undefined: it does not exist
 */
async function located(
  by: Remover,
  record: CreatedRecord,
  isLast: boolean,
): Promise<CreatedRecord | undefined> {
  if (record.certain && record.id !== undefined) return record;
  const { ledger } = by.log;
  const { id, complete } = await shownId(by, record);
  if (id !== undefined) return ledger.settle(record, id);
  if (!record.certain && complete) ledger.noteAbsent(record);
  if (record.certain || !complete || !isLast) return record;
  ledger.strike(record);
  return undefined;
}

/** The id of the listed record with a mark. `complete`: a record that is not listed does not exist. */
async function shownId(by: Remover, record: CreatedRecord): Promise<{ id: unknown; complete: boolean }> {
  const nothing = { id: undefined, complete: false };
  const { mark, path = {} } = record;
  const resource = collectionOf(by.plan, record);
  const list = resource?.actions.list;
  const mayList =
    list &&
    !by.plan.permissions.of(list) &&
    pathParameters(list.path).every((pathParameter) => !isAbsent(path[pathParameter]));
  if (mark === undefined || !mayList) return nothing;
  try {
    const key = stringifyJson([list.id, path]);
    const listing = by.lists?.get(key) ?? listAll(by, list, path);
    by.lists?.set(key, listing);
    const { records, complete } = await listing;
    const id = records.find((one) => isMarked(one, mark))?.[resource.id?.property ?? ''];
    return { id: isId(id) ? id : undefined, complete };
  } catch (error) {
    if (error instanceof UserCodeError) by.session.fail(error);
    else if (!(error instanceof Unreachable || error instanceof NotReached)) throw error;
    return nothing;
  }
}

/** The maximum number of list pages that are searched for a record. */
const MOST_PAGES = 20;

/** The records of a list, page by page. */
async function listAll(by: Remover, operation: Operation, path: Data): Promise<Listing> {
  const { contract, settings } = by.plan;
  const form = resourceOf(contract, operation)?.list;
  let query: Data | undefined = form && greatestPage(form);
  const records: Data[] = [];
  for (let count = 0; query && count < MOST_PAGES; count++) {
    const input: RequestInput = { path, query: { ...requiredQuery(operation, settings), ...query } };
    const exchange = await ask(by, by.client, { operation, input });
    const { page } = gatherEvidence(exchange, { contract, model: by.session.model, earlier: [] });
    if (!page) return { records, complete: false };
    records.push(...page.records);
    // A service may have undocumented paging.
    const totals = page.form.members.flatMap(({ says, path }) =>
      says === 'total' ? [valueAt(jsonOf(exchange.response), path)] : [],
    );
    const isAll = page.complete && !totals.some((total) => Number(total) > records.length);
    if (count === 0 && isAll) return { records, complete: true };
    query = page.next?.query;
  }
  return { records, complete: false };
}

function collectionOf({ contract }: Plan, { operationId }: CreatedRecord): Resource | undefined {
  const creator = contract.operations.find(({ id }) => id === operationId);
  return creator && resourceOf(contract, creator);
}

function forget({ plan, session: { model } }: Run, record: CreatedRecord): void {
  const resource = collectionOf(plan, record);
  if (!resource) return;
  const parents = parentsOf(resource, record.path);
  if (model.find(resource, record.id, parents)?.removed) model.forget(resource, record.id, parents);
}

async function remove(by: Remover, record: CreatedRecord): Promise<void> {
  const { plan, session, log } = by;
  const resource = collectionOf(plan, record);
  const operation = resource?.actions.remove;
  const parameter = resource?.id?.parameter;
  if (!resource || !operation || parameter === undefined || plan.permissions.of(operation)) return;
  const path: Data = { ...record.path, [parameter]: record.id };
  // A record that was created on another path may lack the path parameters of its own.
  if (operation.parameters.some((one) => one.in === 'path' && path[one.name] === undefined)) return;
  // In advance: from now on a list of another case need not show it.
  session.model.forget(resource, record.id, parentsOf(resource, record.path));
  try {
    const tag = needsCondition(plan.contract, operation) ? await currentTag(by, resource, path) : undefined;
    const condition = { header: 'If-Match', version: 'current' } as const;
    const input = { path, condition };
    const { request, ...sent } = await outgoing(by, operation, input, tag);
    // The removal must be accepted, however the id was made.
    const { faulty: _, ...plain } = request;
    const made = { ...sent, request: plain };
    const { status } = await sendOutgoing(plan, by.client, operation, made, { input });
    // The service may have assigned another id than the one in the body.
    const { id } = ABSENT.has(status) && mayChooseId(resource) ? await shownId(by, record) : record;
    if (ABSENT.has(status) && id !== undefined && String(id) !== String(record.id))
      await remove(by, log.ledger.settle(record, id));
    else if (status < 300 || ABSENT.has(status) || (await isGone(by, resource, path)))
      log.ledger.strike(record);
    else log.ledger.noteStaying(record);
  } catch (error) {
    // What cannot be removed stays in the ledger.
    if (error instanceof UserCodeError) session.fail(error);
    else if (!(error instanceof Unreachable || error instanceof NotReached)) throw error;
    log.ledger.noteStaying(record);
  }
}

/** Whether a read shows that a record is gone that a removal refuses: services answer 400 to an id that names nothing. */
async function isGone(by: Remover, { actions: { read } }: Resource, path: Data): Promise<boolean> {
  if (!read || by.plan.permissions.of(read)) return false;
  const { response } = await ask(by, by.client, { operation: read, input: { path } });
  return ABSENT.has(response.status);
}

/** A service may parse `0x8` as 8, the id of a record that other cases need. */
function isMalformed(plan: Plan, record: CreatedRecord): boolean {
  const { actions, id } = collectionOf(plan, record) ?? {};
  const named = actions?.remove?.parameters.find(
    (parameter) => parameter.in === 'path' && parameter.name === id?.parameter,
  );
  const validate = named?.schema && plan.contract.validators.compile(named.schema, 'request');
  return validate !== undefined && record.id !== undefined && validate(record.id).length > 0;
}

function mayChooseId(resource: Resource): boolean {
  const creator = creatorOf(resource);
  const shape = creator && recordInBody(resource, creator).shape;
  const member = shape && memberShape(shape, resource.id?.property ?? '');
  return member !== undefined && !member.readOnly;
}

/** The entity tag that a removal must send; any version if the target shows none. */
async function currentTag(by: Remover, { actions: { read } }: Resource, path: Data): Promise<string> {
  const judged = read && (await ask(by, by.client, { operation: read, input: { path } }));
  return (judged && headerOf(judged.response, 'etag')) ?? '*';
}
