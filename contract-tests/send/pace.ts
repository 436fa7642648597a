import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { createExclusive, type Exclusive, NO_TURNS, type Turns } from './turns.ts';
import { Interrupted, TimeIsOver } from './wire.ts';

/** What all clients of a run share: the rate of requests, and their deadline. */
export interface Pace {
  /** On the clock of `performance.now()`: no wait exceeds it, and nothing is sent after it. */
  readonly deadline: number;
  /** Extends the deadline, in milliseconds. */
  giveMore(ms: number): void;
  readonly failures: RepeatedFailures;
  readonly exclusive: Exclusive;
  readonly turns: Turns;
  /** @throws Interrupted, or TimeIsOver after the deadline */
  demandTime(): void;
  /**
   * Waits until the next request may be sent.
   * @throws Interrupted, or TimeIsOver after the deadline
   */
  ready(): Promise<void>;
  /** @throws Interrupted */
  wait(ms: number): Promise<void>;
  /** Whether the run is stopping: no more requests are sent. */
  readonly isStopped: () => boolean;
  /**
   * Makes requests sequential, over one connection: the target is overloaded. Each further call increases the gap between
   * them.
   */
  slowDown(): void;
  /** Records a 503: of one operation it may be that operation's fault; of several, the target is overloaded. */
  noteOverload(about: string): void;
  /** Records an ordinary response: after several of them the gap shrinks. */
  noteAnswer(): void;
  readonly isSlow: () => boolean;
  /** Runs the given functions one after another. */
  oneByOne<T>(send: () => Promise<T>): Promise<T>;
  /** Records the client with the latest response; if only one connection is used, it is that one's. */
  noteResponse(client: Client): void;
  readonly onlyClient: () => Client | undefined;
  /** The number of requests sent so far. */
  readonly sent: () => number;
}

export interface PaceOptions {
  /** The maximum number of requests per second; undefined: unlimited. */
  readonly rate?: number | undefined;
  readonly deadline?: number;
  readonly stop?: AbortSignal | undefined;
  /** Undefined: requests are sent at once. */
  readonly turns?: Turns;
}

/** The number of operations from which a 503 means an overloaded target. */
const SEVERAL = 2;
/**
 * The gap between requests to an overloaded target: each 503 adds to it, in milliseconds, and each response reduces it, so
 * that a target with few 503s is hardly slowed down.
 */
const LONGER = 20;
const LONGEST_GAP = 200;
const SHORTER = 0.75;

export function createPace({
  rate,
  deadline: first = Number.POSITIVE_INFINITY,
  stop,
  turns = NO_TURNS,
}: PaceOptions = {}): Pace {
  const leastGap = rate ? 1000 / rate : 0;
  let [deadline, gap] = [first, leastGap];
  const overloaded = new Set<string>();
  const failures = countFailures();
  let earliest = 0;
  let sent = 0;
  let slow = false;
  let latest: Client | undefined;
  let only: Client | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const isStopped = () => stop?.aborted === true;

  async function wait(ms: number): Promise<void> {
    if (ms > 0 && !isStopped()) await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
    if (isStopped()) throw new Interrupted();
  }

  function demandTime(): void {
    if (isStopped()) throw new Interrupted();
    if (performance.now() > deadline) throw new TimeIsOver();
  }

  function slowDown(): void {
    if (slow) gap = Math.max(leastGap, Math.min(gap + LONGER, LONGEST_GAP));
    else failures.forget();
    slow = true;
    only ??= latest;
  }

  return {
    get deadline() {
      return deadline;
    },
    giveMore: (ms) => {
      deadline += ms;
    },
    failures,
    exclusive: createExclusive(),
    turns,
    demandTime,
    wait,
    isStopped,
    sent: () => sent,
    async ready() {
      const at = Math.max(performance.now(), earliest);
      earliest = at + gap;
      await wait(at - performance.now());
      demandTime();
      sent += 1;
    },
    slowDown,
    noteOverload(about) {
      overloaded.add(about);
      if (overloaded.size >= SEVERAL) slowDown();
    },
    noteAnswer() {
      failures.answered();
      gap = Math.max(leastGap, gap * SHORTER);
    },
    isSlow: () => slow,
    oneByOne(send) {
      const turn = queue.then(send, send);
      queue = turn.catch(() => undefined);
      return turn;
    },
    noteResponse: (client) => {
      latest = client;
    },
    onlyClient: () => only,
  };
}

/** Counts repeated failures despite waiting: patience is a budget of the whole run. */
interface RepeatedFailures {
  /** Whether waiting is useless. */
  isHopeless(what: string): boolean;
  /** Whether it has failed repeatedly, with nothing else in between. */
  hasFailed(what: string): boolean;
  /** It failed although it was waited for. */
  failed(what: string): void;
  /** Another request got a response: waiting is not useless in general. */
  answered(): void;
  /** The target gets fewer requests from now on: earlier failures may not recur. */
  forget(): void;
  /** The wait succeeded. */
  passed(what: string): void;
}

/** The number of equal failures after which waiting stops. */
const HOPELESS = 3;

/** The number of useless waits in a row after which all waiting stops. */
const MOST_IN_A_ROW = 6;

export function countFailures(): RepeatedFailures {
  const counts = new Map<string, number>();
  let inARow = 0;
  const hasFailed = (what: string) => (counts.get(what) ?? 0) >= HOPELESS;
  return {
    isHopeless: (what) => inARow >= MOST_IN_A_ROW || hasFailed(what),
    hasFailed,
    failed(what) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      inARow += 1;
    },
    answered() {
      inARow = 0;
    },
    forget() {
      counts.clear();
      inARow = 0;
    },
    passed(what) {
      counts.delete(what);
      inARow = 0;
    },
  };
}
