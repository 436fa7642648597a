import type { Contract, Operation, Resource } from '#spec';
import { resourceOf } from '../laws/operation-role.ts';
import type { Settings } from '../settings/settings.ts';
import type { Budget, Spender } from './budget.ts';

/**
 * Distributes the time of a run that would not end in time: it skips cases whose cells are reached already, then those of
 * operations that exceed their share.
 */
export interface Schedule {
  /** Why to skip a case that is about to begin, `no-time` if its cell is reached; undefined: it runs. */
  leaveOut(one: Spender): 'no-time' | 'time-is-over' | undefined;
  /** Considers skipped cases again, as others took less than expected. */
  again(): void;
  /**
   * Records a completed case.
   * @param reached its cells, as `OPERATIONID/STATUS`
   * @param ms how long it took
   */
  note(one: Spender, reached: ReadonlySet<string>, ms: number): void;
  /** Whether a case has reached a cell, as `OPERATIONID/STATUS`. */
  readonly isCovered: (cell: string) => boolean;
}

/** The share of the run's time for reproductions and the removal of records, and its maximum in milliseconds. */
const RESERVE = 0.15;
const MOST_RESERVED = 45_000;

/** How long before the end of a run its cases end, in milliseconds. */
export const reserveOf = ({ maxTime }: Pick<Settings, 'maxTime'>): number =>
  Math.min(maxTime * 1000 * RESERVE, MOST_RESERVED);

/** The maximum multiple of its share that an operation may take when time is short. */
const MOST_SHARES = 4;
/** The share of the time before which an estimate is unreliable. */
const TOO_EARLY = 0.03;

/** The share of requests that must be rejected and still wait for a turn. */
const REFUSED = 0.3;
/** The number of requests of a case that changes nothing. */
const READS = 2;

/** What the expected length of a case depends on. */
interface Expecting {
  readonly contract: Contract;
  readonly settings: Pick<Settings, 'examples' | 'jobs' | 'disposable' | 'maxTime'>;
  readonly budget: Pick<Budget, 'isRemovable'>;
}

/** The estimated number of sequential unsafe requests of a case, including the removal of its records. */
function turnsOf({ contract, settings, budget }: Expecting, one: Spender): number {
  if (!one.unsafe) return 0;
  // A case with generated inputs states its maximum number of requests.
  const inputs = one.requests === undefined ? 1 : Math.max(1, settings.examples);
  if (one.status >= 400) return inputs * REFUSED;
  const resource = resourceOf(contract, one.operation);
  return resource && budget.isRemovable(resource) ? 2 * inputs : inputs;
}

/** The estimated length of a case, as a number of requests: reads run concurrently. */
export function lengthOf(run: Expecting, one: Spender): number {
  const turns = turnsOf(run, one);
  const { disposable, jobs } = run.settings;
  return turns > 0 && !disposable ? turns : Math.max(turns, READS) / jobs;
}

/** @param deadline of the cases, on the clock of `performance.now()` */
export function createSchedule(
  run: Expecting,
  cases: readonly Spender[],
  { deadline }: { readonly deadline: number },
): Schedule {
  const { maxTime, jobs } = run.settings;
  const whole = maxTime * 1000;
  const began = performance.now();
  const share = (whole * jobs) / new Set(cases.map(({ operation }) => operation)).size;
  const covered = new Set<string>();
  const used = new Map<Operation, number>();
  let left = cases.reduce((sum, one) => sum + lengthOf(run, one), 0);
  let done = 0;
  let number = 0;
  let late = 0;

  const whyNot: Schedule['leaveOut'] = (one) => {
    const now = performance.now();
    const isCovered = covered.has(`${one.operation.id}/${one.status}`);
    if (now > deadline) return isCovered ? 'no-time' : 'time-is-over';
    if (now - began < whole * TOO_EARLY || done === 0) return undefined;
    const part = (deadline - now) / (Math.max(left, 0) * ((now - began) / done));
    if (part >= 1) return undefined;
    if (!isCovered) return (used.get(one.operation) ?? 0) > MOST_SHARES * share ? 'time-is-over' : undefined;
    // Skipped cases are spread evenly over the rest, reproducibly.
    number += 1;
    return (number * GOLDEN) % 1 < part ? undefined : 'no-time';
  };

  return {
    leaveOut(one) {
      const code = whyNot(one);
      const size = lengthOf(run, one);
      left -= size;
      if (code !== undefined) late += size;
      return code;
    },
    again() {
      [left, late] = [late, 0];
    },
    note(one, reached, ms) {
      done += lengthOf(run, one);
      used.set(one.operation, (used.get(one.operation) ?? 0) + ms);
      for (const cell of reached) covered.add(cell);
    },
    isCovered: (cell) => covered.has(cell),
  };
}

/** Its multiples modulo 1 are evenly distributed. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The requests of an ordinary case; others state their number. */
const ORDINARY = 4;

