import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerCertificate } from '#certificates';
import { createTurns, originOf } from '#serving';
import type { LoggedViolation } from '../control/logged-request.ts';
import { isOwnPath } from '../control/path.ts';
import type { Explained } from '../engine/endpoint.ts';
import type { Engine } from '../engine/engine.ts';
import {
  type Answerer,
  hostOrigin,
  type MockRequest,
  type MockResponse,
  type Reason,
} from '../http/exchange.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import {
  compileBodyLimit,
  drain,
  HEADERS_TOO_LARGE,
  hasBody,
  isLongTarget,
  readBody,
  readTarget,
  TARGET_TOO_LONG,
} from './read-request.ts';
import { createOutbox, leaveUnread, send, sendRaw } from './send.ts';

// An import would evaluate every export of node:http, some of which load a whole HTTP client: 20 ms of the start.
const { createServer } = process.getBuiltinModule('node:http');

// Without streams for requests without a body, which saves an eighth of the CPU time per request.
const HTTP = { requireHostHeader: false, optimizeEmptyRequests: true };

/** The concurrent requests of one connection: their responses are kept until the client reads them. */
const MOST_AT_ONCE = 32;

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** Undefined: plain http. */
  readonly certificate: ServerCertificate | undefined;
  readonly maxBody: number;
  /** Whether the client may use the control API. */
  readonly mayControl: (request: Pick<MockRequest, 'headers'>) => boolean;
  /** Responds to requests that cannot be processed. */
  readonly refuse: (refusal: Refusal) => MockResponse;
  /** Undefined: there is no log. */
  readonly log: Log | undefined;
  /** Redacts credentials in a target before it is logged. */
  readonly redact: (target: string) => string;
  readonly showReason: ShowReason;
  /** Receives unexpected errors. */
  readonly onBug: (error: unknown) => void;
}

/** Receives each exchange, and why the request got its response. Undefined: it never reached the mock. */
export type Log = (entry: LogEntry, explained: Explained | undefined) => void;

/** An exchange over the socket. */
export interface LogEntry {
  readonly method: string;
  /** Path and query as sent, credentials redacted. */
  readonly target: string;
  /** 0: a rule closed the connection. */
  readonly status: number;
  /** Milliseconds from request to response. */
  readonly ms: number;
  /** For example that the operation is deprecated. */
  readonly remark?: string | undefined;
  /** The operationId. Undefined: the document has no such operation. */
  readonly operation?: string | undefined;
  /** Undefined: the request was not refused. */
  readonly refused?: LoggedRefusal | undefined;
  /** Who has made the response. Undefined: there is no real service behind the mock. */
  readonly source?: Answerer | undefined;
  /** How a real service's response violates the document. Undefined: not at all, or it was not validated. */
  readonly broken?: readonly LoggedViolation[] | undefined;
}

/** Why a request was refused; credentials are redacted. */
interface LoggedRefusal {
  /** The `code` of the error body. */
  readonly code: string;
  /** All problems, in one text. */
  readonly message: string;
  /** The single problems, if the request violated the document. */
  readonly violations: readonly LoggedViolation[];
}

/** Redacts the request's secrets in the reason for a refusal. */
export type ShowReason = (
  reason: Reason,
  request: Pick<MockRequest, 'query' | 'headers' | 'body'> | undefined,
) => LoggedRefusal;

export interface Listening {
  /** `http://127.0.0.1:4020`, or `https` */
  readonly origin: string;
  /** Refuses new connections; resolves when all requests have responses, or after {@link GRACE_MS}. */
  close(): Promise<void>;
}

/**
 * Serves an engine over HTTP/1.1, with TLS if there is a certificate. Rejects with the system's error if it cannot listen.
 */
