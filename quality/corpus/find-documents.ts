import { globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { refuse } from '../arguments.ts';

/** An OpenAPI document: the folder or package that contains it, and its path there. */
export interface Found {
  readonly source: string;
  readonly document: string;
  readonly file: string;
}

/**
 * The OpenAPI and Swagger documents of a folder, a file or an installed package, sorted by path. Exits with code 2 if
 * there are none.
 * @param named a path, or the name of a package that is installed in the working directory or above
 */
export function findDocuments(named: string): Found[] {
  const path = pathOf(named);
  const isFile = statSync(path).isFile();
  const root = isFile ? dirname(path) : path;
  const files = isFile ? [basename(path)] : globSync('**/*.{json,yaml,yml}', { cwd: root });
  const documents = files
    .filter((file) => !file.split(sep).includes('node_modules'))
    .sort()
    .map((document) => ({ source: sourceOf(root), document, file: join(root, document) }))
    .filter(({ file }) => isDocument(readFileSync(file, 'utf8')));
  return documents.length > 0 ? documents : refuse(`there is no OpenAPI document in ${named}`);
}

/** The version of OpenAPI or Swagger as a top-level member, in any layout. */
const VERSION = /^(?:\s*\{)?\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\.\d/m;
const MINIFIED = /[{,]\s*"(?:openapi|swagger)"\s*:\s*"[23]\.\d/;

function isDocument(text: string): boolean {
  return VERSION.test(text) || (text.trimStart().startsWith('{') && MINIFIED.test(text));
}

function pathOf(named: string): string {
  const folders = createRequire(join(process.cwd(), 'corpus')).resolve.paths(named) ?? [];
  const paths = [resolve(named), ...folders.map((folder) => join(folder, named))];
  const match = paths.find((path) => statSync(path, { throwIfNoEntry: false }));
  return match ?? refuse(`there is no folder, file or installed package ${named}`);
}

/** The name of a package, or the last part of another folder's path. */
function sourceOf(folder: string): string {
  return /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(folder)?.[1] ?? basename(folder);
}
