import { expect, test } from 'vitest';
import { simulateDay } from './simulate-day.ts';

const REQUESTS = 160_000;
/**
 * MiB that the heap may grow by after the first tenth. A kilobyte that is kept of each request would be 140; caches that
 * have a bound (texts of heads, compiled queries, the latest exchanges) may still fill.
 */
const GROWTH = 12;
const MIB = 2 ** 20;

test(`mock and proxy keep their size while ${REQUESTS} requests pass, after the first tenth`, async () => {
  const { tenths, statuses, counts, findings } = await simulateDay(REQUESTS, () => {});
  const [first, last] = [tenths[0], tenths.at(-1)];
  for (const name of ['mock', 'proxy'] as const)
    expect(((last?.[name].heap ?? 0) - (first?.[name].heap ?? 0)) / MIB).toBeLessThan(GROWTH);
  // Whole visits of sixteen visitors: a few more than were asked for.
  const sum = Object.values(statuses).reduce((all, one) => all + one);
  expect(sum).toBeGreaterThanOrEqual(REQUESTS);
  expect(counts).toMatchObject({ requests: sum, failed: 0, refused: 0, abandoned: 0 });
  expect(findings).toEqual([]);
  expect(Object.keys(statuses)).toEqual(['200', '201', '204', '400', '401', '404']);
}, 900_000);
