import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FERRIES, ferriesService } from './testing/ferries-service.ts';
import { NURSERY, nurseryService } from './testing/nursery-service.ts';
import { runCheck, runCheckOf } from './testing/run-check.ts';
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

const ofNursery = (faults?: Parameters<typeof nurseryService>[0]) =>
  runCheckOf(NURSERY, { fetch: nurseryService(faults), settle: 100, examples: 5, maxCreates: 400 });

test('a nursery whose beds lack photos, and lose all plants at once, keeps its contract', async () => {
  const { findings, cells } = await ofNursery();
  expect(findings.map(({ caseId, received, documented }) => ({ caseId, received, documented }))).toEqual([]);
  const covered = cells.filter(({ verdict }) => verdict === 'covered');
  expect(covered.map(({ operationId, status }) => `${operationId} ${status}`)).toEqual(
    expect.arrayContaining([
      'POST /beds/{bedId}/plants/{plantId}/leaves 201',
      'DELETE /beds/{bedId}/plants 204',
      'GET /beds/{name}/newest 200',
      'POST /beds/search 200',
    ]),
  );
});

test('a list is no part that a record may lack', async () => {
  const { causes } = await ofNursery({ hidesLeaves: true });
  expect(causes.map(({ title }) => title)).toEqual([
    'GET /beds/{bedId}/plants/{plantId}/leaves refuses valid requests with 404',
    'POST /beds/{bedId}/plants/{plantId}/leaves refuses valid requests with 404',
  ]);
});

const ofFerries = (faults?: Parameters<typeof ferriesService>[0]) =>
  runCheckOf(FERRIES, { fetch: ferriesService(faults), settle: 100, examples: 5 });

test('ferries that have ranks among each other, leak, and are closed instead of removed keep their contract', async () => {
  const { findings } = await ofFerries();
  const gating = findings.filter(({ gates }) => gates);
  expect(gating.map(({ caseId, received, documented }) => ({ caseId, received, documented }))).toEqual([]);
});

test('what was removed is to be gone where no state says that it is over', async () => {
  const { causes } = await ofFerries({ keepsRemoved: true });
  expect(causes.map(({ title }) => title)).toContain('DELETE /ferries/{id} leaves a removed record');
});
