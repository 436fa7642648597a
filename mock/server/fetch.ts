import type { Engine } from '../answer/engine.ts';
import type { Feed, Reply } from '../answer/exchange.ts';

/** Statuses of which a Response may have no body (Fetch §2.2.6). */
const NULL_BODY = new Set([101, 103, 204, 205, 304]);

export interface FetchOptions {
  readonly baseUrl: () => string;
  readonly maxBody: number;
  /** The session that is meant where the address names none. */
  readonly session: string;
}

/** Makes a `fetch` that asks an engine without a socket. */
export function fetchThrough(engine: Engine, { baseUrl, maxBody, session }: FetchOptions) {
  const meant = session === '' ? {} : { 'paddock-session': session };
  return async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const request =
      input instanceof Request ? new Request(input, init) : new Request(resolve(input, baseUrl()), init);
    const { pathname, search, host } = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const reply = await engine({
      method: request.method,
      path: pathname,
      query: search.slice(1),
      headers: { host, ...meant, ...Object.fromEntries(request.headers) },
      body: bytes.length > maxBody ? 'too large' : bytes.length === 0 ? undefined : bytes,
    });
    return responseOf(reply, request.method);
  };
}

function responseOf({ status, headers, body, fault }: Reply, method: string): Response {
  // What a client of a real connection would see, in the words of its fetch.
  if (fault === 'drop')
    throw new TypeError('fetch failed', { cause: new Error('the connection was dropped') });
  if (typeof body === 'function') return new Response(streamOf(body), { status, headers });
  const isBare = NULL_BODY.has(status) || method === 'HEAD' || body.length === 0;
  if (isBare) return new Response(null, { status, headers });
  const sent = fault === 'truncate' ? broken(body) : (body as Uint8Array<ArrayBuffer> | string);
  return new Response(sent, { status, headers });
}

/** `/things` is meant below the base path, as in the document. */
function resolve(input: string | URL, baseUrl: string): string | URL {
  return typeof input === 'string' && input.startsWith('/') ? baseUrl + input : input;
}

function streamOf(body: Feed): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new ReadableStream({
    start(controller) {
      stop = body({
        write: (text) => controller.enqueue(Buffer.from(text)),
        end: () => controller.close(),
      });
    },
    cancel: () => stop(),
  });
}

function broken(body: string | Uint8Array): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body as string);
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes.subarray(0, bytes.length / 2));
      isSent = true;
    },
  });
}
