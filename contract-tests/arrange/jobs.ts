import {
  isEqual,
  isRecord,
  isStateName,
  type Job,
  jobOf,
  jobState,
  type Operation,
  type Resource,
  valueAt,
} from '#spec';
import { recordOf } from '../laws/evidence.ts';
import { isIdName } from '../laws/mark.ts';
import { isId } from '../laws/sent-members.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess, jsonOf } from '../send/response.ts';
import { ACCEPTED, type Data, headerOf } from '../send/wire.ts';
import { type Creation, isMarked, routedTo } from './creation.ts';
import { greatestPage } from './lists.ts';

/** The read of a job. */
interface Look {
  readonly operation: Operation;
  readonly path: Data;
}

/** The maximum wait for an accepted create, and between two reads of its job, in milliseconds. */
const LONGEST = 8000;
const BETWEEN = { first: 20, most: 800 };

/**
 * An accepted create (202) is carried out later, or never (RFC 9110 §15.3.3): this follows the job that its `Location` or
 * its body names until it ends, and then identifies the record by the job, or by its mark in the list.
 * @returns the creation unchanged if nothing was accepted, or the record does not appear in time
 */
export async function whenDone(trial: Trial, resource: Resource, creation: Creation): Promise<Creation> {
  const { operation, response, evidence, input } = creation;
  const { path = {} } = input;
  const isWaitedFor =
    response.status === ACCEPTED && !trial.plan.settings.stateless && resource.id !== undefined;
  if (!isWaitedFor || trial.session.cache.unfinished.has(operation)) return creation;
  let job = readOf(trial, creation);
  let latest: unknown = job ? undefined : evidence.json;
  let places = [headerOf(response, 'location')];
  const deadline = performance.now() + LONGEST;
  for (let wait = BETWEEN.first; performance.now() < deadline; wait = Math.min(wait * 2, BETWEEN.most)) {
    await trial.session.pace.wait(wait);
    if (job) {
      const look = await trial.send(job.operation, { path: job.path });
      if (isSuccess(look.response) && isUnderWay(jsonOf(look.response))) continue;
      if (look.response.status >= 400) job = undefined;
      latest = jsonOf(look.response) ?? latest;
      places = [headerOf(look.response, 'location')];
    }
    const ids = creation.id === undefined ? idsIn(trial, resource, latest, places) : [creation.id];
    for (const id of ids) {
      const record = await recordAt(trial, resource, path, id);
      if (record && isOf(creation, record)) return settled(trial, resource, creation, id, record);
    }
    const listed = await listedBy(trial, resource, path, creation.mark);
    const id = listed?.[resource.id?.property ?? ''];
    if (listed && isId(id)) return settled(trial, resource, creation, id, undefined);
  }
  trial.session.cache.unfinished.add(operation);
  return creation;
}

/** Reads the job of a 202 until it ends, or the wait is over. Undefined: it cannot be found. */
export async function untilOver(trial: Trial, job: Job, start: Judged): Promise<Judged | undefined> {
  const { read, parameter } = job;
  const named = headerOf(start.response, 'location');
  const route = named === undefined ? undefined : routedTo(trial, named, start.request.url);
  const bodyId = valueAt(start.evidence.json, [job.id]);
  if (route?.operation === read && String(route.path[parameter]) !== String(bodyId))
    await trial.send(read, { path: route.path });
  const id = bodyId ?? route?.path[parameter];
  if (id === undefined || trial.plan.permissions.of(read)) return undefined;
  const deadline = performance.now() + LONGEST;
  for (let wait = BETWEEN.first; ; wait = Math.min(wait * 2, BETWEEN.most)) {
    await trial.session.pace.wait(wait);
    const lastLook = performance.now() > deadline;
    const look = await trial.send(read, { path: { [parameter]: id }, ...(lastLook && { lastLook }) });
    if (lastLook || !isSuccess(look.response) || !isUnderWay(jsonOf(look.response))) return look;
  }
}

/** Whether a record is the requested one: by its mark, else by a sent member. */
const isOf = ({ mark, sent }: Creation, record: Data) =>
  isMarked(record, mark) || Object.entries(sent).some(([name, value]) => isEqual(record[name], value));

function settled(
  { session, log: { ledger } }: Trial,
  resource: Resource,
  creation: Creation,
  id: unknown,
  record: Data | undefined,
): Creation {
  const { operation, mark } = creation;
  const isMade = (one: (typeof ledger.records)[number]) =>
    one.operationId === operation.id && one.id === creation.id && one.mark === mark;
  const made = ledger.records.find(isMade);
  if (made) ledger.settle(made, id);
  session.ownership.note(resource, id);
  session.model.observeMade(creation.evidence, resource, id);
  return { ...creation, id, record };
}

/** The read of the job that a header of the response names, else of the documented job that its body shows. */
function readOf(trial: Trial, { response, request, operation, evidence }: Creation): Look | undefined {
  const { contract, permissions } = trial.plan;
  const [named] = ['location', 'operation-location', 'content-location'].flatMap((name) => {
    const value = headerOf(response, name);
    return value === undefined ? [] : (routedTo(trial, value, request.url) ?? []);
  });
  if (named) return named.operation === operation ? undefined : named;
  const job = jobOf(operation, contract);
  const id = job && valueAt(evidence.json, [job.id]);
  return job && isId(id) && !permissions.of(job.read)
    ? { operation: job.read, path: { [job.parameter]: id } }
    : undefined;
}

/** Whether a job says that it is still running. */
function isUnderWay(json: unknown): boolean {
  return Object.entries(isRecord(json) ? json : {}).some(([name, value]) => {
    if (typeof value !== 'string') return value === false && (name === 'done' || name === 'completed');
    return isStateName(name) && jobState(value) === 'under way';
  });
}

/** The values in a job that may be the record's id: from URLs that lead to it first, then from identifying members. */
function idsIn(
  trial: Trial,
  resource: Resource,
  json: unknown,
  places: readonly (string | undefined)[],
): unknown[] {
  const { read } = resource.actions;
  const texts = [...places.map((value) => ['', value] as const), ...scalarsIn(json)];
  const located = texts.flatMap(([, value]) => {
    const route = typeof value === 'string' && value.includes('/') ? routedTo(trial, value) : undefined;
    return route && route.operation === read ? [route.path[resource.id?.parameter ?? '']] : [];
  });
  const named = texts.flatMap(([name, value]) => (isIdName(name) && isId(value) ? [value] : []));
  return [...new Set([...located, ...named])].slice(0, MOST);
}

/** The number of values of a job that are tried. */
const MOST = 6;

function scalarsIn(value: unknown, name = ''): (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.flatMap((one) => scalarsIn(one, name));
  if (!isRecord(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, one]) => scalarsIn(one, key));
}

async function recordAt(trial: Trial, { id, actions }: Resource, path: Data, value: unknown) {
  const { read } = actions;
  if (!read || id?.parameter === undefined) return undefined;
  // It need not name a record: any error says so.
  const input = { path: { ...path, [id.parameter]: value }, unknownId: true, chosenId: true };
  const { evidence } = await trial.send(read, input);
  return evidence.succeeded ? recordOf(evidence) : undefined;
}

async function listedBy(
  trial: Trial,
  { actions, list: form }: Resource,
  path: Data,
  mark: string | undefined,
) {
  if (!actions.list || !form || mark === undefined) return undefined;
  const { evidence } = await trial.send(actions.list, { path, query: greatestPage(form) });
  return evidence.page?.records.find((record) => isMarked(record, mark));
}
