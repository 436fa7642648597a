import type { Verdict } from './verdict.ts';
import type { Cause } from './causes.ts';
import type { Report } from './report.ts';
import type { Traffic } from './traffic.ts';

/** The verdict in a sentence. */
const VERDICTS: Readonly<Record<Verdict, string>> = {
  holds: 'The contract holds.',
  broken: 'The contract is broken.',
  incomplete: 'Incomplete: not every promise could be checked.',
  'no verdict': 'No verdict: the target could not be judged.',
  planned: 'Planned: nothing was sent.',
};

/** The verdict in a sentence, which claims nothing of operations that were not called. */
export function headline({ verdict, withheld }: Pick<Report, 'verdict' | 'withheld'>): string {
  const count = withheld.length;
  if (count === 0) return VERDICTS[verdict];
  const told = `${count} ${count === 1 ? 'operation' : 'operations'} withheld`;
  return verdict === 'holds'
    ? `The contract holds for what was sent; ${told}.`
    : `${VERDICTS[verdict].slice(0, -1)}; ${told}.`;
}

/** ` 88/88`, how many of its cases ran; nothing where there is no more than one. */
export function caseCounts({ ran, of, verdict }: Report['cells'][number]): string {
  const isCovered = verdict === 'covered' || verdict === 'partly covered';
  return isCovered && of > 1 ? ` ${ran}/${of}` : '';
}

export function coveredCells({ cells }: Report): string {
  return `${cells.filter(({ verdict }) => verdict === 'covered').length} of ${cells.length} cells covered`;
}

export function casesByOutcome({ totals }: Report): string {
  const { passed, failed, skipped, withheld, notReached } = totals;
  const held = withheld > 0 ? `, ${withheld} withheld` : '';
  return `${passed} passed, ${failed} failed, ${skipped} skipped${held}, ${notReached} not reached`;
}

export function seconds({ totals }: Report): string {
  return `${(totals.ms / 1000).toFixed(1)} s`;
}

/** The verdict with its reason, as it stands first and last in a report for people. */
export function verdictAndReason(report: Report): string {
  const { reason } = report;
  return reason === undefined ? headline(report) : `${headline(report)} ${reason}`;
}

/** The document that the run was checked against, and by what. */
export function provenance({ documentInfo, document, paddock, startedAt }: Report): string {
  const { title, version, digest } = documentInfo;
  const name = [title, version].filter((text) => text !== '').join(' ') || 'An untitled document';
  return `${name} (${document}, ${digest}), checked by Paddock ${paddock} at ${startedAt}`;
}

/** How much of observed traffic was judged, and why the rest was not; undefined: the suite has sent the requests. */
export function trafficCounts({ traffic }: Report): string | undefined {
  if (!traffic) return undefined;
  const told = REASONS.flatMap(([name, text]) => (traffic[name] > 0 ? `${traffic[name]} ${text}` : []));
  return `${traffic.exchanges} exchanges, ${[`${traffic.judged} judged`, ...told].join(', ')}`;
}

const REASONS: readonly (readonly [Exclude<keyof Traffic, 'exchanges' | 'judged'>, string])[] = [
  ['bodiesMissing', 'of them without a whole body'],
  ['elsewhere', 'to other services'],
  ['unknownPaths', 'to paths that the document does not have'],
  ['unknownMethods', 'with methods that it does not have there'],
  ['withoutResponse', 'without a response'],
  ['byGateway', 'answered by a gateway'],
  ['removed', 'to operations that are gone'],
  ['foreign', 'answered by something else than the service'],
  ['leftOut', 'left out'],
  ['findingsDropped', 'further findings not kept'],
];

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
