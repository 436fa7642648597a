import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '#spec';

/** Entries of folders that are looked at, and documents that are told, at most. */
const MOST_ENTRIES = 20_000;
const MOST_DOCUMENTS = 20;
const DEEPEST = 6;
/** Bytes of a file: a YAML document says its version near its beginning, a JSON document is read as a whole. */
const HEAD = 64 * 1024;
const LARGEST_JSON = 16 * 1024 * 1024;

/**
 * The OpenAPI documents of a folder, by what is in them: paths relative to it, those nearest to it first. Folders of packages
 * and those whose name begins with a dot are left out, links are not followed.
 */
export async function findDocuments(folder: string): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  let entries = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const below: string[] = [];
    for (const at of level) {
      for (const entry of await listed(join(folder, at))) {
        if (++entries > MOST_ENTRIES || found.length >= MOST_DOCUMENTS) return found;
        const path = at === '' ? entry.name : `${at}/${entry.name}`;
        if (entry.isDirectory()) {
          if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) below.push(path);
        } else if (entry.isFile() && (await isDocument(join(folder, path)))) found.push(path);
      }
    }
    level = below;
  }
  return found;
}

/** In the order of their names, those that say what they are first. */
async function listed(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const rank = (name: string) => (/openapi|swagger/i.test(name) ? 0 : 1);
  return entries.sort((one, other) => rank(one.name) - rank(other.name) || (one.name < other.name ? -1 : 1));
}

async function isDocument(file: string): Promise<boolean> {
  if (!/\.(?:ya?ml|json)$/i.test(file)) return false;
  const isJson = /\.json$/i.test(file);
  const text = await head(file, isJson ? LARGEST_JSON : HEAD);
  if (!isJson || text.length > LARGEST_JSON)
    return /^["']?(?:openapi["']?:\s*["']?3\.|swagger["']?:\s*["']?2\.0)/m.test(text);
  if (!/"(?:openapi|swagger)"/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && (/^3\./.test(String(value.openapi)) || value.swagger === '2.0');
  } catch {
    return false;
  }
}

/** What cannot be read is no document. */
async function head(file: string, most: number): Promise<string> {
  try {
    await using handle = await open(file);
    const size = Math.min((await handle.stat()).size, most);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(size), 0, size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}
