import { posix } from 'node:path';
import type { MarkdownRenderer, Token } from './vitepress.ts';

/** The folder of the pages in the repository. */
const DOCS = 'docs';

/** Files outside docs/, and parts of them, with a page that has the same content. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  'README.md': 'docs/index.md',
  'README.md#as-a-package': 'docs/getting-started.md#the-package',
  'report.schema.json': 'docs/reference/report.md',
};

/**
 * The target of a page's link on the site: links between pages are kept, and one to another file of the repository
 * leads to the repository.
 * @param page path below docs/
 * @param repository URL of the files, such as `https://host.example/paddock/blob/main`; undefined if unknown
 * @returns undefined: there is no target, and the link is shown as text
 */
export function siteLink(href: string, page: string, repository: string | undefined): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const end = fragment === undefined ? '' : `#${fragment}`;
  const from = posix.dirname(posix.join(DOCS, page));
  const file = posix.join(from, path);
  // The headings of a file differ from those of the page that shows its content.
  const target = SHOWN_BY[file + end] ?? SHOWN_BY[file] ?? file + end;
  if (/^docs\/[^#]*\.md(?:#|$)/.test(target)) return posix.relative(from, target);
  return repository === undefined ? undefined : `${repository}/${file}${end}`;
}

/** The title of a page by its path below docs/ without `.md`. */
type TitleOf = (page: string) => string | undefined;

/** Applies {@link siteLink} to every link of a page, and replaces file names as link texts by page titles. */
export function repositoryLinks(
  md: MarkdownRenderer,
  repository: string | undefined,
  titleOf: TitleOf,
): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const { children } of tokens)
      if (children) redirect(children, env.relativePath, repository, titleOf);
  });
}

function redirect(tokens: Token[], page: string, repository: string | undefined, titleOf: TitleOf): void {
  const open: boolean[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'link_open') {
      const href = siteLink(token.attrGet('href') ?? '', page, repository);
      open.push(href !== undefined);
      if (href === undefined) becomeSpan(token);
      else token.attrSet('href', href);
      const text = tokens[index + 1];
      if (href === undefined || !text || !/^[\w/-]+\.md$/.test(text.content)) continue;
      const [file = ''] = href.split('#');
      text.content = titleOf(posix.join(posix.dirname(page), file).replace(/\.md$/, '')) ?? text.content;
    } else if (token.type === 'link_close' && open.pop() === false) becomeSpan(token);
  }
}

/** Shows the name of a file that is not on the site without a link. */
function becomeSpan(token: Token): void {
  token.tag = 'code';
  token.type = token.nesting === 1 ? 'file_open' : 'file_close';
  token.attrs = null;
}
