import { setTimeout as sleep } from 'node:timers/promises';
import { SAFE_METHODS } from '#spec';
import { WireError } from './client.ts';
import type { Faulty, WireRequest, WireResponse } from './wire.ts';

/**
 * Sends changing requests one after another: some services, such as those with a single data file, lose records with two
 * concurrent writers.
 */
export interface Turns {
  /** Sends a request in its turn. A safe one, and one that is known to be rejected, is sent at once. */
  take(request: WireRequest, send: () => Promise<WireResponse>): Promise<WireResponse>;
  /**
   * Waits until no changing request is in flight.
   * @returns whether that was so within `ms` milliseconds
   */
  rest(ms: number): Promise<boolean>;
  close(): void;
}

/** Turns without waiting. */
export const NO_TURNS: Turns = {
  take: (_, send) => send(),
  rest: async () => true,
  close: () => undefined,
};

/** Statuses that do not judge the request: it may be accepted later (RFC 9110 §15.5.9, RFC 8470, RFC 6585). */
const PASSING = new Set([408, 425, 429]);

/** RFC 9110 §15.6.5: the gateway stopped waiting, not the service. */
const GATEWAY_TIMEOUT = 504;

/**
 * @param hold how long a timed-out request counts as in flight, in milliseconds: nothing shows when the service is done
 * with it
 */
export function createTurns(hold: number): Turns {
  const refused = new Set<string>();
  const lenient = new Set<string>();
  const held = new Map<NodeJS.Timeout, () => void>();
  /** Requests in flight that are known to be rejected. */
  const beside = new Set<Promise<void>>();
  let latest: Promise<unknown> = Promise.resolve();
  /** Those among them that may be accepted after all. */
  let strays: Promise<unknown> = latest;

  const isKnownToBeRefused = ({ operation, faults }: Faulty) =>
    !lenient.has(operation) &&
    faults.some(({ place, kind }) => refused.has(`${operation} ${place}`) && refused.has(kind));

  /** @param status undefined: there was no response */
  function note({ operation, faults }: Faulty, status = 0): void {
    if (status >= 400 && status < 500) {
      const [only, ...more] = faults;
      if (!only || more.length > 0 || PASSING.has(status)) return;
      refused.add(`${operation} ${only.place}`).add(only.kind);
      return;
    }
    lenient.add(operation);
    strays = Promise.all([strays, ...beside]);
  }

  function end(resolve: () => void, isOpen: boolean): void {
    if (!isOpen) {
      resolve();
      return;
    }
    const timer = setTimeout(() => {
      held.delete(timer);
      resolve();
    }, hold);
    held.set(timer, resolve);
  }

  return {
    async take(request, send) {
      const { changes = !SAFE_METHODS.has(request.method), faulty } = request;
      if (!changes) return send();
      const { promise, resolve } = Promise.withResolvers<void>();
      const isAtOnce = () => faulty !== undefined && isKnownToBeRefused(faulty);
      let giveUpTurn: (() => void) | undefined;
      if (!isAtOnce()) {
        const turn = Promise.withResolvers<void>();
        const before = latest;
        latest = turn.promise;
        await before;
        await strays;
        giveUpTurn = turn.resolve;
      }
      // Earlier requests may have shown that it is rejected.
      if (isAtOnce()) {
        beside.add(promise);
        promise.then(() => beside.delete(promise));
        giveUpTurn?.();
      } else {
        promise.then(() => giveUpTurn?.());
      }
      let isOpen = false;
      try {
        const response = await send();
        isOpen = response.status === GATEWAY_TIMEOUT;
        if (faulty) note(faulty, response.status);
        return response;
      } catch (error) {
        isOpen = error instanceof WireError && (error.timedOut || error.silent);
        // If the run has ended, nothing was sent.
        if (faulty && error instanceof WireError) note(faulty);
        throw error;
      } finally {
        end(resolve, isOpen);
      }
    },
    async rest(ms) {
      const over = new AbortController();
      const late = sleep(ms, false, { signal: over.signal }).catch(() => false);
      const isAtRest = await Promise.race([Promise.all([latest, ...beside]).then(() => true), late]);
      over.abort();
      return isAtRest;
    },
    close() {
      for (const [timer, resolve] of held) {
        clearTimeout(timer);
        resolve();
      }
      held.clear();
    },
  };
}

