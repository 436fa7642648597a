import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { SHIPPED_DOCUMENT } from '../../quality/mutants/suspect.ts';
import { reportSchema } from '../../release/packaging/report-schema.ts';
import schema from '../../report.schema.json' with { type: 'json' };
import { reportOf, reportOn } from '../testing/report-on.ts';
import { renderJson } from './formats.ts';
import type { Report } from './report.ts';

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(schema);

test.for<[Report['verdict'], () => Promise<Report>]>([
  ['holds', () => reportOn()],
  ['broken', () => reportOn({ page: (records) => records })],
  ['incomplete', () => reportOn({}, { only: 'no-such-case' })],
  ['planned', () => reportOn({}, { plan: true })],
  [
    'no verdict',
    () =>
      reportOf({ target: 'http://127.0.0.1:9/v1', document: SHIPPED_DOCUMENT, apiKey: 'any', retries: 0 }),
  ],
])('the JSON report fits its schema: %s', async ([verdict, run]) => {
  const report = JSON.parse(renderJson(await run()));
  validate(report);
  expect(validate.errors).toBeNull();
  expect(report.verdict).toBe(verdict);
});

test('the schema is what the types say (npm run generate writes it)', () => {
  expect(schema).toEqual(reportSchema());
});

test('the schema is closed: an unknown member is an error at every level', async () => {
  const report = JSON.parse(renderJson(await reportOn({ page: (records) => records })));
  const places = [
    report,
    report.cells[0],
    report.findings[0],
    report.findings[0].place,
    report.cases[0],
    report.totals,
  ];
  for (const place of places) {
    place.stranger = true;
    expect(validate(report)).toBe(false);
    delete place.stranger;
  }
  expect(validate(report)).toBe(true);
});
