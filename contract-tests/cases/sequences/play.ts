import type { Operation, Resource } from '#spec';
import { greatestPage } from '../../arrange/lists.ts';
import { partialBody, variedBody } from '../../arrange/requests.ts';
import { pathOf, pathTo, tryCreate } from '../../arrange/target.ts';
import { parentsOf, successStatuses } from '../../laws/operation-role.ts';
import { NoRoom } from '../../run/not-reached.ts';
import type { Trial } from '../../run/trial.ts';
import { NO_CREDENTIAL } from '../../send/credentials.ts';
import type { RequestInput } from '../../send/plan-request.ts';
import { isSuccess } from '../../send/response.ts';
import { FateUnknown } from '../../send/wire.ts';
import { FILTERED, type Step } from './steps.ts';

/** The requests that were sent, up to the first one that breaks a law. */
export interface Played {
  /** The ids of the records that were made. */
  readonly ids: ReadonlySet<unknown>;
  readonly steps: readonly Step[];
  readonly requests: readonly SentRequest[];
  readonly failed: boolean;
}

/** A request of a sequence. */
interface SentRequest {
  readonly operation: Operation;
  readonly input: RequestInput;
}

/** The records of one sequence, by the numbers that its steps have for them. */
type Records = Map<number, { readonly id: unknown; removed: boolean }>;

const BROKEN_BODY = '[]';

/** Plays steps from nothing, as far as there is room for records. Steps on records that the target did not make are left out. */
export async function play(trial: Trial, resource: Resource, steps: readonly Step[]): Promise<Played> {
  trial.trail.restart();
  const records: Records = new Map();
  const played: Step[] = [];
  const requests: SentRequest[] = [];
  const before = trial.findings.length;
  const failed = () => trial.findings.length > before;
  const { create } = resource.actions;
  // A list that comes first is looked at where the records will be made.
  if (create) await pathOf(trial, create);
  for (const step of steps) {
    const sent = await playStep(trial, resource, step, records);
    if (sent === 'ends here') break;
    if (!sent) continue;
    played.push(step);
    requests.push(sent);
    if (failed()) break;
  }
  const ids = new Set([...records.values()].map(({ id }) => id));
  return { steps: played, requests, ids, failed: failed() };
}

async function playStep(
  trial: Trial,
  resource: Resource,
  step: Step,
  records: Records,
): Promise<SentRequest | 'ends here' | undefined> {
  const operation = resource.actions[step.action];
  if (!operation) return undefined;
  if (step.action === 'create') return playCreate(trial, resource, operation, step, records);
  if (step.action === 'list') {
    const input = {
      path: await pathOf(trial, operation),
      query: listQuery(resource, step),
    };
    return send(trial, operation, { ...input, ...howSent(step) });
  }
  const record = records.get(step.record);
  if (!record) return undefined;
  return playOnRecord(trial, resource, operation, step, record);
}

async function playCreate(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  step: Step,
  records: Records,
): Promise<SentRequest | 'ends here'> {
  const body = await variedBody(trial, operation, step.salt);
  if (step.how !== 'ordinary')
    return send(trial, operation, { path: await pathOf(trial, operation), body, ...howSent(step) });
  const creation = await tryCreate(trial, resource, { change: () => body, expect: 'success' }).catch(
    endIfFull,
  );
  if (creation === 'ends here') return creation;
  const { input, id } = creation;
  if (id !== undefined) records.set(step.record, { id, removed: false });
  return { operation, input };
}

function endIfFull(error: unknown): 'ends here' {
  if (error instanceof NoRoom) return 'ends here';
  throw error;
}

async function playOnRecord(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  step: Step,
  record: { readonly id: unknown; removed: boolean },
): Promise<SentRequest | 'ends here' | undefined> {
  const { action, how, salt } = step;
  const path = await pathTo(trial, resource, operation, record.id);
  const body = action === 'update' ? partialBody : variedBody;
  const input: RequestInput = {
    path,
    ...(operation.body && { body: await body(trial, operation, salt) }),
    ...howSent(step),
  };
  if (action === 'read') return send(trial, operation, input);
  try {
    // That it is gone may reach a replica later.
    if (record.removed) return await trial.settle(() => send(trial, operation, input));
    const [success, ...more] = successStatuses(operation);
    const isPromised = how === 'ordinary' && success !== undefined && more.length === 0;
    // Which changes a record allows in which state, the document does not say.
    const sent = await trial.send(operation, {
      ...input,
      ...(isPromised && { expected: { status: success, or4xx: true } }),
    });
    if (action === 'remove' && isSuccess(sent.response)) record.removed = true;
    return { operation, input };
  } catch (error) {
    if (!(error instanceof FateUnknown)) throw error;
    trial.run.model.forget(resource, record.id, parentsOf(resource, path));
    return 'ends here';
  }
}

function howSent({ how }: Step): Pick<RequestInput, 'rawBody' | 'refused'> {
  if (how === 'ordinary') return {};
  return how === 'invalid' ? { rawBody: BROKEN_BODY } : { refused: NO_CREDENTIAL };
}

async function send(trial: Trial, operation: Operation, input: RequestInput): Promise<SentRequest> {
  await trial.send(operation, input);
  return { operation, input };
}

/** The longest list, one by a filter, or one of a page size that nobody has named. */
function listQuery({ list }: Resource, { salt }: Step) {
  if (!list || salt === 1) return {};
  const filter = list.filters.find(({ parameter }) => parameter.shape.values);
  const value =
    salt >= FILTERED
      ? filter?.parameter.shape.values?.[salt % filter.parameter.shape.values.length]
      : undefined;
  return {
    ...greatestPage(list),
    ...(filter && value !== undefined && { [filter.parameter.name]: value }),
  };
}
