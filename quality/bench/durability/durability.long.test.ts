import { expect, test } from 'vitest';
import { killReplica } from './kill-replica.ts';
import { killRounds } from './kill-rounds.ts';

// The same with full numbers: `npm run bench -- kill`, `npm run bench -- kill-replica`.

test('a mock on a file that is killed while it writes loses nothing that it acknowledged', async () => {
  const { acknowledged, faults } = await killRounds(4);
  expect(faults).toEqual([]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(4);
}, 120_000);

test('a replica that is killed and a database that is restarted lose nothing, and every response is documented', async () => {
  const { acknowledged, statuses, faults } = await killReplica(1000);
  expect(faults).toEqual([]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(1000);
  // Or nothing was killed and restarted in the middle of it.
  expect(statuses.get(0)).toBeGreaterThan(0);
  expect(statuses.get(503)).toBeGreaterThan(0);
}, 120_000);
