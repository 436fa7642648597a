import type { Engine } from '../engine/engine.ts';
import type { Feed, MockRequest, MockResponse } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';
import { pairsOf } from '../http/relayed-response.ts';
import { compileBodyLimit, refuseLongHead } from './read-request.ts';

/** Statuses whose Response may have no body (Fetch §2.2.6). */
const NULL_BODY = new Set([101, 103, 204, 205, 304]);
const ENCODER = new TextEncoder();

export interface FetchOptions {
  readonly baseUrl: () => string;
  readonly maxBody: number;
  /** Whether the client may use the control API. */
  readonly mayControl: (request: Pick<MockRequest, 'headers'>) => boolean;
  /** Responds to requests that cannot be processed. */
  readonly refuse: (refusal: Refusal) => MockResponse;
  /** The session of requests whose URL names none. */
  readonly session: string;
}

/** Makes a `fetch` that calls an engine without a socket, with the same limits for requests. */
export function fetchThrough(engine: Engine, options: FetchOptions) {
  const { baseUrl, maxBody, mayControl, refuse, session } = options;
  const sessionHeader = session === '' ? {} : { 'paddock-session': session };
  const limitOf = compileBodyLimit(maxBody, mayControl);
  return async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    // A path is below the base path, as in the document.
    const isPath = typeof input === 'string' && input.startsWith('/');
    const request = new Request(isPath ? baseUrl() + input : input, init);
    const { pathname, search, host, origin } = new URL(request.url);
    // Browsers forbid Cookie and the like in a Request; here they do no harm.
    const initHeaders = init?.headers === undefined ? [] : new Headers(init.headers);
    const headers = { host, ...sessionHeader, ...Object.fromEntries([...request.headers, ...initHeaders]) };
    const tooLong = refuseLongHead(pathname + search, Object.entries(headers));
    if (tooLong) return toFetchResponse(refuse(tooLong), request.method);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const isTooLarge = bytes.length > limitOf({ path: pathname, headers });
    const response = await engine({
      method: request.method,
      path: pathname,
      origin,
      query: search.slice(1),
      headers,
      body: isTooLarge ? 'too large' : bytes.length === 0 ? undefined : bytes,
    });
    return toFetchResponse(response, request.method);
  };
}

function toFetchResponse({ status, body, fault, ...response }: MockResponse, method: string): Response {
  const { fields } = response;
  const headers = new Headers(fields ? pairsOf(fields) : response.headers);
  // The errors of `fetch` over a real connection.
  if (fault === 'drop')
    throw new TypeError('fetch failed', { cause: new Error('the connection was dropped') });
  const isBare = NULL_BODY.has(status) || method === 'HEAD' || isEmpty(body);
  if (isBare) return new Response(null, { status, headers });
  if (typeof body === 'function') return new Response(streamOf(body), { status, headers });
  const sent = fault === 'truncate' ? truncated(body) : (body as Uint8Array<ArrayBuffer> | string);
  return new Response(sent, { status, headers });
}

function isEmpty(body: MockResponse['body']): boolean {
  return typeof body !== 'function' && body.length === 0;
}

function streamOf(body: Feed): ReadableStream<Uint8Array> {
  let stop = () => {};
  let isBroken = false;
  let taken: PromiseWithResolvers<void> | undefined;
  return new ReadableStream({
    start(controller) {
      const write = (part: string | Uint8Array) =>
        controller.enqueue(typeof part === 'string' ? ENCODER.encode(part) : part);
      stop = body({
        write,
        end: () => controller.close(),
        taken() {
          if ((controller.desiredSize ?? 0) > 0) return undefined;
          taken ??= Promise.withResolvers();
          return taken.promise;
        },
        breakOff(text) {
          write(text);
          isBroken = true;
        },
      });
    },
    pull(controller) {
      taken?.resolve();
      taken = undefined;
      if (isBroken) controller.error(new TypeError('terminated'));
    },
    cancel() {
      taken?.resolve();
      stop();
    },
  });
}

function truncated(body: string | Uint8Array): ReadableStream<Uint8Array> {
  const bytes = typeof body === 'string' ? ENCODER.encode(body) : body;
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes.subarray(0, bytes.length / 2));
      isSent = true;
    },
  });
}
