import type { Report, ReportedFinding } from '#contract-tests';
import { type Contract, parseFragment, placeOf, rawChild, showPlace } from '#spec';
import { ORIGIN } from './command.ts';
import type { Compared } from './compare.ts';
import { reportBreak } from './report-breaks.ts';

/** The result of a comparison, in the form of the suite's report: `target` is NEW, a finding a breaking change, a notice a warning. */
export function makeReport(compared: Compared, newName: string): Report {
  const { breaks, suiteBreaks, warnings, run, contracts, untried, stopped } = compared;
  const findings = [
    ...breaks.map((one) => reportBreak(contracts.old, contracts.new.basePath, one)),
    ...suiteBreaks.flatMap(({ reported }) => (reported ? [inBoth(contracts.new, atMock(reported))] : [])),
  ];
  const [first] = untried;
  const verdict = findings.some(({ gates }) => gates)
    ? ('broken' as const)
    : stopped !== undefined || first !== undefined
      ? ('incomplete' as const)
      : ('holds' as const);
  return {
    ...run.report,
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason:
      verdict === 'incomplete'
        ? (stopped ?? `no request to ${first} succeeded, and it has changed`)
        : undefined,
    target: newName,
    cells: run.report.cells
      .filter(({ status }) => status < 400)
      .map((cell) => {
        const own = findings.find((one) => one.operationId === cell.operationId && one.gates);
        if (own) return { ...cell, verdict: 'violated' as const, reason: own.received };
        return cell.verdict === 'violated'
          ? { ...cell, verdict: 'covered' as const, reason: undefined }
          : cell;
      }),
    findings,
    causes: findings.map((finding, index) => ({
      law: finding.law,
      at: finding.at,
      pointer: finding.pointer,
      gates: finding.gates,
      knownUntil: undefined,
      finding: index,
      received: finding.received,
      documented: finding.documented,
      curl: finding.curl,
      steps: finding.steps,
      cases: [finding.caseId],
    })),
    baseline: undefined,
    notSpecified: [],
    notices: warnings.map(({ operation, text, at }) => ({
      caseId: `${operation.id}/compat`,
      operationId: operation.id,
      text: `${text} (${showPlace(at)})`,
    })),
  };
}

const EXIT_CODES = { holds: 0, broken: 1, incomplete: 4 } as const;

/** The line of NEW that stands where OLD makes the promise, as far as it goes. */
function inBoth({ document: { root } }: Contract, finding: ReportedFinding): ReportedFinding {
  let here = root;
  for (const step of parseFragment(finding.pointer) ?? []) {
    const next = rawChild(here, step);
    if (!next) break;
    here = next;
  }
  return { ...finding, received: `${finding.received} (${showPlace(placeOf(here))})` };
}

/** The suite has sent its requests to a mock without a port. */
function atMock(finding: ReportedFinding): ReportedFinding {
  const moved = (text: string) => text.replaceAll('http://localhost/', `${ORIGIN}/`);
  return {
    ...finding,
    curl: moved(finding.curl),
    steps: finding.steps?.map(moved),
    request: moved(finding.request),
  };
}
