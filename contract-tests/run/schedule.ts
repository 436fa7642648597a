import type { Contract, Operation } from '#spec';
import { resourceOf } from '../laws/operation-role.ts';
import type { Turns } from '../send/turns.ts';
import type { Settings } from '../settings/settings.ts';
import type { Budget } from './budget.ts';

/** What a case says of the requests that it sends. */
interface Scheduled {
  readonly operation: Operation;
  readonly status: number;
  readonly unsafe: boolean;
  readonly requests?: number;
}

/**
 * Leaves out cases of a run whose unsafe requests go one after another, where it would not end in time: only those whose
 * cells other cases have covered already.
 */
export interface Schedule {
  /** Why a case is left out that is about to begin; undefined: it is run. */
  leaveOut(one: Scheduled): string | undefined;
  /** A case is over. @param reached cells that it has seen, as `OPERATIONID/STATUS` */
  note(one: Scheduled, reached: ReadonlySet<string>): void;
}

/** Of the time of a run: kept for the last phase, reproductions and the removal of records. */
const RESERVE = 0.15;
/** What so little of the time shows is not enough to judge by. */
const TOO_EARLY = 0.03;

/** Of several requests that must be refused one waits for its turn. */
const REFUSED = 0.3;
/** Requests of a case that changes nothing. */
const READS = 2;

/** What the expected length of a case follows from. */
interface Expecting {
  readonly contract: Contract;
  readonly settings: Pick<Settings, 'examples' | 'jobs' | 'disposable' | 'maxTime'>;
  readonly budget: Pick<Budget, 'isRemovable'>;
}

/** How many unsafe requests, about, a case sends one after another, with the removal of what it makes. */
function turnsOf({ contract, settings, budget }: Expecting, one: Scheduled): number {
  if (!one.unsafe) return 0;
  // What sends generated inputs says how many requests that are at most.
  const inputs = one.requests === undefined ? 1 : Math.max(1, settings.examples);
  if (one.status >= 400) return inputs * REFUSED;
  const resource = resourceOf(contract, one.operation);
  return resource && budget.isRemovable(resource) ? 2 * inputs : inputs;
}

/** How long a case takes, about, as a number of requests: reads are sent beside others. */
export function lengthOf(run: Expecting, one: Scheduled): number {
  const turns = turnsOf(run, one);
  const { disposable, jobs } = run.settings;
  return turns > 0 && !disposable ? turns : Math.max(turns, READS) / jobs;
}

/** @param deadline on the clock of `performance.now()` */
export function createSchedule(
  run: Expecting,
  cases: readonly Scheduled[],
  { deadline, turns }: { readonly deadline: number; readonly turns: Pick<Turns, 'busy'> },
): Schedule {
  const whole = run.settings.maxTime * 1000;
  const covered = new Set<string>();
  let left = cases.reduce((sum, one) => sum + turnsOf(run, one), 0);
  let done = 0;
  let number = 0;
  return {
    leaveOut(one) {
      const own = turnsOf(run, one);
      left -= own;
      if (own === 0 || !covered.has(`${one.operation.id}/${one.status}`)) return undefined;
      const busy = turns.busy();
      if (busy < whole * TOO_EARLY || done === 0) return undefined;
      const time = deadline - whole * RESERVE - performance.now();
      const share = time / ((left + own) * (busy / done));
      // Those that are left out are spread over all that are left, in the same way each time.
      number += 1;
      if ((number * GOLDEN) % 1 < share) return undefined;
      return LEFT_OUT;
    },
    note(one, reached) {
      done += turnsOf(run, one);
      for (const cell of reached) covered.add(cell);
    },
  };
}

/** Its multiples modulo 1 are spread evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const LEFT_OUT = '--max-time leaves no time for it';
