import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The handwritten pages. */
export const DOCS = join(ROOT, 'docs');

/** The generated pages, rewritten at each build and ignored by git. */
export const REFERENCE = join(DOCS, 'reference');

/** The built site, unless the command names another folder. */
export const OUT = join(ROOT, 'dist-docs');

/** The source folder for VitePress. */
export const SITE = join(ROOT, 'release/site');

/** Static files of the site; those of the mock for browsers are generated at each build. */
export const ENGINE = join(DOCS, 'public/engine');
