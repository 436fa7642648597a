import { describe, expect, it } from 'vitest';
import { LAWS } from '../../contract-tests/laws/law.ts';
import { FAMILIES, LOOKALIKES, MUTANTS } from './families.ts';
import { tryLookalike, tryMutant } from './try-suspect.ts';

const TRIAL = { seed: 1, disposable: true };

describe('mutants and lookalikes', () => {
  it('have unique names', () => {
    const names = [...MUTANTS, ...LOOKALIKES].map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
  });

  it('break every law', () => {
    const broken = new Set<string>(MUTANTS.flatMap(({ breaks }) => breaks));
    expect(Object.keys(LAWS).filter((law) => !broken.has(law))).toEqual([]);
  });

  // The whole hunt is hunt.nightly.test.ts. This is a sample of it: a suspect of every fifth family.
  const families = Object.values(FAMILIES).filter((_, index) => index % 5 === 2);

  it.concurrent.each(families.flatMap(([mutants]) => mutants.slice(0, 1)))(
    '$name is killed',
    async (mutant) => expect(await tryMutant(mutant, TRIAL)).toMatchObject({ fault: undefined }),
  );

  it.concurrent.each(families.flatMap(([, lookalikes]) => lookalikes.slice(-1)))(
    '$name is accepted',
    async (lookalike) => expect(await tryLookalike(lookalike, TRIAL)).toMatchObject({ fault: undefined }),
  );
});
