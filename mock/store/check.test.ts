import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runPaddock } from '../../quality/testing/paddock.ts';
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { balance } from '../testing/round-robin.ts';
import { SHIPPED, serve } from '../testing/serve.ts';

const folder = mkdtempSync(join(tmpdir(), 'paddock-check-'));
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

const check = async (url: string) =>
  (await runPaddock(['check', url], { env: { PADDOCK_API_KEY: 'paddock-dev-key', PADDOCK_EXAMPLES: '5' } }))
    .output;

test('the contract holds with all cells covered on a file', async () => {
  const mock = await serve(SHIPPED, { port: 0, store: `file:${join(folder, 'records.db')}` });
  expect(await check(mock.url)).toMatch(/8 of 8/);
});

test('the contract holds with all cells covered on PostgreSQL, against two replicas in turn', async () => {
  const store = await server.createPlace();
  const mocks = await Promise.all([1, 2].map(() => serve(SHIPPED, { port: 0, store })));
  const balancer = await balance(mocks.map(({ url }) => new URL(url).origin));
  onTestFinished(() => balancer.close());
  expect(await check(`${balancer.origin}/v1`)).toMatch(/8 of 8/);
  for (const count of balancer.counts) expect(count).toBeGreaterThan(50);
});
