import { globSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type Plugin, type RolldownOptions, rolldown } from 'rolldown';

/** Where the code of several entry points is, and what is loaded only when it is needed. */
const CHUNKS = 'chunks';

/** Files that stay as they are: the program that is started, and what browsers fetch. */
const UNBUNDLED = ['cli/paddock.js', '{console,browser,devtools}/**'];

/**
 * Replaces the modules of a package by a few files: each module that Node loads costs time and memory at every start.
 * What the code imports at first use stays a file of its own. Dependencies are not bundled, so that their versions can
 * be updated, and audited.
 * @param out the package, with one `.js` file for each module
 * @param entries paths within it, which keep their names, in folders directly below it
 */
export async function bundleModules(out: string, entries: readonly string[]): Promise<void> {
  const bundle = await rolldown({
    cwd: out,
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.js$/, ''), `./${entry}`])),
    platform: 'node',
    // A name of its own imports begins with #. The manifest is that of the package, not of the clone.
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

/** Nobody reads warnings of a build that succeeds. */
export const failOnWarning: NonNullable<RolldownOptions['onLog']> = (level, log, handle) =>
  handle(level === 'warn' ? 'error' : level, log);

/** Modules that find files beside them still find them: all bundled files are in folders directly below the package. */
function keepOwnUrl(out: string): Plugin {
  return {
    name: 'keep-own-url',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null;
      const own = JSON.stringify(`../${relative(out, id).split(sep).join('/')}`);
      return code.replaceAll('import.meta.url', `new URL(${own}, import.meta.url).href`);
    },
  };
}
