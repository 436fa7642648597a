import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect, test } from 'vitest';
import schema from '../../fixtures/reports/ctrf.schema.json' with { type: 'json' };
import { reportOn } from '../testing/report-on.ts';
import { renderCtrf } from './test-results.ts';

const validate = new Ajv({ strict: false, formats: fullFormats }).compile(schema);

test.for([
  ['a contract that holds', {}],
  ['a broken one', { page: (records: readonly unknown[]) => records }],
] as const)(
  'conforms to the schema of the format, and counts as the report does: %s',
  async ([, behaviour]) => {
    const report = await reportOn(behaviour as Parameters<typeof reportOn>[0], { only: 'listPets/200/' });
    const document = JSON.parse(renderCtrf(report));
    expect({ valid: validate(document), errors: validate.errors }).toEqual({ valid: true, errors: null });
    const { summary, tests } = document.results;
    const count = (status: string) => tests.filter((one: { status: string }) => one.status === status).length;
    for (const status of ['passed', 'failed', 'skipped', 'other'])
      expect({ [status]: count(status) }).toEqual({ [status]: summary[status] });
    expect(tests).toHaveLength(report.totals.cases);
    const failed = tests.filter((one: { status: string }) => one.status === 'failed');
    for (const { message, trace } of failed) expect([message, trace].join()).toMatch(/received .*curl -i /s);
    expect(failed.length > 0).toBe(report.verdict === 'broken');
  },
);
