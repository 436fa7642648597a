/** A change of an overlay, and what shows that it is needed. */
export interface OverlayChange {
  /** The same for the same change. */
  readonly key: string;
  /** JSONPath (RFC 9535). */
  readonly target: string;
  readonly update?: unknown;
  readonly remove?: true;
  /** What it adds or loosens, in words. */
  readonly text: string;
  readonly kind: 'adds' | 'loosens';
  /** Exchanges that show it. */
  readonly seen: number;
}
