/** Tells the time in milliseconds since 1970 (UTC). */
export type Time = () => number;

/** A clock that shows `at` now, and then runs on. */
export function startClock(at: number, time: Time): Time {
  const ahead = at - time();
  return () => time() + ahead;
}

/** An RFC 3339 date or date-time; a date alone is its first moment (UTC). Undefined: it is none. */
export function readMoment(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.test(text))
    return undefined;
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/i.test(text) || !/[T ]/i.test(text) ? text : `${text}Z`;
  const moment = Date.parse(zoned);
  // `2030-02-31` would be taken for a day in March.
  return Number.isNaN(moment) || !existsOn(text.slice(0, 10)) ? undefined : moment;
}

function existsOn(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
