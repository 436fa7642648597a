import { beforeAll, expect, test } from 'vitest';
import { type Found, findDocuments } from './find-documents.ts';
import { explained, readReasons } from './reasons.ts';
import { complaintsOf, outcomeOf, type Row } from './row.ts';
import { runDocuments } from './run-document.ts';

/** Documents of others and our own, mixed in size, age and style; what is there as YAML and as JSON is read as YAML. */
const SAMPLE: Found[] = ['@readme/oas-examples', '@scalar/galaxy', 'fixtures/specs', 'spec/openapi.yaml']
  .flatMap(findDocuments)
  .filter(({ source, document }) => source !== '@readme/oas-examples' || document.includes('yaml/'));

/** Of those that promise anything. */
const LEAST_SHARE = 0.95;

let rows: Row[];

beforeAll(async () => {
  rows = await runDocuments(SAMPLE, { jobs: 2, maxTime: 120, maxMemory: 2048 });
}, 1_500_000);

const named = ({ source, document }: Row) => `${source}: ${document}`;

test('the sample is large', () => {
  expect(SAMPLE.length).toBeGreaterThanOrEqual(60);
});

test('every document is read, and none crashes or hangs', () => {
  const failed = rows.filter((row) => ['is refused', 'crashes'].includes(outcomeOf(row)));
  expect(failed.map((row) => [named(row), ...complaintsOf(row)])).toEqual([]);
});

test('mock and suite agree on nearly all of them, and each exception is explained', () => {
  const judged = rows.filter((row) => outcomeOf(row) !== 'promises nothing');
  const exceptions = judged.filter((row) => outcomeOf(row) !== 'agrees');
  const reasons = readReasons();
  const unexplained = exceptions.flatMap((row) =>
    explained(row, reasons).flatMap(([complaint, reason]) => (reason ? [] : [[named(row), complaint]])),
  );
  expect(unexplained).toEqual([]);
  expect(1 - exceptions.length / judged.length).toBeGreaterThanOrEqual(LEAST_SHARE);
});
