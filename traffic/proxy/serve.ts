import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerCertificate } from '#certificates';
import { createTurns, LONGEST_HEAD, originOf } from '#forwarder';
import { onPlainHttp } from '#plain-http';
import { answer, answerRaw, problemResponse } from './answer.ts';
import type { Asked, BreakOff } from './exchange.ts';
import { Refusal, readRequestHead } from './message.ts';
import type { Counts } from './way.ts';

/** How long requests may take when the proxy closes, in milliseconds. */
const GRACE = 3000;

export interface Listening {
  /** `http://127.0.0.1:4030`, or `https` */
  readonly origin: string;
  readonly address: AddressInfo;
  /** Serves a connection inside one that a client has opened. */
  adopt(socket: Duplex): void;
  /** Accepts no more connections; resolves when the requests in flight have their responses, or after three seconds. */
  close(): Promise<void>;
}

interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** Undefined: plain http. */
  readonly certificate: ServerCertificate | undefined;
  /** Whether clients use it as a forward proxy. */
  readonly forwards: boolean;
  readonly counts: Counts;
  /** @throws Refusal for a request that cannot be served */
  readonly serve: (asked: Asked) => BreakOff;
  /** Called when a client asks for a tunnel, with the bytes that it sent after the head. */
  readonly connect: (incoming: IncomingMessage, client: Socket, first: Buffer) => void;
  readonly notice: (text: string) => void;
}

/** Serves HTTP/1.1 until it is closed. Rejects with the system's error if it cannot listen. */
export async function serve(options: ServeOptions): Promise<Listening> {
  const { port, host, certificate, forwards, counts, notice } = options;
  // Pipelined requests may include changing ones.
  const turns = createTurns(1);
  const breakOffs = new WeakMap<ServerResponse, BreakOff>();
  const refused = new WeakSet<Duplex>();
  const opaque = new Set<Duplex>();

  function begin(asked: Omit<Asked, 'head'>): void {
    const { incoming, outgoing } = asked;
    const socket = incoming.socket;
    try {
      breakOffs.set(outgoing, options.serve({ ...asked, head: readRequestHead(incoming, forwards) }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.add(socket);
      counts.refused += 1;
      outgoing.shouldKeepAlive = false;
      answer(outgoing, problemResponse(error.status, { detail: error.message }));
    }
  }

  const enter = (waits?: boolean) => (incoming: IncomingMessage, outgoing: ServerResponse) =>
    turns.enter(incoming.socket, () => begin({ incoming, outgoing, waits }), outgoing);

  function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (refused.has(socket)) return;
    refused.add(socket);
    // The client is gone.
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    counts.refused += 1;
    const [status, detail] = INVALID[error.code ?? ''] ?? [400, error.message.replace(/^Parse Error: /, '')];
    const respond = () => answerRaw(socket, status, `This is no request: ${detail}`);
    const outgoing = turns.current(socket);
    if (!outgoing || outgoing.req.complete) turns.enter(socket, respond);
    // The error is in the body of the latest request.
    else if (breakOffs.get(outgoing)?.()) socket.destroy();
    else respond();
  }

  const server = certificate
    ? createHttpsServer({ ...HTTP, cert: certificate.cert, key: certificate.key })
    : createServer(HTTP);
  server
    .on('request', enter())
    .on('checkContinue', enter(true))
    .on('checkExpectation', enter())
    .on('clientError', refuse)
    .on('upgrade', (incoming: IncomingMessage, socket: Socket, first: Buffer) => {
      keep(socket);
      const outgoing = new ServerResponse(incoming);
      outgoing.shouldKeepAlive = false;
      const start = () => {
        outgoing.assignSocket(socket);
        outgoing.once('finish', () => socket.end());
        begin({ incoming, outgoing, upgrade: { socket, first } });
      };
      turns.enter(socket, start, outgoing);
    })
    .on('connect', (incoming: IncomingMessage, socket: Socket, first: Buffer) => {
      keep(socket);
      if (forwards) options.connect(incoming, socket, first);
      else {
        counts.refused += 1;
        answerRaw(socket, 501, NO_TUNNELS);
      }
    });
  function keep(socket: Duplex): void {
    opaque.add(socket);
    socket.on('error', () => {}).once('close', () => opaque.delete(socket));
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const origin = originOf(address, certificate ? 'https' : 'http');
  const endRaw =
    certificate &&
    onPlainHttp(server, (socket) => {
      counts.refused += 1;
      notice(`plain http at a port of https is refused: the address is ${origin}`);
      const detail = `This port speaks https, and the request came as plain http: the address is ${origin}`;
      answerRaw(socket, 400, detail);
    });
  return {
    origin,
    address,
    adopt: (socket) => void server.emit(certificate ? 'secureConnection' : 'connection', socket),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      endRaw?.(false);
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
      const cut = setTimeout(() => {
        server.closeAllConnections();
        for (const socket of opaque) socket.destroy();
        endRaw?.(true);
      }, GRACE);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/** In milliseconds: closes connections that become idle while the proxy closes. */
const SWEEP = 50;

const HTTP = {
  maxHeaderSize: LONGEST_HEAD,
  requireHostHeader: false,
  // An upload may take any time, and a client may return after any time.
  requestTimeout: 0,
  keepAliveTimeout: 75_000,
  noDelay: true,
  // The body of an upgrade cannot be read; and h2c concerns a single connection (RFC 9113 §3.1).
  shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.upgrade?.toLowerCase() !== 'h2c',
};

const INVALID: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the header section is larger than 256 KiB'],
  HPE_INVALID_METHOD: [501, 'its method is unknown'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'its head did not come in time'],
};

const NO_TUNNELS =
  'This is no request: paddock proxy opens no tunnels: it stands in front of one target. Send requests to it as to the target itself, and do not name it in HTTPS_PROXY, or start it with --forward';
