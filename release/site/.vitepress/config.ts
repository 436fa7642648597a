import { join } from 'node:path';
import { markUrl } from '#brand';
import manifest from '../../../package.json' with { type: 'json' };
import { emptyHeaders, literalCode, livePlace } from '../markdown-rules.ts';
import { DOCS, OUT } from '../places.ts';
import { repositoryLinks } from '../repository-links.ts';
import { sections } from '../structure.ts';
import { type MarkdownRenderer, vitePressModules } from '../vitepress.ts';

const THEME = join(await vitePressModules(), 'vitepress/dist/client/theme-default/without-fonts.js');
const mark = markUrl();
const { repository } = manifest as { repository?: { url: string } };
const clone = repository?.url.replace(/^git\+|\.git$/g, '');

const menu = sections();
const titles = new Map(menu.flatMap(({ entries }) => entries));
const sidebar = menu.map(({ title, entries }) => ({
  text: title,
  collapsed: false,
  items: entries.map(([page, text]) => ({ text, link: `/${page === 'index' ? '' : page}` })),
}));

/** Follows the name in the title of the first page. */
const TITLE = 'a stateful mock server and contract tests';
/** The first page has the full width of the window. */
const FRONT = {
  sidebar: false,
  aside: false,
  pageClass: 'front',
};

export default {
  title: 'Paddock',
  description: manifest.description,
  lang: 'en',
  srcDir: DOCS,
  outDir: OUT,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: mark }]],
  transformPageData: (page: { relativePath: string; frontmatter: object }) =>
    page.relativePath === 'index.md'
      ? { titleTemplate: TITLE, frontmatter: { ...page.frontmatter, ...FRONT } }
      : undefined,
  markdown: {
    // Text in the pages that looks like HTML is text.
    html: false,
    // The same anchors as on GitHub, so that links to headings work on both.
    anchor: { slugify: githubAnchor },
    config: (md: MarkdownRenderer) => {
      repositoryLinks(md, clone && `${clone}/blob/main`, (page) => titles.get(page));
      emptyHeaders(md);
      literalCode(md);
      livePlace(md);
    },
  },
  vite: {
    server: { host: '127.0.0.1' },
    resolve: { alias: { 'vitepress/theme-without-fonts': THEME } },
    // The search index, which is loaded on first use.
    build: { chunkSizeWarningLimit: 4096 },
  },
  themeConfig: {
    logo: mark,
    nav: [
      { text: 'Guides', items: guides() },
      { text: 'Reference', link: '/reference/paddock-mock', activeMatch: '/reference/' },
      { text: 'Comparison', link: '/comparison' },
    ],
    sidebar,
    outline: [2, 3],
    notFound: {
      quote: 'Search for it, or look at the list by task on the first page.',
      linkText: 'First page',
    },
    // Shows the matching lines of each page.
    search: { provider: 'local', options: { detailedView: true } },
  },
};

function guides() {
  return (menu[0]?.entries ?? [])
    .filter(([page]) => page.startsWith('guides/'))
    .map(([page, text]) => ({ text, link: `/${page}` }));
}

function githubAnchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
