import {
  bodyMedia,
  essenceOf,
  isEqual,
  isNumber,
  isRecord,
  isSet,
  memberShape,
  type Operation,
  placeOf,
  type Resource,
} from '#spec';
import { referringIn } from '../../arrange/named-records.ts';
import { inRecord, isValidBody } from '../../arrange/record-members.ts';
import { otherValue, readById } from '../../arrange/requests.ts';
import { createRecord, ordinaryBody, pathTo } from '../../arrange/target.ts';
import { isShownAsEnded } from '../../laws/compare-records.ts';
import { recordIn } from '../../laws/evidence.ts';
import { judgeHistory, type RecordCall, type RecordOperation } from '../../laws/linearizability.ts';
import { markMember, recordInBody, recordSent } from '../../laws/mark.ts';
import { keepsRest, parentsOf, resourceOf, successStatuses } from '../../laws/operation-role.ts';
import { driftingMembers } from '../../laws/own-records.ts';
import { mayBe } from '../../laws/same-value.ts';
import { needsCondition } from '../../run/outgoing.ts';
import type { Trial } from '../../run/trial.ts';
import type { RequestInput } from '../../send/plan-request.ts';
import { type Exchange, isSuccess, jsonOf } from '../../send/response.ts';
import { ABSENT, ACCEPTED, type Data, FateUnknown } from '../../send/wire.ts';

/** The state of a record after a race. */
interface Result {
  /** Whether some order of the requests explains it. */
  readonly explained: boolean;
  readonly shows: Data | undefined;
}

/** Reads a record until some order of the concurrent requests explains it, or the time to settle is over. */
export async function judgeRace(trial: Trial, record: RaceRecord, raced: readonly Raced[]): Promise<Result> {
  const { resource, id, initial, members } = record;
  const { read, remove, update, replace } = resource.actions;
  if (!read) return { explained: false, shows: undefined };
  const parameter = resource.id?.parameter ?? '';
  const ofRecord = raced.filter(({ input }) => String(input.path?.[parameter]) === String(id));
  const calls = ofRecord.flatMap((one) => callOf(resource, one));
  const writes = calls.filter(({ operation }) => operation.kind !== 'read');
  const written = writes.flatMap(writtenBy);
  // A state that a client wrote does not mean that the record was removed.
  const mayEnd = !written.some((body) => isShownAsEnded(resource, initial, body));
  const asLeft = (operation: RecordOperation) => (mayEnd ? asEnded(resource, initial, operation) : operation);
  const early = calls
    .filter(({ operation }) => operation.kind === 'read')
    .map((call) => ({ ...call, operation: asLeft(call.operation) }));
  const changed = [remove, update, replace].find(
    (one) => one && ofRecord.some(({ operation }) => operation === one),
  );
  const at = placeOf((changed ?? read).spot);
  const request = await requestFor(trial, record, read);

  const looks: Data[] = [];
  trial.trail.beginRound();
  const { judged, view, breaches } = await trial.session.patience.untilSettled(
    async () => {
      trial.trail.repeatRound();
      const began = performance.now();
      const judged = await trial.send(read, request.input);
      const [seen] = operationOf(resource, { ...request, exchange: judged });
      const view = seen && asLeft(seen);
      if (!view) return { judged, view, breaches: [] };
      const settled = { operation: view, began, ended: performance.now() };
      if (view.kind === 'read' && view.shows) looks.push(view.shows);
      const drifting = new Set([...trial.session.model.drifting(resource), ...driftingMembers(looks)]);
      const isNumbered = numberedIn([initial, ...written], [...early, settled]);
      const followed = members.filter(
        (name) => !drifting.has(name) && !isNumbered(name) && mayShow(resource, written, name),
      );
      return { judged, view, breaches: judgeHistory({ initial, writes, early, settled }, followed, at) };
    },
    (look) => look.breaches,
    trial.client.alone,
  );
  trial.trail.endRound();
  trial.found(breaches, judged);
  const explained = view !== undefined && breaches.length === 0;
  return { explained, shows: view?.kind === 'read' ? view.shows : undefined };
}

/** For services that keep removed records: an ended record counts as missing. */
function asEnded(resource: Resource, before: Data, operation: RecordOperation): RecordOperation {
  const isEnded =
    operation.kind === 'read' && operation.shows && isShownAsEnded(resource, before, operation.shows);
  return isEnded ? { kind: 'read', shows: undefined } : operation;
}

const writtenBy = ({ operation }: RecordCall): Data[] => ('body' in operation ? [operation.body] : []);

/** Whether the record's schema allows all written values of a member: otherwise their representation is open. */
function mayShow({ shape }: Resource, written: readonly Data[], name: string): boolean {
  const member = memberShape(shape, name);
  return written.every((data) => data[name] === undefined || !member || mayBe(member, data[name]));
}

/** Whether a read shows an unwritten number in a member, such as a position that moves with those of other records. */
function numberedIn(written: readonly Data[], reads: readonly RecordCall[]): (name: string) => boolean {
  const views = reads.flatMap(({ operation }): Data[] =>
    operation.kind === 'read' && operation.shows ? [operation.shows] : [],
  );
  return (name) =>
    views.some((view) => isNumber(view[name]) && !written.some((data) => isEqual(data[name], view[name])));
}

function isMergeOf({ body }: Operation): boolean {
  const media = bodyMedia(body);
  return media !== undefined && essenceOf(media.type) === 'application/merge-patch+json';
}

