import { expect, it } from 'vitest';
import { racesMutants } from './faults/races.ts';
import { sequencesMutants } from './faults/sequences.ts';
import { tryMutant } from './try-suspect.ts';

/** Faults that sequences and races see, and nothing else does. */
const MUTANTS = [...sequencesMutants, ...racesMutants];
const SKIP = '/(sequences|race-[a-z]+)$';

it('there are enough of them', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(25);
});

it.each(MUTANTS)('$name survives without sequences and races', { timeout: 60_000 }, async (mutant) => {
  const { exitCode, because } = await tryMutant({ ...mutant, options: { ...mutant.options, skip: SKIP } }, 1);
  expect({ exitCode, because }).toMatchObject({ exitCode: 0 });
});
