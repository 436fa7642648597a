import { type Cause, mostDifferent } from '../cause.ts';
import type { Report } from '../report.ts';
import type { ReportedFinding } from '../reported-finding.ts';

/** A cause with what is shown of it. */
export interface Card {
  /** From 1, in the order of the report. */
  readonly number: number;
  readonly cause: Cause;
  /** The findings that are shown: the one that is easiest to reproduce, and few others that differ from it most. */
  readonly instances: readonly [ReportedFinding, ...ReportedFinding[]];
  /** How many findings show it beside those. */
  readonly more: number;
}

/** The causes of a report, each with its instances. */
export function cardsOf({ causes, findings }: Pick<Report, 'causes' | 'findings'>): Card[] {
  const byRoot = Map.groupBy(findings, ({ root }) => root);
  return causes.flatMap((cause, index): Card[] => {
    const first = findings[cause.finding];
    if (!first) return [];
    const explained = new Set(cause.followUps.map(({ key }) => key));
    const own = (byRoot.get(cause.key) ?? []).filter(
      (one) => one !== first && (one.key === first.key || !explained.has(one.key)),
    );
    const others = mostDifferent([first, ...own]).filter((one) => one !== first);
    return [
      {
        number: index + 1,
        cause,
        instances: [first, ...others],
        more: own.length - others.length,
      },
    ];
  });
}
