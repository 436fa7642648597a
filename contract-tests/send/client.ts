import {
  type AgentOptions,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldsOf, isNeverSent, LONGEST_HEAD, proxyEnv, reasonOf } from '#forwarder';
import { SAFE_METHODS, streamFormatOf } from '#spec';
import {
  GLANCE,
  INTERRUPTED,
  LISTENING,
  type Listening,
  MAX_BODY,
  readStreamBody,
  SILENCE_MS,
  type WireRequest,
  type WireResponse,
} from './wire.ts';

/** TLS settings, as PEM texts. */
export interface TlsSettings {
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: false;
  /** All trusted authorities; undefined: those of Node. */
  readonly ca?: string[];
}

/** Sends one request and returns the raw response: no redirects, no decoding, no added header but Host. */
export interface Client {
  /** @throws WireError if no complete response arrives */
  send(request: WireRequest): Promise<WireResponse>;
  close(): void;
}

/** No response, or only a part of one: refused, reset, timed out, truncated, or no HTTP. */
export class WireError extends Error {
  override name = 'WireError';
  /** Whether no byte can have reached the target. */
  readonly neverSent: boolean;
  readonly timedOut: boolean;
  /** The connection had served other requests before, and closed before any response. */
  readonly onReused: boolean;
  /** The target closed the connection after the request was sent, and before the response was complete. */
  readonly closed: boolean;
  /** A stream without messages: repeating the request would not help. */
  readonly silent: boolean;

  constructor(
    message: string,
    neverSent: boolean,
    { timedOut = false, onReused = false, silent = false, closed = false } = {},
  ) {
    super(message);
    this.neverSent = neverSent;
    this.timedOut = timedOut;
    this.onReused = onReused;
    this.silent = silent;
    this.closed = closed;
  }
}

export interface ClientOptions {
  /** For a whole exchange, in milliseconds. */
  readonly timeout: number;
  /** Bypasses the proxy, for which this machine's loopback address would be another machine. */
  readonly direct?: boolean;
  /** The maximum number of connections; sequential requests share one. */
  readonly sockets?: number;
  /** Aborts the requests in flight. */
  readonly abort?: AbortSignal | undefined;
  readonly tls?: TlsSettings | undefined;
  /** Shared by the clients of a run. */
  readonly reuse?: Reuse | undefined;
}

/** Tracks whether the target closes connections unannounced, which may happen just as a request is sent. */
export interface Reuse {
  /** It has happened: requests that must not be sent twice get their own connection. */
  isUnsafe: boolean;
}

/**
 * Sequential requests use one keep-alive connection: what a target remembers of a connection, such as a credential, is
 * part of the contract.
 */
export function createClient(options: ClientOptions): Client {
  const { direct = false, sockets = 1, tls, reuse = { isUnsafe: false } } = options;
  const proxied = direct || proxyEnv === undefined ? {} : { proxyEnv };
  const agentsOf = (more: AgentOptions): Agents => ({
    'http:': new HttpAgent({ ...more, ...proxied }),
    'https:': new HttpsAgent({ ...more, ...proxied, ...tls }),
  });
  const kept = agentsOf({ keepAlive: true, maxSockets: sockets, scheduling: 'lifo' });
  const single = agentsOf({ keepAlive: false });
  return {
    send(request) {
      const agents = reuse.isUnsafe && !SAFE_METHODS.has(request.method) ? single : kept;
      return exchange(request, agents, reuse, options);
    },
    close() {
      for (const agent of [kept, single].flatMap(Object.values)) agent.destroy();
    },
  };
}

type Agents = { 'http:': HttpAgent; 'https:': HttpsAgent };

