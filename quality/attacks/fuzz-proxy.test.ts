import { expect, test } from 'vitest';
import { fuzzProxy } from './fuzz-proxy.ts';

test('malformed bytes from either side: each connection ends, one request is never two, and nothing is a bug', async () => {
  const { passed, refused, failed, faults } = await fuzzProxy(400, Number(process.env.SEED ?? 1));
  expect(faults).toEqual([]);
  expect(passed).toBeGreaterThan(400);
  expect(refused).toBeGreaterThan(50);
  expect(failed).toBeGreaterThan(50);
}, 300_000);
