import { isRecord, randomOf } from '#spec';

/** The range of a delay: milliseconds from `low` to `high`, both inclusive. */
export interface Delay {
  readonly low: number;
  readonly high: number;
}

/** Ten minutes, in milliseconds: longer than any client waits. */
export const LONGEST_DELAY = 600_000;

/** Reads `150` or `50-150`, in milliseconds up to 600,000. Undefined: it is invalid. */
export function readDelay(text: string): Delay | undefined {
  const [, low = '', high = low] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  const delay = { low: Number(low), high: Number(high) };
  return low === '' || delay.low > delay.high || delay.high > LONGEST_DELAY ? undefined : delay;
}

export const NO_DELAY: Delay = { low: 0, high: 0 };

/** A delay in the form that {@link readDelay} reads; a number if it is no range. */
export function delayJson({ low, high }: Delay): number | string {
  return low === high ? low : `${low}-${high}`;
}

const isDelay = (value: unknown) => typeof value === 'number' && value >= 0 && value <= LONGEST_DELAY;

/** A delay as a library option. */
export const LATENCY = {
  allowed: `milliseconds from 0 to ${LONGEST_DELAY}, or a range of them such as { low: 50, high: 150 }`,
  isAllowed: (value: unknown): value is Delay | number =>
    isDelay(value) ||
    (isRecord(value) && isDelay(value.low) && isDelay(value.high) && Number(value.low) <= Number(value.high)),
};

export function delayOf(delay: Delay | number): Delay {
  return typeof delay === 'number' ? { low: delay, high: delay } : delay;
}

/** Delays that only depend on the key and their number, so that a run is repeatable. */
export function createPause(key: string): (delay: Delay) => Promise<void> {
  let paused = 0;
  return async ({ low, high }) => {
    const ms = low === high ? low : randomOf(`${key}/${++paused}`).integer(low, high);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  };
}

/**
 * Reads an RFC 3339 date or date-time, or `today`, as milliseconds since 1970; a date alone is 00:00 UTC, and a time
 * without an offset is UTC. Undefined: it is invalid.
 */
export function readMoment(text: string): number | undefined {
  if (text === 'today') return Math.floor(Date.now() / DAY) * DAY;
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.test(text))
    return undefined;
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/i.test(text) || !/[T ]/i.test(text) ? text : `${text}Z`;
  const moment = Date.parse(zoned);
  // Date.parse reads `2030-02-31` as a day in March.
  return Number.isNaN(moment) || !existsOn(text.slice(0, 10)) ? undefined : moment;
}

const DAY = 86_400_000;

function existsOn(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
