import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract } from '#spec';
import { allCases } from './cases/all-cases.ts';
import { startShop } from './mutants/by-hand/shop.ts';
import { type OwnMock, startOwnMock } from './own-mock.ts';
import { resolveSettings } from './settings.ts';
import { runCheck, SHIPPED_DOCUMENT } from './testing/run-check.ts';

/** What a run may cost a service, and what a busy service may do to a run. */
const apiKey = 'paddock-dev-key';
let mock: OwnMock;

beforeAll(async () => {
  mock = await startOwnMock('--no-log');
});

afterAll(() => mock.stop());

test('a run is small: under 400 requests, and no more than 60 records', async () => {
  const { totals, created, verdict } = await runCheck({ target: mock.url, apiKey });
  expect(verdict).toBe('holds');
  expect(totals.requests).toBeLessThan(400);
  expect(created.length).toBeLessThanOrEqual(60);
});

test('every record bears the mark of the run; what has no room for it is made on loopback only', async () => {
  const { created } = await runCheck({ target: mock.url, apiKey });
  const unmarked = new Set(created.filter(({ mark }) => mark === undefined).map(({ caseId }) => caseId));
  const contract = await loadContract(SHIPPED_DOCUMENT);
  const elsewhere = resolveSettings({
    target: 'https://staging.example/v1',
    document: SHIPPED_DOCUMENT,
    writes: true,
  });
  expect(allCases(contract, elsewhere).filter(({ id }) => unmarked.has(id))).toEqual([]);
  expect(created.every(({ id }) => id !== undefined)).toBe(true);
});

/** Starts a second process that creates 100 records a second; gives what ends it, and how many there were in one. */
function startStranger(url: string): () => Promise<number> {
  const program = fileURLToPath(new URL('testing/stranger.ts', import.meta.url));
  const body = JSON.stringify({ name: 'stranger', categoryId: 3, status: 'sold' });
  const child = spawn(process.execPath, [program, `${url}/pets`, apiKey, body]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return () =>
    new Promise((resolve, reject) => {
      child.once('close', () => {
        const [, written, ms] = /^(\d+) in (\d+) ms$/m.exec(output) ?? [];
        if (ms === undefined) reject(new Error(`the stranger broke down:\n${output}`));
        else resolve((Number(written) / Number(ms)) * 1000);
      });
      child.kill();
    });
}

test('twenty runs in a row with other seeds each hold while somebody else writes', async () => {
  const stop = startStranger(mock.url);
  const seeds = Array.from({ length: 20 }, () => randomInt(2 ** 31));
  for (const seed of seeds) {
    const { findings, exitCode } = await runCheck({ target: mock.url, apiKey, seed, jobs: 8 });
    expect({ seed, findings, exitCode }).toEqual({ seed, findings: [], exitCode: 0 });
  }
  // 100 are meant; a busy machine may hold some of them up.
  expect(await stop()).toBeGreaterThan(50);
});

test('the same seed sends the same requests, marks apart', async () => {
  const requestsOf = async () => {
    const shop = await startShop();
    const { created } = await runCheck({ target: shop.url, apiKey: shop.apiKey, seed: 5, jobs: 1 });
    await shop.close();
    const run = created[0]?.mark?.replace(/-\d+$/, '') ?? '';
    return shop.requests.map(({ method, path, query, body }) => [
      method,
      path,
      `${query}`,
      `${body}`.replaceAll(run, 'RUN'),
    ]);
  };
  expect(await requestsOf()).toEqual(await requestsOf());
});

test('reading only, nothing but safe methods arrives', async () => {
  const shop = await startShop();
  const { verdict, cells } = await runCheck({ target: shop.url, apiKey: shop.apiKey, writes: false });
  await shop.close();
  expect(new Set(shop.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(verdict).toBe('holds');
  expect(cells.filter((cell) => cell.verdict === 'skipped').map(({ reason }) => reason)).toEqual(
    Array(3).fill('--read-only'),
  );
});

test('one case is sent again by its id', async () => {
  const shop = await startShop();
  const { cases } = await runCheck({
    target: shop.url,
    apiKey: shop.apiKey,
    only: '^createPet/400/without-name$',
  });
  await shop.close();
  expect(cases.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)).toEqual([
    'createPet/400/without-name',
  ]);
  expect(shop.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
