import {
  bodyMedia,
  isRecord,
  type Operation,
  type Parameter,
  type Resource,
  recordPath,
  sample,
  valueAt,
} from '#spec';
import { parameterExamples } from '#test-values';
import { recordsOf } from '../laws/list-page.ts';
import { bears, markMember } from '../laws/mark.ts';
import { creatorOf, ownerOf, resourceOf, roleOf, successStatuses } from '../laws/operation-role.ts';
import { parentsOf } from '../laws/own-record.ts';
import { owedMembers } from '../laws/sent-members.ts';
import { NotProvoked, NotReached } from '../run/not-reached.ts';
import { guessedParameters, linkSources, parseExpression } from '../run/path-values.ts';
import { parametersOf } from '../run/permissions.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { isSuccess, jsonOf, type Response } from '../send/response.ts';
import { FateUnknown, SAFE_METHODS } from '../send/wire.ts';
import { type BodyOptions, given, makeBody, makeValue } from './body.ts';
import { greatestPage, viewedOwner, viewedRecords } from './lists.ts';
import { isValidBody } from './record-members.ts';

type Data = Readonly<Record<string, unknown>>;

/** Records that the list shows, asked for once; none where there is no list. */
export function targetRecords(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  return trial.share(trial.run.found.lists, resource, (shared) => readList(shared, resource));
}

/** What the run has made may be gone before it is used, and is there only if the case that made it was faster. */
async function readList(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  const { list, actions } = resource;
  const isForeign = (record: Data, path?: Data) =>
    trial.run.model.makerOf(resource, record, parentsOf(resource, path)) === undefined;
  if (!list || !actions.list)
    return (await viewedRecords(trial, resource)).filter((record) => isForeign(record));
  const query = greatestPage(list);
  const path = await pathOf(trial, actions.list);
  const { response } = await trial.send(actions.list, { path, query });
  if (!isSuccess(response)) {
    const { contract, settings } = trial.run;
    const isGuess = guessedParameters(contract, settings, actions.list).length > 0;
    const reason = `the list of ${resource.path} answers ${response.status}`;
    throw isGuess ? new NotProvoked(reason) : new NotReached(reason);
  }
  return recordsOf(list, jsonOf(response)).filter((record) => isForeign(record, path));
}

/**
 * The id of a record that a value of the path names. What is changed is the run's own, and so is what a record of the run is
 * made below. What is read is a record that exists, or the run's own once the case has written there.
 */
async function namedId(trial: Trial, operation: Operation, name: string, owner: Resource): Promise<unknown> {
  const { permissions } = trial.run;
  if (!permissions.canOwn(operation, name)) return existingId(trial, owner);
  return permissions.changes(operation) || looksAtOwn(trial, owner)
    ? namedOwnId(trial, owner)
    : existingId(trial, owner);
}

/**
 * What has become of the case's own records is seen where it made them; in the end, where any case did, and several of
 * them still stand: of fewer a list shows less than that of another record.
 */
function looksAtOwn({ run, case: one, amongOwn }: Trial, owner: Resource): boolean {
  if (amongOwn.has(owner)) return true;
  if (one.looksBack !== true || !run.found.ownIds.has(owner)) return false;
  const name = owner.id?.parameter ?? '';
  return run.ledger.records.filter(({ path }) => path && Object.hasOwn(path, name)).length >= SEVERAL;
}

const SEVERAL = 2;

/** The id of the run's own record; what it stands below is the run's own as well. */
function namedOwnId(trial: Trial, owner: Resource): Promise<unknown> {
  const { contract } = trial.run;
  trial.amongOwn.add(owner);
  const creator = creatorOf(owner);
  for (const name of creator ? parametersOf(creator) : []) {
    const above = creator && ownerOf(contract, creator, name);
    if (above) trial.amongOwn.add(above);
  }
  return ownId(trial, owner);
}

/** The id of a record that exists; one is created where the list is empty. */
async function existingId(trial: Trial, resource: Resource): Promise<unknown> {
  const property = resource.id?.property;
  if (property === undefined) throw new NotProvoked('the document does not say which member is the id');
  const records = await targetRecords(trial, resource);
  const [id] = records.map((record) => record[property]).filter((value) => value !== undefined);
  // The same one each time: what stands below it must be looked for below it.
  return id ?? namedOwnId(trial, resource);
}

/** The id of a record that the run has created, and that is never changed nor removed. */
export function ownId(trial: Trial, resource: Resource): Promise<unknown> {
  return trial.share(trial.run.found.ownIds, resource, async (shared) => {
    const id = await createdId(shared, resource);
    shared.run.ledger.share(id);
    return id;
  });
}

