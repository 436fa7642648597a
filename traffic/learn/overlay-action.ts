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

/** The JSONPath of one place: `$.paths['/pets'].get`. */
export function jsonPath(path: readonly string[], root: unknown): string {
  let here: unknown = root;
  let text = '$';
  for (const step of path) {
    const isItem = Array.isArray(here);
    text += isItem ? `[${step}]` : /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${quoted(step)}]`;
    here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[step] : undefined;
  }
  return text;
}

/** A string literal of JSONPath. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
