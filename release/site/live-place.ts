import type { MarkdownRenderer, Token } from './vitepress.ts';

/** The page that has the live mock. */
const FRONT = 'index.md';

/** The first paragraph says what it is, the second has the buttons. */
const BEFORE = 2;

/** Puts the component of the live mock behind the buttons of the front page, whose source stays plain Markdown. */
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
