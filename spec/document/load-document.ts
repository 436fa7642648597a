import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../json/once-per.ts';
import { createDocument, splitReference } from './create-document.ts';
import { externalReferences, externalValues } from './find-references.ts';
import { displayUri, isMetaSchema, locationToUrl, type RefAccess, readAny, readText } from './read-text.ts';
import { hasIds, resourcesOf } from './schema-resources.ts';
import { DocumentError, isHttp, type Problem, readSourceFile, type SourceFile } from './source-file.ts';
import type { Document } from './spot.ts';

export interface LoadOptions {
  /**
   * The files, folders and http(s) URLs, each with everything below it, that references may lead to beyond the
   * document's folder or host. Default: none.
   */
  readonly allowRefs?: readonly string[];
  /**
   * Paths or http(s) URLs of OpenAPI Overlays (1.0 or 1.1), applied to the document in this order before anything else
   * is read from it. Their references are relative to the document. Default: none.
   */
  readonly overlays?: readonly string[];
  /** The text of overlays that is used instead of their files, by the paths in `overlays`. Default: none. */
  readonly unsaved?: Readonly<Record<string, string>>;
  /** Whether to refuse the document for problems that are otherwise warnings. Default: false. */
  readonly strictDocument?: boolean;
  /**
   * Whether request bodies describe the records of a collection whose operations have no response with content.
   * Default: false.
   */
  readonly presumeResponses?: boolean;
}

/**
 * Reads a document from a path or an http(s) URL, with its overlays and every file that it refers to (at most 64 MiB
 * each, and 30 seconds for one that is fetched). Whether it is an OpenAPI document is not checked.
 * @throws DocumentError if the file or an overlay cannot be read, is not YAML or JSON, or cannot be applied; a file that is
 * referred to, and not allowed or not readable, is one that references do not lead to
 */
export async function loadDocument(
  location: string,
  { allowRefs = [], overlays = [], unsaved = {} }: LoadOptions = {},
): Promise<Document> {
  const base = locationToUrl(location);
  const read = await readNamed(base);
  const { file, warnings, overlaid } = await withOverlays(base, read, overlays, unsaved);
  const files = new Map([...overlaid, [base, file]]);
  const accessOf = once(() => createRefAccess(base, allowRefs));
  const absent = await loadReferences(base, files, accessOf);
  const { externals, unread } = await loadExamples(base, files, accessOf);
  const document = createDocument(base, files, undefined, absent, externals);
  const others = [...files.values()].filter((sourceFile) => sourceFile !== file);
  document.warnings.push(
    ...warnings,
    ...[read, ...others].flatMap((sourceFile) => sourceFile.warnings),
    ...unread,
  );
  return document;
}

/** The user named this file, so its host may redirect. What the document refers to is restricted. */
async function readNamed(url: string): Promise<SourceFile> {
  return readSourceFile(displayUri(url), await readText(url, async () => undefined));
}

/** The file with the overlays applied, and the overlays, which become files of the document. */
async function withOverlays(
  base: string,
  read: SourceFile,
  locations: readonly string[],
  unsaved: Readonly<Record<string, string>>,
) {
  const overlaid = new Map<string, SourceFile>();
  if (locations.length === 0) return { file: read, warnings: [], overlaid };
  for (const location of locations) {
    const [url, text] = [locationToUrl(location), unsaved[location]];
    overlaid.set(url, text === undefined ? await readNamed(url) : readSourceFile(displayUri(url), text));
  }
  // Imported on demand: its JSONPath library takes 30 ms, a fifth of the start of a small document.
  const { applyOverlays } = await import('./apply-overlays.ts');
  return { ...applyOverlays(base, read, overlaid), overlaid };
}

/**
 * Loads each referenced file once, without recursion, since the chain of files may be long.
 * @returns why a file was not read, by its URL
 */
