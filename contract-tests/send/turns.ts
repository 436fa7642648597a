import { setTimeout as sleep } from 'node:timers/promises';
import { SAFE_METHODS } from '#spec';
import { WireError } from './client.ts';
import type { Faulty, WireRequest, WireResponse } from './wire.ts';

/**
 * Sends what may change something one after another: a service that keeps its records in one file, say, loses them to
 * two writers at once.
 */
export interface Turns {
  /** Sends a request in its turn. A safe one, and one that is known to be refused, goes at once. */
  take(request: WireRequest, send: () => Promise<WireResponse>): Promise<WireResponse>;
  /** How long requests have had their turn so far, in milliseconds. */
  busy(): number;
  /** Waits until nothing is under way that may change something. @returns whether that was so within `ms` milliseconds */
  rest(ms: number): Promise<boolean>;
  close(): void;
}

/** Nobody has to wait. */
export const NO_TURNS: Turns = {
  take: (_, send) => send(),
  busy: () => 0,
  rest: async () => true,
  close: () => undefined,
};

/** They say nothing of the request itself: the service may take it later (RFC 9110 §15.5.9, RFC 8470, RFC 6585). */
const PASSING = new Set([408, 425, 429]);

/** RFC 9110 §15.6.5: what stands before the service waits no longer. */
const GATEWAY_TIMEOUT = 504;

/**
 * @param hold how long a request counts as under way that was not answered in time, in milliseconds: nothing shows when
 * the service is done with it
 */
export function createTurns(hold: number): Turns {
  const refused = new Set<string>();
  const lenient = new Set<string>();
  const held = new Map<NodeJS.Timeout, () => void>();
  /** Those that were known to be refused, and are under way. */
  const beside = new Set<Promise<void>>();
  let latest: Promise<unknown> = Promise.resolve();
  /** Those beside others that may be accepted after all. */
  let strays: Promise<unknown> = latest;
  let busy = 0;

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
      // What came before it may have shown that it is refused.
      if (isAtOnce()) {
        beside.add(promise);
        promise.then(() => beside.delete(promise));
        giveUpTurn?.();
      } else {
        const since = performance.now();
        promise.then(() => {
          busy += performance.now() - since;
          giveUpTurn?.();
        });
      }
      let isOpen = false;
      try {
        const response = await send();
        isOpen = response.status === GATEWAY_TIMEOUT;
        if (faulty) note(faulty, response.status);
        return response;
      } catch (error) {
        isOpen = error instanceof WireError && (error.timedOut || error.silent);
        // Where the run has ended, nothing was sent.
        if (faulty && error instanceof WireError) note(faulty);
        throw error;
      } finally {
        end(resolve, isOpen);
      }
    },
    busy: () => busy,
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
