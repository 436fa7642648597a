import { beforeAll, expect, test } from 'vitest';
import { type Found, findDocuments } from './find-documents.ts';
import { outcomeOf, type Row, runDocuments } from './run-documents.ts';

/**
 * Third-party documents and this project's, of various sizes, ages and styles; where a document exists as YAML and as
 * JSON, the YAML version.
 */
const SAMPLE: Found[] = ['@readme/oas-examples', '@scalar/galaxy', 'fixtures/specs', 'spec/openapi.yaml']
  .flatMap(findDocuments)
  .filter(({ source, document }) => source !== '@readme/oas-examples' || document.includes('yaml/'));

const EXCEPTIONS = [
  // The alternatives of a `oneOf` accept the same values, so no response matches exactly one.
  '3.0/yaml/readme-legacy.yaml',
  // No response can have a status below 200.
  '3.0/yaml/http-status-codes.yaml',
  // Some operations need records that no operation creates or lists.
  '3.0/yaml/request-examples.yaml',
  'exchange.yaml',
];

let rows: Row[];

beforeAll(async () => {
  rows = await runDocuments(SAMPLE, { jobs: 2, maxTime: 120, maxMemory: 2048 });
}, 1_500_000);

const named = ({ source, document }: Row) => `${source}: ${document}`;

test('the sample is large', () => {
  expect(SAMPLE.length).toBeGreaterThanOrEqual(60);
});

test('mock and suite agree on every document, and none is refused, crashes or hangs', () => {
  const unknown = rows.filter((row) => !agrees(row) && !EXCEPTIONS.includes(row.document));
  expect(
    unknown.map((row) => [
      named(row),
      outcomeOf(row),
      row.refused ?? row.crash ?? row.check?.complaints.slice(0, 3),
    ]),
  ).toEqual([]);
});

/** The suite may only ask for values that the document does not contain. */
function agrees(row: Row): boolean {
  const outcome = outcomeOf(row);
  if (outcome === 'is incomplete')
    return row.check?.complaints.every((one) => /: say --(?:value|body) /.test(one)) ?? false;
  return outcome === 'agrees' || outcome === 'promises nothing';
}
