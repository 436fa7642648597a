import { afterAll, describe, expect, test } from 'vitest';
import { prepare } from './check.ts';
import { startOwnMock } from './testing/own-mock.ts';

/**
 * The suite as vitest sees it, one test for each case. PADDOCK_BASE_URL and PADDOCK_API_KEY name the target
 * (PADDOCK_DOCUMENT another document); without a base URL the mock that ships with the project is started.
 */
const { PADDOCK_BASE_URL, PADDOCK_API_KEY, PADDOCK_DOCUMENT, PADDOCK_READ_ONLY } = process.env;
const mock = PADDOCK_BASE_URL ? undefined : await startOwnMock('--log=quiet');

const suite = await prepare({
  target: PADDOCK_BASE_URL ?? (mock?.url as string),
  apiKey: mock ? 'paddock-dev-key' : PADDOCK_API_KEY,
  document: PADDOCK_DOCUMENT ?? new URL('../spec/openapi.yaml', import.meta.url).pathname,
  writes: PADDOCK_READ_ONLY ? false : undefined,
});

afterAll(async () => {
  const report = await suite.finish();
  await mock?.stop();
  expect(report.verdict).toBe('holds');
});

describe('the contract', () => {
  test.for(suite.cases.map((one) => [one.title, one] as const))('%s', async ([, one], { skip }) => {
    const result = await suite.execute(one);
    expect(result.findings.map(({ received, documented }) => ({ received, documented }))).toEqual([]);
    if (result.outcome !== 'passed') skip(result.reason);
  });
});
