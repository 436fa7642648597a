import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { createExclusive, type Exclusive, NO_TURNS, type Turns } from './turns.ts';
import { Interrupted, TimeIsOver } from './wire.ts';

/** What all clients of a run share: how fast requests are sent, and until when. */
export interface Pace {
  /** On the clock of `performance.now()`: no wait goes beyond it, and nothing is sent after it. */
  readonly deadline: number;
  /** Puts the deadline off by so many milliseconds. */
  giveMore(ms: number): void;
  readonly failures: RepeatedFailures;
  readonly exclusive: Exclusive;
  readonly turns: Turns;
  /** @throws Interrupted, or TimeIsOver behind the deadline */
  demandTime(): void;
  /** Waits until the next request may be sent. @throws Interrupted, or TimeIsOver behind the deadline */
  ready(): Promise<void>;
  /** @throws Interrupted */
  wait(ms: number): Promise<void>;
  /** True when the run is to stop: no request is sent any more. */
  readonly isStopped: () => boolean;
  /**
   * From now on requests are sent one after another, over one connection: the target cannot take more. Each further time
   * the gap between them grows.
   */
  slowDown(): void;
  /** 503 of one operation may be the operation's own fault; of several the target cannot take more. */
  noteOverload(about: string): void;
  /** A request was answered as the service does: after several of them the gap shrinks. */
  noteAnswer(): void;
  readonly isSlow: () => boolean;
  /** Runs one after another what is given here. */
  oneByOne<T>(send: () => Promise<T>): Promise<T>;
  /** The client that got the latest response; where only one connection is used, it is that one. */
  noteResponse(client: Client): void;
  readonly onlyClient: () => Client | undefined;
  /** Requests sent so far. */
  readonly sent: () => number;
}

export interface PaceOptions {
  /** Requests in a second at most; undefined: no bound. */
  readonly rate?: number | undefined;
  readonly deadline?: number;
  readonly stop?: AbortSignal | undefined;
  /** Undefined: whatever is sent goes at once. */
  readonly turns?: Turns;
}

/** So many operations that are overloaded are not each at fault by itself. */
const SEVERAL = 2;
/**
 * The gap between requests to a target that cannot take more: each refusal adds to it, in milliseconds, and each answer
 * takes a part of it away, so that a target that refuses few requests is hardly held up.
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

/** How often the same thing has failed although it was waited for: patience is a budget of the whole run. */
interface RepeatedFailures {
  /** Waiting for it is in vain. */
  isHopeless(what: string): boolean;
  /** So often, and nothing else in between. */
  hasFailed(what: string): boolean;
  /** It was waited for, and failed nevertheless. */
  failed(what: string): void;
  /** Something else was answered: not all waits are in vain. */
  answered(): void;
  /** The target is sent less from now on: what failed before may pass. */
  forget(): void;
  /** It has passed while it was waited for. */
  passed(what: string): void;
}

/** What has failed so often in the same way is not waited for any more. */
const HOPELESS = 3;

/** Nothing at all is waited for any more when so many waits in a row were in vain. */
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
