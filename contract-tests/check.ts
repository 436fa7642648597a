import { type Contract, loadContract } from '#spec';
import { leaveTidy } from './arrange/tidy.ts';
import { allCases } from './cases/all-cases.ts';
import type { Case, CaseResult } from './cases/case.ts';
import { type Executed, executeCase, toResult } from './cases/execute-case.ts';
import { type CaseEvent, executeAll, type ProgressEvent } from './execute-all.ts';
import { askJudge } from './opinions/ask-judge.ts';
import type { Opinions } from './opinions/compare.ts';
import { findJudge, type Installed } from './opinions/find-judge.ts';
import { makeReport, type Report } from './report/report.ts';
import { openRun, type Run } from './run/run.ts';
import { awaitTarget } from './send/await-target.ts';
import { type CheckOptions, resolveSettings, type Settings } from './settings.ts';
import { withoutForeign } from './verdict.ts';

/** A suite made from a contract, ready to be run case by case (as a test runner does) or as a whole. */
export interface Suite {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly cases: readonly Case[];
  execute(one: Case): Promise<CaseResult>;
  /** Runs all cases, side by side as `jobs` says; their results come in the order of the cases. */
  executeAll(): AsyncGenerator<ProgressEvent | CaseEvent, void>;
  /** The outside judges to be asked, and asking one of them about what was executed so far. */
  readonly judges: readonly Installed[];
  ask(judge: Installed): Promise<void>;
  /** Takes away what the run made, where the document has a delete; closes the connections; reports what was executed. */
  finish(): Promise<Report>;
}

/** What happens while a check runs. */
export type CheckEvent =
  | { readonly type: 'started'; readonly suite: Suite }
  | ProgressEvent
  | CaseEvent
  | { readonly type: 'asking'; readonly judge: Installed }
  | { readonly type: 'finished'; readonly report: Report };

/**
 * @throws SettingsError for an option that cannot be used
 * @throws DocumentError for a document that cannot be used
 */
export async function prepare(options: CheckOptions): Promise<Suite> {
  return (await openSuite(options)).suite;
}

/** A suite with the run that it works on, for those who want to see what was sent and received. */
export async function openSuite(options: CheckOptions): Promise<{ suite: Suite; run: Run }> {
  const settings = resolveSettings(options);
  const judges = settings.opinions.map((judge) => findJudge(judge));
  const contract = await loadContract(settings.document, settings);
  const run: Run = openRun(contract, settings);
  const cases = allCases(contract, settings);
  const unreachable = await awaitTarget(settings);
  if (unreachable !== undefined) run.giveUp(unreachable);
  const found = new Map<number, CaseResult>();
  const heard: Opinions[] = [];
  const started = performance.now();
  let asking = 0;
  const results = () => cases.flatMap((_, index) => found.get(index) ?? []);

  function take(executed: Executed, order: number): CaseResult {
    const result = toResult(executed);
    found.set(order, result);
    return result;
  }

  const suite: Suite = {
    contract,
    settings,
    cases,
    judges,
    async execute(one) {
      const order = cases.indexOf(one);
      return take(await executeCase(run, one, order), order);
    },
    executeAll: () => executeAll(run, cases, take),
    async ask(judge) {
      const began = performance.now();
      heard.push(await askJudge(run, results(), judge));
      asking += performance.now() - began;
    },
    async finish() {
      await leaveTidy(run);
      run.close();
      const shown = withoutForeign(results(), run.seen);
      return makeReport(run, shown, heard, performance.now() - started - asking);
    },
  };
  return { suite, run };
}

function abortOf(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}

/** Checks a target against its contract; the last event bears the report. */
export async function* check(options: CheckOptions): AsyncGenerator<CheckEvent, Report> {
  const suite = await prepare(options);
  yield { type: 'started', suite };
  yield* suite.executeAll();
  for (const judge of suite.judges) {
    if (options.signal?.aborted) break;
    yield { type: 'asking', judge };
    await Promise.race([suite.ask(judge), abortOf(options.signal)]);
  }
  const report = await suite.finish();
  yield { type: 'finished', report };
  return report;
}
