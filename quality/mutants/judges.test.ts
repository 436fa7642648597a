import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LOOKALIKES } from './all-lookalikes.ts';
import { MUTANTS } from './all-mutants.ts';
import { VERDICTS } from './judged-row.ts';
import { readRows, renderTotals } from './judges-page.ts';

// Judges take too long for a gate. The test of the hunt requires every mutant killed and every lookalike accepted;
// the suite's column must say the same.
const UPDATE = 'npm run hunt -- --judges --only NAME adds what is missing';
const page = await readFile(new URL('../../docs/judges.md', import.meta.url), 'utf8');
const rows = readRows(page);

test('docs/judges.md has the outcome of the hunt for every suspect', () => {
  const suites = new Map(rows.map(({ name, suite }) => [name, suite]));
  const hunted = [
    ...MUTANTS.map(({ name }) => [name, VERDICTS.killed]),
    ...LOOKALIKES.map(({ name }) => [name, VERDICTS.accepted]),
  ];
  expect(Object.fromEntries(suites), UPDATE).toEqual(Object.fromEntries(hunted));
  expect(rows).toHaveLength(hunted.length);
});

test('its totals are the sums of its rows', () => {
  expect(page).toContain(renderTotals(rows));
});
