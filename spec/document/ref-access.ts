import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RefAccess } from './external-references.ts';
import { isHttp } from './read-text.ts';

/**
 * A document is untrusted data: its references may name files in its own folder (or pages of its own host), and nothing
 * else that this machine can read, unless the user has allowed it.
 * @param base URL of the document
 * @param allowed files, folders and http(s) URLs, each with all below it
 */
export function createRefAccess(base: string, allowed: readonly string[]): RefAccess {
  const urls = allowed.filter(isHttp).map((text) => new URL(text).href);
  const folders = allowed.filter((text) => !isHttp(text)).map((path) => realPath(resolve(path)));
  if (isHttp(base)) urls.push(new URL('/', base).href);
  else folders.push(realPath(dirname(fileURLToPath(base))));

  return async (url) => {
    if (isHttp(url)) {
      if (urls.some((parent) => isBelow(new URL(url).href, parent, '/'))) return undefined;
      return `another host may be asked only with --allow-refs ${new URL('/', url).href}`;
    }
    if (!url.startsWith('file:')) return undefined;
    // A symbolic link inside the folder may point out of it.
    const path = await realPath(fileURLToPath(url));
    for (const folder of folders) if (isBelow(path, await folder, sep)) return undefined;
    const where = isHttp(base)
      ? "this machine's files are read"
      : "a file outside the document's folder is read";
    return `${where} only with --allow-refs ${relative('', dirname(path)) || '.'}`;
  };
}

function isBelow(path: string, parent: string, separator: string): boolean {
  const folder = parent.endsWith(separator) ? parent : parent + separator;
  return path === parent || path.startsWith(folder);
}

/** The path itself if there is no such file: reading it reports that. */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
