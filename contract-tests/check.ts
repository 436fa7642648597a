import { setImmediate } from 'node:timers/promises';
import { type Contract, DocumentError, loadContract } from '#spec';
import { leaveTidy } from './arrange/tidy.ts';
import { allCases, notTried } from './cases/all-cases.ts';
import type { Case, CaseResult } from './cases/case.ts';
import {
  type CaseEvent,
  type Executed,
  executeAll,
  executeCase,
  MOST_COMPILED,
  type ProgressEvent,
  timeIsOver,
  toResult,
} from './cases/execute.ts';
import { planOf, planResults } from './cases/plan.ts';
import { type Confirmed, type ConfirmingEvent, confirmAll, type Groups } from './confirm/confirm.ts';
import { findUnanswered } from './confirm/unanswered.ts';
import { CredentialFailed } from './credentials/obtain.ts';
import { openHooks } from './hooks/user-code.ts';
import type { Finding } from './laws/finding.ts';
import { makeReport, reportWithheld } from './report/make-report.ts';
import type { Report } from './report/report.ts';
import { withoutDrift, withoutForeign, withoutRefused, withoutSuspects } from './report/suspects.ts';
import { rootsOf } from './roots/roots.ts';
import { boundExchanges } from './run/case-log.ts';
import { type Access, makePlan, openAccess, openRun, type Run } from './run/run.ts';
import { awaitTarget } from './send/client.ts';
import { INTERRUPTED } from './send/wire.ts';
import type { CheckOptions } from './settings/check-options.ts';
import { withOperations, withPrepared, withSchemes } from './settings/for-document.ts';
import { resolveSettings, type Settings } from './settings/settings.ts';

/** A prepared suite that runs case by case, like a test runner: one at a time, in any order. */
export interface Suite {
  readonly contract: Contract;
  /** The options with their defaults. */
  readonly settings: Settings;
  /** All cases of the document; those that `only`, `skip` or `writes` exclude are skipped on execution. */
  readonly cases: readonly Case[];
  /** Runs one case. A broken promise, a network error and an unreachable target are results; none of them rejects. */
  execute(one: Case): Promise<CaseResult>;
  /** Runs all cases, `jobs` of them in parallel; their results come in the order of the cases. */
  executeAll(): AsyncGenerator<ProgressEvent | CaseEvent, void>;
  /** Operations that the run does not call, as they may change records that it did not create. */
  readonly withheld: Report['withheld'];
  /** What executing all cases would do; it sends nothing. */
  plan(): Report;
  /** Tries to reproduce each finding, within the limits of the run; otherwise `finish` does it. */
  confirm(): AsyncGenerator<ConfirmingEvent, void>;
  /**
   * Removes the records that the run created, if the document has a delete, closes all connections, and reports on the
   * executed cases. Call it once, even if nothing was executed.
   */
  finish(): Promise<Report>;
}

/**
 * The events of a check, in this order: `started` once, `case` for each case in order (`done` of `total`, from 1) with
 * `progress` in between when a case begins or ends, `confirming` while findings are reproduced, `finished` once.
 */
export type CheckEvent =
  | { readonly type: 'started'; readonly suite: Suite }
  | ProgressEvent
  | CaseEvent
  | ConfirmingEvent
  | { readonly type: 'finished'; readonly report: Report };

/**
 * Loads the document, makes the cases and waits for the target (`wait` seconds at most). A target that does not respond
 * is no error: every case is then not reached, with the reason.
 * @throws SettingsError for an invalid option, and for a credential of a scheme that the document does not have
 * @throws UserCodeError if a hook or a custom rule fails, here or from `finish`
 * @throws DocumentError for a document that cannot be read or used, with file, line and column of each problem
 * @example
 * const suite = await prepare({ target: 'http://127.0.0.1:4020/v1', document: 'openapi.yaml' });
 * for (const one of suite.cases) {
 *   const { outcome, findings } = await suite.execute(one);
 *   if (outcome === 'failed') console.log(one.id, findings);
 * }
 * const { verdict } = await suite.finish();
 */
export async function prepare(options: CheckOptions): Promise<Suite> {
  return (await openSuite(options)).suite;
}

