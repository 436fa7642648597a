import { memberShape, type Operation, pathParameters, type Resource } from '#spec';
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
import { ABSENT, type Data, headerOf, Unreachable, UserCodeError } from '../send/wire.ts';
import { isMarked } from './creation.ts';
import { greatestPage } from './lists.ts';

/** Who takes records away again, and over which connection. */
interface Remover extends Run {
  readonly client: PatientClient;
}

/**
 * Where the document has a delete, the run takes away what a case made; nobody else's record is touched.
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

/** A run that is interrupted ends soon, and one whose time is over has some for what it has made; in milliseconds. */
const TIDYING = 3000;
const OVERTIME = 30_000;

/** The last of it: what served several cases, and what a run has left that did not come to its end. */
export async function leaveTidy(run: Run): Promise<void> {
  const { ended, pace, connections } = run.session;
  const isOver = ended.aborted || pace.isStopped() || performance.now() > pace.deadline;
  if (!isOver) return connections.use((client) => removeAll({ ...run, client }, () => true, true));
  // What was broken off may still be under way: its records stay in the list of what was made.
  if (!(await pace.turns.rest(TIDYING))) return;
  const { onLoopback: direct, tls, fetch } = run.plan.settings;
  const limit = AbortSignal.timeout(ended.aborted ? TIDYING : OVERTIME);
  const own = openClient({ timeout: TIDYING, direct, abort: limit, tls, fetch });
  const watched = run.log.wireLog?.watch(own) ?? own;
  await removeAll({ ...run, client: createPatientClient(watched, 0, createPace()) }, () => true, true);
  watched.close();
}

/** The latest first: what belongs to a record was made after it. */
async function removeAll(
  by: Remover,
  chosen: (record: CreatedRecord) => boolean,
  isLast = false,
): Promise<void> {
  const { ledger } = by.log;
  if (!by.plan.settings.writes || by.session.gaveUp() !== undefined) return;
  // Of a record that its case has removed nothing is asked later: its id may be another record's by then.
  for (const record of ledger.takeRemoved(chosen)) forget(by, record);
  for (const record of ledger.records.toReversed()) {
    if (!chosen(record)) continue;
    const known = await located(by, record, isLast);
    if (!known?.certain || (!isLast && (ledger.isNeeded(known) || isMalformed(by.plan, known)))) continue;
    // What has no id stays.
    if (known.id === undefined) ledger.noteStaying(known);
    else await remove(by, known);
  }
}

/**
 * The record with its id: where the response did not show that, or there was none, a list may show the record by its mark.
 * @param isLast what no list shows is struck: until then it may still be under way
 * @returns undefined: it is not there
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
  if (record.certain || !complete || !isLast) return record;
  ledger.strike(record);
  return undefined;
}

/** The id of the record that a list shows with its mark. `complete`: what it does not show is not there. */
async function shownId(by: Remover, record: CreatedRecord): Promise<{ id: unknown; complete: boolean }> {
  const nothing = { id: undefined, complete: false };
  const { mark, path = {} } = record;
  const resource = collectionOf(by.plan, record);
  const list = resource?.actions.list;
  const mayList =
    list && !by.plan.permissions.of(list) && pathParameters(list.path).every((one) => !isAbsent(path[one]));
  if (mark === undefined || !mayList) return nothing;
  try {
    const { records, complete } = await listAll(by, list, path);
    const id = records.find((one) => isMarked(one, mark))?.[resource.id?.property ?? ''];
    return { id: isId(id) ? id : undefined, complete };
  } catch (error) {
    if (error instanceof UserCodeError) by.session.fail(error);
    else if (!(error instanceof Unreachable || error instanceof NotReached)) throw error;
    return nothing;
  }
}

/** So many pages of a list are looked through for a record. */
const MOST_PAGES = 20;

/** The records of a list, page by page. `complete`: there are no others. */
async function listAll(by: Remover, operation: Operation, path: Data) {
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
    if (count === 0 && page.complete) return { records, complete: true };
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
  // What was made on another path may not say where the record belongs.
  if (operation.parameters.some((one) => one.in === 'path' && path[one.name] === undefined)) return;
  // Beforehand: from now on a list of another case need not show it.
  session.model.forget(resource, record.id, parentsOf(resource, record.path));
  try {
    const tag = needsCondition(plan.contract, operation) ? await currentTag(by, resource, path) : undefined;
    const condition = { header: 'If-Match', version: 'current' } as const;
    const input = { path, condition };
    const { request, ...sent } = await outgoing(by, operation, input, tag);
    // However its id was made, it is to be accepted.
    const { faulty: _, ...plain } = request;
    const made = { ...sent, request: plain };
    const { status } = await sendOutgoing(plan, by.client, operation, made, { input });
    // The service may have given it another id than the one that the body has chosen.
    const { id } = ABSENT.has(status) && mayChooseId(resource) ? await shownId(by, record) : record;
    if (ABSENT.has(status) && id !== undefined && String(id) !== String(record.id))
      await remove(by, log.ledger.settle(record, id));
    else if (status < 300 || ABSENT.has(status)) log.ledger.strike(record);
    else log.ledger.noteStaying(record);
  } catch (error) {
    // What cannot be removed stays in the list of what was made.
    if (error instanceof UserCodeError) session.fail(error);
    else if (!(error instanceof Unreachable || error instanceof NotReached)) throw error;
    log.ledger.noteStaying(record);
  }
}

/** A service may take `0x8` for 8, which other cases still need. */
function isMalformed(plan: Plan, record: CreatedRecord): boolean {
  const { actions, id } = collectionOf(plan, record) ?? {};
  const named = actions?.remove?.parameters.find((one) => one.in === 'path' && one.name === id?.parameter);
  const validate = named?.schema && plan.contract.validators.compile(named.schema, 'request');
  return validate !== undefined && record.id !== undefined && validate(record.id).length > 0;
}

function mayChooseId(resource: Resource): boolean {
  const creator = creatorOf(resource);
  const shape = creator && recordInBody(resource, creator).shape;
  const member = shape && memberShape(shape, resource.id?.property ?? '');
  return member !== undefined && !member.readOnly;
}

/** What a removal must name; any version where the target shows none. */
async function currentTag(by: Remover, { actions: { read } }: Resource, path: Data): Promise<string> {
  const shown = read && (await ask(by, by.client, { operation: read, input: { path } }));
  return (shown && headerOf(shown.response, 'etag')) ?? '*';
}
