import { setImmediate } from 'node:timers/promises';
import { tidyAfter } from '../arrange/tidy.ts';
import type { Finding } from '../laws/finding.ts';
import type { CaseLog } from '../run/case-log.ts';
import { NOT_IN_SHARD, NotReached, type ReasonCode } from '../run/not-reached.ts';
import { ask } from '../run/outgoing.ts';
import type { Plan, Run, Session } from '../run/run.ts';
import { eventsOf, lengthOf, runSideBySide } from '../run/schedule.ts';
import { Trial } from '../run/trial.ts';
import type { PatientClient } from '../send/patience.ts';
import {
  FateUnknown,
  INTERRUPTED,
  Interrupted,
  TimeIsOver,
  Unreachable,
  UserCodeError,
} from '../send/wire.ts';
import type { Case, CaseResult, Outcome } from './case.ts';

/** A completed case. */
export interface Executed {
  readonly trial: Trial;
  readonly case: Case;
  readonly reason: Reason | undefined;
  readonly ms: number;
}

/**
 * The number of cached compiled schemas, at some 60 kB each: enough for a document of some hundred operations, since each
 * kind of case goes through all operations and would compile dropped ones again.
 */
export const MOST_COMPILED = 1000;

/**
 * Runs one case. Faults of the environment, gaps in the document and internal errors become reasons.
 * @param order the number of the case among all cases
 */
export function executeCase(run: Run, one: Case, order: number): Promise<Executed> {
  const started = performance.now();
  const { plan, session } = run;
  return session.connections.use(async (client) => {
    let trial = new Trial(run, one, { place: [order], client });
    const leftOut = skipReason(run, one) ?? leftOutOf(run, one);
    let reason = leftOut ?? (await attempt(trial, one));
    const { failures } = session.pace;
    if (reason?.fresh && trial.findings.length === 0 && !failures.isHopeless(one.operation.id)) {
      trial = new Trial(run, one, { place: [order], client });
      reason = await attempt(trial, one);
      failures[reason?.fresh ? 'failed' : 'passed'](one.operation.id);
    }
    await countFailures(run, reason, client);
    if (!session.ended.aborted) await untilEnded(session, tidyAfter(run, one.id, client));
    if (!leftOut) session.schedule.note(one, trial.reached, performance.now() - started);
    plan.contract.validators.trim(MOST_COMPILED);
    return { trial, case: one, reason, ms: performance.now() - started };
  });
}

function leftOutOf({ plan, session }: Run, one: Case): Reason | undefined {
  const code = session.schedule.leaveOut(one);
  return code && { code, text: code === 'no-time' ? '--max-time leaves no time for it' : timeIsOver(plan) };
}

/** The result of a case, including findings from work that cases share, which only the first of them reports. */
export function toResult({ trial, case: one, reason, ms }: Executed): CaseResult {
  trial.adoptShared();
  return resultOf(trial, one, reason, ms);
}

/** @param reason why the case was not run, or not completed */
export function resultOf(log: CaseLog, one: Case, reason: Reason | undefined, ms: number): CaseResult {
  const held = log.findings.filter(({ worthALook }) => !worthALook);
  const isOwn = (finding: Finding) =>
    finding.operationId === one.operation.id && finding.status === one.status;
  return {
    case: one,
    outcome: held.length > 0 ? 'failed' : reason ? outcomeOf(one, reason) : 'passed',
    reason: reason?.text,
    code: reason?.code,
    remedy: reason?.remedy,
    reached: [...log.reached],
    covered: log.covered && !held.some(isOwn),
    findings: log.findings,
    notSpecified: log.notSpecified,
    notices: log.notices,
    ms,
  };
}

/** An elastic case may show less with fewer records. */
function outcomeOf({ elastic }: Case, { code }: Reason): Outcome {
  return elastic && code === 'no-room' ? 'skipped' : OUTCOMES[code];
}

/** An unreachable target would cost every later case all its retries. */
const GIVE_UP_AFTER = 3;

async function countFailures(run: Run, reason: Reason | undefined, client: PatientClient): Promise<void> {
  if (reason?.code !== 'unreachable') return;
  const { seen } = run.log;
  seen.unreachable += 1;
  if (seen.unreachable < GIVE_UP_AFTER || run.session.gaveUp() !== undefined) return;
  const over = await run.session.watch.responds(reason.text, (exchange) => ask(run, client, exchange));
  if (over === undefined) seen.unreachable = 0;
  else run.session.giveUp(over);
}

