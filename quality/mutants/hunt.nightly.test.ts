import { beforeAll, describe, expect, it } from 'vitest';
import { LOOKALIKES, MUTANTS } from './families.ts';
import { hunt } from './hunt.ts';
import type { Outcome } from './try-suspect.ts';

/** Takes eight minutes on two idle cores. */
const TIMEOUT = 3_600_000;

describe('the hunt', () => {
  let outcomes: Outcome[];
  beforeAll(async () => {
    outcomes = await hunt({ seed: 1, disposable: true });
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
});
