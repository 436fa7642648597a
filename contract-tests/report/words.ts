import type { Verdict } from '../verdict.ts';

/** The verdict in a person's words. */
export const VERDICTS: Readonly<Record<Verdict, string>> = {
  holds: 'The contract holds.',
  broken: 'The contract is broken.',
  incomplete: 'Incomplete: not every promise could be checked.',
  'no verdict': 'No verdict: the target could not be judged.',
};

/**
 * A target's text without characters that a terminal or a viewer would obey: controls, direction marks,
 * line separators. They are shown as `\u{...}`.
 */
export function plain(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}