/** Good values for the path parameters of an operation; those that the caller has are not looked for. */
export async function pathOf(trial: Trial, operation: Operation, known: Data = {}): Promise<Data> {
  const values: Record<string, unknown> = { ...known };
  // The record first: whose it is says what it stands below.
  for (const name of parametersOf(operation).toReversed()) {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    if (!parameter || name in known) continue;
    const { shape } = parameter;
    const owner = ownerOf(trial.run.contract, operation, name);
    values[name] =
      given(trial, name, shape) ??
      (owner
        ? await namedId(trial, operation, name, owner)
        : ((await linkedValue(trial, operation, name)) ?? (await viewedId(trial, operation, name)))) ??
      guess(trial, operation, parameter);
  }
  return values;
}

/** What the document shows, or the likeliest number, may be anybody's record: it is read only. */
function guess({ run: { settings } }: Trial, { method }: Operation, parameter: Parameter): unknown {
  const { name, shape } = parameter;
  if (SAFE_METHODS.has(method)) {
    const [shown] = parameterExamples(parameter);
    if (shown !== undefined) return shown;
    if (shape.mainType === 'integer' && !shape.values)
      return Math.max(1, Number(shape.range.low?.value ?? 1));
  }
  return sample(shape, { key: `${settings.seed}/${name}` });
}

/** The id of a record that a view shows, or that the run has created; undefined: there is none. */
async function viewedId(trial: Trial, operation: Operation, name: string): Promise<unknown> {
  const owner = viewedOwner(trial.run.contract, operation, name);
  const property = owner?.id?.property;
  if (!owner || property === undefined) return undefined;
  if (trial.run.permissions.changes(operation) || looksAtOwn(trial, owner)) return namedOwnId(trial, owner);
  const records = await targetRecords(trial, owner);
  const id = records.map((record) => record[property]).find((value) => value !== undefined);
  return id ?? (creatorOf(owner) && trial.run.settings.writes ? namedOwnId(trial, owner) : undefined);
}

/** What the response of another operation says a parameter is; undefined: no link leads there. */
async function linkedValue(trial: Trial, operation: Operation, name: string): Promise<unknown> {
  const { contract, settings, found } = trial.run;
  const [source] = linkSources(contract, settings, operation, name);
  const expression = source && parseExpression(source.expression);
  if (!source || !expression) return undefined;
  const response = await trial.share(found.linked, source.operation, (shared) =>
    askSource(shared, source.operation),
  );
  const value = expression.valueIn(response);
  if (value !== undefined) {
    if (roleOf(contract, source.operation)?.action === 'create')
      trial.run.own.noteLinked(operation, name, value);
    return value;
  }
  throw new NotReached(`${source.operation.id} answers ${response.status}, without ${source.expression}`);
}

async function askSource(trial: Trial, operation: Operation): Promise<Response> {
  const role = roleOf(trial.run.contract, operation);
  if (role?.action === 'create') {
    const creation = await createRecord(trial, role.resource);
    trial.run.ledger.share(creation.id);
    return creation.response;
  }
  if (!SAFE_METHODS.has(operation.method) && !trial.run.settings.writes)
    throw new NotReached('--read-only', 'read-only');
  const path = await pathOf(trial, operation);
  return (await trial.send(operation, { path, body: await anyBody(trial, operation) })).response;
}

/** The path of an operation on one record. */
export function pathTo(trial: Trial, { id }: Resource, operation: Operation, value: unknown): Promise<Data> {
  return pathOf(trial, operation, id?.parameter === undefined ? {} : { [id.parameter]: value });
}

/** A valid body, with values that the target's own records have where a member refers to something. */
export async function ordinaryBody(trial: Trial, operation: Operation, options: BodyOptions = {}) {
  return makeBody(trial, operation, await recordsBeside(trial, operation), options);
}

/** As `ordinaryBody`, also where it is no object. Undefined: none is needed, and none can be made. */
export async function anyBody(
  trial: Trial,
  operation: Operation,
  options: BodyOptions = {},
): Promise<unknown> {
  const { body } = operation;
  if (!body || (!body.required && !bodyMedia(body))) return undefined;
  return makeValue(trial, operation, await recordsBeside(trial, operation), options);
}

async function recordsBeside(trial: Trial, operation: Operation): Promise<readonly Data[]> {
  const { contract } = trial.run;
  const resource = resourceOf(contract, operation);
  return resource ? targetRecords(trial, resource) : [];
}

/** A request that was to make a record, and what became of it. */
export interface Creation extends Judged {
  /** The body as it was sent; of one that is no object nothing is known to become a member. */
  readonly sent: Data;
  readonly mark: string | undefined;
  /** The record in the response and its id; undefined where there is none. */
  readonly record: Data | undefined;
  readonly id: unknown;
}

