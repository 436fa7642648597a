import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { reportOn } from '../testing/report-on.ts';
import { knownAfter, updateKnown } from './known-update.ts';
import type { Report } from './report.ts';

const NOW = Date.parse('2030-05-10T12:00:00Z');

/** What a run found, by case and law, and how its other cases ended. */
function run(
  found: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Pick<Report, 'findings' | 'cases'> {
  const findings = Object.entries(found).map(([caseId, law]) => ({
    key: `${law}#/paths`,
    caseId,
    law,
    received: '50 records',
  }));
  const failed = findings.map(({ caseId }) => ({ id: caseId, outcome: 'failed' }));
  const cases = [...failed, ...Object.entries(others).map(([id, outcome]) => ({ id, outcome }))];
  return { findings, cases } as unknown as Pick<Report, 'findings' | 'cases'>;
}

const WRITTEN = 'written by --accept on 2030-05-10: received 50 records';

test('a new file gets an entry for each key, with a case that has seen it', () => {
  const found = run({ 'a/200/x': 'filter', 'a/200/y': 'filter', 'b/200/x': 'filter' });
  const { text, ...counts } = knownAfter('', found, { now: NOW });
  expect(counts).toEqual({ added: 1, renewed: 0, struck: 0 });
  expect(text).toBe(`- key: filter#/paths\n  case: a/200/x\n  until: 2030-06-09\n  why: "${WRITTEN}"\n`);
});

test('entries that hold stay with their comments, day and reason; fixed ones go, and what was not tried stays', () => {
  const before = `# Agreed with the team.
- { case: a/200/holds, until: 2031-01-31, why: PAD-7 } # until the rewrite
- { case: a/200/fixed, until: 2031-01-31 }
# Somebody else looks at it.
- { case: a/200/skipped, until: 2031-01-31 }
- { case: a/200/over, law: schema, until: 2030-05-09, why: PAD-8 }
- { case: a/200/gone, until: 2031-01-31 }
`;
  const found = run(
    { 'a/200/holds': 'filter', 'a/200/over': 'schema' },
    { 'a/200/fixed': 'passed', 'a/200/skipped': 'skipped' },
  );
  const { text, ...counts } = knownAfter(before, found, { now: NOW });
  expect(counts).toEqual({ added: 0, renewed: 1, struck: 2 });
  expect(text).toBe(`# Agreed with the team.
- { case: a/200/holds, until: 2031-01-31, why: PAD-7 } # until the rewrite
# Somebody else looks at it.
- { case: a/200/skipped, until: 2031-01-31 }
- { case: a/200/over, law: schema, until: 2030-06-09, why: PAD-8 }
`);
});

test('an entry with a key holds for whichever case sees it, and goes when its case passes and none does', () => {
  const before = '- { key: filter#/paths, case: a/200/x, until: 2031-01-31 }\n';
  const update = (found: Parameters<typeof run>[0], others: Parameters<typeof run>[1]) => {
    const { text, ...counts } = knownAfter(before, run(found, others), { now: NOW });
    return { isKept: text === before, ...counts };
  };
  const unchanged = { isKept: true, added: 0, renewed: 0, struck: 0 };
  expect(update({ 'a/200/y': 'filter' }, { 'a/200/x': 'passed' })).toEqual(unchanged);
  expect(update({}, { 'a/200/x': 'not reached', 'a/200/y': 'passed' })).toEqual(unchanged);
  expect(update({}, { 'a/200/y': 'passed' })).toEqual(unchanged);
  expect(update({}, { 'a/200/x': 'passed', 'a/200/y': 'skipped' })).toMatchObject({ struck: 1 });
});

test('a JSON file stays JSON', () => {
  const before = '[{"case": "a/200/x", "until": "2031-01-31"}]';
  const found = run({ 'a/200/x': 'filter', 'a/200/y': 'schema' });
  const { text } = knownAfter(before, found, { now: NOW, json: true });
  expect(JSON.parse(text)).toEqual([
    { case: 'a/200/x', until: '2031-01-31' },
    { key: 'schema#/paths', case: 'a/200/y', until: '2030-06-09', why: WRITTEN },
  ]);
});

test('a run with the file that the last one wrote has nothing that gates, and writes the same file again', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'new', 'known.yaml');
  const behaviour: Partial<Behaviour> = { matches: () => true, page: (records) => records };
  const options = { only: 'listPets/200/', known: file, accept: true };
  const first = await reportOn(behaviour, options);
  expect(first.exitCode).toBe(1);
  expect(updateKnown(file, first).added).toBe(new Set(first.findings.map(({ key }) => key)).size);
  expect(first.findings.length).toBeGreaterThan(updateKnown(file, first).added);
  const written = await readFile(file, 'utf8');

  const second = await reportOn(behaviour, options);
  expect(second.findings.filter(({ gates }) => gates)).toEqual([]);
  expect(second.verdict).toBe('holds');
  expect(updateKnown(file, second)).toEqual({ added: 0, renewed: 0, struck: 0 });
  expect(await readFile(file, 'utf8')).toBe(written);

  const fixed = await reportOn({}, options);
  expect(updateKnown(file, fixed)).toMatchObject({ added: 0 });
  expect(await readFile(file, 'utf8')).toBe('[]\n');
  await writeFile(file, '');
  expect((await reportOn({}, options)).verdict).toBe('holds');
});
