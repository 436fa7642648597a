/** Returns the time in milliseconds since 1970-01-01T00:00Z. */
export type Time = () => number;

/** A clock that shows `at` now, and runs on. */
export function startClock(at: number, time: Time): Time {
  const ahead = at - time();
  return () => time() + ahead;
}

/**
 * Reads an RFC 3339 date or date-time into milliseconds since 1970; a date alone is 00:00 UTC, and a time without an
 * offset is UTC. Undefined: it is neither.
 */
export function readMoment(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.test(text))
    return undefined;
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/i.test(text) || !/[T ]/i.test(text) ? text : `${text}Z`;
  const moment = Date.parse(zoned);
  // Date.parse reads `2030-02-31` as a day in March.
  return Number.isNaN(moment) || !existsOn(text.slice(0, 10)) ? undefined : moment;
}

function existsOn(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