interface Reason {
  readonly code: ReasonCode;
  readonly text: string;
  readonly remedy?: string | undefined;
  /** The outcome of an unsafe request is unknown: the case may run once more, with new marks. */
  readonly fresh?: boolean;
}

/** Options and documents that exclude a case are no defect. */
const OUTCOMES: Readonly<Record<ReasonCode, Outcome>> = {
  only: 'skipped',
  shard: 'skipped',
  'read-only': 'skipped',
  excluded: 'skipped',
  removed: 'skipped',
  'needs-removed': 'skipped',
  withheld: 'withheld',
  unprovoked: 'not reached',
  'no-input': 'not reached',
  'out-of-reach': 'skipped',
  'no-room': 'not reached',
  'no-requests': 'not reached',
  'no-time': 'skipped',
  interrupted: 'not reached',
  'time-is-over': 'not reached',
  unreachable: 'not reached',
  'gave-up': 'not reached',
  hook: 'skipped',
  target: 'not reached',
  bug: 'not reached',
};

/** Why a case does not run at all. */
export function skipReason(run: Run, one: Case): Reason | undefined {
  const { settings, permissions, inShard } = run.plan;
  const { pace, gaveUp, ended } = run.session;
  // Checked first: each case is in one shard, whatever happens to it there.
  if (!inShard(one.operation)) return { code: 'shard', text: NOT_IN_SHARD };
  if (!settings.isChosen(one.id)) return { code: 'only', text: '--only' };
  if (one.unsafe && !settings.writes) return { code: 'read-only', text: '--read-only' };
  const refusal = permissions.of(one.operation);
  if (refusal) return { code: refusal.code === 'excluded' ? 'excluded' : 'withheld', text: refusal.reason };
  if (pace.isStopped()) return { code: 'interrupted', text: INTERRUPTED };
  if (performance.now() > pace.deadline) return { code: 'time-is-over', text: timeIsOver(run.plan) };
  const gone = ended.aborted ? ended.reason : gaveUp();
  return gone === undefined ? undefined : { code: 'gave-up', text: gone };
}

export const timeIsOver = ({ settings }: Pick<Plan, 'settings'>) => `--max-time ${settings.maxTime} is over`;

/**
 * Waits for work until the run ends.
 * @returns whether the work is complete
 */
export async function untilEnded({ ended }: Session, work: Promise<void>): Promise<boolean> {
  const end = Promise.withResolvers<false>();
  const stop = () => end.resolve(false);
  ended.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work.then(() => true), end.promise]);
  } finally {
    ended.removeEventListener('abort', stop);
  }
}

/**
 * Runs a case.
 * @returns why it was not completed
 */
export async function attempt(trial: Trial, one: Case): Promise<Reason | undefined> {
  try {
    const isOver = await untilEnded(trial.session, one.run(trial));
    return isOver ? undefined : { code: 'gave-up', text: trial.session.ended.reason };
  } catch (error) {
    if (error instanceof UserCodeError) {
      trial.session.fail(error);
      return { code: 'gave-up', text: error.message };
    }
    if (error instanceof NotReached) return { code: error.code, text: error.message, remedy: error.remedy };
    if (error instanceof TimeIsOver) return { code: 'time-is-over', text: timeIsOver(trial.plan) };
    if (error instanceof Interrupted) return { code: 'interrupted', text: INTERRUPTED };
    if (error instanceof FateUnknown)
      return { code: 'unreachable', text: error.message, fresh: error.onReused };
    if (error instanceof Unreachable) return { code: 'unreachable', text: error.message };
    // An internal error must not lose the other cases and the report.
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      code: 'bug',
      text: `this is a bug of Paddock; please report it: ${told.split('\n', 3).join(' ')}`,
    };
  }
}

/** The number of unsafe cases at work if their requests are sent one at a time: one sends while another reads. */
const UNSAFE_AT_WORK = 2;

/** Reasons: a value or a record was unknown. */
const LACKING: ReadonlySet<ReasonCode> = new Set(['no-input', 'unprovoked', 'target']);

/** Reasons: the time was over. */
const LATE: ReadonlySet<ReasonCode> = new Set(['no-time', 'time-is-over']);

/** Reports that a case began or ended. */
export interface ProgressEvent {
  readonly type: 'progress';
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  /** The share of the expected time that completed cases took, from 0 to 1. */
  readonly share: number;
  /** The running cases, the latest last. */
  readonly atWork: readonly Case[];
}

