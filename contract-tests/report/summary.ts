import type { Verdict } from '../verdict.ts';
import type { Cause } from './causes.ts';
import type { Report } from './report.ts';

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

/** The verdict with its reason, as it stands first and last in a report for people. */
export function verdictAndReason({ verdict, reason }: Report): string {
  return reason === undefined ? VERDICTS[verdict] : `${VERDICTS[verdict]} ${reason}`;
}

/** The document that the run was checked against, and by what. */
export function provenance({ documentInfo, document, paddock, startedAt }: Report): string {
  const { title, version, digest } = documentInfo;
  const name = [title, version].filter((text) => text !== '').join(' ') || 'An untitled document';
  return `${name} (${document}, ${digest}), checked by Paddock ${paddock} at ${startedAt}`;
}

/** What has changed since the report of `--baseline`; undefined: there is none. */
export function sinceBaseline({ baseline }: Report): string | undefined {
  if (!baseline) return undefined;
  const { file, startedAt, notTried, ...parts } = baseline;
  const untried = notTried.length > 0 ? `, ${notTried.length} not tried again` : '';
  const told = `${parts.new.length} new, ${parts.fixed.length} fixed, ${parts.same.length} the same${untried}`;
  return `Since ${startedAt ?? 'the baseline'} (${file}): ${told}`;
}

/** Which cases have seen a cause; undefined: only the one that is shown. */
export function casesOfCause({ cases }: Cause): string | undefined {
  return cases.length > 1 ? `${cases.length}: ${cases.join(', ')}` : undefined;
}

export function receivedAndDocumented({
  received,
  documented,
}: {
  readonly received: string;
  readonly documented: string;
}): string {
  return `received ${received}; documented ${documented}`;
}
