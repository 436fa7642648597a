import type { Client } from './client.ts';
import { WireError } from './client.ts';
import { MAX_BODY, type WireRequest } from './wire.ts';

/** Responds to a request without a socket, as the `fetch` of a mock in the same process does. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * A client whose requests are handed to a function. What `fetch` cannot send (TRACE, a body of GET) was never sent; the
 * function's own errors are those of a broken connection.
 */
export function createFetchClient(fetch: Fetch, timeout: number, abort: AbortSignal | undefined): Client {
  return {
    async send(request) {
      const late = AbortSignal.timeout(timeout);
      const signal = abort ? AbortSignal.any([late, abort]) : late;
      const started = performance.now();
      const init = { ...initOf(request), signal };
      if (!isSendable(request.url, init)) throw new WireError('fetch cannot send such a request', true);
      try {
        const response = await fetch(request.url, init);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const cut = bytes.length > MAX_BODY;
        const { status, headers } = response;
        const body = cut ? bytes.slice(0, MAX_BODY) : bytes;
        return { status, headers: [...headers], body, cut, ms: performance.now() - started };
      } catch (error) {
        const { name, message } = error as Error;
        const isLate = name === 'AbortError' || name === 'TimeoutError';
        throw new WireError(isLate ? `no whole answer within ${timeout} ms` : message, false, isLate);
      }
    },
    close: () => undefined,
  };
}

function initOf({ method, headers, body }: WireRequest): RequestInit {
  const sent = headers.map(([name, value]): [string, string] => [name, value]);
  return { method, headers: sent, redirect: 'manual', ...(body && { body: new Uint8Array(body) }) };
}

function isSendable(url: URL, init: RequestInit): boolean {
  try {
    return new Request(url, init).method === init.method;
  } catch {
    return false;
  }
}
