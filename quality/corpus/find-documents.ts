import { globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** An OpenAPI document, and where it was found. */
export interface Found {
  readonly source: string;
  /** Relative to the folder of its source. */
  readonly document: string;
  readonly file: string;
  readonly bytes: number;
}

/**
 * The OpenAPI and Swagger documents of a folder, of a single file or of an installed package, in the order of their paths.
 * @param named a path, or the name of a package that is installed in the working directory or above
 * @throws RangeError if there is neither, or no document in it
 */
export function findDocuments(named: string): Found[] {
  const folder = folderOf(named);
  const isFile = statSync(folder).isFile();
  const root = isFile ? dirname(folder) : folder;
  const files = isFile ? [basename(folder)] : globSync('**/*.{json,yaml,yml}', { cwd: root });
  const found = files
    .filter((file) => !file.split(sep).includes('node_modules'))
    .sort()
    .map((document) => ({ document, file: join(root, document) }))
    .flatMap(({ document, file }) => {
      const text = readFileSync(file, 'utf8');
      const source = isFile ? basename(root) : sourceOf(named);
      return isDocument(text) ? [{ source, document, file, bytes: Buffer.byteLength(text) }] : [];
    });
  if (found.length === 0) throw new RangeError(`there is no OpenAPI document in ${named}`);
  return found;
}

/** The version of OpenAPI or Swagger as a member at the top level, however the file is laid out. */
const VERSION = /^(?:\s*\{)?\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\.\d/m;
const MINIFIED = /[{,]\s*"(?:openapi|swagger)"\s*:\s*"[23]\.\d/;

function isDocument(text: string): boolean {
  return VERSION.test(text) || (text.trimStart().startsWith('{') && MINIFIED.test(text));
}

/** @throws RangeError if there is neither a folder or file nor an installed package of this name */
export function folderOf(named: string): string {
  const path = resolve(named);
  if (statSync(path, { throwIfNoEntry: false })) return path;
  const folders = createRequire(join(process.cwd(), 'corpus')).resolve.paths(named) ?? [];
  const installed = folders.map((folder) => join(folder, named)).find((folder) => isFolder(folder));
  if (installed === undefined) throw new RangeError(`there is no folder, file or installed package ${named}`);
  return installed;
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** A package by its name, another folder by its last part: a page names no folder of one machine. */
function sourceOf(named: string): string {
  const [, installed] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/?$/.exec(resolve(named)) ?? [];
  if (installed !== undefined) return installed;
  return statSync(resolve(named), { throwIfNoEntry: false }) ? basename(resolve(named)) : named;
}
