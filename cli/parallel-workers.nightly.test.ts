import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createMock } from '#mock';

/** Twenty concurrent vitest workers on one mock, each in its own session. */
const WORKERS = 20;
const ROUNDS = 200;
const ROOT = fileURLToPath(new URL('../', import.meta.url));

const WORKER = `
import { expect, test } from 'vitest';

const session = 'worker-' + process.env.VITEST_POOL_ID;
const base = process.env.MOCK_ORIGIN + '/~' + session + '/v1';
const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

test('each round sees only the seeded records and its own', { timeout: 120_000 }, async () => {
  for (let round = 0; round < ${ROUNDS}; round++) {
    const body = JSON.stringify({ name: session + ' ' + round, categoryId: round });
    const created = await fetch(base + '/pets', { method: 'POST', headers, body });
    expect(await created.json()).toEqual({ id: 51, name: session + ' ' + round, categoryId: round });
    const list = await (await fetch(base + '/pets?limit=100', { headers })).json();
    expect(list.length).toBe(51);
    expect(list.filter(({ name }) => name.startsWith('worker-')).map(({ name }) => name)).toEqual([session + ' ' + round]);
    const reset = await fetch(process.env.MOCK_ORIGIN + '/__admin/reset?session=' + session, { method: 'POST' });
    expect(reset.status).toBe(204);
  }
  await fetch(base + '/pets', { headers });
});
`;

test('twenty vitest workers on one mock are isolated', async () => {
  const mock = await createMock({ document: join(ROOT, 'spec/openapi.yaml'), port: 0 });
  const folder = await mkdtemp(join(ROOT, 'parallel-workers-'));
  try {
    const files = Array.from({ length: WORKERS }, (_, index) => join(folder, `file-${index}.test.ts`));
    await Promise.all(files.map((file) => writeFile(file, WORKER)));
    const program = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const report = join(folder, 'report.json');
    const pool = `--pool=threads --maxWorkers=${WORKERS}`.split(' ');
    const args = ['run', '--root', folder, ...pool, '--reporter=json', `--outputFile=${report}`];
    const env = { ...process.env, MOCK_ORIGIN: new URL(mock.url).origin, VITEST_POOL_ID: undefined };
    await promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env });
    const { numPassedTests, numTotalTests } = JSON.parse(await readFile(report, 'utf8'));
    expect({ numPassedTests, numTotalTests }).toEqual({ numPassedTests: WORKERS, numTotalTests: WORKERS });
    // The last request of each worker is in the journal of its session.
    const left = Array.from(
      { length: WORKERS },
      (_, index) => mock.session(`worker-${index + 1}`).requests().length,
    );
    expect(left).toEqual(Array(WORKERS).fill(1));
    expect((await mock.state()).records['/pets']).toHaveLength(50);
  } finally {
    await rm(folder, { recursive: true });
    await mock.close();
  }
});
