import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { maskUrls } from '../mask-text.ts';
import { DocumentError, isHttp, type Problem } from './source-file.ts';

/** Returns undefined if a reference to this URL may be followed, else why not and which option allows it. */
export type RefAccess = (url: string) => Promise<string | undefined>;

/**
 * Reads a file or web page as UTF-8.
 * @param from the reference that names it, if any
 * @throws DocumentError if it cannot be read or is not UTF-8
 */
export async function readText(url: string, access: RefAccess, from?: Problem): Promise<string> {
  return decode(await readNamed(url, access, from), displayUri(url));
}

/** Reads a file or web page: its text, or its bytes if they are not UTF-8. @throws DocumentError if it cannot be read */
export async function readAny(url: string, access: RefAccess, from: Problem): Promise<string | Uint8Array> {
  const bytes = await readNamed(url, access, from);
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : bytes;
}

function readNamed(url: string, access: RefAccess, from?: Problem): Promise<Uint8Array> {
  const uri = displayUri(url);
  return readBytes(url, access).catch((error) => {
    const message = `cannot read ${uri}: ${reasonOf(error)}`;
    throw new DocumentError([from ? { ...from, message } : { uri, line: 1, column: 1, message }]);
  });
}

const MAX_BYTES = 2 ** 26;

/** Reads a file or a web page of at most 64 MiB. */
async function readBytes(url: string, access: RefAccess): Promise<Uint8Array> {
  if (isMetaSchema(url))
    return readFile(require.resolve(`ajv/dist/refs/json-schema-2020-12/${partOf(url)}.json`));
  if (!url.startsWith('file:')) return fetchBytes(url, MAX_BYTES, access);
  const path = fileURLToPath(url);
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
  return readFile(path);
}

const META_SCHEMA = 'https://json-schema.org/draft/2020-12/';
const require = createRequire(import.meta.url);

/**
 * Whether a URL is that of the JSON Schema 2020-12 meta-schema or one of its parts. A library contains them, so they
 * are never fetched.
 */
export function isMetaSchema(url: string): boolean {
  return url.startsWith(META_SCHEMA) && /^(?:schema|meta\/[a-z-]+)$/.test(partOf(url));
}

function partOf(url: string): string {
  return url.slice(META_SCHEMA.length);
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

/**
 * Fetches a web page of limited size. Redirects need the same access as references.
 * @throws Error with the reason
 */
async function fetchBytes(url: string, most: number, access: RefAccess): Promise<Uint8Array> {
  if (!/^https?:/.test(url)) throw new Error('only files and http(s) URLs can be read');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let response = await fetch(url, { signal, redirect: 'manual' });
  for (let count = 1; isRedirect(response); count++) {
    if (count > MAX_REDIRECTS) throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
    const next = new URL(response.headers.get('location') ?? '', response.url).href;
    const refusal = /^https?:/.test(next) ? await access(next) : 'only http(s) is followed';
    if (refusal) throw new Error(`it redirects to ${next}: ${refusal}`);
    await response.body?.cancel();
    response = await fetch(next, { signal, redirect: 'manual' });
  }
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  return readBounded(response, most);
}

function isRedirect({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has('location');
}

async function readBounded({ body }: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > most) throw new Error(`it is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Decodes UTF-8, without a byte-order mark. @throws DocumentError with the position of the first invalid byte */
function decode(bytes: Uint8Array, uri: string): string {
  const text = new TextDecoder().decode(bytes);
  if (isUtf8(bytes)) return text;
  const encoded = new TextEncoder().encode(bytes[0] === 0xef ? `\ufeff${text}` : text);
  const end = encoded.findIndex((byte, at) => byte !== bytes[at]);
  const lines = new TextDecoder().decode(bytes.subarray(0, end)).split('\n');
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

/**
 * For a file below the working directory the relative path, else the absolute path; or the URL, without its secrets. A
 * relative path has slashes on every system, since reports and accepted causes are shared between systems.
 */
export function displayUri(url: string): string {
  if (!url.startsWith('file:')) return maskUrls(url);
  const path = fileURLToPath(url);
  const near = relative(process.cwd(), path);
  return near === '' || isAbsolute(near) || near.startsWith('..') ? path : near.split(sep).join('/');
}

/** The URL of a location, which is a path or a URL. */
export function locationToUrl(location: string): string {
  return isHttp(location) ? new URL(location).href : pathToFileURL(resolve(location)).href;
}
