import type { MarkdownRenderer } from './vitepress.ts';

/** Code within a line is text: Vue would evaluate the `{{ }}` of a page about templates. */
export function literalCode(md: MarkdownRenderer): void {
  md.core.ruler.push('literal-code', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'code_inline') token.attrSet('v-pre', '');
  });
}
