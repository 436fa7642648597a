import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserSizes, MOST_BYTES } from '../../release/packaging/browser-sizes.ts';
import { buildBrowser } from '../../release/packaging/build-browser.ts';
import { readArguments } from '../arguments.ts';

readArguments(
  'npm run bench -- browser-size\n\nWhat a page fetches of the mock for browsers, as the table of docs/browser.md.',
  {},
);
const folder = mkdtempSync(join(tmpdir(), 'browser-size-'));
await buildBrowser(folder);
const { gzipped, plain } = browserSizes(folder);
rmSync(folder, { recursive: true });

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
const rows = [
  ['files', 'fetched', 'gzipped', 'at most', 'minified'],
  ['---', '---', '---', '---', '---'],
  [
    '`index.js`, `engine.js`',
    'always',
    kilobytes(gzipped.engine),
    kilobytes(MOST_BYTES),
    kilobytes(plain.engine),
  ],
  ['`faker.js`', 'for documents that may need it', kilobytes(gzipped.faker), '', kilobytes(plain.faker)],
  [
    '`templates.js`',
    'for rules with templates',
    kilobytes(gzipped.templates),
    '',
    kilobytes(plain.templates),
  ],
];
for (const row of rows) process.stdout.write(`| ${row.join(' | ')} |\n`);
