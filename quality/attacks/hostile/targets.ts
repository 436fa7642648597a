import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Responds to a request on its socket, with any bytes. */
type Behaviour = (socket: Socket, request: HostileRequest) => void;

interface HostileRequest {
  readonly method: string;
  readonly target: string;
  /** Counted from 1 over all connections. */
  readonly number: number;
  /** Base URL of the target itself. */
  readonly origin: string;
}

interface HostileTarget {
  readonly url: string;
  close(): Promise<void>;
}

/** A server that reads only the request line, and leaves the response to the behaviour. */
export async function startTarget(behave: Behaviour): Promise<HostileTarget> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.on('data', (chunk) => {
      // What does not begin with a request line is the body of a request.
      const [, method, target] = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/.exec(chunk.toString('latin1')) ?? [];
      if (method === undefined || target === undefined) return;
      requests += 1;
      behave(socket, { method, target, number: requests, origin });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const MIB = 2 ** 20;
const JSON_TYPE = 'Content-Type: application/json';
const STATUS_LINE = 'HTTP/1.1 200 OK\r\n';

function head(...lines: string[]): string {
  return `${STATUS_LINE}${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}

/** Sends the same bytes to each request. */
function bytes(...pieces: (string | Buffer)[]): Behaviour {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
  };
}

function whole(headers: string[], body: string | Buffer): Behaviour {
  return bytes(head(JSON_TYPE, ...headers, `Content-Length: ${Buffer.byteLength(body)}`), body);
}

/** Sends a piece again and again, as fast as the other side reads. */
function flood(first: string, piece: string | Buffer): Behaviour {
  return (socket) => {
    socket.write(first);
    const go = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', go);
    go();
  };
}

/** Sends a piece every 50 ms. */
function drip(first: string, piece: string): Behaviour {
  return (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(piece), 50);
    socket.once('close', () => clearInterval(timer));
  };
}

const zeros = Buffer.alloc(600 * MIB, '0');
const records = Array.from({ length: 100_000 }, (_, id) => `{"id":${id},"name":"a","categoryId":1}`);
const emptyList = whole([], '[]');

/** What a target can send that is malicious or broken. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'an endless body': flood(head(JSON_TYPE, 'Content-Length: 99999999999'), Buffer.alloc(MIB, ' ')),
  'endless chunks': flood(
    head(JSON_TYPE, 'Transfer-Encoding: chunked'),
    `10000\r\n${'['.repeat(0x10000)}\r\n`,
  ),
  'a slow body': drip(head(JSON_TYPE, 'Content-Length: 100000'), '['),
  'slow headers': drip(STATUS_LINE, 'X: y\r\n'),
  'no response': () => {},
  'a reset connection': (socket) => void socket.resetAndDestroy(),
  'a redirect loop': (socket, { origin, target }) =>
    void socket.write(`HTTP/1.1 302 Found\r\nLocation: ${origin}${target}\r\nContent-Length: 0\r\n\r\n`),
  'a gzip bomb': whole(['Content-Encoding: gzip'], gzipSync(zeros)),
  'a nested gzip bomb': whole(['Content-Encoding: gzip, gzip'], gzipSync(gzipSync(zeros))),
  'a brotli bomb': whole(
    ['Content-Encoding: br'],
    brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  ),
  'a thousand content codings': whole([`Content-Encoding: ${'gzip, '.repeat(1000)}gzip`], gzipSync('[]')),
  'megabytes of headers': whole([`X: ${'y'.repeat(4 * MIB)}`], '[]'),
  'endless headers': flood(STATUS_LINE, 'X: y\r\n'.repeat(1000)),
  'ten thousand small headers': whole(Array(10_000).fill('X: y'), '[]'),
  'invalid UTF-8': whole([], Buffer.from('[{"name":"\xff\xfe\xed\xa0\x80"}]', 'latin1')),
  'deeply nested lists': whole([], '['.repeat(5 * MIB)),
  'numbers of a million digits': whole([], `[{"id":${'9'.repeat(MIB)},"name":"a","categoryId":1}]`),
  'a hundred thousand records': whole([], `[${records}]`),
  'another protocol': bytes('220 mail.example ESMTP\r\n'),
  'two responses to each request': bytes(`${head(JSON_TYPE, 'Content-Length: 2')}[]`.repeat(2)),
  'endless informational responses': flood('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100)),
  'a Retry-After of a year': bytes('HTTP/1.1 429 Slow\r\nRetry-After: 31536000\r\nContent-Length: 0\r\n\r\n'),
  'a Retry-After every other time': (socket, request) =>
    request.number % 2 === 0
      ? emptyList(socket, request)
      : void socket.write('HTTP/1.1 503 Slow\r\nRetry-After: 20\r\nContent-Length: 0\r\n\r\n'),
  'a protocol switch': bytes('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx'),
};
