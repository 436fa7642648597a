import { buildBrowser } from '../packaging/build-browser.ts';
import { ENGINE, SITE } from './places.ts';
import { writeReference } from './reference/write-reference.ts';
import { loadVitePress } from './vitepress.ts';

/** `npm run docs:dev`: the site while its pages are written. A change of code needs another start. */
await writeReference();
await buildBrowser(ENGINE);
const { createServer } = await loadVitePress();
const server = await createServer(SITE);
await server.listen();
server.printUrls();
