import { parseArgs } from 'node:util';
import { buildSite } from './build-site.ts';
import { OUT } from './places.ts';

/** `npm run docs`: builds the site into dist-docs/, or another folder, to be served at / or at another path. */
const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, out: { type: 'string', default: OUT } },
});
await buildSite(values.out, values.base);
process.stdout.write(`${values.out}: serve it at ${values.base}, or open its index.html\n`);
