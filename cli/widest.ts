/** The length of the longest text, 0 of none. A document may have more operations than a call takes arguments. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}
