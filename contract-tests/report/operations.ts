import { type Contract, explicitStatuses, type LeftOut, leftOutReason, type Operation } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import { leavesStatusOpen } from '../laws/operation-role.ts';
import { NOT_IN_SHARD } from '../run/not-reached.ts';
import type { Refusal } from '../run/permissions.ts';
import type { Settings } from '../settings/settings.ts';
import { counts, gates, isAsked, type OperationStanding, ofRefused } from './verdict.ts';

type Standing = Pick<OperationStanding, 'verdict' | 'reason'>;

/**
 * Judges each operation of the document.
 * @param refusals the operations that the run did not call
 * @param isObserved the requests were sent by others: operations without requests are no gap
 */
export function judgeOperations(
  contract: Contract,
  settings: Settings,
  results: readonly CaseResult[],
  refusals: readonly Refusal[],
  {
    inShard = () => true,
    isObserved = false,
  }: { inShard?: ((operation: Operation) => boolean) | undefined; isObserved?: boolean | undefined },
): OperationStanding[] {
  const refused = new Map(refusals.map((refusal) => [refusal.operation, refusal]));
  const ofOperation = Map.groupBy(results, (result) => result.case.operation);
  const findings = Map.groupBy(
    results.flatMap((result) => result.findings),
    ({ operationId }) => operationId,
  );
  const seen = Map.groupBy(new Set(results.flatMap(({ reached }) => reached)), (cell) =>
    cell.slice(0, cell.lastIndexOf('/')),
  );
  const standings = contract.operations.map((operation): OperationStanding => {
    const statuses = (seen.get(operation.id) ?? []).map((cell) =>
      Number(cell.slice(cell.lastIndexOf('/') + 1)),
    );
    const refusal = refused.get(operation);
    const all = findings.get(operation.id) ?? [];
    const finding = all.find((one) => counts(one, settings));
    // Whether the wrong response is waived.
    const isAccepted = all.some(
      (one) => one.knownUntil !== undefined || isAnswer(operation, one.exchange.response.status),
    );
    const standing: Standing = finding
      ? { verdict: 'violated', reason: finding.received }
      : isAccepted || statuses.some((status) => isAnswer(operation, status))
        ? { verdict: 'covered', reason: undefined }
        : refusal
          ? ofRefused(refusal)
          : inShard(operation)
            ? ofCases(operation, ofOperation.get(operation) ?? [])
            : { verdict: 'skipped', reason: NOT_IN_SHARD };
    const isMissing = standing.verdict === 'not reached';
    return {
      operationId: operation.id,
      ...standing,
      gates: isMissing && !isObserved && gates(operation, settings),
    };
  });
  return [...standings, ...contract.leftOut.map((leftOut) => ofLeftOut(leftOut, settings, isObserved))];
}

/** Operations that cannot be read cannot be called: a single one, or all of a path. */
function ofLeftOut(leftOut: LeftOut, settings: Settings, isObserved: boolean): OperationStanding {
  const [only, ...more] = leftOut.operations;
  const asked = leftOut.operations.filter(({ id }) => isAsked(id, settings));
  const operationId = only && more.length === 0 ? only.id : leftOut.name;
  return asked.length === 0
    ? { operationId, verdict: 'skipped', gates: false, reason: 'an option leaves it out' }
    : {
        operationId,
        verdict: 'not reached',
        gates: !isObserved && asked.some((operation) => gates(operation, settings)),
        reason: leftOutReason(leftOut),
      };
}

/** Whether a status shows what the operation is for: no error, unless the document has errors only. */
function isAnswer(operation: Operation, status: number): boolean {
  const isRefusalOnly =
    leavesStatusOpen(operation) && operation.responses.every(({ key }) => key !== 'default');
  return status < 400 || (isRefusalOnly && explicitStatuses(operation.responses).includes(status));
}

/** Why no case covers an operation: the cases for a success decide first. */
function ofCases(operation: Operation, results: readonly CaseResult[]): Standing {
  const wanted = results.filter((result) => isAnswer(operation, result.case.status));
  const cases = wanted.length > 0 ? wanted : results;
  if (cases.some(({ outcome }) => outcome === 'planned')) return { verdict: 'planned', reason: undefined };
  const stopped = cases.filter(({ outcome }) => outcome === 'not reached');
  const missed = stopped.find(({ code }) => code !== 'unprovoked') ?? stopped[0];
  if (missed) return { verdict: 'not reached', reason: missed.reason };
  const left = (['withheld', 'skipped'] as const).flatMap((verdict) => {
    const caseResult = cases.find(({ outcome }) => outcome === verdict);
    return caseResult ? { verdict, reason: caseResult.reason } : [];
  });
  const isTried = cases.some(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  if (left[0] && !isTried) return left[0];
  const [received] = cases.flatMap(({ findings }) => findings.map((finding) => finding.received));
  return {
    verdict: 'not reached',
    reason: received === undefined ? 'no answer was a success' : `it answers ${received}`,
  };
}
