import { isUtf8 } from 'node:buffer';
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchBytes } from './fetch-bytes.ts';
import { DocumentError, type Problem } from './problem.ts';
import type { RefAccess } from './ref-access.ts';

/**
 * The text of a file or web page in UTF-8.
 * @param from the reference to it, where one names it
 * @throws DocumentError if it cannot be read or is not UTF-8
 */
export async function readText(url: string, access: RefAccess, from?: Problem): Promise<string> {
  const uri = displayUri(url);
  const bytes = await fetchBytes(url, access).catch((error) => {
    const message = `cannot read ${uri}: ${reasonOf(error)}`;
    throw new DocumentError([from ? { ...from, message } : { uri, line: 1, column: 1, message }]);
  });
  return decode(bytes, uri);
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