/** How a create request differs from the ordinary one. */
export interface Variation extends Omit<RequestInput, 'body' | 'rawBody' | 'expected'> {
  /** Without the optional members. */
  readonly requiredOnly?: boolean;
  /** In the place of the ordinary body. */
  readonly body?: unknown;
  /** Changes the body, which already has its mark. */
  readonly change?: (body: Data, mark: string | undefined) => unknown;
  /** The documented success must come; `or 4xx`: a refusal is just as right. */
  readonly expect?: 'success' | 'success or 4xx';
}

/** Before a fresh create follows one that failed outside the service, in milliseconds. */
const LONGEST_WAIT = 5000;

/** Sends a body to a resource's create operation. */
export async function tryCreate(
  trial: Trial,
  resource: Resource,
  { requiredOnly, body: given, change, expect, ...input }: Variation = {},
): Promise<Creation> {
  const { run } = trial;
  const operation = creatorOf(resource);
  if (!operation) throw new NotProvoked('the document has no operation that creates such a record');
  if (!run.settings.writes) throw new NotReached('--read-only', 'read-only');
  const shape = bodyMedia(operation.body)?.shape;
  const [status] = successStatuses(operation);
  const expected = expect && status !== undefined && { status, or4xx: expect === 'success or 4xx' };
  const { failures } = run.pace;
  let failure: string | undefined;
  for (let attempt = 0; ; attempt++) {
    const mark = shape && markMember(shape) ? trial.marks.next() : undefined;
    const ordinary =
      given === undefined ? await anyBody(trial, operation, { mark, optional: !requiredOnly }) : given;
    if (change && !isRecord(ordinary)) throw new NotProvoked('the body is no object');
    const changed = change ? change(ordinary as Data, mark) : ordinary;
    // Nobody promises to take what the document forbids, or what no record can show.
    const body = expect !== 'success' || isValidBody(trial, operation, changed) ? changed : ordinary;
    const sent = isRecord(body) ? body : {};
    const path = await pathOf(trial, operation, input.path);
    const { refused, duplicated } = input;
    const isRefused =
      refused !== undefined || duplicated !== undefined || !isValidBody(trial, operation, body);
    const giveBack = trial.room.take(resource, { refused: isRefused });
    try {
      const judged = await trial.send(operation, {
        ...input,
        ...(expected && { expected }),
        path,
        body,
        reserved: true,
      });
      if (failure !== undefined) failures.passed(failure);
      const { succeeded, json } = judged.evidence;
      if (!isSuccess(judged.response)) giveBack();
      const shown = succeeded ? valueAt(json, recordPath(resource, operation)) : undefined;
      // What is only inferred to be a create may answer with a record that was there before.
      const isOwn = resource.actions.create || (isRecord(shown) && isMarked(shown, mark));
      const record = isOwn && isRecord(shown) ? shown : undefined;
      const said =
        record ?? (succeeded && resource.actions.create ? owedMembers(judged.evidence) : undefined);
      const id = resource.id && said?.[resource.id.property];
      return { ...judged, sent, mark, record, id };
    } catch (error) {
      giveBack();
      if (!(error instanceof FateUnknown)) throw error;
      run.ledger.note(
        {
          operationId: operation.id,
          caseId: trial.case.id,
          mark,
          id: undefined,
          certain: false,
        },
        trial.place,
        !run.budget.isRemovable(resource),
      );
      failure = `${operation.id} ${error.message}`;
      // What bears no mark would be the same request once more.
      const isFresh = isMarked(sent, mark) && attempt < run.settings.retries;
      if (!isFresh || failures.isHopeless(failure)) {
        failures.failed(failure);
        throw error;
      }
      await run.pace.wait(Math.min(LONGEST_WAIT, 100 * 2 ** attempt));
    }
  }
}

function isMarked(record: Data, mark: string | undefined): boolean {
  return mark !== undefined && Object.values(record).some((value) => bears(value, mark));
}

/** The id of a new record, to work with. */
export async function createdId(trial: Trial, resource: Resource): Promise<unknown> {
  const { id, response } = await tryCreate(trial, resource);
  if (!isSuccess(response)) throw notCreated(response);
  if (id === undefined) throw new NotProvoked('the response to a create does not show the id');
  return id;
}

/** A record that the target accepted, to work with. */
export async function createRecord(
  trial: Trial,
  resource: Resource,
  variation: Variation = {},
): Promise<Creation & { record: Data }> {
  const creation = await tryCreate(trial, resource, variation);
  const { record, response } = creation;
  if (isSuccess(response) && !record)
    throw new NotProvoked('the response to a create does not show the record');
  if (!isSuccess(response) || !record) throw notCreated(response);
  return { ...creation, record };
}

function notCreated({ status }: Response): NotReached {
  return new NotReached(`a record is needed, and creating one answers ${status}`);
}
