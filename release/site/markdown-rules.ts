import type { MarkdownRenderer, Token } from './vitepress.ts';

/** Replaces empty header cells of tables by ordinary ones, for screen readers. */
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

/** Keeps inline code literal: Vue would evaluate the `{{ }}` in a page about templates. */
export function literalCode(md: MarkdownRenderer): void {
  md.core.ruler.push('literal-code', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'code_inline') token.attrSet('v-pre', '');
  });
}

/** The page with the live mock. */
const FRONT = 'index.md';

/** The first paragraph introduces the product, the second contains the buttons. */
const BEFORE = 2;

/** Inserts the live mock after the buttons of the front page, whose source stays plain Markdown. */
export function livePlace(md: MarkdownRenderer): void {
  md.core.ruler.push('live-place', ({ tokens, env, Token: Made }) => {
    if (env.relativePath !== FRONT) return;
    const ends = tokens.flatMap(({ type }, at) => (type === 'paragraph_close' ? at : []));
    const end = ends[BEFORE - 1] ?? 0;
    const token: Token = new Made('html_block', '', 0);
    token.content = '<LiveMock />\n';
    tokens.splice(end + 1, 0, token);
  });
}