function callOf(resource: Resource, raced: Raced): RecordCall[] {
  const { began, ended, exchange } = raced;
  // An accepted request may be carried out later, or never (RFC 9110 §15.3.3).
  const isOpen = exchange?.response.status === ACCEPTED;
  return operationOf(resource, raced).map((operation) => ({
    operation,
    began,
    ended: isOpen ? Number.POSITIVE_INFINITY : ended,
  }));
}

/** Empty: the request was rejected, or its response cannot be read. */
function operationOf(
  resource: Resource,
  { operation, input, exchange }: Pick<Raced, 'operation' | 'input' | 'exchange'>,
): RecordOperation[] {
  const { actions } = resource;
  const response = exchange?.response;
  if (operation === actions.read) {
    if (!response) return [];
    const shows = isSuccess(response) ? recordIn(resource, operation, jsonOf(response)) : undefined;
    return shows || ABSENT.has(response.status) ? [{ kind: 'read', shows }] : [];
  }
  if (response && !isSuccess(response)) return [];
  if (operation === actions.remove) return [{ kind: 'remove' }];
  const kind = operation === actions.replace || !keepsRest(operation) ? 'replace' : 'update';
  const isMerge = isMergeOf(operation);
  // The body is the whole record.
  const { body } = exchange?.input ?? input;
  if (!isRecord(body)) return [];
  return [{ kind, body: recordSent(resource, operation, body), status: response?.status, isMerge }];
}

/** A record of the run that concurrent requests target. */
export interface RaceRecord {
  readonly resource: Resource;
  readonly id: unknown;
  readonly initial: Data;
  /** The members that the target returns as they were sent: its treatment of others is unknown. */
  readonly members: readonly string[];
  /** Makes the run know the record again, as it was created. */
  relearn(): void;
}

export async function recordToRace(trial: Trial, resource: Resource): Promise<RaceRecord> {
  const creation = await createRecord(trial, resource);
  const { input, record, id } = creation;
  // Nothing is read between concurrent requests: required entity tags must be known before.
  const changes = [resource.actions.replace, resource.actions.update, resource.actions.remove];
  if (changes.some((change) => change && needsCondition(trial.plan.contract, change)))
    await readById(trial, resource, id);
  const members = Object.entries(creation.sent).flatMap(([name, value]) => {
    const member = memberShape(resource.shape, name);
    // The order of a set may vary from response to response.
    const isOpen = !member || member.readOnly || member.writeOnly || isSet(member, [name]);
    const isKept = !isOpen && isEqual(record[name], value);
    return isKept ? [name] : [];
  });
  // No other case may expect anything of the record while its state is open.
  trial.session.model.forget(resource, id, parentsOf(resource, input.path));
  return { resource, id, initial: record, members, relearn: () => void trial.learn(creation) };
}

export async function requestFor(
  trial: Trial,
  { resource, id }: RaceRecord,
  operation: Operation,
  body?: Data,
): Promise<RaceRequest> {
  const input = {
    path: await pathTo(trial, resource, operation, id),
    ...(isRecord(body) && { body }),
  };
  return { operation, input: { ...input, ...expectSuccess(operation) } };
}

/** A body that differs from those of other writers in as many members as possible, so that a mix of two is detected. */
export async function distinctBody(trial: Trial, operation: Operation, writer: number): Promise<Data> {
  const body = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
  const resource = resourceOf(trial.plan.contract, operation);
  const { shape } = recordInBody(resource, operation);
  const isReferring = referringIn(trial.plan.contract, operation);
  const changed = Object.entries(recordSent(resource, operation, body)).map(([name, value]) => {
    const member = shape?.properties.get(name);
    const isKept =
      writer === 0 || !shape || !member || name === markMember(shape) || isReferring(name, member);
    return [name, isKept ? value : (otherValue(member, value, writer) ?? value)];
  });
  const varied = inRecord(resource, operation, () => Object.fromEntries(changed))(body, undefined);
  return isValidBody(trial, operation, varied) ? varied : body;
}

/** Concurrent requests change the same record: any error is as valid as the success. */
export function expectSuccess(operation: Operation): Pick<RequestInput, 'expected'> {
  const [status, ...more] = successStatuses(operation);
  return status === undefined || more.length > 0 ? {} : { expected: { status, or4xx: true } };
}

/** One of several concurrent requests. */
export interface RaceRequest {
  readonly operation: Operation;
  readonly input: RequestInput;
}

/** It was carried out, if at all, between two moments on the clock of `performance.now()`. */
export interface Raced extends RaceRequest {
  readonly began: number;
  /** Infinity: the request was aborted, and may be carried out at any later time. */
  readonly ended: number;
  readonly exchange: Exchange | undefined;
}

/**
 * Sends requests concurrently, each over its own connection, while no other case sends anything: they should arrive
 * together, and their effect should disturb no other case.
 * @throws the first error of a request, after all are done
 */
export async function sendAtOnce(trial: Trial, requests: readonly RaceRequest[]): Promise<Raced[]> {
  const raced = await trial.client.alone(() =>
    Promise.allSettled(requests.map((request) => sendOne(trial, request))),
  );
  return raced.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

async function sendOne(trial: Trial, { operation, input }: RaceRequest): Promise<Raced> {
  const began = performance.now();
  try {
    const exchange = await trial.sendAmongOthers(operation, input);
    return { operation, input, began, ended: performance.now(), exchange };
  } catch (error) {
    if (!(error instanceof FateUnknown)) throw error;
    return { operation, input, began, ended: Number.POSITIVE_INFINITY, exchange: undefined };
  }
}
