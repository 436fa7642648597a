import * as nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What a program exports, and its own file with those of the user's that it imports. */
export interface LoadedProgram {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
}

const QUERY = '?paddock=';

/**
 * Loads a program. Node keeps each module by its URL: where `turn` is not 0, the program and what it imports outside of
 * `node_modules` are loaded once more.
 * @param file absolute path
 */
export async function loadProgram(file: string, turn: number): Promise<LoadedProgram> {
  const again = turn === 0 ? '' : `${QUERY}${turn}`;
  const own = new Set([pathToFileURL(file).href]);
  // Node 22.13 has no such hooks, and loads only the file itself once more.
  const hooks = nodeModule.registerHooks?.({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const [parent = ''] = (context.parentURL ?? '').split(QUERY);
      const isRequired = context.conditions.includes('require');
      if (!own.has(parent) || isRequired || !isOfUser(resolved.url)) return resolved;
      own.add(resolved.url);
      return { ...resolved, url: resolved.url + again };
    },
  });
  try {
    const exports = await import(pathToFileURL(file).href + again);
    return { exports, files: [...own].map((url) => fileURLToPath(url)) };
  } finally {
    hooks?.deregister();
  }
}

function isOfUser(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !url.includes('?');
}
