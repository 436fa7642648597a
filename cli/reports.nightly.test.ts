import { expect, test } from 'vitest';
import { killWriters } from './testing/kill-writers.ts';

test('25 processes that are killed while they write reports of 35 MB leave a whole one each', async () => {
  const seed = Number(process.env.SEED ?? 1);
  const { reports, leftOver } = await killWriters({ rounds: 25, entries: 300_000, seed });
  expect(reports).toHaveLength(25);
  expect(leftOver).toBeLessThan(2);
});
