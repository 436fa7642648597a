import { setImmediate } from 'node:timers/promises';
import type { Case, CaseResult } from './case.ts';
import { type Executed, executeCase, timeIsOver } from './execute-case.ts';
import type { Run } from '../run/run.ts';
import { runSideBySide } from '../run/side-by-side.ts';
import { INTERRUPTED } from '../send/unreachable.ts';

/** A case has begun or ended. */
export interface ProgressEvent {
  readonly type: 'progress';
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  /** The cases at work, the latest last. */
  readonly atWork: readonly Case[];
}

/** What a case has shown; these events come in the order of the cases. */
export interface CaseEvent {
  readonly type: 'case';
  readonly result: CaseResult;
  readonly done: number;
  readonly total: number;
}

type Event = ProgressEvent | CaseEvent;

/**
 * Runs all cases, side by side as `jobs` says.
 * @param take makes the result of a case; called in the order of the cases
 */
export async function* executeAll(
  run: Run,
  cases: readonly Case[],
  take: (executed: Executed, order: number) => CaseResult,
): AsyncGenerator<Event, void> {
  const total = cases.length;
  const events: Event[] = [];
  const executed = new Map<number, Executed>();
  const orders = new Map(cases.map((one, order) => [one, order]));
  const atWork = new Set<Case>();
  let news = Promise.withResolvers<void>();
  let ended = 0;
  let failed = 0;
  let taken = 0;

  function tell(event: Event): void {
    events.push(event);
    news.resolve();
  }

  const over = runSideBySide(cases, run.settings.jobs, async (one) => {
    const order = orders.get(one) as number;
    atWork.add(one);
    tell({ type: 'progress', done: ended, failed, total, atWork: [...atWork] });
    // Thousands of cases may send nothing (no more records may be made, say). They are to leave the process a turn: it has
    // signals and timers to see to, and connections that the target has closed meanwhile.
    await setImmediate();
    const result = await executeCase(run, one, order);
    atWork.delete(one);
    ended += 1;
    if (result.trial.findings.length > 0) failed += 1;
    executed.set(order, result);
    for (let next = executed.get(taken); next; next = executed.get(taken))
      tell({ type: 'case', result: take(next, taken), done: ++taken, total });
    tell({ type: 'progress', done: ended, failed, total, atWork: [...atWork] });
  });

  const stopWatching = endInTime(run);
  let isOver = false;
  over
    .then(
      () => (isOver = true),
      () => (isOver = true),
    )
    .then(() => news.resolve());
  try {
    while (!isOver || events.length > 0) {
      await news.promise;
      news = Promise.withResolvers();
      yield* events.splice(0);
    }
  } finally {
    // The caller may have left the loop.
    if (!isOver) run.giveUp('the run was ended');
    await over.finally(stopWatching);
  }
}

/** What is under way when a run is to end may still end by itself for so long, in milliseconds; requests have a bound of their own. */
const GRACE = 2000;

/**
 * Whatever the cases wait for, the run ends with a report: when its time is over, when it is interrupted, and when nothing
 * is left in the process that could still happen.
 */
function endInTime(run: Run): () => void {
  const { settings, pace } = run;
  const { signal } = settings;
  const timers: NodeJS.Timeout[] = [];
  const cutIn = (ms: number, reason: string) => timers.push(setTimeout(() => run.cut(reason), ms).unref());
  const interrupt = () => cutIn(GRACE, INTERRUPTED);
  const stand = () =>
    run.cut('the cases waited for each other, and nothing was left to happen: this is a bug of Paddock');
  // A longer delay than a timer has would be none.
  const left = Math.min(pace.deadline - performance.now() + settings.timeout + GRACE, 2 ** 31 - 1);
  cutIn(left, timeIsOver(run));
  if (signal?.aborted) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  process.once('beforeExit', stand);
  return () => {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
    process.off('beforeExit', stand);
  };
}
