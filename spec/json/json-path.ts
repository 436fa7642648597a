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