function exchange(
  wire: WireRequest,
  agents: Agents,
  reuse: Reuse,
  { timeout, abort }: ClientOptions,
): Promise<WireResponse> {
  const patience = wire.mayBeSilent ? Math.min(timeout, SILENCE_MS) : timeout;
  const { late, forget } = lateAfter(patience);
  const started = performance.now();
  const secure = wire.url.protocol === 'https:';
  const { promise, resolve, reject } = Promise.withResolvers<WireResponse>();
  promise.then(forget, forget);
  const request = (secure ? httpsRequest : httpRequest)(wire.url, {
    method: wire.method,
    agent: agents[secure ? 'https:' : 'http:'],
    headers: sentHeaders(wire).flat(),
    signal: abort ? AbortSignal.any([late, abort]) : late,
    // A target may send many headers; Node's own limit (16 KiB) would appear as a broken connection.
    maxHeaderSize: LONGEST_HEAD,
  });
  request.on('error', (error) => {
    const { code } = error as NodeJS.ErrnoException;
    const onReused = request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
    if (onReused) reuse.isUnsafe = true;
    const isSilent = wire.mayBeSilent && patience < timeout && late.aborted;
    reject(isSilent ? silence() : toWireError(error, timeout, onReused));
  });
  // Unrequested upgrades: without a listener Node would drop the connection without any event.
  request.on('upgrade', (_, socket) => {
    socket.destroy();
    reject(new WireError('the target switches to another protocol (101), which nobody asked for', false));
  });
  request.on('response', (response) => {
    const head = { status: response.statusCode ?? 0, headers: fieldsOf(response.rawHeaders) };
    const type = response.headers['content-type'] ?? '';
    const listening = listeningTo(wire, head.status, type);
    if (listening) {
      const ms = performance.now() - started;
      readStreamBody(type, response, listening, () => response.destroy()).then((read) =>
        resolve({ ...head, ...read, cut: false, ms }),
      );
      return;
    }
    readBody(response).then(
      ({ body, cut }) => resolve({ ...head, body, cut, ms: performance.now() - started }),
      (error) => reject(toWireError(error, timeout)),
    );
  });
  if (wire.chunked && wire.body) request.write(wire.body);
  request.end(wire.chunked ? undefined : wire.body);
  return promise;
}

/** The delay of a timer, in milliseconds, that shows that this process was busy. */
const BUSY = 50;

/** Aborts after a time. Time in which this process was busy and read nothing is not the target's, and is added. */
function lateAfter(ms: number): { readonly late: AbortSignal; readonly forget: () => void } {
  const lateness = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number) => {
    const due = performance.now() + left;
    timer = setTimeout(() => {
      const busy = performance.now() - due;
      if (busy > BUSY) wait(busy);
      else lateness.abort(new DOMException('late', 'TimeoutError'));
    }, left).unref();
  };
  wait(ms);
  return { late: lateness.signal, forget: () => clearTimeout(timer) };
}

/** Undefined: the body ends. A documented stream may be one whatever its media type is. */
function listeningTo(
  { listening = GLANCE, mayBeSilent }: WireRequest,
  status: number,
  type: string,
): Listening | undefined {
  if (streamFormatOf(type)) return listening;
  return mayBeSilent && status >= 200 && status < 300
    ? { ...LISTENING, messages: Number.POSITIVE_INFINITY }
    : undefined;
}

const silence = () =>
  new WireError(`the stream sent nothing within ${SILENCE_MS} ms`, false, { silent: true });

/** The headers of a request, including those that the client adds. */
export function sentHeaders({
  headers,
  body,
  chunked,
  method,
  url,
}: WireRequest): (readonly [name: string, value: string])[] {
  const fields = [['Host', url.host] as const, ...headers];
  if (chunked) fields.push(['Transfer-Encoding', 'chunked']);
  else if (body || !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)) {
    fields.push(['Content-Length', String(body?.length ?? 0)]);
  }
  return fields;
}

async function readBody(response: IncomingMessage): Promise<{ body: Uint8Array; cut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BODY) {
      response.destroy();
      // The rest is not needed, and must not fill the memory.
      return { body: chunks[0] ?? Buffer.alloc(0), cut: true };
    }
  }
  return { body: Buffer.concat(chunks), cut: false };
}