interface OpenSuite {
  readonly suite: Suite;
  readonly run: Run;
  /** The results of the cases so far, judged in the light of all: later cases may settle a doubt about an earlier one. */
  readonly settledResults: () => readonly CaseResult[];
}

interface SuiteContext {
  /** The document, if it is read already. */
  readonly read?: Contract | undefined;
  /** Whether no other server can respond for the service, however few of its responses are documented. Default: false. */
  readonly isTheService?: boolean | undefined;
}

/** A suite with its run, for callers that need what was sent and received. */
export async function openSuite(
  options: CheckOptions,
  { read, isTheService = false }: SuiteContext = {},
): Promise<OpenSuite> {
  const begun = performance.now();
  const initialSettings = resolveSettings(options);
  const contract = read ?? (await loadContract(initialSettings.document, initialSettings));
  checkNumber(contract);
  const resolved = withOperations(withSchemes(initialSettings, contract), contract);
  const hooks = await openHooks(resolved, begun);
  const settings = await withPrepared(resolved, contract, hooks.userCode).catch(async (error: unknown) => {
    await hooks.close();
    throw error;
  });
  const access = openAccess(contract, settings, begun);
  const unreachable = settings.plan ? undefined : await awaitTarget(settings);
  // Cases send nearly valid credentials.
  const lockedOut = unreachable === undefined ? await openKeyring(access) : undefined;
  const { cases, cut } = await makeCases(contract, settings, access);
  const run = openRun(makePlan(contract, settings, cases, hooks.userCode), access);
  const { session, log } = run;
  log.seen.isTheService = isTheService;
  if (unreachable !== undefined) session.giveUp(unreachable);
  if (lockedOut !== undefined) session.lockOut(lockedOut);
  if (cut !== undefined) session.cut(cut);
  const reported = { ...run.plan, ...log, pace: session.pace };
  const about = aboutRun(contract, settings);
  const byOrder = new Map<number, CaseResult>();
  const bounded = boundExchanges();
  const started = performance.now();
  let confirmed: Confirmed | undefined;
  const groups: Groups = (all) => rootsOf(all, contract).map(({ findings }) => findings);
  const settled = (all: readonly CaseResult[]) => {
    const held = withoutSuspects(withoutRefused(all, log.seen, settings), session.model.takesText, settings);
    return withoutDrift(held, contract, session.model);
  };
  const results = () => settled(cases.flatMap((_, index) => byOrder.get(index) ?? []));

  function take(executed: Executed, order: number): CaseResult {
    const made = toResult(executed);
    const result = { ...made, findings: bounded(made.findings) };
    byOrder.set(order, result);
    return settled([result])[0] ?? result;
  }

  /** A finding after all cases still belongs to its case. */
  function addFinding(finding: Finding): void {
    const order = cases.findIndex(({ id }) => id === finding.caseId);
    const result = byOrder.get(order) ?? [...byOrder.values()].at(-1);
    const at = result && cases.indexOf(result.case);
    if (!result || at === undefined) return;
    const findings = [...result.findings, { ...finding, caseId: result.case.id }];
    byOrder.set(at, { ...result, outcome: 'failed', findings });
  }

  const suite: Suite = {
    contract,
    settings,
    cases,
    withheld: reportWithheld(run.plan),
    async execute(one) {
      const order = cases.indexOf(one);
      return take(await executeCase(run, one, order), order);
    },
    executeAll: () => executeAll(run, cases, take),
    plan() {
      run.session.close();
      const planned = planResults(run, cases);
      return { ...makeReport(reported, planned, 0, about), plan: planOf(run, planned) };
    },
    async *confirm() {
      if (run.session.failure()) return;
      if (!confirmed) for (const finding of await findUnanswered(run)) addFinding(finding);
      confirmed ??= yield* confirmAll(run, cases, results(), groups);
    },
    async finish() {
      for await (const _ of suite.confirm());
      await leaveTidy(run);
      run.session.close();
      await hooks.tidy(run);
      const tried = results().map((result) => ({
        ...result,
        findings: result.findings.map((finding) => confirmed?.get(finding) ?? finding),
      }));
      const caseResults = withoutForeign(tried, run.log.seen);
      const report = makeReport(reported, caseResults, performance.now() - started, [
        ...about,
        ...leftOutFor(settings, caseResults),
      ]);
      await hooks.end(report);
      return report;
    },
  };
  return { suite, run, settledResults: results };
}

