import { randomOf } from '#spec';

/** How long a response is delayed: milliseconds from `low` to `high`, both inclusive. */
export interface Delay {
  readonly low: number;
  readonly high: number;
}

/** Ten minutes, in milliseconds: longer than any client waits. */
export const LONGEST_DELAY = 600_000;

/** Reads `150` or `50-150`, in milliseconds up to 600,000; undefined: it is no such text. */
export function readDelay(text: string): Delay | undefined {
  const [, low = '', high = low] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  const delay = { low: Number(low), high: Number(high) };
  return low === '' || delay.low > delay.high || delay.high > LONGEST_DELAY ? undefined : delay;
}

/** Delays that depend on the key and their number only, so that a run is repeatable. */
export function createPause(key: string): (delay: Delay) => Promise<void> {
  let paused = 0;
  return async ({ low, high }) => {
    const ms = low === high ? low : randomOf(`${key}/${++paused}`).integer(low, high);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  };
}
