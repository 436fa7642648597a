import { expect, test } from 'vitest';
import { check, type Report } from '#contract-tests';
import { createMock, type Mock, type MockOptions } from '#mock';
import { resultOf } from '../quality/testing/result-of.ts';

/** The mock fits its contract with each of these options. */
const DOCUMENT = new URL('../spec/openapi.yaml', import.meta.url).pathname;

type Setting = readonly [name: string, options: Partial<MockOptions>, target?: (mock: Mock) => string];

const SETTINGS: readonly Setting[] = [
  ['default', {}],
  ['--count 0', { count: 0 }],
  ['--count 5000', { count: 5000 }],
  ['--latency 50-150', { latency: { low: 50, high: 150 } }],
  ['--seed 7', { seed: 7 }],
  ['a session base URL', {}, (mock) => mock.session('checked').url],
];

function run(target: string): Promise<Report> {
  return resultOf(check({ target, document: DOCUMENT, apiKey: 'paddock-dev-key', settle: 200 }));
}

test.concurrent.for(SETTINGS)('8 of 8 with %s', async ([, options, target], { onTestFinished }) => {
  const mock = await createMock({ document: DOCUMENT, port: 0, ...options });
  onTestFinished(() => mock.close());
  const report = await run(target ? target(mock) : mock.url);
  expect(report.findings).toEqual([]);
  expect(report.cells.map(({ verdict }) => verdict)).toEqual(Array(8).fill('covered'));
  expect({ verdict: report.verdict, exitCode: report.exitCode }).toEqual({ verdict: 'holds', exitCode: 0 });
  // Records of a session stay in that session.
  if (target) expect((await mock.state()).records['/pets']).toHaveLength(50);
});