async function loadReferences(
  base: string,
  files: Map<string, SourceFile>,
  accessOf: () => RefAccess,
): Promise<Map<string, string>> {
  const absent = new Map<string, string>();
  const isIdKeyword = hasIds(files.get(base));
  const loadedUris = new Set(files.keys());
  const waiting = [base];

  async function load(target: string, from: Problem): Promise<string | undefined> {
    if (!isReadable(target, base)) return `leads nowhere: ${NO_PATH}; correct the $ref`;
    const access = accessOf();
    const refusal = await access(target);
    if (refusal) return `leads too far: ${refusal}`;
    try {
      files.set(target, readSourceFile(displayUri(target), await readText(target, access, from)));
      loadedUris.add(target);
      waiting.push(target);
      return undefined;
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const [{ uri, line, column, message }] = error.problems as readonly [Problem];
      const place = uri === from.uri ? '' : `${uri}:${line}:${column}: `;
      return `leads nowhere: ${place}${message}; add the file or correct the $ref`;
    }
  }

  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const file = files.get(url) as SourceFile;
    const resources = resourcesOf(url, file, isIdKeyword);
    for (const { uri } of resources.all) loadedUris.add(uri);
    for (const { ref, keyword, path } of externalReferences(file.value)) {
      // The files that a schema with an `$id` of another host refers to may be beside this file, under its own URL.
      for (const from of new Set([resources.at(path).uri, url])) {
        const [target] = splitReference(ref, from) ?? [];
        if (target === undefined || loadedUris.has(target)) break;
        const reason = absent.get(target) ?? (await load(target, file.problemAt([...path, keyword], ref)));
        if (reason === undefined) break;
        absent.set(target, reason);
      }
    }
  }
  return absent;
}

/**
 * Reads the `externalValue` of each example once, with the restrictions of references. Pages of other hosts are
 * skipped: they are for human readers.
 * @returns the content by its URL, and the problems
 */
async function loadExamples(root: string, files: ReadonlyMap<string, SourceFile>, accessOf: () => RefAccess) {
  const externals = new Map<string, string | Uint8Array>();
  const unread: Problem[] = [];
  for (const [base, file] of files)
    for (const { ref, path } of externalValues(file.value)) {
      const [url] = splitReference(ref, base) ?? [];
      if (url === undefined || externals.has(url)) continue;
      const say = (reason: string) =>
        unread.push(file.problemAt(path, `the externalValue "${ref}" ${reason}; it is ignored`));
      if (!isReadable(url, root)) {
        say(`leads nowhere: ${NO_PATH}`);
        continue;
      }
      const refusal = await accessOf()(url);
      if (refusal && isHttp(url)) continue;
      if (refusal) {
        say(`leads too far: ${refusal}`);
        continue;
      }
      try {
        externals.set(url, await readAny(url, accessOf(), file.problemAt(path, ref)));
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        say(`leads nowhere: ${error.problems[0]?.message}`);
      }
    }
  return { externals, unread };
}

/**
 * A document is untrusted data: its references may only lead to its own folder (or its own host) and to what the user
 * has allowed, not to other files of this machine.
 * @param base URL of the document
 * @param allowed files, folders and http(s) URLs, each with everything below it
 */
function createRefAccess(base: string, allowed: readonly string[]): RefAccess {
  const urls = allowed.filter(isHttp).map((text) => new URL(text).href);
  const folders = allowed.filter((text) => !isHttp(text)).map((path) => realPath(resolve(path)));
  if (isHttp(base)) urls.push(new URL('/', base).href);
  else folders.push(realPath(dirname(fileURLToPath(base))));

  return async (url) => {
    if (isMetaSchema(url)) return undefined;
    if (isHttp(url)) {
      if (urls.some((parent) => isBelow(new URL(url).href, parent, '/'))) return undefined;
      return `another host may be asked only with --allow-refs ${new URL('/', url).href}`;
    }
    if (!url.startsWith('file:')) return undefined;
    // A symbolic link in the folder may lead out of it.
    const path = await realPath(fileURLToPath(url));
    for (const folder of folders) if (isBelow(path, await folder, sep)) return undefined;
    const where = isHttp(base)
      ? "this machine's files are read"
      : "a file outside the document's folder is read";
    return `${where} only with --allow-refs ${relative('', dirname(path)) || '.'}`;
  };
}

const NO_PATH = 'it is no path on this machine';

/**
 * A `file:` URL may have a slash within a name, or another host than the document's: on Windows such a URL is a network
 * path, and opening it already sends the user's credentials to that host.
 */
function isReadable(url: string, base: string): boolean {
  if (!url.startsWith('file:')) return true;
  try {
    const { host } = new URL(url);
    return (
      (host === '' || (base.startsWith('file:') && host === new URL(base).host)) && fileURLToPath(url) !== ''
    );
  } catch {
    return false;
  }
}

function isBelow(path: string, parent: string, separator: string): boolean {
  const folder = parent.endsWith(separator) ? parent : parent + separator;
  return path === parent || path.startsWith(folder);
}

/** The path itself if there is no such file: reading it reports that. */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
