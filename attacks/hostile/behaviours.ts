import type { Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Behaviour } from './target.ts';

const MIB = 2 ** 20;

function head(...lines: string[]): string {
  return `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}

const JSON_TYPE = 'Content-Type: application/json';

/** Sends as fast as the other side reads, until it goes. */
function flood(socket: Socket, piece: string | Buffer, first = ''): void {
  socket.write(first);
  const go = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', go);
  go();
}

/** Sends a piece again and again, with a pause before each. */
function drip(socket: Socket, piece: string, ms: number, first = ''): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(piece), ms);
  socket.once('close', () => clearInterval(timer));
}

function whole(socket: Socket, headers: string[], body: string | Buffer): void {
  socket.write(head(...headers, `Content-Length: ${Buffer.byteLength(body)}`));
  socket.write(body);
}

const zeros = Buffer.alloc(600 * MIB, '0');
const bomb = gzipSync(zeros);
const nestedBomb = gzipSync(gzipSync(zeros));
const brotliBomb = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** How a target can answer that means harm, or has lost its mind. */
export const BEHAVIOURS: readonly (readonly [name: string, behaviour: Behaviour])[] = [
  [
    'a body without end',
    (socket) => {
      socket.write(head(JSON_TYPE, 'Content-Length: 99999999999'));
      flood(socket, Buffer.alloc(MIB, ' '));
    },
  ],
  [
    'chunks without end',
    (socket) => {
      socket.write(head(JSON_TYPE, 'Transfer-Encoding: chunked'));
      flood(socket, `10000\r\n${'['.repeat(0x10000)}\r\n`);
    },
  ],
  [
    'a body that drips',
    (socket) => {
      socket.write(head(JSON_TYPE, 'Content-Length: 100000'));
      drip(socket, '[', 50);
    },
  ],
  ['headers that drip', (socket) => drip(socket, 'X: y\r\n', 50, 'HTTP/1.1 200 OK\r\n')],
  ['silence', () => {}],
  ['a connection that is cut', (socket) => socket.resetAndDestroy()],
  [
    'redirects in a circle',
    (socket, { origin, target }) =>
      void socket.write(`HTTP/1.1 302 Found\r\nLocation: ${origin}${target}\r\nContent-Length: 0\r\n\r\n`),
  ],
  ['a bomb in gzip', (socket) => whole(socket, [JSON_TYPE, 'Content-Encoding: gzip'], bomb)],
  ['a bomb in a bomb', (socket) => whole(socket, [JSON_TYPE, 'Content-Encoding: gzip, gzip'], nestedBomb)],
  ['a bomb in brotli', (socket) => whole(socket, [JSON_TYPE, 'Content-Encoding: br'], brotliBomb)],
  [
    'a thousand codings',
    (socket) => whole(socket, [JSON_TYPE, `Content-Encoding: ${'gzip, '.repeat(1000)}gzip`], gzipSync('[]')),
  ],
  ['headers of megabytes', (socket) => whole(socket, [JSON_TYPE, `X: ${'y'.repeat(4 * MIB)}`], '[]')],
  ['headers without end', (socket) => flood(socket, 'X: y\r\n'.repeat(1000), 'HTTP/1.1 200 OK\r\n')],
  ['ten thousand small headers', (socket) => whole(socket, [JSON_TYPE, ...Array(10_000).fill('X: y')], '[]')],
  [
    'bytes that are no UTF-8',
    (socket) => whole(socket, [JSON_TYPE], Buffer.from('[{"name":"\xff\xfe\xed\xa0\x80"}]', 'latin1')),
  ],
  ['lists in lists', (socket) => whole(socket, [JSON_TYPE], '['.repeat(5 * MIB))],
  [
    'numbers of a million digits',
    (socket) => whole(socket, [JSON_TYPE], `[{"id":${'9'.repeat(MIB)},"name":"a","categoryId":1}]`),
  ],
  [
    'records without end',
    (socket) =>
      whole(
        socket,
        [JSON_TYPE],
        `[${Array.from({ length: 100_000 }, (_, id) => `{"id":${id},"name":"a","categoryId":1}`)}]`,
      ),
  ],
  ['what is no HTTP', (socket) => void socket.write('220 mail.example ESMTP\r\n')],
  [
    'two answers for each question',
    (socket) => void socket.write(`${head(JSON_TYPE, 'Content-Length: 2')}[]`.repeat(2)),
  ],
  [
    'informational answers without end',
    (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100)),
  ],
  [
    'a demand to wait for a year',
    (socket) => void socket.write('HTTP/1.1 429 Slow\r\nRetry-After: 31536000\r\nContent-Length: 0\r\n\r\n'),
  ],
  [
    'a demand to wait, every other time',
    (socket, { number }) =>
      void socket.write(
        number % 2 === 0
          ? `${head(JSON_TYPE, 'Content-Length: 2')}[]`
          : 'HTTP/1.1 503 Slow\r\nRetry-After: 20\r\nContent-Length: 0\r\n\r\n',
      ),
  ],
  [
    'a switch of protocols',
    (socket) => void socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx'),
  ],
];
