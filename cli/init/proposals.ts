import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contract, count, DocumentError, isRecord, loadContract } from '#spec';
import { needsKey } from '#target';
import { beginningOf } from '../learn-files.ts';
import { SHIPPED_DOCUMENT } from '../shared-options.ts';

/** The content of a new configuration file. */
export interface Answers {
  /** Path or URL. Undefined: the Pet Store that comes with Paddock. */
  readonly document: string | undefined;
  readonly target: string;
  /** Base URL of the target. */
  readonly url: string;
  /** The environment variable with the credential. Undefined: none is needed. */
  readonly variable: string | undefined;
  /** Whether to add scripts to package.json. */
  readonly scripts: boolean;
}

/** A document's description of the service, as far as it can be read. */
export interface Described {
  /** `Pet Store 1.0.0, 3 operations`. */
  readonly summary: string;
  /** The path of its first server. */
  readonly basePath: string;
  readonly needsKey: boolean;
}

/** What was found in a folder. */
export interface Proposals {
  /** The folder's documents, the likeliest first. */
  readonly documents: readonly string[];
  /** The answers of `--yes`. */
  readonly answers: Answers;
}

export const TARGET = 'local';
export const VARIABLE = 'PADDOCK_API_KEY';

export function mockUrl({ basePath }: Described, port: number): string {
  return `http://127.0.0.1:${port}${basePath}`;
}

/** Finds documents; an unreadable one is no default. */
export async function proposals(
  folder: { readonly path: string; readonly hasManifest: boolean },
  port: number,
): Promise<Proposals> {
  const documents = await findDocuments(folder.path);
  let document: string | undefined;
  for (const one of documents) {
    const described = await describeDocument(one);
    if (described instanceof Error) continue;
    document = one;
    break;
  }
  const described = await describeDocument(document);
  if (described instanceof Error) throw described;
  const variable = described.needsKey ? VARIABLE : undefined;
  const url = mockUrl(described, port);
  return { documents, answers: { document, target: TARGET, url, variable, scripts: folder.hasManifest } };
}

/** @param document undefined: the one that comes with Paddock */
export async function describeDocument(document: string | undefined): Promise<Described | DocumentError> {
  try {
    return describe(await loadContract(document ?? SHIPPED_DOCUMENT));
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
}

function describe({ title, version, operations, basePath }: Contract): Described {
  const summary = `${title} ${version}, ${count(operations.length, 'operation')}`.trim();
  return { summary, basePath, needsKey: operations.some(needsKey) };
}

/** The most folder entries to visit, and documents to list. */
const MOST_ENTRIES = 20_000;
const MOST_DOCUMENTS = 20;
const DEEPEST = 6;
/** A YAML document has its version near the beginning, a JSON document is read completely. */
const LARGEST_JSON = 16 * 1024 * 1024;

/**
 * The OpenAPI documents of a folder, by content: relative paths, the nearest first. Folders of packages and hidden folders
 * are skipped, links are not followed.
 */
export async function findDocuments(folder: string): Promise<string[]> {
  const documents: string[] = [];
  let level = [''];
  let entries = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const below: string[] = [];
    for (const at of level) {
      for (const entry of await listed(join(folder, at))) {
        if (++entries > MOST_ENTRIES || documents.length >= MOST_DOCUMENTS) return documents;
        const path = at === '' ? entry.name : `${at}/${entry.name}`;
        if (entry.isDirectory()) {
          if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) below.push(path);
        } else if (entry.isFile() && (await isDocument(join(folder, path)))) documents.push(path);
      }
    }
    level = below;
  }
  return documents;
}

/** Sorted by name, telling names first. */
async function listed(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const rank = (name: string) => (/openapi|swagger/i.test(name) ? 0 : 1);
  return entries.sort(
    (left, right) => rank(left.name) - rank(right.name) || (left.name < right.name ? -1 : 1),
  );
}

async function isDocument(file: string): Promise<boolean> {
  if (!/\.(?:ya?ml|json)$/i.test(file)) return false;
  const isJson = /\.json$/i.test(file);
  // An unreadable file is no document.
  const text = await beginningOf(file, isJson ? LARGEST_JSON : undefined).catch(() => '');
  if (!isJson) return /^["']?(?:openapi["']?:\s*["']?3\.|swagger["']?:\s*["']?2\.0)/m.test(text);
  if (!/"(?:openapi|swagger)"/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && (/^3\./.test(String(value.openapi)) || value.swagger === '2.0');
  } catch {
    return false;
  }
}
