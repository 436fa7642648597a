import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, extname, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DocumentError, type Place, readSourceFile } from '#spec';
import { ConfigurationError } from './find-configuration.ts';

/** A configuration file, of which only the syntax has been checked. */
export interface SourceOfOptions {
  /** Its displayed name, relative to the working directory. */
  readonly name: string;
  /** The folder to which its paths are relative. */
  readonly folder: string;
  readonly value: unknown;
  /** The absolute paths of a program and its imports. Undefined: it is no program. */
  readonly programs: readonly string[] | undefined;
  /** `paddock.config.yaml:7:9` for the value at a path (or its key); for a program, which has no positions, its name. */
  placeOf(path: readonly string[], part?: 'key' | 'value'): string;
}

const TEXT_ENDS = ['.yaml', '.yml', '.json'];

/**
 * Reads a configuration file; TypeScript and JavaScript files are run.
 * @param file absolute path
 * @param turn how often this process has read it before: a program is then run again
 * @throws ConfigurationError if it cannot be read
 */
export async function readFile(file: string, turn: number): Promise<SourceOfOptions> {
  const [name, folder, end] = [relative('', file), dirname(file), extname(file)];
  if (isModule(file)) {
    const { exports, files } = await loadModule(file, turn);
    return { name, folder, value: exports.default, programs: files, placeOf: () => name };
  }
  if (!TEXT_ENDS.includes(end))
    throw new ConfigurationError(`${name} must end in one of ${[...TEXT_ENDS, ...MODULE_ENDS].join(', ')}`);
  const { value, positionOf } = parse(name, textOf(file));
  const show = ({ uri, line, column }: Place) => `${uri}:${line}:${column}`;
  return {
    name,
    folder,
    value,
    programs: undefined,
    placeOf: (path, part = 'value') => show(positionOf(path, part)),
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError(`the configuration file cannot be read: ${(error as Error).message}`);
  }
}

/** A file without a value (comments only) is empty. */
function parse(name: string, text: string) {
  try {
    return readSourceFile(name, text, true);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    // The file's lines are not shown, as they may hold a secret.
    const lines = error.problems.map(
      ({ uri, line, column, message }) => `${uri}:${line}:${column}: ${message}`,
    );
    throw new ConfigurationError(lines.join('\n'));
  }
}

/** The file extensions of programs. */
const MODULE_ENDS = ['.ts', '.mts', '.js', '.mjs'];

/** Whether reading the file runs it. */
export function isModule(file: string): boolean {
  return MODULE_ENDS.includes(extname(file));
}

/**
 * The default export of a program, which runs with all rights of the user.
 * @throws ConfigurationError if this Node cannot run TypeScript, or the program fails
 */
async function loadModule(file: string, turn: number): Promise<LoadedProgram> {
  const name = relative('', file);
  if (/\.m?ts$/.test(file) && !process.features.typescript)
    throw new ConfigurationError(
      `${name}: Node ${process.versions.node} does not run TypeScript by itself, as from 22.18 on: set NODE_OPTIONS=--experimental-strip-types, or write paddock.config.yaml in its place`,
    );
  const loaded = await loadProgram(file, turn).catch((error: unknown) => {
    throw new ConfigurationError(`${name}: ${reasonOf(error)}`);
  });
  if (!('default' in loaded.exports))
    throw new ConfigurationError(`${name} must export its options by default: export default { ... }`);
  return loaded;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isCommonJs = error instanceof SyntaxError && /export|import/.test(error.message);
  if (!isCommonJs) return `${error.name}: ${error.message}`;
  return `${error.message}: its package.json says that it is CommonJS; name it paddock.config.mts, or write module.exports = { ... }`;
}

/** The exports of a program, and the paths of its file and the user's files that it imports. */
interface LoadedProgram {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
}

const QUERY = '?paddock=';

/**
 * Loads a program. Node caches modules by URL: unless `turn` is 0, the program and its imports outside `node_modules` are
 * loaded again.
 * @param file absolute path
 */
async function loadProgram(file: string, turn: number): Promise<LoadedProgram> {
  const again = turn === 0 ? '' : `${QUERY}${turn}`;
  const urls = new Set([pathToFileURL(file).href]);
  // Node 22.13 has no such hooks, and only reloads the file itself.
  const hooks = nodeModule.registerHooks?.({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const [parent = ''] = (context.parentURL ?? '').split(QUERY);
      const isRequired = context.conditions.includes('require');
      if (!urls.has(parent) || isRequired || !isOfUser(resolved.url)) return resolved;
      urls.add(resolved.url);
      return { ...resolved, url: resolved.url + again };
    },
  });
  try {
    const exports = await import(pathToFileURL(file).href + again);
    return { exports, files: [...urls].map((url) => fileURLToPath(url)) };
  } finally {
    hooks?.deregister();
  }
}

function isOfUser(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !url.includes('?');
}
