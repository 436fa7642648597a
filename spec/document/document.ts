import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DocumentError, type Problem } from './problem.ts';
import { readSourceFile, type SourceFile } from './source-file.ts';
import { complain, isReference, type Spot } from './spot.ts';

/** An OpenAPI document with all files that it refers to, read once. */
export interface Document {
  readonly root: Spot;
  /** By absolute URL (`file:` or `http(s):`). */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** What is wrong with it, gathered while it is compiled. */
  readonly problems: Problem[];
  /** The spot that the Reference Object at this spot names; unresolvable is a problem of the document. */
  resolve(reference: Spot): Spot | undefined;
}

/**
 * Reads a document from a path or an http(s) URL, with every file that it refers to.
 * @throws DocumentError when a file cannot be read or is no YAML or JSON.
 */
export async function loadDocument(location: string): Promise<Document> {
  const base = locationToUrl(location);
  const files = new Map<string, SourceFile>();
  await loadWithReferences(base, files);
  return assemble(base, files);
}

function assemble(base: string, files: ReadonlyMap<string, SourceFile>): Document {
  const urls = new Map([...files].map(([url, file]) => [file, url]));
  const document: Document = {
    get root() {
      const file = files.get(base) as SourceFile;
      return { document, file, path: [], value: file.value };
    },
    files,
    problems: [],
    resolve(reference) {
      const { $ref } = reference.value as { $ref: string };
      const [url, fragment] = splitReference($ref, urls.get(reference.file) ?? base) ?? [];
      const file = url === undefined ? undefined : files.get(url);
      if (!file) return complain(reference, `the $ref "${$ref}" names a file that was not read`);
      const path = fragmentToPath(fragment ?? '');
      if (!path) {
        return complain(
          reference,
          `the $ref "${$ref}" is no JSON Pointer (#/...), and anchors are not followed`,
        );
      }
      let value = file.value;
      for (const [depth, token] of path.entries()) {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) {
          const reached = depth === 0 ? file.uri : `#/${path.slice(0, depth).join('/')}`;
          return complain(
            reference,
            `the $ref "${$ref}" leads nowhere: there is no "${token}" in ${reached}`,
          );
        }
        value = (value as Record<string, unknown>)[token];
      }
      return { document, file, path, value };
    },
  };
  return document;
}

async function loadWithReferences(
  url: string,
  files: Map<string, SourceFile>,
  from?: Problem,
): Promise<void> {
  if (files.has(url)) return;
  const file = readSourceFile(shownAs(url), await fetchText(url, from));
  files.set(url, file);
  for (const { ref, path } of outsideReferences(file.value, [])) {
    const [target] = splitReference(ref, url) ?? [];
    const from = file.problemAt(path, ref);
    if (target === undefined) throw new DocumentError([{ ...from, message: `the $ref "${ref}" is no URL` }]);
    await loadWithReferences(target, files, from);
  }
}

/** Keywords whose values are data: a `$ref` in there is no reference. Inside a map of schemas they are mere names. */
const DATA = new Set(['example', 'default', 'const', 'enum', 'value']);
const MAPS_OF_SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'schemas']);

function* outsideReferences(value: unknown, path: string[]): Generator<{ ref: string; path: string[] }> {
  if (typeof value !== 'object' || value === null) return;
  if (isReference(value) && !value.$ref.startsWith('#')) yield { ref: value.$ref, path: [...path, '$ref'] };
  for (const [key, member] of Object.entries(value)) {
    const isData = DATA.has(key) || (key === 'examples' && Array.isArray(member));
    if (isData && !MAPS_OF_SCHEMAS.has(path.at(-1) ?? '')) continue;
    yield* outsideReferences(member, [...path, key]);
  }
}

async function fetchText(url: string, from?: Problem): Promise<string> {
  try {
    return decode(await fetchBytes(url), shownAs(url));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const message = `cannot read ${shownAs(url)}: ${reasonOf(error)}`;
    throw new DocumentError([
      from ? { ...from, message } : { uri: shownAs(url), line: 1, column: 1, message },
    ]);
  }
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  if (url.startsWith('file:')) return readFile(fileURLToPath(url));
  if (!/^https?:/.test(url)) throw new Error('only files and http(s) URLs can be read');
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** UTF-8; a byte-order mark is dropped. @throws DocumentError at the first byte that is none. */
function decode(bytes: Uint8Array, uri: string): string {
  const text = new TextDecoder().decode(bytes);
  if (isUtf8(bytes)) return text;
  const again = new TextEncoder().encode(bytes[0] === 0xef ? `\ufeff${text}` : text);
  const good = new TextDecoder().decode(
    bytes.subarray(
      0,
      again.findIndex((byte, at) => byte !== bytes[at]),
    ),
  );
  const lines = good.split('\n');
  const column = (lines.at(-1) ?? '').length + 1;
  const message = 'this is no UTF-8 text: save the document as UTF-8';
  throw new DocumentError([{ uri, line: lines.length, column, message }]);
}

function reasonOf(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException & { cause?: Error };
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory';
  return cause?.message ?? message;
}

function locationToUrl(location: string): string {
  return /^https?:\/\//i.test(location) ? new URL(location).href : pathToFileURL(resolve(location)).href;
}

/** What people see: a path relative to the working directory where that is shorter, or the URL. */
function shownAs(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const near = relative(process.cwd(), path);
  return near === '' || isAbsolute(near) || near.startsWith('..') ? path : near;
}

function splitReference(ref: string, base: string): [url: string, fragment: string] | undefined {
  const [file = '', fragment = ''] = ref.split('#', 2);
  const url = file === '' ? base : URL.parse(file, base)?.href;
  return url === undefined ? undefined : [url, fragment];
}

/** RFC 6901 §6: a pointer in a URI fragment is percent-encoded. */
function fragmentToPath(fragment: string): string[] | undefined {
  if (fragment === '') return [];
  if (!fragment.startsWith('/')) return undefined;
  try {
    return fragment
      .slice(1)
      .split('/')
      .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}
