import { tidyAfter } from '../arrange/tidy.ts';
import type { Finding } from '../finding.ts';
import { tellsOfRemoval } from '../laws/removal.ts';
import { NotProvoked, NotReached } from '../run/not-reached.ts';
import type { Run } from '../run/run.ts';
import { Trial } from '../run/trial.ts';
import { INTERRUPTED, Interrupted, TimeIsOver, Unreachable } from '../send/unreachable.ts';
import type { Case, CaseResult, Outcome } from './case.ts';

/** A case that has been run. */
export interface Executed {
  readonly trial: Trial;
  readonly case: Case;
  readonly reason: Reason | undefined;
  readonly ms: number;
}

/**
 * Runs one case. The environment's faults and the document's gaps become reasons; our own bugs throw.
 * @param order the number of the case among all cases
 */
export function executeCase(run: Run, one: Case, order: number): Promise<Executed> {
  const { allotment } = run.ledger;
  const started = performance.now();
  allotment.enter(order, one.creates ?? ORDINARY_CREATES);
  return run.connections.use(async (client) => {
    const trial = new Trial(run, one, { order, client });
    try {
      const reason = skipReason(run, one) ?? (await attempt(trial, one));
      countFailures(run, reason);
      await tidyAfter(run, one.id, client);
      return { trial, case: one, reason, ms: performance.now() - started };
    } finally {
      allotment.leave(order);
    }
  });
}

/** So many records an ordinary case makes at most. */
const ORDINARY_CREATES = 3;

/** What a case has shown, with what it has found by work that several cases share: said once, of the first of them. */
export function toResult({ trial, case: one, reason, ms }: Executed): CaseResult {
  trial.adoptShared();
  return {
    case: one,
    outcome: outcomeOf(trial, reason),
    reason: reason?.text,
    isProvoked: !reason?.unprovoked,
    reached: [...trial.reached],
    covered: trial.covered && !trial.findings.some((finding) => isOf(finding, one)),
    findings: trial.findings,
    notSpecified: trial.notSpecified,
    notices: trial.notices,
    ms,
  };
}

function isOf({ operationId, status }: Finding, one: Case): boolean {
  return operationId === one.operation.id && status === one.status;
}

/** A target that has gone away would cost every later case all its retries. */
const GIVE_UP_AFTER = 3;

function countFailures(run: Run, reason: Reason | undefined): void {
  run.seen.unreachable = reason?.unreachable ? run.seen.unreachable + 1 : 0;
  if (reason && run.seen.unreachable >= GIVE_UP_AFTER) run.giveUp(reason.text);
}

interface Reason {
  readonly outcome: 'skipped' | 'not reached';
  readonly text: string;
  readonly unreachable?: boolean;
  /** The document does not say how. */
  readonly unprovoked?: boolean;
}

/** Why a case is not run at all, by the user's own word. */
function skipReason(run: Run, one: Case): Reason | undefined {
  const { settings, pace, gaveUp } = run;
  const skipped = (text: string): Reason => ({ outcome: 'skipped', text });
  if (settings.only && !settings.only.test(one.id)) return skipped('--only');
  if (settings.skip?.test(one.id)) return skipped('--skip');
  if (one.unsafe && !settings.writes) return skipped('--read-only');
  if (pace.isStopped()) return { outcome: 'not reached', text: INTERRUPTED };
  if (performance.now() > pace.deadline) return { outcome: 'not reached', text: timeIsOver(run) };
  const gone = gaveUp();
  return gone === undefined ? undefined : { outcome: 'not reached', text: gone };
}

const timeIsOver = ({ settings }: Run) => `--max-time ${settings.maxTime} is over`;

/** The user said so, or the document: nothing need be mended. */
function isNobodysFault(reason: string): boolean {
  return reason === '--read-only' || tellsOfRemoval(reason);
}

async function attempt(trial: Trial, one: Case): Promise<Reason | undefined> {
  try {
    await one.run(trial);
    return undefined;
  } catch (error) {
    if (error instanceof NotReached && isNobodysFault(error.message))
      return { outcome: 'skipped', text: error.message };
    if (error instanceof NotProvoked)
      return { outcome: 'not reached', text: error.message, unprovoked: true };
    if (error instanceof NotReached) return { outcome: 'not reached', text: error.message };
    if (error instanceof TimeIsOver) return { outcome: 'not reached', text: timeIsOver(trial.run) };
    if (error instanceof Interrupted) return { outcome: 'not reached', text: INTERRUPTED };
    if (error instanceof Unreachable)
      return { outcome: 'not reached', text: error.message, unreachable: true };
    throw error;
  }
}

function outcomeOf({ findings }: Trial, reason: Reason | undefined): Outcome {
  if (findings.length > 0) return 'failed';
  return reason?.outcome ?? 'passed';
}
