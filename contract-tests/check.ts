import { type Contract, loadContract } from '#spec';
import { tidyUp } from './arrange/tidy.ts';
import type { Case, CaseResult } from './case.ts';
import { allCases } from './cases/all-cases.ts';
import { executeCase } from './execute.ts';
import { makeReport, type Report } from './report/report.ts';
import { openRun, type Run } from './run.ts';
import { awaitTarget } from './send/await-target.ts';
import { type CheckOptions, resolveSettings, type Settings } from './settings.ts';

/** A suite made from a contract, ready to be run case by case (as a test runner does) or as a whole. */
export interface Suite {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly cases: readonly Case[];
  execute(one: Case): Promise<CaseResult>;
  /** Takes away what the run made, where the document has a delete; closes the connections; reports what was executed. */
  finish(): Promise<Report>;
}

/** What happens while a check runs. */
export type CheckEvent =
  | { readonly type: 'started'; readonly suite: Suite }
  | { readonly type: 'case'; readonly result: CaseResult; readonly done: number; readonly total: number }
  | { readonly type: 'finished'; readonly report: Report };

/**
 * @throws SettingsError for an option that cannot be used
 * @throws DocumentError for a document that cannot be used
 */
export async function prepare(options: CheckOptions): Promise<Suite> {
  const settings = resolveSettings(options);
  const contract = await loadContract(settings.document);
  const run: Run = openRun(contract, settings);
  const cases = allCases(contract, settings);
  const unreachable = await awaitTarget(settings);
  if (unreachable !== undefined) run.giveUp(unreachable);
  const results: CaseResult[] = [];
  const started = performance.now();
  return {
    contract,
    settings,
    cases,
    async execute(one) {
      const result = await executeCase(run, one);
      results.push(result);
      return result;
    },
    async finish() {
      await tidyUp(run);
      run.close();
      return makeReport(run, results, performance.now() - started);
    },
  };
}

/** Checks a target against its contract; the last event bears the report. */
export async function* check(options: CheckOptions): AsyncGenerator<CheckEvent, Report> {
  const suite = await prepare(options);
  yield { type: 'started', suite };
  let done = 0;
  for (const one of suite.cases) {
    const result = await suite.execute(one);
    done += 1;
    yield { type: 'case', result, done, total: suite.cases.length };
  }
  const report = await suite.finish();
  yield { type: 'finished', report };
  return report;
}
