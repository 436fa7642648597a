import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LOOKALIKES } from './all-lookalikes.ts';
import { MUTANTS } from './all-mutants.ts';
import { VERDICTS } from './judged-row.ts';
import { readRows, renderTotals } from './judges-page.ts';

// Judges take too long for a gate. The hunt's own test demands that every mutant is killed and every lookalike
// accepted: that is what the suite's column must say, of the suspects that there are.
const AGAIN = 'npm run hunt -- --judges --only NAME adds what is missing';
const page = await readFile(new URL('../../docs/judges.md', import.meta.url), 'utf8');
const rows = readRows(page);

test('the page of the judges tells of every suspect what the hunt tells', () => {
  const suites = new Map(rows.map(({ name, suite }) => [name, suite]));
  const hunted = [
    ...MUTANTS.map(({ name }) => [name, VERDICTS.killed]),
    ...LOOKALIKES.map(({ name }) => [name, VERDICTS.accepted]),
  ];
  expect(Object.fromEntries(suites), AGAIN).toEqual(Object.fromEntries(hunted));
  expect(rows).toHaveLength(hunted.length);
});

test('its totals are those of its rows', () => {
  expect(page).toContain(renderTotals(rows));
});
