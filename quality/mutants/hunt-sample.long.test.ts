import { describe, expect, it } from 'vitest';
import { FAMILIES } from './families.ts';
import { tryLookalike, tryMutant } from './try-suspect.ts';

const TRIAL = { seed: 1, disposable: true };

describe('mutants and lookalikes', () => {
  // A sample of the hunt in hunt.nightly.test.ts: one suspect from every fifth family.
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
