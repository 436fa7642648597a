import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/** What tests and pictures need is not published. */
const UNPUBLISHED = [
  'console/testing/**',
  'console/**/*.test.ts',
  'console/screenshots.ts',
  'console/*.json',
];

/** The renderer of the API reference, with its licence: its package has eight times as much. */
const RENDERER: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css': 'swagger-ui.css',
  LICENSE: 'swagger-ui.LICENSE.txt',
  NOTICE: 'swagger-ui.NOTICE.txt',
};

/** Copies the console into a package, its `.ts` files without types as `.js`. */
export function buildConsole(root: string, out: string): void {
  for (const file of globSync('console/**/*.*', { cwd: root, exclude: UNPUBLISHED })) {
    const target = join(out, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (/\.(?:ts|html)$/.test(file))
      writeFileSync(target, asPublished(readFileSync(join(root, file), 'utf8'), file));
    else cpSync(join(root, file), target);
  }
  for (const [file, name] of Object.entries(RENDERER))
    cpSync(join(root, 'node_modules/swagger-ui-dist', file), join(out, 'console/library', name));
}

function asPublished(text: string, file: string): string {
  if (file.endsWith('.html')) return text.replace(/(?<= src="[^"]+)\.ts(?=")/g, '.js');
  return stripTypeScriptTypes(text).replace(/(?<=\b(?:from |import\()'\.[^']+)\.ts(?=')/g, '.js');
}
