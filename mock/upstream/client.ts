import type { IncomingMessage } from 'node:http';
import {
  endToEnd,
  type Fields,
  fieldsOf,
  isNeverSent,
  isStale,
  openService,
  proxyEnv,
  reasonOf,
} from '#forwarder';
import { decodeContent, SAFE_METHODS, streamFormatOf } from '#spec';

/** A request to forward. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, percent-encoded as the client has sent them. */
  readonly target: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
}

/** In bytes, so that a small compressed body cannot fill the memory. */
const LONGEST = 16 * 2 ** 20;

/** A decoded body. Undefined: it does not match its content coding. */
export function decodedBody(body: Uint8Array, contentEncoding: string | undefined): Uint8Array | undefined {
  const decoded = decodeContent(body, contentEncoding, LONGEST);
  return 'bytes' in decoded ? decoded.bytes : undefined;
}

/** A response, neither decoded nor redirected. */
export interface UpstreamResponse {
  readonly status: number;
  /** As received, without headers of the connection. */
  readonly fields: Fields;
  /** In parts if the body is endless, or too long to keep. */
  readonly body: Uint8Array | BodyInParts;
  /** From the request's first byte to the response's last; for a body in parts to its header. */
  readonly ms: number;
}

export interface BodyInParts {
  readonly parts: AsyncIterable<Uint8Array>;
  /** Closes the connection, even while a part is awaited. */
  leave(): void;
}

/** There was no complete response. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** Whether certainly no byte has reached the service. */
  readonly neverSent: boolean;
  readonly timedOut: boolean;

  constructor(message: string, { neverSent = false, timedOut = false } = {}) {
    super(message);
    this.neverSent = neverSent;
    this.timedOut = timedOut;
  }
}

export interface UpstreamClient {
  /** @throws UpstreamError */
  send(request: SentRequest): Promise<UpstreamResponse>;
  close(): void;
}

/** @param timeout for a whole exchange, in milliseconds; for a body in parts until its header */
export function createUpstreamClient(base: URL, timeout: number, direct: boolean): UpstreamClient {
  const service = openService({ base, proxyEnv: direct ? undefined : proxyEnv });

  async function send(request: SentRequest): Promise<UpstreamResponse> {
    // A service may close an idle connection just when a request is sent over it, so an unsafe request gets its own connection.
    if (!SAFE_METHODS.has(request.method)) return exchange(request, 'own');
    const first = await exchange(request, 'kept').catch((error) => {
      if (error instanceof StaleConnection) return undefined;
      throw error;
    });
    return first ?? exchange(request, 'own');
  }

  function exchange(sent: SentRequest, connection: 'kept' | 'own'): Promise<UpstreamResponse> {
    const begun = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
    const { method, target, headers } = sent;
    const fields: Fields = [['Host', base.host], ...headers, ...lengthOf(sent)];
    const request = service.request({ method, target, fields }, connection);
    const late = () =>
      request.destroy(new UpstreamError(`no answer within ${timeout} ms`, { timedOut: true }));
    const timer = setTimeout(late, timeout);
    const fail = (error: Error) => {
      clearTimeout(timer);
      if (isStale(request, error)) reject(new StaleConnection());
      else if (error instanceof UpstreamError) reject(error);
      else reject(new UpstreamError(reasonOf(error), { neverSent: isNeverSent(error) }));
    };
    request.on('error', fail);
    // Without a listener, Node would close the connection without any event.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new UpstreamError('it switches to another protocol (101)'));
    });
    request.on('response', (response) => {
      // Without an Upgrade header, 101 is an ordinary response; and Node reads statuses that it cannot write.
      if ((response.statusCode ?? 0) < 200) {
        request.destroy(new UpstreamError(`it responds with the status ${response.statusCode}`));
        return;
      }
      readBody(response, sent.method).then((body) => {
        clearTimeout(timer);
        const { statusCode: status = 0, rawHeaders } = response;
        const fields = endToEnd(fieldsOf(rawHeaders)).filter(([name]) => !/^trailer$/i.test(name));
        resolve({ status, fields, body, ms: performance.now() - begun });
      }, fail);
    });
    request.end(sent.body);
    return promise;
  }

  return { send, close: service.close };
}

/** The idle connection was closed before any response: safe requests are sent again. */
class StaleConnection extends Error {}

function lengthOf({ method, body }: SentRequest): Fields {
  if (!body && !['POST', 'PUT', 'PATCH'].includes(method)) return [];
  return [['Content-Length', String(body?.length ?? 0)]];
}

/** In bytes: a longer body is forwarded in parts. */
const LONGEST_KEPT = 16 * 2 ** 20;

/** Whether the media type is a stream without an end. */
function isEndless(type = ''): boolean {
  return streamFormatOf(type) !== undefined || /^multipart\/x-mixed-replace\b/i.test(type);
}

async function readBody(response: IncomingMessage, method: string): Promise<UpstreamResponse['body']> {
  const { headers } = response;
  const parts: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
  const kept: Buffer[] = [];
  const inParts = {
    parts: joined(kept, { [Symbol.asyncIterator]: () => parts }),
    leave: () => response.destroy(),
  };
  if (
    method !== 'HEAD' &&
    (isEndless(headers['content-type']) || Number(headers['content-length']) > LONGEST_KEPT)
  )
    return inParts;
  let length = 0;
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    kept.push(part.value);
    length += part.value.length;
    if (length > LONGEST_KEPT) return inParts;
  }
  return kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept);
}

async function* joined(kept: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>) {
  yield* kept;
  yield* rest;
}
