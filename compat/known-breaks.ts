import type { Observation, ReportedFinding } from '#contract-tests';
import { isAbout, type KnownFinding, knownUntilDay } from '#report-parts';

/** Findings with the day until which they are accepted. */
export function withKnown(
  findings: readonly ReportedFinding[],
  known: readonly KnownFinding[],
): ReportedFinding[] {
  return findings.map((finding) => {
    const knownUntil = knownUntilDay({ known }, finding);
    return knownUntil === undefined ? finding : { ...finding, knownUntil, gates: false };
  });
}

/** Entries whose break is no longer there, and those whose time is over. */
export function judgeEntries(
  findings: readonly ReportedFinding[],
  known: readonly KnownFinding[],
): Observation[] {
  return known.flatMap((entry) => {
    const { key, case: caseId = '', until } = entry;
    const found = findings.filter((one) => isAbout(entry, one));
    const [first] = found;
    const observe = (text: string) => [
      { caseId, operationId: first?.operationId ?? '', text: `${key ?? caseId} (--known): ${text}` },
    ];
    if (!first) return observe('there is no such break any more; strike the entry');
    return found.every(({ knownUntil }) => knownUntil === undefined)
      ? observe(`its time was over on ${until}; it counts again`)
      : [];
  });
}