/** The result of a case; these events come in the order of the cases. */
export interface CaseEvent {
  readonly type: 'case';
  readonly result: CaseResult;
  readonly done: number;
  readonly total: number;
}

type Event = ProgressEvent | CaseEvent;

/**
 * Runs all cases, `jobs` of them in parallel.
 * @param take makes the result of a case; called in the order of the cases
 */
export async function* executeAll(
  run: Run,
  cases: readonly Case[],
  take: (executed: Executed, order: number) => CaseResult,
): AsyncGenerator<Event, void> {
  const total = cases.length;
  const executed = new Map<number, Executed>();
  const orders = new Map(cases.map((one, order) => [one, order]));
  const atWork = new Set<Case>();
  const lacking = new Set<Case>();
  const late: Case[] = [];
  let [ended, failed, taken, length] = [0, 0, 0, 0];
  const whole = cases.reduce((sum, one) => sum + lengthOf(run.plan, one), 0);

  async function work(one: Case, tell: (event: Event) => void): Promise<void> {
    const order = orders.get(one) as number;
    const tellProgress = () =>
      tell({ type: 'progress', done: ended, failed, total, share: length / whole, atWork: [...atWork] });
    atWork.add(one);
    tellProgress();
    // Thousands of cases may send nothing, for example when the budget is exhausted. They must yield to the event loop:
    // signals, timers, and connections that the target has closed.
    await setImmediate();
    const result = await executeCase(run, one, order);
    atWork.delete(one);
    if (!one.unsafe && one.id.endsWith('/ordinary') && result.reason && LACKING.has(result.reason.code))
      lacking.add(one);
    if (result.reason && LATE.has(result.reason.code)) late.push(one);
    ended += 1;
    length += lengthOf(run.plan, one);
    if (result.trial.findings.some(({ worthALook }) => !worthALook)) failed += 1;
    executed.set(order, result);
    for (let next = executed.get(taken); next; next = executed.get(taken)) {
      // This frees the recorded requests and responses.
      executed.delete(taken);
      tell({ type: 'case', result: take(next, taken), done: ++taken, total });
    }
    tellProgress();
  }

  /** Later responses may contain the value that a read lacked, and there may be time for skipped cases. */
  async function tryAgain(one: Case): Promise<void> {
    const order = orders.get(one) as number;
    const result = await executeCase(run, one, order);
    if (result.reason && LATE.has(result.reason.code)) late.push(one);
    else if (result.reason === undefined || !lacking.has(one)) take(result, order);
  }

  async function tryLate(): Promise<void> {
    for (let open = late.splice(0); open.length > 0; open = late.splice(0)) {
      run.session.schedule.again();
      await runSideBySide(open, jobs, tryAgain, unsafeMost);
      if (late.length === open.length) return;
    }
  }

  const { jobs, disposable } = run.plan.settings;
  const unsafeMost = disposable ? undefined : UNSAFE_AT_WORK;
  const stopWatching = endInTime(run);
  yield* eventsOf<Event>(
    async (tell) => {
      try {
        await runSideBySide(cases, jobs, (one) => work(one, tell), unsafeMost);
        await tryLate();
        const open = [...lacking].filter(
          ({ operation, status }) => !run.session.schedule.isCovered(`${operation.id}/${status}`),
        );
        run.session.cache.likely.clear();
        await runSideBySide(open, jobs, tryAgain);
      } finally {
        stopWatching();
      }
    },
    () => run.session.giveUp('the run was ended'),
  );
}

/** The time, in milliseconds, that requests in flight have to finish when a run ends; each has its own timeout, too. */
const GRACE = 2000;

/**
 * Ends the run with a report, whatever the cases wait for: when its time is over, when it is interrupted, and when nothing
 * is pending in the process.
 */
function endInTime({ plan, session }: Run): () => void {
  const { signal, timeout } = plan.settings;
  const timers: NodeJS.Timeout[] = [];
  const cutIn = (ms: number, reason: string) => timers.push(setTimeout(session.cut, ms, reason).unref());
  const interrupt = () => cutIn(GRACE, INTERRUPTED);
  const stand = () =>
    session.cut('the cases waited for each other, and nothing was left to happen: this is a bug of Paddock');
  // A timer with a longer delay would fire at once.
  const left = Math.min(session.pace.deadline - performance.now() + timeout + GRACE, 2 ** 31 - 1);
  cutIn(left, timeIsOver(plan));
  if (signal?.aborted) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  process.once('beforeExit', stand);
  return () => {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
    process.off('beforeExit', stand);
  };
}
