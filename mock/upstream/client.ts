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

/** A request as it is sent on. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, percent-encoded as the client has sent them. */
  readonly target: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
}

/** In bytes, so that a small body cannot fill the memory. */
const LONGEST = 16 * 2 ** 20;

/** A body without its content codings; undefined: it is not what it says. */
export function decodedBody(body: Uint8Array, contentEncoding: string | undefined): Uint8Array | undefined {
  const decoded = decodeContent(body, contentEncoding, LONGEST);
  return 'bytes' in decoded ? decoded.bytes : undefined;
}

/** A response, nothing decoded and no redirect followed. */
export interface UpstreamResponse {
  readonly status: number;
  /** As they came; those that are about the connection are left out. */
  readonly fields: Fields;
  /** Parts of a body that has no end, or is too long to be kept. */
  readonly body: Uint8Array | BodyInParts;
  /** From the request's first byte to the response's last one, or to its head where the body is in parts. */
  readonly ms: number;
}

export interface BodyInParts {
  readonly parts: AsyncIterable<Uint8Array>;
  /** Ends the connection, whether or not a part is being waited for. */
  leave(): void;
}

/** No whole response came. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** Not a byte can have reached the service. */
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

/** @param timeout for a whole exchange, in milliseconds; of a body in parts for its head */
export function createUpstreamClient(base: URL, timeout: number, direct: boolean): UpstreamClient {
  const service = openService({ base, proxyEnv: direct ? undefined : proxyEnv });

  async function send(request: SentRequest): Promise<UpstreamResponse> {
    // A service may close an idle connection just when a request is sent over it, and nobody knows then what it has read.
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
    // Without a listener Node would drop the connection, and no event would ever say so.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new UpstreamError('it switches to another protocol (101)'));
    });
    request.on('response', (response) => {
      // Without the field Upgrade a 101 comes as any response; and Node reads statuses that it does not write.
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

/** The kept connection was closed before any response: as if nothing had been sent, for what changes nothing. */
class StaleConnection extends Error {}

function lengthOf({ method, body }: SentRequest): Fields {
  if (!body && !['POST', 'PUT', 'PATCH'].includes(method)) return [];
  return [['Content-Length', String(body?.length ?? 0)]];
}

/** In bytes: a longer body is not kept, but passed on in parts. */
const LONGEST_KEPT = 16 * 2 ** 20;

/** Whether nobody waits for the end of a body. */
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
