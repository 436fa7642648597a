import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RefAccess } from './external-references.ts';
import { DocumentError, type Problem } from './problem.ts';

/**
 * The text of a file or web page in UTF-8.
 * @param from the reference to it, where one names it
 * @throws DocumentError if it cannot be read or is not UTF-8
 */
export async function readText(url: string, access: RefAccess, from?: Problem): Promise<string> {
  const uri = displayUri(url);
  const bytes = await readBytes(url, access).catch((error) => {
    const message = `cannot read ${uri}: ${reasonOf(error)}`;
    throw new DocumentError([from ? { ...from, message } : { uri, line: 1, column: 1, message }]);
  });
  return decode(bytes, uri);
}

const MAX_BYTES = 2 ** 26;

/** Reads a file or a web page of at most 64 MiB. */
async function readBytes(url: string, access: RefAccess): Promise<Uint8Array> {
  if (!url.startsWith('file:')) return (await import('./fetch-bytes.ts')).fetchBytes(url, MAX_BYTES, access);
  const path = fileURLToPath(url);
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
  return readFile(path);
}

/** A byte-order mark is dropped. @throws DocumentError with the position of the first invalid byte */
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

/** The path relative to the working directory for a file below it, else the absolute path; or the URL. */
export function displayUri(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const near = relative(process.cwd(), path);
  return near === '' || isAbsolute(near) || near.startsWith('..') ? path : near;
}

/** The URL of a path or of a URL. */
export function locationToUrl(location: string): string {
  return isHttp(location) ? new URL(location).href : pathToFileURL(resolve(location)).href;
}

export function isHttp(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