/** @returns why a credential is missing; undefined: all are available */
async function openKeyring({ keyring }: Access): Promise<string | undefined> {
  try {
    await keyring.open();
    return undefined;
  } catch (error) {
    if (!(error instanceof CredentialFailed)) throw error;
    return error.message;
  }
}

/** Each has a dozen cases or more, which take some kB and half a millisecond before the first one runs. */
const MAX_OPERATIONS = 20_000;

function checkNumber({ document: { root }, operations: { length } }: Contract): void {
  if (length <= MAX_OPERATIONS) return;
  const message = `of a document with ${length} operations at most ${MAX_OPERATIONS} can be checked; an overlay can remove others`;
  throw new DocumentError([root.file.problemAt(['paths'], message)]);
}

/** The maximum time without yielding to the event loop, in milliseconds. */
const TURN = 50;

/**
 * The cases of a large document take seconds: in the meantime the run may be interrupted, or exceed its time.
 * @returns `cut`: why there are no more
 */
async function makeCases(
  contract: Contract,
  settings: Settings,
  { deadline }: Access,
): Promise<{ readonly cases: readonly Case[]; readonly cut?: string }> {
  const cases: Case[] = [];
  let since = performance.now();
  for (const one of allCases(contract, settings)) {
    cases.push(one);
    contract.validators.trim(MOST_COMPILED);
    if (performance.now() - since < TURN) continue;
    await setImmediate();
    since = performance.now();
    if (settings.signal?.aborted) return { cases, cut: INTERRUPTED };
    if (since > deadline) return { cases, cut: timeIsOver({ settings }) };
  }
  return { cases };
}

/** Notices about cases that were skipped for lack of time. */
function leftOutFor({ maxTime }: Settings, results: readonly CaseResult[]): string[] {
  const late = results.filter(({ code }) => code === 'no-time' || code === 'time-is-over');
  if (late.length === 0) return [];
  const tried = new Set(
    results.filter((result) => !late.includes(result)).map(({ case: one }) => one.operation),
  );
  const untried = new Set(late.map(({ case: one }) => one.operation)).difference(tried);
  const names = [...untried].slice(0, MOST_NAMED).map(({ id }) => id);
  const more = untried.size - names.length;
  const first = late.filter(({ code }) => code === 'time-is-over').length;
  return [
    `${late.length} of ${results.length} cases were left out, ${first} of them of responses that no other case has covered: --max-time ${maxTime} leaves no time for more${
      names.length > 0 ? `; not tried at all: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}` : ''
    }`,
  ];
}

const MOST_NAMED = 8;

/** Notices about the run as a whole. */
function aboutRun(contract: Contract, settings: Settings): string[] {
  const { shard, writes, disposable, stateless } = settings;
  const others =
    shard && writes && !disposable && !stateless
      ? `each of the ${shard.of} shards sends one unsafe request at a time: run them one after another where the target must not get several`
      : undefined;
  return [notTried(contract, settings), others].filter((text) => text !== undefined);
}

/**
 * Checks a target against its contract. The last event carries the report, which is the generator's return value, too.
 * Nothing is sent, and nothing thrown, before the first event is requested. A loop that is left
 * early gets no report, and created records stay: use {@link prepare} to run some of the cases.
 * @throws SettingsError for an invalid option, and for a credential of a scheme that the document does not have
 * @throws UserCodeError if a hook or a custom rule fails
 * @throws DocumentError for a document that cannot be read or used, with file, line and column of each problem
 * @example
 * for await (const event of check({ target: 'http://127.0.0.1:4020/v1', document: 'openapi.yaml' })) {
 *   if (event.type === 'finished') process.exitCode = event.report.exitCode;
 * }
 */
export async function* check(options: CheckOptions): AsyncGenerator<CheckEvent, Report> {
  const suite = await prepare(options);
  yield { type: 'started', suite };
  if (suite.settings.plan) {
    const report = suite.plan();
    yield { type: 'finished', report };
    return report;
  }
  yield* suite.executeAll();
  yield* suite.confirm();
  const report = await suite.finish();
  yield { type: 'finished', report };
  return report;
}
