import { bodyMedia, type Operation } from '#spec';
import { makeValue } from '../arrange/body.ts';
import { creatorOf, resourceOf } from '../laws/operation-role.ts';
import { CaseLog } from '../run/case-log.ts';
import { NotReached } from '../run/not-reached.ts';
import { allowing } from '../run/permissions.ts';
import type { Run, Plan as RunPlan } from '../run/run.ts';
import { lengthOf } from '../run/schedule.ts';
import type { Case, CaseResult } from './case.ts';
import { resultOf, skipReason } from './execute.ts';

/** The plan of a run (`--plan`). */
export interface Plan {
  /** In the order of the document. */
  readonly operations: readonly PlannedOperation[];
  /** The maximum number of requests, without retries and the removal of records. */
  readonly requests: number;
  /** The maximum number of records that remain, since the service cannot remove them. */
  readonly records: number;
  /** The estimated duration if each request takes 100 ms. */
  readonly seconds: number;
}

/** In milliseconds; assumed, since a plan sends nothing. */
const LATENCY = 100;

export interface PlannedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly call: 'called' | 'withheld' | 'excluded' | 'skipped';
  /** Why it is not called, or not by all of its cases. */
  readonly reason: string | undefined;
  /** The number of cases that would run for its statuses. */
  readonly cases: number;
  /** The maximum number of requests of these cases, to this operation and to those that they need. */
  readonly requests: number;
  /** An example body; references get ids of the service when it is sent. */
  readonly body: unknown;
}

/** All cases with their planned results; nothing is sent. */
export function planResults(run: Run, cases: readonly Case[]): CaseResult[] {
  return cases.map((one) => {
    const reason = skipReason(run, one);
    const result = resultOf(new CaseLog(one, run.plan), one, reason, 0);
    return reason ? result : { ...result, outcome: 'planned' };
  });
}

export function planOf(run: Run, results: readonly CaseResult[]): Plan {
  const { contract, permissions, budget } = run.plan;
  const ofOperation = Map.groupBy(results, (result) => result.case.operation);
  const operations = contract.operations.map((operation): PlannedOperation => {
    const { id, method, path } = operation;
    const group = ofOperation.get(operation) ?? [];
    const planned = group.filter(({ outcome }) => outcome === 'planned');
    const refusal = permissions.of(operation);
    const call = refusal
      ? refusal.code === 'excluded'
        ? 'excluded'
        : 'withheld'
      : planned.length > 0
        ? 'called'
        : 'skipped';
    return {
      operationId: id,
      method,
      path,
      call,
      reason:
        call === 'called'
          ? boundOf(run.plan, operation)
          : (refusal?.reason ?? group[0]?.reason ?? 'no case is made for it'),
      cases: planned.length,
      requests: planned.reduce((sum, result) => sum + budget.requestsOf(result.case), 0),
      body: planned.length > 0 ? sampleBody(run.plan, operation) : undefined,
    };
  });
  const requests = operations.reduce((sum, operation) => sum + operation.requests, 0);
  const planned = results.filter(({ outcome }) => outcome === 'planned');
  const length = planned.reduce((sum, result) => sum + lengthOf(run.plan, result.case), 0);
  const seconds = Math.ceil((length * LATENCY) / 1000);
  return { operations, requests, records: run.plan.settings.writes ? budget.records : 0, seconds };
}

/** What keeps an operation from receiving all requests of its cases. */
function boundOf({ contract, permissions, budget }: RunPlan, operation: Operation): string | undefined {
  const all = `${allowing(operation)} sends all`;
  if (permissions.isSentOnce(operation))
    return `one valid request, since nothing is known to remove what it makes; ${all}`;
  const resource = resourceOf(contract, operation);
  if (!resource || creatorOf(resource) !== operation || !budget.isBelowOthers(resource)) return undefined;
  return `at most ${budget.below} records in the run stand below records of others; ${all}`;
}

function sampleBody(plan: RunPlan, operation: Operation): unknown {
  if (!bodyMedia(operation.body)) return undefined;
  const marks = plan.marks.of('1c');
  try {
    return makeValue({ plan, marks }, operation, [], { mark: marks.next() });
  } catch (error) {
    if (error instanceof NotReached) return undefined;
    throw error;
  }
}
