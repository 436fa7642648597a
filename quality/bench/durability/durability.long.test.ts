import { expect, test } from 'vitest';
import { startPostgres } from '../../../mock/testing/postgres-server.ts';
import { fileStores, killImports } from './kill-imports.ts';
import { killReplica } from './kill-replica.ts';
import { killRounds } from './kill-rounds.ts';

// The same with full numbers: `npm run bench -- kill`, `kill-replica` and `kill-imports`.

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

test.each([
  ['a file', async () => fileStores()],
  [
    'PostgreSQL',
    async () => {
      const server = await startPostgres();
      return { create: () => server.createPlace(), remove: () => server.remove() };
    },
  ],
])(
  'after a kill in the middle of an import %s has all of it or nothing',
  async (_, open) => {
    const stores = await open();
    try {
      const results = await killImports(stores.create, 3);
      expect(Object.values(results).map((one) => [one.old + one.new, one.faults])).toEqual(
        Array.from({ length: 4 }, () => [3, []]),
      );
    } finally {
      await stores.remove();
    }
  },
  180_000,
);
