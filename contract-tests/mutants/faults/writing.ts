import type { LawName as Law } from '../../laws/law.ts';
import type { Answer, Ask, Written } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

export type Change = (written: Written, answer: Answer, ask: Ask) => Written;

/** A shop whose answers are right, and go over the wire otherwise. */
export const writing = (name: string, says: string, laws: Law | Law[], change: Change): Mutant =>
  faultyShop(`wire-${name}`, says, laws, () => ({
    write: (answer, ask) => change(correct.write(answer, ask), answer, ask),
  }));
