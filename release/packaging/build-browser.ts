import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { failOnWarning } from './bundle-modules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The files of the mock for browsers; `faker` and `templates` are fetched on demand. */
export const BROWSER_FILES = [
  'index.js',
  'engine.js',
  'faker.js',
  'templates.js',
  'rolldown-runtime.js',
] as const;

/**
 * Bundles the mock for browsers: modules that a page can load directly or with a bundler.
 * @param folder gets the files, with the licences of their contents
 * @throws Error if a module needs Node
 */
export async function buildBrowser(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { index: join(ROOT, 'mock/browser/index.ts') },
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'import', 'default'] },
    // Code that loads a document's files is unused in browsers, and removed.
    external: isBuiltin,
    onLog: failOnWarning,
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    chunkFileNames: '[name].js',
    codeSplitting: {
      groups: [
        { name: 'faker', test: /@faker-js/, priority: 1 },
        { name: 'templates', test: /[\\/]liquidjs[\\/]/, priority: 1 },
        { name: 'engine', test: /\.[cm]?[jt]s$/ },
      ],
    },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const { fileName, code, imports, dynamicImports } of chunks) {
    const ofNode = [...imports, ...dynamicImports].filter((name) => isBuiltin(name));
    if (/\bprocess\.getBuiltinModule\b/.test(code)) ofNode.push('a module by process.getBuiltinModule');
    if (ofNode.length > 0) throw new Error(`${fileName} imports ${ofNode.join(', ')}`);
  }
  const names = chunks.map(({ fileName }) => fileName).sort();
  if (names.join() !== [...BROWSER_FILES].sort().join()) throw new Error(`not these files: ${names}`);
  writeLicences(folder, chunks);
}

/** Writes the licences of all packages with code in these chunks, as the licences require. */
export function writeLicences(folder: string, chunks: readonly OutputChunk[]): void {
  writeFileSync(join(folder, 'licences.txt'), licencesOf(chunks));
}

function licencesOf(chunks: readonly OutputChunk[]): string {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  const folders = new Set(
    modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'].find((one) =>
        existsSync(join(folder, one)),
      );
      return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
    })
    .join('\n---\n\n');
}
