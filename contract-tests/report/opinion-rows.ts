import type { JudgeSummary } from '../opinions/compare.ts';
import type { Report } from './report.ts';

/** Where a judge differs from the suite in one way. */
export interface OpinionRow {
  /** The first case, and how many more there are. */
  readonly cases: string;
  readonly suite: string;
  readonly opinion: string;
  readonly text: string;
}

export interface JudgeSection {
  readonly judge: JudgeSummary['judge'];
  readonly sentence: string;
  readonly notes: readonly string[];
  readonly rows: readonly OpinionRow[];
}

/** What each judge looks at. */
const UNITS: Readonly<Record<JudgeSummary['judge'], string>> = { prism: 'cases', dredd: 'cells' };

/** Each judge with its differences; those of one operation that are alike are one row. */
export function judgeSections({ judges, opinions }: Report): JudgeSection[] {
  return judges.map((summary) => {
    const own = opinions.filter(({ judge }) => judge === summary.judge);
    const groups = Map.groupBy(own, ({ suite, opinion, operationId }) =>
      [suite, opinion, operationId].join('\n'),
    );
    const rows = [...groups.values()].flatMap(([first, ...others]) => {
      if (!first) return [];
      const { caseId, suite, opinion, text } = first;
      return [
        { cases: caseId + (others.length > 0 ? ` and ${others.length} more` : ''), suite, opinion, text },
      ];
    });
    return { judge: summary.judge, sentence: sentenceOn(summary), notes: summary.notes, rows };
  });
}

function sentenceOn({ judge, version, judged, agreed, reason }: JudgeSummary): string {
  if (reason !== undefined) return `${judge} ${version} could not judge the run: ${reason}`;
  const unit = UNITS[judge];
  return judged === agreed
    ? `${judge} ${version} sees the same in all ${judged} ${unit} that it has looked at`
    : `${judge} ${version} sees the same in ${agreed} of ${judged} ${unit}, and differs in ${judged - agreed}`;
}
