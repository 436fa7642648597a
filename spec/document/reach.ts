import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Whether a file that a document refers to may be read: undefined, or why not, with the way to allow it. */
export type Reach = (url: string) => Promise<string | undefined>;

/**
 * A document is data, perhaps of strangers: by its references it may name what lies beside it or below, and nothing
 * else that this machine can read, unless the user has allowed it.
 * @param base the document's own address
 * @param allowed folders or files, and http(s) URLs with all that is below them
 */
export function createReach(base: string, allowed: readonly string[]): Reach {
  const urls = allowed.filter(isWeb).map((text) => new URL(text).href);
  const folders = allowed.filter((text) => !isWeb(text)).map((path) => realPath(resolve(path)));
  if (isWeb(base)) urls.push(new URL('/', base).href);
  else folders.push(realPath(dirname(fileURLToPath(base))));

  return async (url) => {
    if (isWeb(url)) {
      if (urls.some((above) => isBelow(new URL(url).href, above, '/'))) return undefined;
      return `another host may be asked only with --allow-refs ${new URL('/', url).href}`;
    }
    if (!url.startsWith('file:')) return undefined;
    // A link inside the folder may lead out of it.
    const path = await realPath(fileURLToPath(url));
    for (const folder of folders) if (isBelow(path, await folder, sep)) return undefined;
    const where = isWeb(base)
      ? "this machine's files are read"
      : "a file outside the document's folder is read";
    return `${where} only with --allow-refs ${relative('', dirname(path)) || '.'}`;
  };
}

function isWeb(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function isBelow(path: string, above: string, separator: string): boolean {
  const folder = above.endsWith(separator) ? above : above + separator;
  return path === above || path.startsWith(folder);
}

/** Where there is no such file, the path as it stands: that is told when it is read. */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** The URL of a path or of a URL. */
export function locationToUrl(location: string): string {
  return isWeb(location) ? new URL(location).href : pathToFileURL(resolve(location)).href;
}
