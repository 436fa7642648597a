import { expect, it } from 'vitest';
import { racesMutants } from './suspects/races.ts';
import { sequencesMutants } from './suspects/sequences.ts';
import { tryMutant } from './try-suspect.ts';

/** Other cases also change a record several times, and read it in between. */
const SEEN_BY_OTHERS = /^(fleet-order-second-put-dropped|warehouse-order-cached-for-good)$/;

/** Faults that only sequences and races detect if cases run one at a time. */
const MUTANTS = [...sequencesMutants, ...racesMutants].filter(({ name }) => !SEEN_BY_OTHERS.test(name));
const SKIP = '!/(sequences|race-[a-z]+)$';

it('there are enough of them', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(10);
});

it.each(MUTANTS)('$name survives without sequences and races', async (mutant) => {
  const { exitCode, because } = await tryMutant(
    { ...mutant, options: { ...mutant.options, only: [mutant.options?.only ?? [], SKIP].flat(), jobs: 1 } },
    { seed: 1, disposable: true },
  );
  expect({ exitCode, because }).toMatchObject({ exitCode: 0 });
});
