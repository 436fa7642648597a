import { styleText } from 'node:util';
import { printable, widest } from '../terminal.ts';
import { type Grade, type Remark, SUBJECTS } from './remark.ts';

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
