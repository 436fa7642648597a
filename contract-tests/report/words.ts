import type { Verdict } from '../verdict.ts';

/** The verdict in a person's words. */
export const VERDICTS: Readonly<Record<Verdict, string>> = {
  holds: 'The contract holds.',
  broken: 'The contract is broken.',
  incomplete: 'Incomplete: not every promise could be checked.',
  'no verdict': 'No verdict: the target could not be judged.',
};

/**
 * A target's text without characters that a terminal or a viewer would obey, or XML and UTF-8 do not have: controls,
 * direction marks, line separators, halves of surrogate pairs. They are shown as `\u{...}`.
 */
export function plain(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}

/** The same, line ends kept: for where a text may have several lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}
