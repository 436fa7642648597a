import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Reach } from './reach.ts';

/** Longer than every document that anybody writes. */
const LONGEST = 2 ** 26;
const TIMEOUT_MS = 30_000;
const MOST_REDIRECTS = 5;

/** Reads a file or a page. A redirect leads no further than a reference could. @throws Error with the reason */
export async function fetchBytes(url: string, reach: Reach): Promise<Uint8Array> {
  if (url.startsWith('file:')) return readFile(fileURLToPath(url));
  if (!/^https?:/.test(url)) throw new Error('only files and http(s) URLs can be read');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let response = await fetch(url, { signal, redirect: 'manual' });
  for (let count = 1; isRedirect(response); count++) {
    if (count > MOST_REDIRECTS) throw new Error(`it redirects more than ${MOST_REDIRECTS} times`);
    const next = new URL(response.headers.get('location') ?? '', response.url).href;
    const refusal = /^https?:/.test(next) ? await reach(next) : 'only http(s) is followed';
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

async function readBounded({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > LONGEST) throw new Error(`it is longer than ${LONGEST} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
