import { setImmediate } from 'node:timers/promises';

/** The time limit of a comparison. */
export interface Pace {
  /** Why it must end now; undefined: it need not. */
  readonly stopped: () => string | undefined;
  /** The remaining whole seconds, at least 1. */
  readonly left: () => number;
  /** Yields to signals and timers from time to time: trying values never waits otherwise. */
  readonly breathe: () => Promise<void>;
}

/** In milliseconds. */
const BREATHE_EVERY = 30;

/** @param maxTime in seconds */
export function createPace(maxTime: number, signal: AbortSignal | undefined): Pace {
  const deadline = performance.now() + maxTime * 1000;
  let breathed = performance.now();
  return {
    stopped() {
      if (signal?.aborted) return 'interrupted';
      return performance.now() > deadline ? `--max-time ${maxTime} is over` : undefined;
    },
    left: () => Math.max(1, Math.ceil((deadline - performance.now()) / 1000)),
    async breathe() {
      if (performance.now() - breathed < BREATHE_EVERY) return;
      await setImmediate();
      breathed = performance.now();
    },
  };
}

/** The progress of a comparison: first changed operations, then the cases of OLD's suite. */
export interface CompatProgress {
  readonly stage: 'operations' | 'cases';
  readonly done: number;
  readonly total: number;
  /** The id of the current operation or case. */
  readonly at: string;
}
