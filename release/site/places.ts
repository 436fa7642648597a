import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The pages that are written by hand. */
export const DOCS = join(ROOT, 'docs');

/** The pages that are generated at each build, and that git ignores. */
export const REFERENCE = join(DOCS, 'reference');

/** The built site, unless the command names another folder. */
export const OUT = join(ROOT, 'dist-docs');

/** What VitePress builds from. */
export const SITE = join(ROOT, 'release/site');

/** Files that the site has as they are; those of the mock for browsers are made at each build. */
export const ENGINE = join(DOCS, 'public/engine');