export async function listen(engine: Engine, options: ListenOptions): Promise<Listening> {
  const { port, host, certificate, maxBody, mayControl, refuse, log, redact, showReason, onBug } = options;
  let closing = false;
  const sendSoon = createOutbox(sendSafely);
  const turns = createTurns(MOST_AT_ONCE);

  const limitOf = compileBodyLimit(maxBody, mayControl);

  const enter = (waitsForContinue: boolean) => (incoming: IncomingMessage, outgoing: ServerResponse) =>
    turns.enter(incoming.socket, () => serve(incoming, outgoing, waitsForContinue), outgoing);

  function serve(incoming: IncomingMessage, outgoing: ServerResponse, waitsForContinue: boolean): void {
    const begun = performance.now();
    const target = readTarget(incoming);
    const limit = isRefusal(target) ? maxBody : limitOf(target);
    const use = (body: MockRequest['body']) => respond(incoming, outgoing, target, body, begun);
    if (!hasBody(incoming)) use(undefined);
    else {
      if (waitsForContinue) invite(incoming, outgoing, limit);
      readBody(incoming, limit, use);
    }
  }

  function respond(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    target: ReturnType<typeof readTarget>,
    body: MockRequest['body'],
    begun: number,
  ): void {
    const { method, url } = incoming as IncomingMessage & Record<'method' | 'url', string>;
    let explained: Explained | undefined;
    const conclude = (response: MockResponse) => {
      sendSoon(response, outgoing);
      if (body === 'too large') drain(incoming);
      const { status, operation, reason, source, violations = [] } = response;
      // A list that was requested without a query needs no remark.
      const { selected } = response;
      const { remark = selected && url.includes('?') ? redact(selected) : undefined } = response;
      if (!log || (operation === undefined && isForMock(target))) return;
      const ms = performance.now() - begun;
      const entry: LogEntry = {
        method,
        target: redact(url),
        status,
        ms,
        remark,
        operation,
        refused: reason && showReason(reason, isRefusal(target) ? undefined : { ...target, body }),
        ...(source && { source }),
        ...(violations.length > 0 && { broken: violations }),
      };
      log(entry, explained);
    };
    if (isRefusal(target)) {
      conclude(refuse(target));
      return;
    }
    const { path, query, headers } = target;
    const request = { method, path, query, headers, body, begun };
    const takeTrace =
      log &&
      ((one: Explained) => {
        explained = one;
      });
    const response = engine(
      certificate ? { ...request, origin: hostOrigin('https', headers) } : request,
      takeTrace,
    );
    if (response instanceof Promise) response.then(conclude);
    else conclude(response);
  }

  /** A document may name values that no header can carry: this must fail one response, not the process. */
  function sendSafely(response: MockResponse, outgoing: ServerResponse): void {
    if (outgoing.req.socket.destroyed) {
      leaveUnread(response);
      return;
    }
    try {
      send(response, outgoing, closing);
    } catch (error) {
      onBug(error);
      const message = 'This response cannot be sent; the log says why';
      const { status, body } = refuse({ refuse: 'bug', message });
      if (outgoing.headersSent) outgoing.destroy();
      else send({ status, headers: { 'Content-Type': 'application/json' }, body }, outgoing, closing);
    }
  }

  /** Refuses data that is no valid request. */
  function refuseRaw(refusal: Refusal, socket: Duplex): void {
    const response = refuse(refusal);
    sendRaw(response, socket);
    const { status, reason } = response;
    log?.(
      { method: '-', target: '-', status, ms: 0, refused: reason && showReason(reason, undefined) },
      undefined,
    );
  }

  const server = certificate
    ? (await import('node:https')).createServer({ ...HTTP, ...pem(certificate) }, enter(false))
    : createServer(HTTP, enter(false));
  server
    .on('checkContinue', enter(true))
    .on('checkExpectation', enter(false))
    .on('clientError', (error: ParseError, socket: Socket) => {
      const respond = () => socket.writable && refuseRaw(parseRefusal(error), socket);
      // The rest of an incomplete body never arrives, but responses to complete requests must still be sent.
      if (turns.current(socket)?.req.complete === false) setImmediate(respond);
      else turns.enter(socket, respond);
    });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const origin = originOf(server.address() as AddressInfo, certificate ? 'https' : 'http');
  const endRaw = certificate && (await explainHttps(server, origin, refuseRaw));
  return {
    origin,
    async close() {
      closing = true;
      endRaw?.(false);
      const cut = setTimeout(() => {
        server.closeAllConnections();
        endRaw?.(true);
      }, GRACE_MS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(cut);
    },
  };
}

/** Explains plain http at an https port in a response, where TLS alone would close the connection. */
async function explainHttps(
  server: Server,
  origin: string,
  refuseRaw: (refusal: Refusal, socket: Socket) => void,
): Promise<(all: boolean) => void> {
  const { onPlainHttp } = await import('#plain-http');
  const message = `This port speaks https, and the request came as plain http: the address is ${origin}`;
  return onPlainHttp(server, (socket) => {
    socket.resume();
    refuseRaw({ refuse: 'malformed', message }, socket);
  });
}

const pem = ({ cert, key }: ServerCertificate) => ({ cert, key });

function isForMock(target: ReturnType<typeof readTarget>): boolean {
  return !isRefusal(target) && isOwnPath(target.path.replace(SESSION_PREFIX, ''));
}

/** `/~NAME`: the URL prefix of a session. */
const SESSION_PREFIX = /^\/~[^/]*/;

/** RFC 9110 §10.1.1: a client that waits for 100 (Continue) does not send a body that is too large. */
function invite(incoming: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  if (Number(incoming.headers['content-length']) > limit) outgoing.setHeader('Connection', 'close');
  else outgoing.writeContinue();
}

/** The time for running requests when the mock closes; container platforms wait for ten seconds at most. */
const GRACE_MS = 3000;

/** An error of Node's parser, with the bytes that caused it. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array;
}

/** Refuses invalid HTTP, by the error codes of Node and its parser llhttp. */
function parseRefusal({ code, message, rawPacket }: ParseError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return isLongTarget(rawPacket) ? TARGET_TOO_LONG : HEADERS_TOO_LARGE;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { refuse: 'timeout', message: 'The request took too long to arrive' };
  const problem = message.replace(/^Parse Error: /, '');
  return { refuse: 'malformed', message: `This is no HTTP request: ${problem}` };
}
