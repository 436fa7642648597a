import type { MarkdownRenderer, Token } from './vitepress.ts';

/** The page that has the live mock. */
const FRONT = 'index.md';

/** Puts the component of the live mock behind the first paragraph of the front page, whose source stays plain Markdown. */
export function livePlace(md: MarkdownRenderer): void {
  md.core.ruler.push('live-place', ({ tokens, env, Token: Made }) => {
    if (env.relativePath !== FRONT) return;
    const end = tokens.findIndex(({ type }) => type === 'paragraph_close');
    const token: Token = new Made('html_block', '', 0);
    token.content = '<LiveMock />\n';
    tokens.splice(end + 1, 0, token);
  });
}
