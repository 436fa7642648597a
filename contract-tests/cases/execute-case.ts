import { tidyAfter } from '../arrange/tidy.ts';
import type { Finding } from '../finding.ts';
import { tellsOfRemoval } from '../laws/removal.ts';
import { NotProvoked, NotReached } from '../run/not-reached.ts';
import type { Run } from '../run/run.ts';
import { Trial } from '../run/trial.ts';
import { Unreachable } from '../send/patience.ts';
import type { Case, CaseResult, Outcome } from './case.ts';

/** Runs one case. The environment's faults and the document's gaps become reasons; our own bugs throw. */
export async function executeCase(run: Run, one: Case): Promise<CaseResult> {
  const started = performance.now();
  const trial = new Trial(run, one);
  const reason = skipReason(run, one) ?? (await attempt(trial, one));
  countFailures(run, reason);
  await tidyAfter(run, one.id);
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
    ms: performance.now() - started,
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
function skipReason({ settings, deadline, gaveUp }: Run, one: Case): Reason | undefined {
  const skipped = (text: string): Reason => ({ outcome: 'skipped', text });
  if (settings.only && !settings.only.test(one.id)) return skipped('--only');
  if (settings.skip?.test(one.id)) return skipped('--skip');
  if (one.unsafe && !settings.writes) return skipped('--read-only');
  if (performance.now() > deadline)
    return { outcome: 'not reached', text: `--max-time ${settings.maxTime} is over` };
  const gone = gaveUp();
  return gone === undefined ? undefined : { outcome: 'not reached', text: gone };
}

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
    if (error instanceof Unreachable)
      return { outcome: 'not reached', text: error.message, unreachable: true };
    throw error;
  }
}

function outcomeOf({ findings }: Trial, reason: Reason | undefined): Outcome {
  if (findings.length > 0) return 'failed';
  return reason?.outcome ?? 'passed';
}
