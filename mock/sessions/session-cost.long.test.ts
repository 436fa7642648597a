import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../testing/session-cost.ts', import.meta.url));
const SHOP = ['/pets', '{"categoryId":7}', '?status=sold'];

/** In a separate process, where nothing else allocates or frees memory. */
test.each([
  ['that share the seeded records', 'shared', 51],
  ['of records that are all their own', 'own', 50],
])('a thousand sessions %s cost less than 150 MB more than one', async (_, kind, records) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', PROGRAM, kind, ...SHOP]);
  const cost = JSON.parse(stdout);
  expect(cost.records).toBe(records);
  expect(cost.megabytes).toBeLessThan(150);
});
