import type { CaseResult } from '../cases/case.ts';
import type { Run } from '../run/run.ts';
import { compare, type JudgeSummary, type Opinion } from './compare.ts';
import { hearDredd } from './dredd.ts';
import type { Installed } from './find-judge.ts';
import { Unheard } from './opinion.ts';
import { hearPrism } from './prism.ts';

/** The judges of a run, and where they differ from the suite. */
export interface Opinions {
  readonly judges: readonly JudgeSummary[];
  readonly opinions: readonly Opinion[];
}

/** Asks a judge about the run. An opinion decides nothing, so a judge that breaks down is only told of. */
export async function hear(
  run: Run,
  results: readonly CaseResult[],
  installed: Installed,
): Promise<Opinions> {
  const { judge, version } = installed;
  try {
    if (run.traffic?.entries.length === 0) throw new Unheard('the target gave no answer to show it');
    const hearing =
      judge === 'prism' ? await hearPrism(run, results, installed) : await hearDredd(run, results, installed);
    const { summary, opinions } = compare(hearing, results);
    const dropped = run.traffic?.dropped() ?? 0;
    const notes = dropped > 0 ? [`${dropped} exchanges were not kept for it`] : [];
    return { judges: [{ ...summary, notes: [...summary.notes, ...notes] }], opinions };
  } catch (error) {
    if (!(error instanceof Unheard)) throw error;
    return {
      judges: [{ judge, version, judged: 0, agreed: 0, notes: [], reason: error.message }],
      opinions: [],
    };
  }
}
