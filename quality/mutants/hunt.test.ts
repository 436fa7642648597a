import { describe, expect, it } from 'vitest';
import { LAWS } from '../../contract-tests/laws/law.ts';
import { LOOKALIKE_TABLES, LOOKALIKES } from './all-lookalikes.ts';
import { MUTANT_TABLES, MUTANTS } from './all-mutants.ts';
import { tryLookalike, tryMutant } from './try-suspect.ts';

// The whole hunt is hunt.long.test.ts. This is a sample of it: a suspect of each file.
const mutants = MUTANT_TABLES.flatMap((table) => table.slice(0, 1));
const lookalikes = LOOKALIKE_TABLES.flatMap((table) => table.slice(-1));

describe('mutants and lookalikes', () => {
  it('have unique names', () => {
    const names = [...MUTANTS, ...LOOKALIKES].map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
  });

  it('break every law', () => {
    const broken = new Set<string>(MUTANTS.flatMap(({ breaks }) => breaks));
    expect(Object.keys(LAWS).filter((law) => !broken.has(law))).toEqual([]);
  });

  it.concurrent.each(mutants)('$name is killed', async (mutant) => {
    expect(await tryMutant(mutant, 1)).toMatchObject({ fault: undefined });
  });

  it.concurrent.each(lookalikes)('$name is accepted', async (lookalike) => {
    expect(await tryLookalike(lookalike, 1)).toMatchObject({ fault: undefined });
  });
});
