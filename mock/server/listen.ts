import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../answer/engine.ts';
import type { MockRequest, Reply } from '../answer/exchange.ts';
import type { Refusal } from '../answer/refusal.ts';
import { isControlPath } from '../control/path.ts';
import type { LogEntry } from './log-entry.ts';
import { createOutbox } from './outbox.ts';
import { drain, hasBody, readBody } from './read-body.ts';
import { afterAnswers, send, sendRaw } from './send.ts';

// An import would read every export of node:http, some of which load a whole HTTP client: 20 ms of the start.
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly maxBody: number;
  /** Whether who sends these headers may steer the mock. */
  readonly maySteer: (request: Pick<MockRequest, 'headers'>) => boolean;
  /** Refuses what never becomes a request. */
  readonly refuse: (refusal: Refusal) => Reply;
  readonly log: (entry: LogEntry) => void;
  /** Takes credentials out of a target before it is logged. */
  readonly redact: (target: string) => string;
  /** Told of what should never happen. */
  readonly onBug: (error: unknown) => void;
}

export interface Listening {
  /** `http://127.0.0.1:4020` */
  readonly origin: string;
  /** Takes no new connection, and resolves when all requests are answered, or when they have had their time. */
  close(): Promise<void>;
}

/** Serves an engine over HTTP/1.1. Rejects with the system's error when the address cannot be had. */
export async function listen(engine: Engine, options: ListenOptions): Promise<Listening> {
  const { port, host, maxBody, maySteer, refuse, log, redact, onBug } = options;
  let closing = false;
  const sendSoon = createOutbox(sendOrSaySo);

  /** A state to be restored holds many records; of a stranger no more is read than of anybody. */
  const limitOf = (request: IncomingMessage) =>
    isControlPath(request.url as string) && maySteer(request) ? Math.max(maxBody, LONGEST_STATE) : maxBody;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const begun = performance.now();
    if (!hasBody(request)) {
      answer(request, response, undefined, begun);
      return;
    }
    const use = (body: MockRequest['body']) => answer(request, response, body, begun);
    // A body that breaks off: there is no one left to answer.
    readBody(request, limitOf(request), use, () => response.destroy());
  }

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    body: MockRequest['body'],
    begun: number,
  ): void {
    const target = request.url as string;
    const { start, mark } = splitTarget(target);
    const reply = lacksHost(request)
      ? refuse({ refuse: 'malformed', message: 'The header Host is missing' })
      : engine({
          method: request.method as string,
          path: start === 0 && mark === target.length ? target : target.slice(start, mark),
          query: target.slice(mark + 1),
          headers: request.headers,
          body,
          begun,
        });
    if (!(reply instanceof Promise)) conclude(request, response, body, begun, reply);
    else reply.then((settled) => conclude(request, response, body, begun, settled));
  }

  function conclude(
    request: IncomingMessage,
    response: ServerResponse,
    body: MockRequest['body'],
    begun: number,
    reply: Reply,
  ): void {
    sendSoon(reply, response);
    if (body === 'too large') drain(request);
    const { status, remark } = reply;
    const method = request.method as string;
    log({ method, target: redact(request.url as string), status, ms: performance.now() - begun, remark });
  }

  /** A document may name what no header can carry. That must cost an answer, and not the process. */
  function sendOrSaySo(reply: Reply, response: ServerResponse): void {
    try {
      send(reply, response, closing);
    } catch (error) {
      onBug(error);
      const { status, body } = refuse({
        refuse: 'bug',
        message: 'This answer cannot be sent; the log says why',
      });
      if (response.headersSent) response.destroy();
      else send({ status, headers: { 'Content-Type': 'application/json' }, body }, response, closing);
    }
  }

  /** RFC 9110 §10.1.1: who asks first whether to send a body that is too large is told no, and sends none. */
  function serveExpectant(request: IncomingMessage, response: ServerResponse): void {
    if (Number(request.headers['content-length']) > limitOf(request)) response.shouldKeepAlive = false;
    else response.writeContinue();
    serve(request, response);
  }

  // Requests without a body need not go through the life of a stream: an eighth of all their cost.
  const server = createServer({ requireHostHeader: false, optimizeEmptyRequests: true }, serve)
    .on('checkContinue', serveExpectant)
    .on('checkExpectation', serve)
    .on('clientError', (error: NodeJS.ErrnoException, socket) => {
      afterAnswers(socket, () => {
        const reply = refuse(refusalFor(error));
        sendRaw(reply, socket);
        log({ method: '-', target: '-', status: reply.status, ms: 0 });
      });
    });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    origin: originOf(server.address() as AddressInfo),
    close: () =>
      new Promise((resolve) => {
        closing = true;
        const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
      }),
  };
}

/** RFC 9112 §3.2: a target is a path, or from a proxy's client a whole URL. Where its path begins and ends. */
function splitTarget(target: string): { start: number; mark: number } {
  const start = target.startsWith('/') ? 0 : Math.max(0, target.indexOf('/', target.indexOf('//') + 2));
  const mark = target.indexOf('?', start);
  return { start, mark: mark < 0 ? target.length : mark };
}

/** RFC 9112 §3.2: in HTTP/1.1 a request without Host is to be refused; Node would do so without a body. */
function lacksHost({ headers, httpVersionMinor, httpVersionMajor }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersionMajor === 1 && httpVersionMinor === 1;
}

/** So long a request may still take when the mock is told to end; who runs containers waits for ten seconds at most. */
const GRACE_MS = 3000;

const LONGEST_STATE = 2 ** 26;

/** What is wrong with bytes that are no HTTP request; the codes are those of Node and of its parser llhttp. */
function refusalFor({ code, message }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { refuse: 'headers too large', message: 'The headers are too long' };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { refuse: 'timeout', message: 'The request took too long to arrive' };
  }
  return {
    refuse: 'malformed',
    message: `This is no HTTP request: ${message.replace(/^Parse Error: /, '')}`,
  };
}

function originOf({ address, family, port }: AddressInfo): string {
  const host = ANY_ADDRESS[address] ?? address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** Who listens on every address is reached at this one. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
