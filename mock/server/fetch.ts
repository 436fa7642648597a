import type { Engine } from '../answer/engine.ts';

/** Statuses of which a Response may have no body (Fetch §2.2.6). */
const NULL_BODY = new Set([101, 103, 204, 205, 304]);

/** Makes a `fetch` that asks an engine without a socket. */
export function fetchThrough(engine: Engine, { baseUrl, maxBody }: { baseUrl: string; maxBody: number }) {
  return async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const request =
      input instanceof Request ? new Request(input, init) : new Request(resolve(input, baseUrl), init);
    const { pathname, search, host } = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const { status, headers, body } = await engine({
      method: request.method,
      path: pathname,
      query: search.slice(1),
      headers: { host, ...Object.fromEntries(request.headers) },
      body: bytes.length > maxBody ? 'too large' : bytes.length === 0 ? undefined : bytes,
    });
    const isBare = NULL_BODY.has(status) || request.method === 'HEAD' || body.length === 0;
    const sent = isBare ? null : (body as Uint8Array<ArrayBuffer> | string);
    return new Response(sent, { status, headers });
  };
}

/** `/things` is meant below the base path, as in the document. */
function resolve(input: string | URL, baseUrl: string): string | URL {
  return typeof input === 'string' && input.startsWith('/') ? baseUrl + input : input;
}