function toWireError(error: unknown, timeout: number, onReused = false): WireError {
  const { code = '', name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError')
    return new WireError(`no whole answer within ${timeout} ms`, false, { timedOut: true });
  const closed = code === 'ECONNRESET' || code === 'EPIPE';
  return new WireError(explainWireError(error), isNeverSent(error as Error), { onReused, closed });
}

/** The meaning of a connection error, for people. */
export function explainWireError(error: unknown): string {
  return reasonOf(error, ', or say --insecure');
}

/** Responds to a request without a socket, like the `fetch` of a mock in the same process. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * A client that passes requests to a function. What `fetch` cannot send (TRACE, a body of GET) counts as never sent;
 * errors of the function count as a broken connection.
 */
export function createFetchClient(fetch: Fetch, timeout: number, abort: AbortSignal | undefined): Client {
  return {
    async send(request) {
      const { late, forget } = lateAfter(timeout);
      const signal = abort ? AbortSignal.any([late, abort]) : late;
      const started = performance.now();
      const init = { ...initOf(request), signal };
      if (!isSendable(request.url, init)) throw new WireError('fetch cannot send such a request', true);
      try {
        const response = await fetch(request.url, init);
        const { status, headers } = response;
        const type = headers.get('content-type') ?? '';
        const listening = listeningTo(request, status, type);
        if (response.body && listening) {
          const ms = performance.now() - started;
          const reader = response.body.getReader();
          const leave = () => void reader.cancel().catch(() => {});
          const read = await readStreamBody(type, chunksOf(reader), listening, leave);
          return { status, headers: [...headers], ...read, cut: false, ms };
        }
        const bytes = new Uint8Array(await response.arrayBuffer());
        const cut = bytes.length > MAX_BODY;
        const body = cut ? bytes.slice(0, MAX_BODY) : bytes;
        return { status, headers: [...headers], body, cut, ms: performance.now() - started };
      } catch (error) {
        const { name, message } = error as Error;
        const isLate = name === 'AbortError' || name === 'TimeoutError';
        throw new WireError(isLate ? `no whole answer within ${timeout} ms` : message, false, {
          timedOut: isLate,
        });
      } finally {
        forget();
      }
    },
    close: () => undefined,
  };
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
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

export interface OpenOptions extends ClientOptions {
  /** Handles the requests instead of a socket. */
  readonly fetch?: Fetch | undefined;
}

/** A client over sockets, or one that passes requests to a function. */
export function openClient({ fetch, ...options }: OpenOptions): Client {
  return fetch ? createFetchClient(fetch, options.timeout, options.abort) : createClient(options);
}

const PAUSE = 250;

interface Waiting extends Pick<OpenOptions, 'timeout' | 'tls' | 'fetch'> {
  readonly base: URL;
  /** In seconds. */
  readonly wait: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly onLoopback: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until the base URL responds in any way, for at most `--wait` seconds. Undefined: it responds, or closes
 * connections, which other requests may not share; otherwise the reason.
 */
export async function awaitTarget(settings: Waiting): Promise<string | undefined> {
  const { base, timeout, wait, headers, onLoopback, signal, tls, fetch } = settings;
  const client = openClient({ timeout, direct: onLoopback, abort: signal, tls, fetch });
  const deadline = performance.now() + wait * 1000;
  try {
    for (;;) {
      const error = await knock();
      if (signal?.aborted) return INTERRUPTED;
      if (error === undefined) return undefined;
      if (performance.now() >= deadline) return error.closed ? undefined : error.message;
      await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    client.close();
  }

  async function knock(): Promise<WireError | undefined> {
    const sent: WireRequest['headers'] = [['Accept', '*/*'], ...headers];
    try {
      await client.send({ method: 'GET', url: base, headers: sent, body: undefined, chunked: false });
      return undefined;
    } catch (error) {
      if (error instanceof WireError) return error;
      throw error;
    }
  }
}
