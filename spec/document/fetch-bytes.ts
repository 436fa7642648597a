import type { RefAccess } from './external-references.ts';

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

/**
 * Reads a web page of at most so many bytes. Redirects need the same access as references.
 * @throws Error with the reason
 */
export async function fetchBytes(url: string, most: number, access: RefAccess): Promise<Uint8Array> {
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
