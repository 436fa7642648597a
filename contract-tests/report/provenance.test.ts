import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { reportOn } from '../testing/report-on.ts';
import { SHIPPED_DOCUMENT } from '../testing/run-check.ts';
import { REPORT_FORMATS, type ReportFormat } from './formats.ts';
import { renderTerminal } from './terminal.ts';

const started = Date.now();
const report = await reportOn({}, { only: '/ordinary$' });

// These are lists of findings, and have no place for what they are of.
const { codequality: _, lines: __, ...formats } = REPORT_FORMATS;
const FORMATS: Readonly<Record<string, Pick<ReportFormat, 'render'>>> = {
  ...formats,
  terminal: { render: (one) => renderTerminal(one, false) },
};

test('a report names the document by the digest of its text, and the time of the run', async () => {
  const digest = createHash('sha256')
    .update(await readFile(SHIPPED_DOCUMENT))
    .digest('hex');
  expect(report.documentInfo).toEqual({ title: 'Pet Store', version: '1.0.0', digest: `sha256:${digest}` });
  expect(report.paddock).toBe(packageJson.version);
  expect(Date.parse(report.startedAt)).toBeGreaterThanOrEqual(started);
  expect(Date.parse(report.startedAt)).toBeLessThanOrEqual(Date.now());
});

test.for(Object.entries(FORMATS))(
  'date, duration, version and document stand in the report: %s',
  ([, { render }]) => {
    // Markdown escapes punctuation.
    const text = render(report).replaceAll('\\', '');
    const { startedAt, totals, documentInfo, paddock } = report;
    expect(text).toContain(startedAt.slice(0, 19));
    expect(text).toContain(paddock);
    expect(text).toContain(documentInfo.digest.replace('sha256:', ''));
    expect(text).toMatch(/Pet Store\W(?:.*\n?){0,3}1\.0\.0/);
    const end = new Date(Date.parse(startedAt) + totals.ms).toISOString();
    const durations = [`${(totals.ms / 1000).toFixed(1)} s`, `${totals.ms}`, `${totals.ms / 1000}`, end];
    expect(durations.filter((duration) => text.includes(duration))).not.toEqual([]);
  },
);

test.for(['json', 'html', 'markdown'] as const)('the latency of each operation stands in %s', (name) => {
  const text = REPORT_FORMATS[name].render(report);
  expect(report.latency.map(({ operationId }) => operationId)).toEqual(['listPets', 'createPet', 'getPet']);
  for (const { p50, p95, max } of report.latency)
    for (const figure of [p50, p95, max]) expect(text).toContain(String(figure));
});
