import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract } from '#spec';
import { startShop } from '../quality/mutants/by-hand/shop.ts';
import { allCases } from './cases/all-cases.ts';
import { resolveSettings } from './settings/settings.ts';
import { type OwnMock, startOwnMock } from './testing/own-mock.ts';
import { runCheck, SHIPPED_DOCUMENT } from './testing/run-check.ts';
import { expectRunsToHold } from './testing/start-stranger.ts';

/** What a run may cost a service, and what a busy service may do to a run. */
const apiKey = 'paddock-dev-key';
let mock: OwnMock;

beforeAll(async () => {
  mock = await startOwnMock('--log=quiet');
});

afterAll(() => mock.stop());

test('a run is small: under 420 requests, and no more than 60 records', async () => {
  const { totals, created, verdict } = await runCheck({ target: mock.url, apiKey });
  expect(verdict).toBe('holds');
  expect(totals.requests).toBeLessThan(420);
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
  expect([...allCases(contract, elsewhere)].filter(({ id }) => unmarked.has(id))).toEqual([]);
  expect(created.every(({ id }) => id !== undefined)).toBe(true);
});

// Twenty of them are in shared-staging.nightly.test.ts.
test('runs in a row hold while somebody else writes', () => expectRunsToHold(4));

test('the same seed sends the same requests, marks apart', async () => {
  const requestsOf = async () => {
    const shop = await startShop();
    const { created } = await runCheck({ target: shop.url, apiKey: shop.apiKey, seed: 5, jobs: 1 });
    await shop.close();
    const run = created[0]?.mark?.replace(/-\w+$/, '') ?? '';
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
