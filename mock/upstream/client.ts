import { globalAgent, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { decodeContent, streamFormatOf } from '#spec';
import { pairsOf } from '../http/relayed-response.ts';

/** A request as it is sent on. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, percent-encoded as the client has sent them. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
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
  /** Names and values in turn, as they came; those that are about the connection are left out. */
  readonly fields: readonly string[];
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

/** These change nothing, and may be sent again (RFC 9110 §9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

/** Where Node was told to take HTTP proxies from its environment; its types do not say so yet. */
const { proxyEnv } = (globalAgent as HttpAgent & { readonly options: { proxyEnv?: NodeJS.ProcessEnv } })
  .options;

/** @param timeout for a whole exchange, in milliseconds; of a body in parts for its head */
export function createUpstreamClient(base: URL, timeout: number, direct: boolean): UpstreamClient {
  const isSecure = base.protocol === 'https:';
  const Agent = isSecure ? HttpsAgent : HttpAgent;
  const proxied = direct || proxyEnv === undefined ? {} : { proxyEnv };
  const kept = new Agent({ keepAlive: true, scheduling: 'lifo', ...proxied });
  const single = new Agent({ keepAlive: false, ...proxied });

  async function send(request: SentRequest): Promise<UpstreamResponse> {
    // A service may close an idle connection just when a request is sent over it, and nobody knows then what it has read.
    if (!SAFE_METHODS.has(request.method)) return exchange(request, single);
    const first = await exchange(request, kept).catch((error) => {
      if (error instanceof StaleConnection) return undefined;
      throw error;
    });
    return first ?? exchange(request, single);
  }

  function exchange(sent: SentRequest, agent: HttpAgent): Promise<UpstreamResponse> {
    const begun = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
    const request = (isSecure ? httpsRequest : httpRequest)({
      protocol: base.protocol,
      host: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port || (isSecure ? 443 : 80),
      method: sent.method,
      path: sent.target,
      headers: ['Host', base.host, ...sent.headers.flat(), ...lengthOf(sent)],
      agent,
      // Node's own limit (16 KiB) would show as a broken connection.
      maxHeaderSize: LONGEST_HEAD,
    });
    const late = () =>
      request.destroy(new UpstreamError(`no answer within ${timeout} ms`, { timedOut: true }));
    const timer = setTimeout(late, timeout);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(asUpstreamError(error, request.reusedSocket));
    };
    request.on('error', fail);
    // Without a listener Node would drop the connection, and no event would ever say so.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new UpstreamError('it switches to another protocol (101)'));
    });
    request.on('response', (response) => {
      readBody(response, sent.method).then((body) => {
        clearTimeout(timer);
        const { statusCode: status = 0, rawHeaders } = response;
        const fields = forwardedFields(rawHeaders);
        resolve({ status, fields, body, ms: performance.now() - begun });
      }, fail);
    });
    request.end(sent.body);
    return promise;
  }

  return {
    send,
    close() {
      kept.destroy();
      single.destroy();
    },
  };
}

const LONGEST_HEAD = 256 * 1024;

/** The kept connection was closed before any response: as if nothing had been sent, for what changes nothing. */
class StaleConnection extends Error {}

function lengthOf({ method, body }: SentRequest): string[] {
  if (body) return ['Content-Length', String(body.length)];
  return ['POST', 'PUT', 'PATCH'].includes(method) ? ['Content-Length', '0'] : [];
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

/** What is about a connection and not about a message (RFC 9110 §7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/** Whether a header is sent on; @param named the options of `Connection` */
export function isForwarded(name: string, named: ReadonlySet<string>): boolean {
  return !OF_CONNECTION.has(name) && !named.has(name);
}

/** The options that a message names in `Connection`, in lower case. */
export function connectionOptions(values: readonly string[]): ReadonlySet<string> {
  return new Set(values.flatMap((value) => value.split(',')).map((option) => option.trim().toLowerCase()));
}

function forwardedFields(raw: readonly string[]): string[] {
  const pairs = pairsOf(raw);
  const named = connectionOptions(
    pairs.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? value : [])),
  );
  return pairs.filter(([name]) => isForwarded(name.toLowerCase(), named)).flat();
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was closed before the whole answer had come',
  EPIPE: 'the connection was closed while the request was being sent',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate cannot be verified: name its authority in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate cannot be verified: name its authority in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate cannot be verified: name its authority in NODE_EXTRA_CA_CERTS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  HPE_INVALID_CONSTANT: 'what answers does not speak HTTP',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are larger than 256 KiB',
};

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function asUpstreamError(error: Error, onReused: boolean): Error {
  if (error instanceof UpstreamError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (onReused && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection();
  return new UpstreamError(REASONS[code] ?? `${message}${code && ` (${code})`}`, {
    neverSent: NEVER_SENT.has(code),
  });
}
