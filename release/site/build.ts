import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBrowser } from '../packaging/build-browser.ts';
import { ENGINE, OUT, SITE } from './places.ts';
import { writeReference } from './reference/write-reference.ts';
import { loadVitePress } from './vitepress.ts';

/**
 * Builds the site.
 * @param out the folder, which is emptied first
 * @param base the path at which it is served, with a slash at both ends
 * @throws Error for a link to a page that does not exist
 */
async function buildSite(out: string, base: string): Promise<void> {
  await writeReference();
  await buildBrowser(ENGINE);
  const { build } = await loadVitePress();
  await build(SITE, { outDir: out, base });
  makeLinksRelative(out, base);
}

/** Served for any unknown path, so its links cannot be relative. */
const ANYWHERE = '404.html';

/**
 * Makes the links in built pages relative, so that they also work when the folder is opened without a server (`file:`).
 * Pages and styles work there, but browsers load no modules, so there is no search.
 * @param base the path at which the site is served, with a slash at both ends
 */
function makeLinksRelative(folder: string, base: string): void {
  for (const path of globSync('**/*.html', { cwd: folder })) {
    const file = path.split(sep).join('/');
    if (file === ANYWHERE) continue;
    const place = join(folder, file);
    writeFileSync(place, relativeLinks(readFileSync(place, 'utf8'), posix.dirname(file), base));
  }
}

function relativeLinks(html: string, from: string, base: string): string {
  return html.replace(
    /(<[a-z][^<>]*? (?:href|src)=")(\/[^"]*)"/g,
    (whole, before: string, target: string) => {
      if (!target.startsWith(base)) return whole;
      const [path = '', end = ''] = target.slice(base.length).split(/(?=#)/);
      const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
      return `${before}${posix.relative(from, file)}${end}"`;
    },
  );
}

/**
 * `npm run docs`: builds the site into dist-docs/, or another folder, to be served at
 * or at another path.
 */
if (import.meta.main) {
  const { values } = parseArgs({
    options: { base: { type: 'string', default: '/' }, out: { type: 'string', default: OUT } },
  });
  await buildSite(values.out, values.base);
  process.stdout.write(`${values.out}: serve it at ${values.base}, or open its index.html\n`);
}
