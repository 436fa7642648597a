import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeLicences } from './build-browser.ts';
import { failOnWarning } from './bundle-modules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Without comments and insignificant white space. */
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
 * Bundles the devtools to one module with its style sheet, which a page can load directly. It includes Preact, so that
 * it does not depend on the page's version.
 * @param folder gets `index.js`, with the licences of its contents
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
