import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse as parseResults } from 'test-results-parser';
import { describe, expect, test } from 'vitest';
import { reportOn } from '../testing/report-on.ts';
import { renderSarif } from './sarif.ts';
import { renderJunit } from './test-results.ts';

/** Reports of a broken service with skipped cases, read by parsers of other projects. */
const report = await reportOn({ page: (records) => records }, { only: '!createPet/400' });

describe('SARIF', () => {
  const log = JSON.parse(renderSarif(report));
  const [run] = log.runs;

  test('fits the schema of SARIF 2.1.0', async () => {
    const { $schema: _, id: __, ...schema } = sarifSchema;
    const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: false });
    formats.default(ajv);
    const validate = ajv.compile(schema);
    validate(log);
    expect(validate.errors).toBeNull();
    expect(validate({ ...log, runs: [{ ...run, results: [{}] }] })).toBe(false);
  });

  // https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
  test('has what code scanning requires: a rule, a message, a region of a file in the repository, a fingerprint', async () => {
    expect(run.results).toHaveLength(report.causes.length);
    for (const [index, result] of run.results.entries()) {
      const finding = report.findings[report.causes[index]?.finding ?? -1];
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(result.message.text).toContain(finding?.caseId);
      const [{ physicalLocation }] = result.locations;
      const document = await readFile(
        new URL(`../../${physicalLocation.artifactLocation.uri}`, import.meta.url),
        'utf8',
      );
      expect(document.split('\n')[physicalLocation.region.startLine - 1]).toBe(
        finding?.source.find(({ line }) => line === finding.place.line)?.text,
      );
    }
    // What is wrong is one alert, whatever has shown it.
    const prints = run.results.map(
      ({ partialFingerprints }: { partialFingerprints: Record<string, string> }) =>
        partialFingerprints['findingKey/v1'],
    );
    expect(prints).toEqual(report.causes.map(({ key }) => key));
  });

  test('a finding that does not gate is a note, and one that is known is suppressed', () => {
    const known = {
      ...report,
      causes: report.causes.map((one) => ({ ...one, gates: false, knownUntil: '2031-01-31' })),
    };
    const [result] = JSON.parse(renderSarif(known)).runs[0].results;
    expect(result).toMatchObject({ level: 'note', suppressions: [{ kind: 'external' }] });
    expect(run.results[0]).toMatchObject({ level: 'error', suppressions: [] });
  });
});

test('a parser of JUnit reads the same counts, reasons and names', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'junit.xml');
  await writeFile(file, renderJunit(report));
  const read = parseResults({ type: 'junit', files: [file] });
  const { totals } = report;
  const skipped = totals.skipped + totals.notReached;
  expect(read).toMatchObject({
    status: 'FAIL',
    total: totals.cases - skipped,
    passed: totals.passed,
    failed: totals.failed,
    skipped,
    errors: 0,
  });
  expect(read.suites.map(({ name }) => name)).toEqual([
    ...new Set(report.cases.map(({ operationId }) => operationId)),
  ]);
  const outcomes = {
    passed: 'PASS',
    failed: 'FAIL',
    skipped: 'SKIP',
    withheld: 'SKIP',
    planned: 'SKIP',
    'not reached': 'SKIP',
  };
  for (const one of report.cases) {
    const found = read.suites.flatMap(({ cases }) => cases).find(({ name }) => name === one.id);
    expect({ id: one.id, status: found?.status }).toEqual({ id: one.id, status: outcomes[one.outcome] });
    const [finding] = report.findings.filter(({ caseId }) => caseId === one.id);
    if (!finding) continue;
    expect(found?.failure).toContain(finding.received);
    expect(found?.stack_trace).toContain(finding.at);
    expect(found?.stack_trace).toContain(finding.curl);
  }
});
