import { bodyMedia, essenceOf, isRecord, memberShape, type Operation, placeOf, type Resource } from '#spec';
import { createRecord, pathTo } from '../../arrange/target.ts';
import { equalJson } from '../../laws/compare-records.ts';
import { recordIn } from '../../laws/evidence.ts';
import {
  judgeHistory,
  linearizable,
  type RecordCall,
  type RecordOperation,
} from '../../laws/linearizability.ts';
import { parentsOf } from '../../laws/own-record.ts';
import type { Trial } from '../../run/trial.ts';
import { isSuccess, jsonOf } from '../../send/response.ts';
import type { Sent } from '../script.ts';
import { expectSuccess, type Raced, type RaceRequest } from './requests.ts';

type Data = Readonly<Record<string, unknown>>;

/** What a record is after a race. */
interface Result {
  /** By some order of the requests. */
  readonly explained: boolean;
  readonly shows: Data | undefined;
}

/** Reads a record until what it shows is explained by the requests at once, or the time to settle is over. */
export async function judgeRace(
  trial: Trial,
  own: RaceRecord,
  raced: readonly Raced[],
  sent: Sent,
): Promise<Result> {
  const { resource, id, initial, members } = own;
  const { read, remove, update, replace } = resource.actions;
  if (!read) return { explained: false, shows: undefined };
  const parameter = resource.id?.parameter ?? '';
  const ofRecord = raced.filter(({ input }) => String(input.path?.[parameter]) === String(id));
  const calls = ofRecord.flatMap((one) => callOf(resource, one));
  const writes = calls.filter(({ operation }) => operation.kind !== 'read');
  const early = calls.filter(({ operation }) => operation.kind === 'read');
  const changed = [remove, update, replace].find(
    (one) => one && ofRecord.some(({ operation }) => operation === one),
  );
  const at = placeOf((changed ?? read).spot);
  const request = await requestFor(trial, own, read);
  sent.push([request]);

  const { judged, shown, breaches } = await trial.run.patience.untilSettled(
    async () => {
      const began = performance.now();
      const judged = await trial.send(read, request.input);
      const [shown] = operationOf(resource, { ...request, exchange: judged });
      if (!shown) return { judged, shown, breaches: [] };
      const settled = { operation: shown, began, ended: performance.now() };
      return { judged, shown, breaches: judgeHistory({ initial, writes, early, settled }, members, at) };
    },
    (look) => look.breaches,
    trial.client.alone,
  );
  trial.found(linearizable, breaches, judged);
  const explained = shown !== undefined && breaches.length === 0;
  return { explained, shows: shown?.kind === 'read' ? shown.shows : undefined };
}

const ACCEPTED = 202;

function isMergeOf({ body }: Operation): boolean {
  const media = bodyMedia(body);
  return media !== undefined && essenceOf(media.type) === 'application/merge-patch+json';
}

function callOf(resource: Resource, raced: Raced): RecordCall[] {
  const { began, ended, exchange } = raced;
  // What is accepted may be carried out later, or never (RFC 9110 §15.3.3).
  const isOpen = exchange?.response.status === ACCEPTED;
  return operationOf(resource, raced).map((operation) => ({
    operation,
    began,
    ended: isOpen ? Number.POSITIVE_INFINITY : ended,
  }));
}

const GONE = new Set([404, 410]);

/** None: it was refused, or shows nothing that can be read. */
function operationOf(
  resource: Resource,
  { operation, input, exchange }: Pick<Raced, 'operation' | 'input' | 'exchange'>,
): RecordOperation[] {
  const { actions } = resource;
  const response = exchange?.response;
  if (operation === actions.read) {
    if (!response) return [];
    const shows = isSuccess(response) ? recordIn({ resource, action: 'read' }, jsonOf(response)) : undefined;
    return shows || GONE.has(response.status) ? [{ kind: 'read', shows }] : [];
  }
  if (response && !isSuccess(response)) return [];
  if (operation === actions.remove) return [{ kind: 'remove' }];
  const kind = operation === actions.replace ? 'replace' : 'update';
  const isMerge = isMergeOf(operation);
  // What was sent is the whole of it.
  const { body } = exchange?.input ?? input;
  return isRecord(body) ? [{ kind, body, status: response?.status, isMerge }] : [];
}

/** A record of the run's own that requests at once are sent for. */
export interface RaceRecord {
  readonly resource: Resource;
  readonly id: unknown;
  readonly initial: Data;
  /** Those that the target returns as they were sent: what it makes of others is not known. */
  readonly members: readonly string[];
  /** The run knows the record again, as it was created. */
  relearn(): void;
}

export async function recordToRace(trial: Trial, resource: Resource, sent: Sent): Promise<RaceRecord> {
  const creation = await createRecord(trial, resource);
  const { operation, input, record, id } = creation;
  sent.push([{ operation, input, created: { resource, id } }]);
  const members = Object.entries(creation.sent).flatMap(([name, value]) => {
    const member = memberShape(resource.shape, name);
    const isKept = member && !member.readOnly && !member.writeOnly && equalJson(record[name], value);
    return isKept ? [name] : [];
  });
  // While its state is open, no other case may expect anything of it.
  trial.run.model.forget(resource, id, parentsOf(resource, input.path));
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
