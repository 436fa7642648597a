import { afterEach, describe, expect, test } from 'vitest';
import { check } from '#contract-tests';
import { BUILT_IN_KEY, createMock, type Mock } from '#mock';
import { DOCUMENTS, ROOT } from '../quality/testing/documents.ts';
import { resultOf } from '../quality/testing/result-of.ts';

/** Every document of the tests is a service that the suite accepts when this project's own mock serves it. */
/** Those in which the mock knows every operation, and whose every cell a client can reach. */
const COMPLETE = ['warehouse', 'tide-gauges', 'libraries', 'notices/openapi', 'fleet', 'wiki'].map(
  (name) => `fixtures/specs/${name}.yaml`,
);
/** What the suite would withhold of a service whose only operation it is. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = { 'fixtures/specs/pagers.yaml': ['sendPage'] };
const mocks: Mock[] = [];

afterEach(async () => {
  for (const mock of mocks.splice(0)) await mock.close();
});

async function checkMock(file: string) {
  const document = ROOT + file;
  const mock = await createMock({ document, port: 0 });
  mocks.push(mock);
  const allow = ALLOWED[file] ?? [];
  const options = { target: mock.url, document, apiKey: BUILT_IN_KEY, settle: 200, maxCreates: 1000, allow };
  return { mock, ...(await resultOf(check(options))) };
}

describe('the mock of each document keeps its contract', () => {
  test.each(DOCUMENTS)('%s', async (file) => {
    const { mock, exitCode, reason, findings, cells, verdict, totals } = await checkMock(file);
    expect(findings.map(({ caseId, received, documented }) => ({ caseId, received, documented }))).toEqual(
      [],
    );
    expect({ exitCode, reason }).toEqual({ exitCode: 0, reason: undefined });
    expect(cells.filter(({ gates, verdict }) => gates && verdict !== 'covered')).toEqual([]);
    if (!COMPLETE.includes(file)) return;
    expect(mock.operations.filter(({ action }) => action === 'sample')).toEqual([]);
    expect(cells.filter((cell) => cell.verdict !== 'covered')).toEqual([]);
    expect({ verdict, notReached: totals.notReached }).toEqual({ verdict: 'holds', notReached: 0 });
  });

  test('each complete one is among them', () => {
    expect(DOCUMENTS).toEqual(expect.arrayContaining(COMPLETE));
  });
});
