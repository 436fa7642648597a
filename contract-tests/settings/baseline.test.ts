import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { renderJson } from '../report/formats.ts';
import { renderTerminal } from '../report/terminal.ts';
import { reportOn } from '../testing/report-on.ts';
import { SHIPPED_DOCUMENT } from '../testing/run-check.ts';
import { type Baseline, compareWithBaseline, type FindingIdentity, readBaseline } from './baseline.ts';

const LIMITLESS: Partial<Behaviour> = { page: (records) => records };
const ONLY = 'listPets/200/(limit-least|status-sold)$|getPet/404/unknown-id';

/** The report of a run, in a file. */
async function baselineOf(behaviour: Partial<Behaviour>): Promise<string> {
  const report = await reportOn(behaviour, { only: ONLY });
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'report.json');
  await writeFile(file, renderJson(report));
  return file;
}

const limitless = baselineOf(LIMITLESS);

test('the same findings are no news, at another port, with another seed and more lines in the document', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const document = join(folder, 'openapi.yaml');
  const text = await readFile(SHIPPED_DOCUMENT, 'utf8');
  await writeFile(document, `# A comment.\n# Another one.\n${text}`);
  const baseline = await limitless;
  const report = await reportOn(LIMITLESS, { only: ONLY, baseline, seed: 7, document });
  expect(report.baseline).toMatchObject({ file: baseline, new: [], fixed: [], notTried: [] });
  expect(report.baseline?.same.length).toBe(report.findings.length);
  expect(report.findings.map(({ isNew }) => isNew)).not.toContain(true);
  expect(report.exitCode).toBe(1);
  expect(renderTerminal(report, false)).toMatch(/Since \S+ \(.*\): 0 new, 0 fixed, \d+ the same/);
});

test('with --new-only what is old does not gate, and what is new does', async () => {
  const baseline = await limitless;
  const options = { only: ONLY, baseline, newOnly: true };
  const old = await reportOn(LIMITLESS, options);
  expect(old.findings.map(({ gates }) => gates)).not.toContain(true);
  expect(old.verdict).toBe('holds');

  const worse = await reportOn({ ...LIMITLESS, matches: () => true }, options);
  expect(worse.exitCode).toBe(1);
  expect(worse.baseline?.new.map(({ law }) => law)).toContain('filter');
  expect(worse.findings.filter(({ gates }) => gates).map(({ law }) => law)).not.toContain('page-size');
});

test('what is gone is fixed where its case was run, and not tried where it was not', async () => {
  const baseline = await limitless;
  const fixed = await reportOn({}, { only: ONLY, baseline });
  expect(fixed.baseline?.fixed.map(({ caseId }) => caseId)).toContain('listPets/200/limit-least');
  expect(fixed.baseline).toMatchObject({ new: [], same: [], notTried: [] });
  const skipped = await reportOn({}, { only: 'getPet/404/unknown-id', baseline });
  expect(skipped.baseline?.fixed).toEqual([]);
  expect(skipped.baseline?.notTried.length).toBe(fixed.baseline?.fixed.length);
});

test('what another case sees is no news', async () => {
  const one = await reportOn(LIMITLESS, { only: 'listPets/200/limit-least$' });
  const baseline = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'report.json');
  await writeFile(baseline, renderJson(one));
  const others = await reportOn(LIMITLESS, {
    only: 'listPets/200/limit-next-to-least$',
    baseline,
    newOnly: true,
  });
  expect(others.baseline).toMatchObject({ new: [], same: [{ law: 'page-size' }] });
  expect(others.exitCode).toBe(0);
});

test('a report of a version without keys is compared by law and pointer', () => {
  const one: FindingIdentity = { key: undefined, caseId: 'a', law: 'filter', pointer: '/paths' };
  const baseline: Baseline = { file: 'old.json', startedAt: undefined, findings: [one] };
  const found = [
    { ...one, key: 'filter/stray#/paths', caseId: 'b' },
    { ...one, key: 'filter/stray#/info', pointer: '/info' },
  ];
  expect(compareWithBaseline(baseline, found, () => true)).toMatchObject({
    same: [{ pointer: '/paths' }],
    new: [{ pointer: '/info' }],
    fixed: [],
  });
});

test('a report of a version without pointers is compared by case and law', () => {
  const one: FindingIdentity = { key: undefined, caseId: 'a', law: 'filter', pointer: undefined };
  const baseline: Baseline = { file: 'old.json', startedAt: undefined, findings: [one] };
  const found = [
    { ...one, pointer: '/paths' },
    { ...one, law: 'schema' },
  ];
  expect(compareWithBaseline(baseline, found, () => true)).toMatchObject({
    same: [{ law: 'filter' }],
    new: [{ law: 'schema' }],
  });
});

test('a file that is no report is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  await mkdir(join(folder, 'a'));
  await writeFile(join(folder, 'b.json'), '{"findings": 3}');
  await writeFile(join(folder, 'c.json'), 'no JSON');
  for (const name of ['missing.json', 'a', 'b.json', 'c.json'])
    expect(() => readBaseline(join(folder, name))).toThrow(/^--baseline .*/);
});
