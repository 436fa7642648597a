import type { Report, ReportedFinding } from '#contract-tests';
import { groupByCause, type KnownFinding } from '#report-parts';
import { type Contract, parseFragment, placeOf, rawChild, showPlace } from '#spec';
import { ORIGIN } from './command.ts';
import type { Compared } from './compare.ts';
import { judgeEntries, withKnown } from './known-breaks.ts';
import { reportBreak } from './report-breaks.ts';

/**
 * The result of a comparison, in the form of the suite's report: `target` is NEW, a finding a breaking change, a notice a
 * warning.
 * @param known breaking changes that are accepted for a time
 */
export function makeReport(compared: Compared, newName: string, known: readonly KnownFinding[]): Report {
  const { breaks, suiteBreaks, warnings, run, requests, contracts, address, strictStability } = compared;
  const findings = withKnown(
    [
      ...breaks.map((one) => reportBreak(contracts.old, address.basePath, strictStability, one)),
      ...suiteBreaks.flatMap(({ reported }) => (reported ? [inBoth(contracts.new, atMock(reported))] : [])),
    ],
    known,
  );
  const { verdict, reason } = judge(compared, findings);
  return {
    ...run.report,
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    target: newName,
    cells: cellsOf(compared, findings),
    findings,
    causes: groupByCause(findings),
    baseline: undefined,
    notSpecified: [],
    notices: [
      ...warnings.map(({ operation, text, at }) => ({
        caseId: `${operation.id}/compat`,
        operationId: operation.id,
        text: `${text} (${showPlace(at)})`,
      })),
      // What was not looked for is not known to be gone.
      ...(compared.stopped === undefined ? judgeEntries(findings, known) : []),
    ],
    totals: { ...run.report.totals, requests: run.report.totals.requests + requests },
  };
}

/** Why the suite has not tried an operation: nor is anything else that works on its records another one. */
export const SAME = 'it is the same in both documents';

const EXIT_CODES = { holds: 0, broken: 1, incomplete: 4 } as const;

function judge({ stopped, untried: [first] }: Compared, findings: readonly ReportedFinding[]) {
  if (findings.some(({ gates }) => gates)) return { verdict: 'broken' as const, reason: stopped };
  if (stopped !== undefined) return { verdict: 'incomplete' as const, reason: stopped };
  if (first === undefined) return { verdict: 'holds' as const, reason: undefined };
  const reason = `no request to ${first} succeeded, and it has changed`;
  return { verdict: 'incomplete' as const, reason };
}

/** The cells of success: what a client relies on. */
function cellsOf(
  { run: { report }, affected }: Compared,
  findings: readonly ReportedFinding[],
): Report['cells'] {
  const broken = Map.groupBy(
    findings.filter(({ gates }) => gates),
    ({ operationId }) => operationId,
  );
  return report.cells
    .filter(({ status }) => status < 400)
    .map((cell) => {
      const [finding] = broken.get(cell.operationId) ?? [];
      if (finding) return { ...cell, verdict: 'violated' as const, reason: finding.received };
      if (!affected.has(cell.operationId)) return { ...cell, verdict: 'skipped' as const, reason: SAME };
      return cell.verdict === 'violated' ? { ...cell, verdict: 'covered' as const, reason: undefined } : cell;
    });
}

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
