import { isRecord, type Operation, type Resource } from '#spec';
import { isSuccess, jsonOf } from '../laws/answer.ts';
import { NotReached } from '../not-reached.ts';
import { successStatuses } from '../operation-role.ts';
import type { Answer } from '../send/answer.ts';
import { FateUnknown, Unreachable } from '../send/patience.ts';
import type { Trial } from '../trial.ts';
import { makeBody } from './body.ts';
import { markMember } from './mark.ts';
import type { Ask } from './plan.ts';

type Data = Record<string, unknown>;

/** A request that was to make a record, and what became of it. */
export interface Creation {
  readonly operation: Operation;
  /** The body as it was sent. */
  readonly sent: Data;
  readonly mark: string | undefined;
  readonly answer: Answer;
  /** The record in the answer and its id; undefined where there is none. */
  readonly record: Data | undefined;
  readonly id: unknown;
}

/** How a body differs from the ordinary one. */
export interface Variation extends Omit<Ask, 'body' | 'rawBody'> {
  /** Without the optional members. */
  readonly requiredOnly?: boolean;
  /** Changes the body, which already bears its mark. */
  readonly change?: (body: Data, mark: string | undefined) => unknown;
}

/** Sends a body to a resource's create operation; the answer is not judged. */
export async function tryCreate(
  trial: Trial,
  resource: Resource,
  variation: Variation = {},
): Promise<Creation> {
  const { run } = trial;
  const operation = resource.actions.create;
  if (!operation) throw new NotReached('the document has no operation that creates such a record');
  if (!run.settings.writes) throw new NotReached('--read-only');
  const shape = operation.body?.content.find(({ isJson }) => isJson)?.shape;
  for (let attempt = 0; ; attempt++) {
    if (!run.ledger.open()) throw new NotReached(`--max-creates ${run.settings.maxCreates} is used up`);
    const mark = shape && markMember(shape) ? run.marks.next() : undefined;
    const ordinary = await makeBody(trial, operation, { mark, optional: !variation.requiredOnly });
    const sent = (variation.change ? variation.change(ordinary, mark) : ordinary) as Data;
    try {
      const path = { ...(await run.world.pathOf(trial, operation)), ...variation.path };
      const answer = await trial.ask(operation, { ...variation, path, body: sent });
      return { operation, sent, mark, answer, ...madeRecord(resource, answer) };
    } catch (error) {
      if (!(error instanceof FateUnknown)) throw error;
      run.ledger.note({
        operationId: operation.id,
        caseId: trial.case.id,
        mark,
        id: undefined,
        certain: false,
      });
      if (attempt >= run.settings.retries) throw new Unreachable(error.message);
    }
  }
}

function madeRecord(resource: Resource, answer: Answer): Pick<Creation, 'record' | 'id'> {
  const body = jsonOf(answer);
  const record = isSuccess(answer) && isRecord(body) ? body : undefined;
  return { record, id: resource.id && record?.[resource.id.property] };
}

/** A record that the target accepted, to work with. What the answer promises is judged on the way. */
export async function createRecord(
  trial: Trial,
  resource: Resource,
  variation: Variation = {},
): Promise<Creation & { record: Data }> {
  const creation = await tryCreate(trial, resource, variation);
  const [success] = successStatuses(creation.operation);
  if (creation.answer.status !== success || !creation.record) {
    throw new NotReached(`a record is needed, and creating one answers ${creation.answer.status}`);
  }
  return { ...creation, record: creation.record };
}
