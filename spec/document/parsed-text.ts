import type { SyntaxProblem } from './problem.ts';

/** The value of a YAML or JSON text, and where its parts stand. */
export interface ParsedText {
  /** Plain frozen data; integers exact as in `parseJson`. */
  readonly value: unknown;
  /** What is against the syntax, and leaves no doubt how it is meant. Default: nothing. */
  readonly warnings?: readonly SyntaxProblem[];
  /**
   * Where the key of the member (or its value), or the item, at this path begins, in UTF-16 code units from 0; where the
   * path leads nowhere (merged keys), the last one found. Default: the key.
   */
  offsetOf(path: readonly string[], part?: 'key' | 'value'): number;
}
