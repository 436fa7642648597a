import type { CaseResult } from '../cases/case.ts';
import type { Finding } from '../laws/finding.ts';
import type { TakenTexts } from '../laws/free-values.ts';

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
    const findings = result.findings.filter((one) => !doubtIn(one));
    const { operation, status } = result.case;
    const isOf = (one: Finding) => one.operationId === operation.id && one.status === status;
    const covered = result.reached.includes(`${operation.id}/${status}`) && !findings.some(isOf);
    if (findings.length > 0) return { ...result, covered, findings };
    const name = doubt.path.at(-1) ?? 'the body';
    return {
      ...result,
      covered,
      findings,
      outcome: 'not reached',
      reason: `${doubtful.received}; which ${name} the service takes the document does not say: --value ${name}=V gives one`,
      // A parameter is guessed as those of a path are; where no body is taken, nothing of the operation is seen.
      code: doubt.in === 'body' ? 'target' : 'unprovoked',
    };
  });
}
