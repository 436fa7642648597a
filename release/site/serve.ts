import { buildBrowser } from '../packaging/build-browser.ts';
import { ENGINE, SITE } from './places.ts';
import { writeReference } from './reference/write-reference.ts';
import { loadVitePress } from './vitepress.ts';

/** `npm run docs:dev`: serves the site while its pages are edited. Changes of code need a restart. */
await writeReference();
await buildBrowser(ENGINE);
const { createServer } = await loadVitePress();
const server = await createServer(SITE);
await server.listen();
server.printUrls();
