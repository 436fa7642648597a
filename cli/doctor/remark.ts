import { styleText } from 'node:util';
import { printable, widest } from '../terminal.ts';

/** How an examination ended; `skipped` says that nothing could be examined. */
export type Grade = 'good' | 'warning' | 'wrong' | 'skipped';

/** What is examined, in the order of the report. */
export const SUBJECTS = [
  'Node',
  'configuration',
  'environment',
  'document',
  'port',
  'https',
  'target',
  'certificate',
  'base path',
  'key',
  'clock',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What one examination has found. No text holds a credential. */
export interface Remark {
  readonly subject: Subject;
  readonly grade: Grade;
  readonly found: string;
  /** What the user can do; undefined where nothing is to be done. */
  readonly remedy?: string;
}

/** Says the remarks of one subject. */
export function about(subject: Subject) {
  const say =
    (grade: Grade) =>
    (found: string, remedy?: string): Remark => ({ subject, grade, found, ...(remedy && { remedy }) });
  return { good: say('good'), warning: say('warning'), wrong: say('wrong'), skipped: say('skipped') };
}

const MARKS = {
  good: ['✓', 'green', 'ok'],
  warning: ['!', 'yellow', 'warning'],
  wrong: ['✗', 'red', 'wrong'],
  skipped: ['-', 'gray', '-'],
} as const satisfies Record<Grade, readonly [sign: string, colour: string, word: string]>;

const SUBJECT_WIDTH = widest(SUBJECTS);
const WORD_WIDTH = widest(Object.values(MARKS).map(([, , word]) => word));

/** A line for what was found, and one for what to do. @param coloured a sign in colour instead of a word */
export function renderRemark({ subject, grade, found, remedy }: Remark, coloured: boolean): string {
  const [sign, colour, word] = MARKS[grade];
  const mark = coloured ? styleText(colour, sign, { validateStream: false }) : word.padEnd(WORD_WIDTH);
  const indent = ' '.repeat((coloured ? 1 : WORD_WIDTH) + SUBJECT_WIDTH + 3);
  const line = `${mark} ${subject.padEnd(SUBJECT_WIDTH)}  ${printable(found).replace(/\s*\n\s*/g, ' ')}`;
  return remedy === undefined ? line : `${line}\n${indent}→ ${printable(remedy).replace(/\s*\n\s*/g, ' ')}`;
}
