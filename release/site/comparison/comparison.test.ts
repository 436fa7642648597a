import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DOCS } from '../places.ts';
import { checkEvidence } from './check-evidence.ts';
import { commandIn, readDocumented } from './documented.ts';
import measured from './measured.json' with { type: 'json' };
import { programs } from './programs.ts';
import { renderComparison } from './render.ts';

const documented = readDocumented();

test('docs/comparison.md shows what was measured and documented', () => {
  const page = readFileSync(join(DOCS, 'comparison.md'), 'utf8');
  expect(page).toBe(renderComparison(measured, documented));
});

test('each cell has an answer, and evidence that anyone can look at', () => {
  const cells = documented.flatMap(({ cells }) => Object.values(cells));
  expect(cells.length).toBeGreaterThan(50);
  const isEvidence = (evidence: string) =>
    evidence === 'measured' || /^https:\/\/|\.md$/.test(evidence) || commandIn(evidence) !== undefined;
  expect(
    cells.filter(([answer, evidence]) => !/^(?:yes|no|partly)$/.test(answer) || !isEvidence(evidence)),
  ).toEqual([]);
});

test('the commands of tools that are in the clone show what the page says', async () => {
  const { count, wrong } = await checkEvidence(documented, programs());
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(10);
});
