import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeConfigurationTypes } from '../../cli/generate.ts';
import { buildBrowser } from './build-browser.ts';
import { buildConsole } from './build-console.ts';
import { bundleModules } from './bundle-modules.ts';
import { BROWSER_ENTRY, publishedManifest } from './published-manifest.ts';
import { writeRelativeImports } from './relative-imports.ts';

/** `npm run build`: builds the package, by default in dist/. Node strips types in a clone, never in node_modules. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = resolve(process.argv[2] ?? join(ROOT, 'dist'));

/** Files that the package needs beside its code, at the same paths as in the clone. */
const COPIED = [
  'spec/openapi.yaml',
  'contract-tests/report/report.schema.json',
  'paddock.schema.json',
  'cli/completion/paddock.bash',
  'cli/completion/paddock.fish',
  'cli/completion/paddock.zsh',
  'CHANGELOG.md',
  'README.md',
  'LICENSE',
];

await writeConfigurationTypes();
rmSync(OUT, { recursive: true, force: true });
execFileSync(
  join(ROOT, 'node_modules/.bin/tsc'),
  ['--project', join(ROOT, 'release/packaging/tsconfig.json'), '--outDir', OUT],
  { stdio: 'inherit' },
);
buildConsole(ROOT, OUT);
for (const file of COPIED) {
  mkdirSync(dirname(join(OUT, file)), { recursive: true });
  copyFileSync(join(ROOT, file), join(OUT, file));
}
const manifest = publishedManifest(readFileSync(join(ROOT, 'package.json'), 'utf8'));
// Own imports are bundled, and relative in declarations: `imports` is needed only to get there.
const { imports, ...published } = manifest;
writeRelativeImports(OUT, imports);
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
const library = Object.values(manifest.exports).filter((file) => file !== BROWSER_ENTRY);
await bundleModules(OUT, ['cli/program.js', ...library.map((file) => file.replace(/^\.\//, ''))]);
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
await buildBrowser(join(OUT, 'browser'));
writeFileSync(join(OUT, 'browser/index.d.ts'), "export * from '../mock/browser/index.js';\n");
process.stdout.write(`The package is in ${OUT}. A tarball of it: npm pack ${OUT}\n`);
