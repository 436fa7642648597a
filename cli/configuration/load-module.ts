import { extname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from './configuration-error.ts';

/** How the names of programs end that may be configuration files. */
export const MODULE_ENDS = ['.ts', '.mts', '.js', '.mjs'];

/** Whether reading the file runs it. */
export function isModule(file: string): boolean {
  return MODULE_ENDS.includes(extname(file));
}

/**
 * What a program exports by default. It runs with all rights of the user.
 * @throws ConfigurationError when this Node runs no TypeScript, or the program fails
 */
export async function loadModule(file: string): Promise<unknown> {
  const name = relative('', file);
  if (/\.m?ts$/.test(file) && !process.features.typescript)
    throw new ConfigurationError(
      `${name}: Node ${process.versions.node} does not run TypeScript by itself, as from 22.18 on: set NODE_OPTIONS=--experimental-strip-types, or write paddock.config.yaml in its place`,
    );
  const module = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new ConfigurationError(`${name}: ${reasonOf(error)}`);
  });
  if (!('default' in module))
    throw new ConfigurationError(`${name} must export its options by default: export default { ... }`);
  return module.default;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isCommonJs = error instanceof SyntaxError && /export|import/.test(error.message);
  if (!isCommonJs) return `${error.name}: ${error.message}`;
  return `${error.message}: its package.json says that it is CommonJS; name it paddock.config.mts and give it with --config, or write module.exports = { ... }`;
}
