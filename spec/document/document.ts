import { isUtf8 } from 'node:buffer';
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchBytes } from './fetch-bytes.ts';
import { DocumentError, type Problem } from './problem.ts';
import { createReach, locationToUrl, type Reach } from './reach.ts';
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

export interface LoadOptions {
  /** What references may lead to beyond the document's own folder or host: folders, files, http(s) URLs. */
  readonly allowRefs?: readonly string[];
}

/**
 * Reads a document from a path or an http(s) URL, with every file that it refers to.
 * @throws DocumentError when a file cannot be read or is no YAML or JSON, or a reference leads too far.
 */
export async function loadDocument(
  location: string,
  { allowRefs = [] }: LoadOptions = {},
): Promise<Document> {
  const base = locationToUrl(location);
  const files = new Map<string, SourceFile>();
  // The user has named the document, and may be led on by its host; what the document names is held to its reach.
  files.set(base, readSourceFile(shownAs(base), await fetchText(base, async () => undefined)));
  await loadReferences(base, files, createReach(base, allowRefs));
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

/** Each file once; how far one leads from another is no depth of calls. */
async function loadReferences(base: string, files: Map<string, SourceFile>, reach: Reach): Promise<void> {
  const waiting = [base];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const file = files.get(url) as SourceFile;
    for (const { ref, path } of outsideReferences(file.value, [])) {
      const [target] = splitReference(ref, url) ?? [];
      const from = file.problemAt(path, ref);
      const refuse = (message: string) => new DocumentError([{ ...from, message }]);
      if (target === undefined) throw refuse(`the $ref "${ref}" is no URL`);
      if (files.has(target)) continue;
      const refusal = await reach(target);
      if (refusal) throw refuse(`the $ref "${ref}" leads too far: ${refusal}`);
      files.set(target, readSourceFile(shownAs(target), await fetchText(target, reach, from)));
      waiting.push(target);
    }
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

async function fetchText(url: string, reach: Reach, from?: Problem): Promise<string> {
  try {
    return decode(await fetchBytes(url, reach), shownAs(url));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const message = `cannot read ${shownAs(url)}: ${reasonOf(error)}`;
    throw new DocumentError([
      from ? { ...from, message } : { uri: shownAs(url), line: 1, column: 1, message },
    ]);
  }
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