/** Runs requests of different owners in parallel, and those of one owner exclusively on request. */
export interface Exclusive {
  /** Runs a request when no other owner is exclusive. */
  through<T>(owner: object, send: () => Promise<T>): Promise<T>;
  /** Runs work of one owner while no request of others is in flight; it may be nested. */
  alone<T>(owner: object, work: () => Promise<T>): Promise<T>;
  /**
   * Waits for work of others. An exclusive owner gives up exclusivity meanwhile, since it would block what it waits for.
   * All waiting for others during exclusive work must go through here to prevent deadlocks.
   */
  aside<T>(owner: object, wait: () => Promise<T>): Promise<T>;
}

/** The maximum time, in milliseconds, that exclusive work blocks others. */
const LONGEST = 10_000;

/** An owner that is exclusive, or queued for it. */
interface Turn {
  readonly owner: object;
  /** The number of its pieces of work. */
  works: number;
  /** How many of them wait for others. */
  waits: number;
  taken: Promise<void>;
}

export function createExclusive(): Exclusive {
  const underWay = new Map<object, number>();
  const turns = new Map<object, Turn>();
  const queue: { readonly turn: Turn; readonly begin: () => void }[] = [];
  let sole: Turn | undefined;
  const waiting: (() => void)[] = [];

  function changed(): void {
    for (const wake of waiting.splice(0)) wake();
  }

  async function until(isTrue: () => boolean): Promise<void> {
    const end = new AbortController();
    const late = sleep(LONGEST, true, { signal: end.signal }).catch(() => true);
    for (let isLate = false; !isLate && !isTrue(); )
      isLate = await Promise.race([
        new Promise<false>((resolve) => waiting.push(() => resolve(false))),
        late,
      ]);
    end.abort();
  }

  const count = (owner: object, change: number) => underWay.set(owner, (underWay.get(owner) ?? 0) + change);
  const othersRest = (owner: object) =>
    [...underWay].every(([other, number]) => other === owner || number === 0);

  function take(turn: Turn): Promise<void> {
    const isTaken = sole === turn || queue.some((one) => one.turn === turn);
    if (!isTaken) turn.taken = begin(turn);
    return turn.taken;
  }

  async function begin(turn: Turn): Promise<void> {
    if (sole === undefined) sole = turn;
    else await new Promise<void>((resolve) => queue.push({ turn, begin: resolve }));
    // While it was queued, its work may have ended or started to wait for others.
    if (turn.works === 0 || turn.waits > 0) return release(turn);
    if (!othersRest(turn.owner)) await until(() => sole !== turn || othersRest(turn.owner));
  }

  function release(turn: Turn): void {
    if (sole !== turn) return;
    const next = queue.shift();
    sole = next?.turn;
    next?.begin();
    changed();
  }

  return {
    async through(owner, send) {
      const isLetThrough = () => sole === undefined || sole.owner === owner;
      if (!isLetThrough()) await until(isLetThrough);
      count(owner, 1);
      try {
        return await send();
      } finally {
        count(owner, -1);
        if (waiting.length > 0) changed();
      }
    },
    async alone(owner, work) {
      const turn = turns.get(owner) ?? { owner, works: 0, waits: 0, taken: Promise.resolve() };
      turns.set(owner, turn);
      turn.works += 1;
      if (turn.works === 1) take(turn);
      try {
        await turn.taken;
        return await work();
      } finally {
        turn.works -= 1;
        if (turn.works === 0) {
          turns.delete(owner);
          release(turn);
        }
      }
    },
    async aside(owner, wait) {
      const turn = turns.get(owner);
      if (!turn) return wait();
      turn.waits += 1;
      release(turn);
      try {
        return await wait();
      } finally {
        turn.waits -= 1;
        if (turn.waits === 0 && turn.works > 0) await take(turn);
      }
    },
  };
}
