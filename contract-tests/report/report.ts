import type { CaseResult } from '../cases/case.ts';
import type { Observation } from '../finding.ts';
import { judgeKnown } from '../known.ts';
import type { JudgeSummary, Opinion, Opinions } from '../opinions/compare.ts';
import type { Coverage } from '../run/coverage.ts';
import type { Run } from '../run/run.ts';
import { type Cell, EXIT_CODES, judgeCells, judgeRun, type Verdict } from '../verdict.ts';
import { createRedactor, type Redact } from './redact.ts';
import { type ReportedFinding, reportFinding } from './reported-finding.ts';

/** The result of a run, as data; every report is rendered from this. No credential stands in it. */
export interface Report {
  readonly verdict: Verdict;
  readonly exitCode: number;
  /** What stood in the way of a verdict, or of a complete one. */
  readonly reason: string | undefined;
  readonly target: string;
  readonly seed: number;
  readonly document: string;
  readonly cells: readonly Cell[];
  readonly findings: readonly ReportedFinding[];
  readonly notSpecified: readonly Observation[];
  readonly notices: readonly Observation[];
  readonly created: Run['ledger']['records'];
  readonly cases: readonly ReportedCase[];
  readonly coverage: Coverage;
  /** The outside judges that were asked, and where they disagree with the suite. They decide nothing. */
  readonly judges: readonly JudgeSummary[];
  readonly opinions: readonly Opinion[];
  readonly totals: Totals;
}

export interface ReportedCase {
  readonly id: string;
  readonly title: string;
  readonly operationId: string;
  readonly status: number;
  readonly outcome: CaseResult['outcome'];
  readonly reason: string | undefined;
  readonly ms: number;
}

interface Totals {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly notReached: number;
  readonly requests: number;
  readonly ms: number;
}

export function makeReport(
  run: Run,
  results: readonly CaseResult[],
  asked: readonly Opinions[],
  ms: number,
): Report {
  const { contract, settings } = run;
  const cells = judgeCells(contract, settings, results);
  const { verdict, reason } = judgeRun(contract, cells, results, run.seen, settings);
  const redact = createRedactor(settings);
  const report: Report = {
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    target: settings.base.href,
    seed: settings.seed,
    document: contract.document.root.file.uri,
    cells,
    findings: results.flatMap(({ findings }) => findings.map((finding) => reportFinding(run, finding))),
    notSpecified: results.flatMap((result) => result.notSpecified),
    notices: withoutRepeats([
      ...results.flatMap((result) => result.notices),
      ...judgeKnown(settings, results),
    ]),
    created: run.ledger.inOrderOf(results.map((result) => result.case.id)),
    cases: results.map(reportCase),
    coverage: run.coverage.report(),
    judges: asked.flatMap(({ judges }) => judges),
    opinions: asked.flatMap(({ opinions }) => opinions),
    totals: countTotals(results, run.pace.sent(), ms),
  };
  return redactAll(report, redact) as Report;
}

function reportCase({ case: one, outcome, reason, ms }: CaseResult): ReportedCase {
  return {
    id: one.id,
    title: one.title,
    operationId: one.operation.id,
    status: one.status,
    outcome,
    reason,
    ms: Math.round(ms),
  };
}

function countTotals(results: readonly CaseResult[], requests: number, ms: number): Totals {
  const count = (outcome: CaseResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    cases: results.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    notReached: count('not reached'),
    requests,
    ms: Math.round(ms),
  };
}

/** One notice per operation, however many cases saw it. */
function withoutRepeats(notices: readonly Observation[]): Observation[] {
  return notices.filter(
    (notice, index) =>
      notices.findIndex(
        ({ operationId, text }) => operationId === notice.operationId && text === notice.text,
      ) === index,
  );
}

/** A target may echo the key: every text of the report passes the redactor. */
function redactAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactAll(member, redact)]));
}
