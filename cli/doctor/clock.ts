import { about, type Remark } from './remark.ts';

const { good, warning, skipped } = about('clock');

/** Seconds; a `Date` has whole seconds, and is made some time before it is received. */
const TOLERATED = 5;

/**
 * The difference between the clocks of the target and of this machine.
 * @param date the header `Date` (RFC 9110 §6.6.1)
 * @param age the header `Age`: seconds that a cache has kept the response (RFC 9111 §5.1)
 * @param at when it was received, in milliseconds since 1970
 */
export function examineClock(date: string | undefined, age: string | undefined, at: number): Remark {
  const sent = Date.parse(date ?? '');
  if (Number.isNaN(sent)) return skipped('the target says no time (it sends no header Date)');
  const seconds = Math.round((sent - at) / 1000) + (Number(age) || 0);
  const size = Math.abs(seconds);
  if (size <= TOLERATED) return good("the target's is that of this machine");
  const where = seconds > 0 ? 'ahead of' : 'behind';
  return warning(
    `the target's is ${inWords(size)} ${where} that of this machine`,
    'synchronize both (NTP): when tokens expire and operations are removed depends on them',
  );
}

function inWords(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, 'seconds']
      : seconds < 7200
        ? [Math.round(seconds / 60), 'minutes']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hours']
          : [Math.round(seconds / 86_400), 'days'];
  return `${count} ${unit}`;
}
