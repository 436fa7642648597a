import type { LawName } from '../laws/law.ts';
import type { Step } from './steps.ts';

/** Exchanges of one sequence in, breaches out. `not judged`: the law does not apply to the last exchange. */
export type LawRow = [title: string, row: { given: readonly Step[]; want: readonly string[] | 'not judged' }];

export type LawTable = Readonly<Partial<Record<LawName, readonly LawRow[]>>>;

/** No law is broken. */
export const HOLDS: readonly string[] = [];
