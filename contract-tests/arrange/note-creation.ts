import { isRecord, type Operation } from '#spec';
import { isSuccess, jsonOf } from '../laws/answer.ts';
import { roleOf } from '../run.ts';
import type { Answer } from '../send/answer.ts';
import type { Trial } from '../trial.ts';
import type { Ask } from './plan.ts';

/**
 * Whatever a request was meant for: where a create succeeded, a record was made, and stands in the ledger. Of what
 * was refused none may ever be seen.
 */
export function noteCreation(trial: Trial, operation: Operation, ask: Ask, answer: Answer): void {
  const role = roleOf(trial.run.contract, operation);
  if (role?.action !== 'create') return;
  if (answer.status >= 400 && answer.status < 500) trial.run.memory.refuse(operation, ask.body);
  if (!isSuccess(answer)) return;
  const record = jsonOf(answer);
  trial.run.ledger.note({
    operationId: operation.id,
    caseId: trial.case.id,
    mark: markIn(ask.body, trial.run.marks.run),
    id: isRecord(record) ? record[role.resource.id?.property ?? ''] : undefined,
    path: ask.path,
    certain: true,
  });
}

function markIn(body: unknown, run: string): string | undefined {
  const values = isRecord(body) ? Object.values(body) : [];
  const marked = values.find((value) => typeof value === 'string' && value.includes(`${run}-`));
  return marked === undefined ? undefined : String(marked).slice(String(marked).indexOf(`${run}-`));
}
