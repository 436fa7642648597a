import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../testing/command.ts';
import { fuzzHar } from './fuzz-har.ts';

test('no broken recording breaks a mock', async () => {
  const file = await readFile(join(ROOT, 'fixtures/har/shop.har'), 'utf8');
  const seed = Number(process.env.SEED ?? 1);
  const { refused, exchanges, faults } = await fuzzHar(file, join(ROOT, 'spec/openapi.yaml'), 150, seed);
  expect(faults).toEqual([]);
  expect(refused).toBeGreaterThan(5);
  expect(exchanges).toBeGreaterThan(200);
});
