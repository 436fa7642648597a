import type { CaseResult } from '../case.ts';
import { compare, type JudgeSummary, type Opinion } from './compare.ts';
import { judgeWithDredd } from './dredd.ts';
import type { Installed, JudgeName } from './find-judge.ts';
import { failed, type Judge, type RecordedRun } from './judgement.ts';
import { judgeWithPrism } from './prism.ts';

/** The judges of a run, and where they differ from the suite. */
export interface Opinions {
  readonly judges: readonly JudgeSummary[];
  readonly opinions: readonly Opinion[];
}

const JUDGE: Readonly<Record<JudgeName, Judge>> = { prism: judgeWithPrism, dredd: judgeWithDredd };

/** Asks a judge about the run. An opinion decides nothing, so a judge that fails is only reported. */
export async function askJudge(
  { contract, settings, traffic }: Omit<RecordedRun, 'results'>,
  results: readonly CaseResult[],
  installed: Installed,
): Promise<Opinions> {
  const run = { contract, settings, traffic, results };
  const [result] =
    traffic?.entries.length === 0 ? [] : await JUDGE[installed.judge](contract, [run], installed);
  const { summary, opinions } = compare(
    installed,
    result ?? failed('the target gave no answer to show it'),
    results,
  );
  const dropped = traffic?.dropped() ?? 0;
  const notes = dropped > 0 ? [`${dropped} exchanges were not kept for it`] : [];
  return { judges: [{ ...summary, notes: [...summary.notes, ...notes] }], opinions };
}
