import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { RefAccess } from './ref-access.ts';

const MAX_BYTES = 2 ** 26;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

/** Reads a file or a web page of at most 64 MiB. Redirects need the same access as references. @throws Error with the reason */
export async function fetchBytes(url: string, access: RefAccess): Promise<Uint8Array> {
  if (url.startsWith('file:')) return readBoundedFile(fileURLToPath(url));
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
  return readBounded(response);
}

function isRedirect({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has('location');
}

async function readBoundedFile(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
  return readFile(path);
}

async function readBounded({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
