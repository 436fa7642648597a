import { promiseOf } from '../laws/law.ts';
import type { Report, ReportedCase } from './report.ts';
import { type ReportedFinding, reproductionOf, shownPlace } from './reported-finding.ts';
import { receivedAndDocumented } from './summary.ts';

const STATUSES = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  withheld: 'skipped',
  planned: 'pending',
  'not reached': 'other',
} as const;

/** Common Test Report Format (ctrf.io, version 0.0): JSON that comments and dashboards of CI services read. */
export function renderCtrf(report: Report): string {
  const { cases, findings, totals, paddock, startedAt, documentInfo, target } = report;
  const start = Date.parse(startedAt);
  const ofCase = Map.groupBy(findings, ({ caseId }) => caseId);
  const results = {
    tool: { name: 'paddock', version: paddock },
    summary: {
      tests: totals.cases,
      passed: totals.passed,
      failed: totals.failed,
      skipped: totals.skipped + totals.withheld,
      pending: cases.filter(({ outcome }) => outcome === 'planned').length,
      other: totals.notReached,
      start,
      stop: start + totals.ms,
      duration: totals.ms,
    },
    tests: cases.map((one) => toTest(one, ofCase.get(one.id) ?? [])),
    environment: {
      appName: documentInfo.title,
      appVersion: documentInfo.version,
      extra: { target, startedAt, digest: documentInfo.digest },
    },
  };
  return `${JSON.stringify({ reportFormat: 'CTRF', specVersion: '0.0.0', results }, null, 2)}\n`;
}

function toTest(
  { id, operationId, outcome, reason, ms }: ReportedCase,
  findings: readonly ReportedFinding[],
) {
  const [first] = findings;
  const message = first ? `${promiseOf(first)}: ${receivedAndDocumented(first)}` : reason;
  const trace = findings
    .map((one) => [promiseOf(one), shownPlace(one), reproductionOf(one)].join('\n'))
    .join('\n\n');
  return {
    name: id,
    status: STATUSES[outcome],
    duration: ms,
    suite: [operationId],
    ...(message !== undefined && { message }),
    ...(first && { trace }),
  };
}
