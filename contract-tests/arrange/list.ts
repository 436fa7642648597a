import type { ListForm, Operation, Resource } from '#spec';
import { jsonOf } from '../laws/answer.ts';
import { recordsOf } from '../laws/list.ts';
import { NotReached } from '../not-reached.ts';
import { successStatuses } from '../operation-role.ts';
import type { Answer } from '../send/answer.ts';
import type { Trial } from '../trial.ts';

/** A resource that can be listed. */
export interface Listed {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly form: ListForm;
  readonly success: number;
}

export function listedResources(resources: readonly Resource[]): Listed[] {
  return resources.flatMap((resource) => {
    const operation = resource.actions.list;
    const [success] = operation ? successStatuses(operation) : [];
    return operation && resource.list && success !== undefined
      ? [{ resource, operation, form: resource.list, success }]
      : [];
  });
}

export interface ListAnswer {
  readonly answer: Answer;
  readonly records: readonly Record<string, unknown>[];
}

/** One list request; the answer is judged as any success is. */
export async function askList(
  trial: Trial,
  listed: Listed,
  query: Record<string, unknown>,
): Promise<ListAnswer> {
  const { world } = trial.run;
  const path = await world.pathOf(trial, listed.operation);
  const answer = await trial.ask(listed.operation, {
    path,
    query: { ...world.queryOf(trial, listed.operation), ...query },
  });
  trial.expectOf(listed.operation, answer, listed.success);
  return { answer, records: recordsOf(listed.form, jsonOf(answer)) };
}

/**
 * All records that a query names, where the list can be known to be complete: it is shorter than the greatest
 * page that may be asked for. Undefined: it may go on.
 */
export async function askCompleteList(
  trial: Trial,
  listed: Listed,
  query: Record<string, unknown> = {},
): Promise<readonly Record<string, unknown>[] | undefined> {
  const { pageSize } = listed.form;
  const greatest = pageSize?.shape.range.high?.value;
  const { records } = await askList(
    trial,
    listed,
    pageSize && greatest !== undefined ? { ...query, [pageSize.name]: greatest } : query,
  );
  if (!pageSize) return listed.form.page || listed.form.offset ? undefined : records;
  return greatest !== undefined && records.length < greatest ? records : undefined;
}

/** @throws NotReached where the resource cannot be listed. */
export function listedOf(resource: Resource): Listed {
  const [listed] = listedResources([resource]);
  if (!listed) throw new NotReached('the document has no list of these records');
  return listed;
}
