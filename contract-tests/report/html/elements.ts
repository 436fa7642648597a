/** A table that scrolls sideways by itself. What scrolls must be reachable by the keyboard, and so has a label. */
export function wideTable(label: string, head: string, rows: readonly string[]): string {
  return `<div class="wide" role="region" ${label} tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** @param rows of terms and their description in HTML */
export function definitions(rows: Readonly<Record<string, string>>): string {
  const items = Object.entries(rows).map(([term, html]) => `<div><dt>${term}</dt><dd>${html}</dd></div>`);
  return `<dl>${items.join('\n')}</dl>`;
}

export function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>${content}</details>`;
}
