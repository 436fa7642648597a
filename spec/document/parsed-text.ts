/** The value of a YAML or JSON text, and where its parts stand. */
export interface ParsedText {
  /** Plain frozen data; integers exact as in `parseJson`. */
  readonly value: unknown;
  /**
   * Where the key of the member (or its value), or the item, at this path begins, in UTF-16 code units from 0; where the
   * path leads nowhere (merged keys), the last one found. Default: the key.
   */
  offsetOf(path: readonly string[], part?: 'key' | 'value'): number;
}
