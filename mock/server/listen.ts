import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../engine/engine.ts';
import type { Refusal } from '../errors/refusal.ts';
import type { MockRequest, MockResponse, Reason } from '../exchange/exchange.ts';
import { Incoming } from './incoming.ts';
import type { LogEntry, LoggedRefusal } from './log-entry.ts';
import { createOutbox } from './outbox.ts';
import { drain, hasBody, readBody } from './read-body.ts';
import { compileBodyLimit, HEADERS_TOO_LARGE, isLongTarget, TARGET_TOO_LONG } from './request-sizes.ts';
import { afterResponses, send, sendRaw } from './send.ts';
import { KEEP_ALIVE_MS, sendWhole } from './send-whole.ts';

// An import would read every export of node:http, some of which load a whole HTTP client: 20 ms of the start.
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly maxBody: number;
  /** Whether the client may use the control API. */
  readonly mayControl: (request: Pick<MockRequest, 'headers'>) => boolean;
  /** Responds to what never becomes a request. */
  readonly refuse: (refusal: Refusal) => MockResponse;
  /** Undefined: nobody reads it. */
  readonly log: ((entry: LogEntry) => void) | undefined;
  /** Redacts credentials in a target before it is logged. */
  readonly redact: (target: string) => string;
  readonly showReason: (reason: Reason) => LoggedRefusal;
  /** Receives unexpected errors. */
  readonly onBug: (error: unknown) => void;
}

export interface Listening {
  /** `http://127.0.0.1:4020` */
  readonly origin: string;
  /** Refuses new connections; resolves when all requests are responded to, or after {@link GRACE_MS}. */
  close(): Promise<void>;
}

/** Serves an engine over HTTP/1.1. Rejects with the system's error when it cannot listen. */
export async function listen(engine: Engine, options: ListenOptions): Promise<Listening> {
  const { port, host, maxBody, mayControl, refuse, log, redact, showReason, onBug } = options;
  let closing = false;
  const sendSoon = createOutbox(sendSafely);

  const bodyLimit = compileBodyLimit(maxBody, mayControl);
  const limitOf = ({ url, headers }: IncomingMessage) => bodyLimit({ path: url as string, headers });

  function serve(incoming: Incoming, outgoing: ServerResponse): void {
    const begun = performance.now();
    if (!hasBody(incoming)) {
      respond(incoming, outgoing, undefined, begun);
      return;
    }
    const use = (body: MockRequest['body']) => respond(incoming, outgoing, body, begun);
    readBody(incoming, limitOf(incoming), use);
  }

  function respond(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    body: MockRequest['body'],
    begun: number,
  ): void {
    const { method, headers, url } = incoming as IncomingMessage & Record<'method' | 'url', string>;
    const conclude = (response: MockResponse) => {
      sendSoon(response, outgoing);
      if (body === 'too large') drain(incoming);
      if (!log) return;
      const { status, remark, operation, reason } = response;
      const ms = performance.now() - begun;
      log({
        method,
        target: redact(url),
        status,
        ms,
        remark,
        operation,
        refused: reason && showReason(reason),
      });
    };
    if (lacksHost(incoming)) {
      conclude(refuse({ refuse: 'malformed', message: 'The header Host is missing' }));
      return;
    }
    const { path, query } = splitTarget(url);
    const response = engine({ method, path, query, headers, body, begun });
    if (response instanceof Promise) response.then(conclude);
    else conclude(response);
  }

  /** A document may name what no header can carry: that must fail one response, and not the process. */
  function sendSafely(response: MockResponse, outgoing: ServerResponse): void {
    try {
      if (closing || !sendWhole(response, outgoing)) send(response, outgoing, closing);
    } catch (error) {
      onBug(error);
      const message = 'This response cannot be sent; the log says why';
      const { status, body } = refuse({ refuse: 'bug', message });
      if (outgoing.headersSent) outgoing.destroy();
      else send({ status, headers: { 'Content-Type': 'application/json' }, body }, outgoing, closing);
    }
  }

  /** RFC 9110 §10.1.1: a client that waits for 100 (Continue) sends no body that is too large. */
  function serveExpectant(incoming: Incoming, outgoing: ServerResponse): void {
    if (Number(incoming.headers['content-length']) > limitOf(incoming)) outgoing.shouldKeepAlive = false;
    else outgoing.writeContinue();
    serve(incoming, outgoing);
  }

  // Requests without a body need no stream: an eighth of all their cost.
  const server = createServer(
    {
      IncomingMessage: Incoming,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    serve,
  )
    .on('checkContinue', serveExpectant)
    .on('checkExpectation', serve)
    .on('clientError', (error: ParseError, socket) => {
      afterResponses(socket, () => {
        const response = refuse(parseRefusal(error));
        sendRaw(response, socket);
        const { status, reason } = response;
        log?.({ method: '-', target: '-', status, ms: 0, refused: reason && showReason(reason) });
      });
    });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    origin: originOf(server.address() as AddressInfo),
    async close() {
      closing = true;
      const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(cut);
    },
  };
}

/** Path and query of a target: a path, or as a proxy's clients send it a whole URL (RFC 9112 §3.2). */
function splitTarget(target: string): { path: string; query: string } {
  const start = target.startsWith('/') ? 0 : Math.max(0, target.indexOf('/', target.indexOf('//') + 2));
  const mark = target.indexOf('?', start);
  if (mark < 0) return { path: target.slice(start), query: '' };
  return { path: target.slice(start, mark), query: target.slice(mark + 1) };
}

/** RFC 9112 §3.2: HTTP/1.1 requires Host; Node itself would refuse without a body. */
function lacksHost({ headers, httpVersionMinor, httpVersionMajor }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersionMajor === 1 && httpVersionMinor === 1;
}

/** How long requests may still take when the mock closes; container platforms wait for ten seconds at most. */
const GRACE_MS = 3000;

/** An error of Node's parser, with the bytes at which it came up. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array;
}

/** Refuses bytes that are no HTTP request, by the error codes of Node and its parser llhttp. */
function parseRefusal({ code, message, rawPacket }: ParseError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return isLongTarget(rawPacket) ? TARGET_TOO_LONG : HEADERS_TOO_LARGE;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { refuse: 'timeout', message: 'The request took too long to arrive' };
  const problem = message.replace(/^Parse Error: /, '');
  return { refuse: 'malformed', message: `This is no HTTP request: ${problem}` };
}

function originOf({ address, family, port }: AddressInfo): string {
  const host = ANY_ADDRESS[address] ?? address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** A server on every address is reached at this one. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
