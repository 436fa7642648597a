import type { Verdict } from '../verdict.ts';
import type { Report } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';

/** The verdict in a sentence. */
export const VERDICTS: Readonly<Record<Verdict, string>> = {
  holds: 'The contract holds.',
  broken: 'The contract is broken.',
  incomplete: 'Incomplete: not every promise could be checked.',
  'no verdict': 'No verdict: the target could not be judged.',
};

export function coveredCells({ cells }: Report): string {
  return `${cells.filter(({ verdict }) => verdict === 'covered').length} of ${cells.length} cells covered`;
}

export function casesByOutcome({ totals }: Report): string {
  const { passed, failed, skipped, notReached } = totals;
  return `${passed} passed, ${failed} failed, ${skipped} skipped, ${notReached} not reached`;
}

export function seconds({ totals }: Report): string {
  return `${(totals.ms / 1000).toFixed(1)} s`;
}

export function receivedAndDocumented({ received, documented }: ReportedFinding): string {
  return `received ${received}; documented ${documented}`;
}
