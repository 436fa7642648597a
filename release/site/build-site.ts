import { build } from 'vitepress';
import { SITE } from './places.ts';
import { writeReference } from './reference/write-reference.ts';
import { makeLinksRelative } from './relative-links.ts';

/**
 * Builds the site.
 * @param out folder, which is made anew
 * @param base path at which it is served, with a slash at both ends
 * @throws Error for a link to a page that does not exist
 */
export async function buildSite(out: string, base: string): Promise<void> {
  await writeReference();
  await build(SITE, { outDir: out, base });
  makeLinksRelative(out, base);
}
