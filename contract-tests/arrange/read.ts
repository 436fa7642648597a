import { isRecord, type Operation, type Resource } from '#spec';
import { jsonOf } from '../laws/answer.ts';
import { successStatuses } from '../operation-role.ts';
import type { Answer } from '../send/answer.ts';
import type { Trial } from '../trial.ts';
import { untilSettled } from './settle.ts';

export interface ReadRecord {
  readonly operation: Operation;
  readonly success: number;
  readonly answer: Answer;
  /** The record, where the read succeeded. */
  readonly record: Record<string, unknown> | undefined;
}

/**
 * Reads a record by its id, again and again until it satisfies or the time to settle is over. Undefined: the
 * document has no such operation. The answer is not judged.
 */
export async function readById(
  trial: Trial,
  resource: Resource,
  id: unknown,
  satisfied: (seen: ReadRecord) => boolean,
): Promise<ReadRecord | undefined> {
  const operation = resource.actions.read;
  const parameter = resource.id?.parameter;
  const success = operation && successStatuses(operation)[0];
  if (!operation || parameter === undefined || success === undefined) return undefined;
  const path = { ...(await trial.run.world.pathOf(trial, operation, { [parameter]: id })), [parameter]: id };
  const look = async (): Promise<ReadRecord> => {
    const answer = await trial.ask(operation, { path });
    const body = jsonOf(answer);
    const record = answer.status === success && isRecord(body) ? body : undefined;
    return { operation, success, answer, record };
  };
  return untilSettled(trial.run.settings.settle, look, satisfied);
}
