import type { CaseResult } from '../cases/case.ts';
import type { JudgeName } from '../settings/check-options.ts';
import { compare, type Opinions } from './compare.ts';
import { judgeWithDredd } from './dredd.ts';
import { failed, type Installed, type Judge, type JudgeResult, type RecordedRun } from './judge.ts';
import { judgeWithPrism } from './prism.ts';

const JUDGE: Readonly<Record<JudgeName, Judge>> = { prism: judgeWithPrism, dredd: judgeWithDredd };

/** Asks a judge about the run. An opinion decides nothing, so a judge that fails is only reported. */
export async function askJudge(
  run: Omit<RecordedRun, 'results'>,
  results: readonly CaseResult[],
  installed: Installed,
): Promise<Opinions> {
  return compare(installed, await resultOf({ ...run, results }, installed), results);
}

async function resultOf(run: RecordedRun, installed: Installed): Promise<JudgeResult> {
  if (run.traffic?.entries.length === 0) return failed('the target gave no answer to show it');
  const [result] = (await JUDGE[installed.judge](run.contract, [run], installed)) as [JudgeResult];
  const dropped = run.traffic?.dropped() ?? 0;
  if (result.failure !== undefined || dropped === 0) return result;
  return { ...result, notes: [...result.notes, `${dropped} exchanges were not kept for it`] };
}
