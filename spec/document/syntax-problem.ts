/** What is wrong with a file's text before it has values; the offset counts characters from 0. */
export interface SyntaxProblem {
  readonly offset: number;
  readonly message: string;
}
