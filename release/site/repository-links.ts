import { posix } from 'node:path';
import type { MarkdownRenderer, Token } from './vitepress.ts';

/** Where the pages are in the repository. */
const DOCS = 'docs';

/** Files outside docs/ that have a page which shows the same, and parts of them. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  'README.md': 'docs/index.md',
  'README.md#as-a-package': 'docs/getting-started.md#the-package',
  'report.schema.json': 'docs/reference/report.md',
};

/**
 * Where a link of a page leads on the site: links between pages stay, one to another file of the repository leads there.
 * @param page path below docs/
 * @param repository URL of the files, such as `https://host.example/paddock/blob/main`; undefined: nobody knows it
 * @returns undefined: nowhere, it is shown as text
 */
export function siteLink(href: string, page: string, repository: string | undefined): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const end = fragment === undefined ? '' : `#${fragment}`;
  const from = posix.dirname(posix.join(DOCS, page));
  const file = posix.join(from, path);
  // The headings of another file are not those of the page that shows it.
  const shown = SHOWN_BY[file + end] ?? SHOWN_BY[file] ?? file + end;
  if (/^docs\/[^#]*\.md(?:#|$)/.test(shown)) return posix.relative(from, shown);
  return repository === undefined ? undefined : `${repository}/${file}${end}`;
}

/** The title of a page, by its path below docs/ without `.md`. */
type TitleOf = (page: string) => string | undefined;

/** Applies {@link siteLink} to every link of a page; where the repository has the name of a file, the site has its title. */
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

/** The name of a file that the site does not have. */
function becomeSpan(token: Token): void {
  token.tag = 'code';
  token.type = token.nesting === 1 ? 'file_open' : 'file_close';
  token.attrs = null;
}
