import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { LOOKALIKES } from './all-lookalikes.ts';
import { MUTANTS } from './all-mutants.ts';
import { hunt } from './hunt.ts';
import { renderHunt } from './hunt-table.ts';
import type { Outcome } from './try-suspect.ts';

/** Two minutes on two idle cores. */
const TIMEOUT = 900_000;

describe('the hunt', () => {
  let outcomes: Outcome[];
  beforeAll(async () => {
    outcomes = await hunt({ seed: 1 });
  }, TIMEOUT);

  const faultsOf = (kind: Outcome['kind']) =>
    outcomes
      .filter((outcome) => outcome.kind === kind && outcome.fault !== undefined)
      .map(({ name, fault, because }) => ({ name, fault, because }));

  it('kills every mutant by a law that it breaks', () => {
    expect(faultsOf('mutant')).toEqual([]);
    expect(outcomes.filter(({ kind }) => kind === 'mutant')).toHaveLength(MUTANTS.length);
  });

  it('accepts every lookalike', () => {
    expect(faultsOf('lookalike')).toEqual([]);
    expect(outcomes.filter(({ kind }) => kind === 'lookalike')).toHaveLength(LOOKALIKES.length);
  });

  it('matches docs/hunt.md', async () => {
    const page = await readFile(new URL('../../docs/hunt.md', import.meta.url), 'utf8');
    expect(withoutLaws(page)).toEqual(withoutLaws(renderHunt(outcomes)));
  });
});

/** Which of several broken laws are found, and by which cases, may depend on timing. */
function withoutLaws(page: string): string {
  return page
    .replace(/ \| [a-z0-9-]+(?:, [a-z0-9-]+)*(?: \([a-z ]+ only\))? \|$/gm, ' | … |')
    .replace(/ kill \d+ mutants/g, '');
}
