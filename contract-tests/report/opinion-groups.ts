import type { JudgeSummary, Opinion } from '../opinions/compare.ts';
import type { Report } from './report.ts';

/** Where a judge differs from the suite in one way, and how often. */
export interface OpinionGroup {
  readonly first: Opinion;
  readonly count: number;
  /** What the judge says, in a few words. */
  readonly opinion: string;
}

export interface Heard {
  readonly judge: JudgeSummary;
  /** How it was heard, in a sentence. */
  readonly sentence: string;
  readonly groups: readonly OpinionGroup[];
}

/** What each judge looks at. */
const UNITS: Readonly<Record<JudgeSummary['judge'], string>> = { prism: 'cases', dredd: 'cells' };

/** Each judge with its differences, alike ones together. */
export function groupOpinions({ judges, opinions }: Pick<Report, 'judges' | 'opinions'>): Heard[] {
  return judges.map((judge) => {
    const own = opinions.filter((one) => one.judge === judge.judge);
    const groups = Map.groupBy(own, ({ suite, opinion, operationId }) =>
      [suite, opinion, operationId].join('\n'),
    );
    return {
      judge,
      sentence: sentenceOn(judge),
      groups: [...groups.values()].flatMap(([first, ...others]) =>
        first ? [{ first, count: others.length + 1, opinion: first.opinion }] : [],
      ),
    };
  });
}

function sentenceOn({ judge, version, judged, agreed, reason }: JudgeSummary): string {
  if (reason !== undefined) return `${judge} ${version} could not be heard: ${reason}`;
  const unit = UNITS[judge];
  return judged === agreed
    ? `${judge} ${version} sees the same in all ${judged} ${unit} that it has looked at`
    : `${judge} ${version} sees the same in ${agreed} of ${judged} ${unit}, and differs in ${judged - agreed}`;
}
