import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCheck } from './testing/run-check.ts';
import { type Manners, startStandsService } from './testing/stands-service.ts';

const document = fileURLToPath(new URL('../fixtures/specs/bicycles.yaml', import.meta.url));

test.for<[string, Manners]>([
  ['any media type is taken, pages of a gateway for 406, 411, 413 and 415', {}],
  ['another media type gets 415, with a page of its own', { otherMediaType: 415 }],
  ['another media type gets 415, with the documented body', { otherMediaType: 415, documentedBodies: true }],
  ['another media type gets 400, with the documented body', { otherMediaType: 400, documentedBodies: true }],
  ['another media type gets 422, which is not documented', { otherMediaType: 422 }],
  ['another media type gets 406, and long bodies 413', { otherMediaType: 406, longestBody: 1000 }],
])('a service written by hand keeps its contract: %s', async ([, manners], { onTestFinished }) => {
  const { url, close } = await startStandsService(manners);
  onTestFinished(close);
  const { exitCode, findings, notSpecified } = await runCheck({ target: url, document, settle: 200 });
  expect(findings.map(({ caseId, received }) => ({ caseId, received }))).toEqual([]);
  expect(exitCode).toBe(0);
  expect(notSpecified.map(({ text }) => text).join('\n')).toMatch(/a body of another media type.*\d{3}/);
});

test('a 5xx to a body of another media type is a finding', async ({ onTestFinished }) => {
  const { url, close } = await startStandsService({ otherMediaType: 500 });
  onTestFinished(close);
  const { exitCode, findings } = await runCheck({ target: url, document, settle: 100 });
  expect(new Set(findings.map(({ law }) => law))).toEqual(new Set(['invalid-tolerated']));
  expect(exitCode).toBe(1);
});
