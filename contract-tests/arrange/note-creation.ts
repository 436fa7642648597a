import { isRecord, type Operation, parseJson, stringifyJson } from '#spec';
import { isSuccess, jsonOf } from '../laws/answer.ts';
import { roleOf } from '../operation-role.ts';
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
    mark: markIn(ask, trial.run.marks.run),
    id: isRecord(record) ? record[role.resource.id?.property ?? ''] : undefined,
    path: ask.path,
    certain: true,
  });
}

/** The mark that a body bears; the service may have taken the body even where it is no JSON. */
function markIn({ body, rawBody }: Ask, run: string): string | undefined {
  const text = rawBody === undefined ? stringifyJson(body ?? null) : unescaped(rawBody);
  return new RegExp(`${run}-\\d+`).exec(text)?.[0];
}

function unescaped(text: string): string {
  try {
    return stringifyJson(parseJson(text));
  } catch {
    return text;
  }
}
