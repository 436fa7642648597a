import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeLicences } from './build-browser.ts';
import { failOnWarning } from './bundle-modules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Without comments, and without space that means nothing. */
const SHORT_STYLES = {
  name: 'short styles',
  transform: (code: string, id: string) =>
    id.endsWith('.css')
      ? code
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .replace(/\s+/g, ' ')
          .replace(/ ?([{};,>]) ?/g, '$1')
          .replaceAll(': ', ':')
          .replaceAll(';}', '}')
      : undefined,
};

/**
 * Bundles the devtools to one module with its style sheet, which a page can load as it is: Preact and all, so that it has
 * nothing to do with the version that a page has.
 * @param folder gets `index.js`, with the licences of what it contains
 */
export async function buildDevtools(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { index: join(ROOT, 'console/devtools/index.ts') },
    platform: 'browser',
    moduleTypes: { '.css': 'text', '.svg': 'text' },
    onLog: failOnWarning,
    plugins: [SHORT_STYLES],
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.write({ dir: folder, format: 'esm', minify: true });
  await bundle.close();
  const [chunk, ...others] = output;
  if (others.length > 0 || chunk.imports.length > 0) throw new Error('the devtools are not one file');
  writeLicences(folder, [chunk]);
}
