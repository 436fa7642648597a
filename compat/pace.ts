import { setImmediate } from 'node:timers/promises';

/** How long a comparison may go on. */
export interface Pace {
  /** Why it must end now; undefined: it need not. */
  readonly stopped: () => string | undefined;
  /** Whole seconds until the time is over, at least 1. */
  readonly left: () => number;
  /** Lets signals and timers of the process come in, now and then: values are tried without any wait. */
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

/** How far a comparison is: first changed operations are tried, then the cases of OLD's suite. */
export interface CompatProgress {
  readonly stage: 'operations' | 'cases';
  readonly done: number;
  readonly total: number;
  /** The id of the operation or of the case at work. */
  readonly at: string;
}
