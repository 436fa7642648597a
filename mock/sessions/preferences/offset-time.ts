const UNITS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/**
 * A moment that is `3 days` or `-1 month` away from another one, in RFC 3339. The last day of a month stays within it.
 * @throws Error when either cannot be read
 */
export function offsetTime(from: unknown, by: unknown): string {
  const moment = new Date(typeof from === 'number' ? from : String(from));
  const [, count = '', unit = ''] =
    /^([+-]?\d{1,9}) *(second|minute|hour|day|week|month|year)s?$/.exec(String(by)) ?? [];
  if (Number.isNaN(moment.getTime())) throw new Error(`offset: "${from}" is no moment`);
  if (unit === '') throw new Error(`offset must be such as "3 days" or "-1 month", not "${by}"`);
  const length = UNITS[unit as keyof typeof UNITS];
  if (length !== undefined) moment.setTime(moment.getTime() + Number(count) * length);
  else addMonths(moment, Number(count) * (unit === 'year' ? 12 : 1));
  if (Number.isNaN(moment.getTime())) throw new Error(`offset: "${by}" is too far away`);
  return moment.toISOString();
}

function addMonths(moment: Date, months: number): void {
  const day = moment.getUTCDate();
  moment.setUTCMonth(moment.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate();
  moment.setUTCDate(Math.min(day, last));
}
