import type { Contract } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { TakenTexts } from '../laws/blame.ts';
import type { Finding } from '../laws/finding.ts';
import { resourceOf } from '../laws/operation-role.ts';
import { isAboutDrift } from '../laws/own-records.ts';
import type { RecordModel } from '../laws/record-model.ts';
import { isElsewhere, NO_SERVICE, type Seen } from '../run/run.ts';

/**
 * The results without refusals that may be due to a value that the run has made up, where the service has taken no such one:
 * which values it takes the document does not say.
 */
export function withoutSuspects(
  results: readonly CaseResult[],
  takesText: TakenTexts['has'],
): readonly CaseResult[] {
  const doubtIn = ({ suspects }: Finding) => suspects?.find(({ key }) => !takesText(key));
  return results.map((result) => {
    const [doubtful] = result.findings.filter(doubtIn);
    const doubt = doubtful && doubtIn(doubtful);
    if (!doubt) return result;
    const left = leaveOut(result, (one) => doubtIn(one) !== undefined);
    if (left.findings.length > 0) return left;
    const name = doubt.path.at(-1) ?? 'the body';
    return {
      ...left,
      outcome: 'not reached',
      reason: `${doubtful.received}; which ${name} the service takes the document does not say: --value ${name}=V gives one`,
      // A parameter is guessed as those of a path are; where no body is taken, nothing of the operation is seen.
      code: doubt.in === 'body' ? 'target' : 'unprovoked',
    };
  });
}

/** The results without what is about members that change by themselves: other cases may have found later that they do. */
export function withoutDrift(
  results: readonly CaseResult[],
  contract: Contract,
  { drifting }: Pick<RecordModel, 'drifting'>,
): readonly CaseResult[] {
  return results.map((result) =>
    leaveOut(result, (finding) => {
      const resource = resourceOf(contract, finding.exchange.operation);
      return resource !== undefined && isAboutDrift(finding, drifting(resource));
    }),
  );
}

function leaveOut(result: CaseResult, isLeftOut: (finding: Finding) => boolean): CaseResult {
  const findings = result.findings.filter((one) => !isLeftOut(one));
  if (findings.length === result.findings.length) return result;
  const { operation, status } = result.case;
  const isOf = (one: Finding) => one.operationId === operation.id && one.status === status;
  const held = findings.filter(({ worthALook }) => !worthALook);
  const covered = result.reached.includes(`${operation.id}/${status}`) && !held.some(isOf);
  const outcome = held.length > 0 ? 'failed' : result.code === undefined ? 'passed' : 'not reached';
  return { ...result, covered, findings, outcome };
}

/** What something else than the service has answered is evidence of nothing. */
export function withoutForeign(results: readonly CaseResult[], seen: Seen): readonly CaseResult[] {
  if (!isElsewhere(seen)) return results;
  return results.map((result) =>
    result.outcome === 'skipped' || result.outcome === 'withheld'
      ? result
      : {
          ...result,
          outcome: 'not reached',
          reason: result.reason ?? tellingFinding(result)?.received ?? NO_SERVICE,
          code: result.code ?? 'target',
          covered: false,
          findings: [],
          notSpecified: [],
          notices: [],
        },
  );
}

/** That another status came says more than what else is wrong with the response. */
function tellingFinding({ findings }: CaseResult): Finding | undefined {
  return findings.find(({ law }) => law === 'status') ?? findings[0];
}
