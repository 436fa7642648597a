import type { LawName } from '../laws/law.ts';
import type { Step } from './steps.ts';

/** The exchanges of a sequence, and the expected breaches. `not judged`: the rule does not apply to the last exchange. */
export type LawRow = [title: string, row: { given: readonly Step[]; want: readonly string[] | 'not judged' }];

export type LawTable = Readonly<Partial<Record<LawName, readonly LawRow[]>>>;

/** No rule is broken. */
export const HOLDS: readonly string[] = [];
