import type { MarkdownRenderer } from './vitepress.ts';

/** A cell in the head of a table that has no text heads nothing: to a screen reader it is an ordinary cell. */
export function emptyHeaders(md: MarkdownRenderer): void {
  md.core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[at + 1]?.content !== '') continue;
      token.tag = 'td';
      const close = tokens[at + 2];
      if (close) close.tag = 'td';
    }
  });
}
