import { setTimeout as wait } from 'node:timers/promises';
import { randomOf } from '#spec';

/** How long an answer waits: a number of milliseconds in [low, high]. */
export interface Delay {
  readonly low: number;
  readonly high: number;
}

/** Ten minutes: longer than any client waits. */
export const LONGEST_DELAY = 600_000;

/** Reads `150` or `50-150`; undefined: it is neither, or too long. */
export function readDelay(text: string): Delay | undefined {
  const [, low = '', high = low] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  const delay = { low: Number(low), high: Number(high) };
  return low === '' || delay.low > delay.high || delay.high > LONGEST_DELAY ? undefined : delay;
}

/** Waits that follow from the key and their number: a run that is slow in places is so each time. */
export function createPause(key: string): (delay: Delay) => Promise<void> {
  let paused = 0;
  return async ({ low, high }) => {
    const ms = low === high ? low : randomOf(`${key}/${++paused}`).integer(low, high);
    if (ms > 0) await wait(ms);
  };
}
