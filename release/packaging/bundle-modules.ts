import { globSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type Plugin, type RolldownOptions, rolldown } from 'rolldown';

/** The folder for code shared by entry points, and for code loaded on demand. */
const CHUNKS = 'chunks';

/** Files that are not bundled: the program that is started, and what browsers fetch. */
const UNBUNDLED = ['cli/paddock.js', '{console,browser,devtools}/**'];

/**
 * Bundles the modules of a package into a few files, since each module that Node loads takes time and memory at
 * start-up. Dynamic imports remain separate files. Dependencies are not bundled, so that users can update and audit
 * them.
 * @param out the package, with one `.js` file for each module
 * @param entries paths in it, directly below its folders; they keep their names
 */
export async function bundleModules(out: string, entries: readonly string[]): Promise<void> {
  const bundle = await rolldown({
    cwd: out,
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.js$/, ''), `./${entry}`])),
    platform: 'node',
    // A subpath import starts with #. The manifest is the package's, not the clone's.
    external: (id) => !(/^[.#]/.test(id) || isAbsolute(id)) || /[\\/]package\.json$/.test(id),
    plugins: [keepOwnUrl(out)],
    onLog: failOnWarning,
  });
  const { output } = await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
  });
  await bundle.close();
  const written = new Set(output.map(({ fileName }) => fileName));
  const modules = globSync('**/*.{js,cjs}', { cwd: out, exclude: UNBUNDLED });
  const data = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const tables = data.filter((id) => id.endsWith('.json')).map((id) => relative(out, id));
  for (const file of [...modules, ...tables])
    if (!written.has(file.split(sep).join('/'))) rmSync(join(out, file));
}

/** Nobody reads warnings of a build that succeeds, so they fail it. */
export const failOnWarning: NonNullable<RolldownOptions['onLog']> = (level, log, handle) =>
  handle(level === 'warn' ? 'error' : level, log);

/**
 * Modules that look for files beside them still find them, since all bundled files are directly below a folder of the
 * package.
 */
function keepOwnUrl(out: string): Plugin {
  return {
    name: 'keep-own-url',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null;
      const path = JSON.stringify(`../${relative(out, id).split(sep).join('/')}`);
      return code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`);
    },
  };
}