/**
 * Divides the operations among the shards of a run. Those of one resource stay together, since they use the same records.
 * The heaviest go first, each to the lightest shard: the same cases always give the same shards.
 *
 * @returns whether an operation is in the shard of the settings; without one, all are
 */
export function divideIntoShards(
  contract: Contract,
  shard: Settings['shard'],
  cases: readonly Pick<Spender, 'operation' | 'requests'>[],
): (operation: Operation) => boolean {
  if (!shard) return () => true;
  const share = new Set<Resource | Operation>();
  const loads = Array.from({ length: shard.of }, () => 0);
  const groupOf = (operation: Operation) => resourceOf(contract, operation) ?? operation;
  const weights = new Map(contract.operations.map((operation) => [groupOf(operation), 0]));
  for (const { operation, requests = ORDINARY } of cases)
    weights.set(groupOf(operation), (weights.get(groupOf(operation)) ?? 0) + requests);
  // Equal weights keep the order of the document.
  for (const [group, weight] of [...weights].sort(([, one], [, other]) => other - one)) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + weight;
    if (lightest + 1 === shard.number) share.add(group);
  }
  return (operation) => share.has(groupOf(operation));
}

/** Work that may run concurrently. */
export interface Job {
  /** It begins after all earlier phases. */
  readonly phase?: number;
  readonly unsafe: boolean;
  /** No other unsafe job runs at the same time. */
  readonly quiet?: boolean;
}

/**
 * Runs jobs in parallel until all are done. Unsafe ones start in order; safe ones may overtake them.
 * @param unsafeMost the maximum number of concurrent unsafe jobs while safe ones wait
 * @throws the error of the first failed job, after the running ones are done
 */
export async function runSideBySide<T extends Job>(
  jobs: readonly T[],
  most: number,
  run: (job: T) => Promise<void>,
  unsafeMost = most,
): Promise<void> {
  const waiting = phasesOf(jobs);
  const atWork = new Set<T>();
  let failure: { readonly error: unknown } | undefined;
  const { promise: over, resolve } = Promise.withResolvers<void>();

  function next(): T | undefined {
    while (waiting[0] && isOver(waiting[0])) waiting.shift();
    const [phase] = waiting;
    if (!phase || [...atWork].some((job) => (job.phase ?? 0) < phase.number)) return undefined;
    const isQuiet = [...atWork].some(({ quiet }) => quiet);
    const writing = [...atWork].filter(({ unsafe }) => unsafe).length;
    const mayWrite = phase.unsafe.at(-1)?.job.quiet ? writing === 0 : !isQuiet;
    const [unsafe, safe] = [mayWrite ? phase.unsafe.at(-1) : undefined, phase.safe.at(-1)];
    const isUnsafeFirst =
      unsafe !== undefined && !(safe && (safe.order < unsafe.order || writing >= unsafeMost));
    return (isUnsafeFirst ? phase.unsafe : phase.safe).pop()?.job;
  }

  function begin(): void {
    while (atWork.size < most && failure === undefined) {
      const job = next();
      if (!job) break;
      atWork.add(job);
      run(job)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          atWork.delete(job);
          begin();
        });
    }
    if (atWork.size === 0) resolve();
  }

  begin();
  await over;
  if (failure) throw failure.error;
}

/**
 * Yields the events of some work until it is done.
 * @param onLeft called when the caller leaves the loop: the work must end
 * @throws the error of the work
 */
export async function* eventsOf<Event>(
  work: (tell: (event: Event) => void) => Promise<void>,
  onLeft = () => {},
): AsyncGenerator<Event, void> {
  const events: Event[] = [];
  let news = Promise.withResolvers<void>();
  let isOver = false;
  const over = work((event) => {
    events.push(event);
    news.resolve();
  }).finally(() => {
    isOver = true;
    news.resolve();
  });
  over.catch(() => undefined);
  try {
    while (!isOver || events.length > 0) {
      await news.promise;
      news = Promise.withResolvers();
      yield* events.splice(0);
    }
  } finally {
    if (!isOver) onLeft();
    await over;
  }
}

/** The jobs of a phase that have not started, the first ones last, as there may be tens of thousands. */
interface Phase<T> {
  readonly number: number;
  readonly unsafe: Waiting<T>[];
  readonly safe: Waiting<T>[];
}

interface Waiting<T> {
  readonly job: T;
  readonly order: number;
}

function phasesOf<T extends Job>(jobs: readonly T[]): Phase<T>[] {
  const waiting = jobs.map((job, order) => ({ job, order })).reverse();
  return [...Map.groupBy(waiting, ({ job }) => job.phase ?? 0)]
    .sort(([left], [right]) => left - right)
    .map(([number, batch]) => ({
      number,
      unsafe: batch.filter(({ job }) => job.unsafe),
      safe: batch.filter(({ job }) => !job.unsafe),
    }));
}

function isOver({ unsafe, safe }: Phase<unknown>): boolean {
  return unsafe.length === 0 && safe.length === 0;
}
