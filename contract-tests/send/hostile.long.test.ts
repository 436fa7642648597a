import type { Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runCheck } from '../../quality/testing/attack.ts';
import { rawServer } from '../../traffic/proxy/testing/wire.ts';

interface HostileRequest {
  readonly target: string;
  /** Counted from 1 over all connections. */
  readonly number: number;
  /** Base URL of the target itself. */
  readonly origin: string;
}

/** Responds to a request on its socket, with any bytes. */
type Behaviour = (socket: Socket, request: HostileRequest) => void;

const MIB = 2 ** 20;
const JSON_TYPE = 'Content-Type: application/json';
const STATUS_LINE = 'HTTP/1.1 200 OK\r\n';

const head = (...lines: string[]) => `${STATUS_LINE}${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

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
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const records = Array.from({ length: 100_000 }, (_, id) => `{"id":${id},"name":"a","categoryId":1}`);
const emptyList = whole([], '[]');

/** What a target can send that is malicious or broken, and what the run prints about it. */
const TARGETS: readonly (readonly [name: string, behaviour: Behaviour, reported: RegExp])[] = [
  [
    'an endless body',
    flood(head(JSON_TYPE, 'Content-Length: 99999999999'), Buffer.alloc(MIB, ' ')),
    /larger than 16 MiB/,
  ],
  [
    'endless chunks',
    flood(head(JSON_TYPE, 'Transfer-Encoding: chunked'), `10000\r\n${'['.repeat(0x10000)}\r\n`),
    /larger than 16 MiB/,
  ],
  ['a slow body', drip(head(JSON_TYPE, 'Content-Length: 100000'), '['), /no whole answer within/],
  ['slow headers', drip(STATUS_LINE, 'X: y\r\n'), /no whole answer within/],
  ['no response', () => {}, /no whole answer within/],
  ['a reset connection', (socket) => void socket.resetAndDestroy(), /the connection was closed/],
  [
    'a redirect loop',
    (socket, { origin, target }) =>
      void socket.write(`HTTP/1.1 302 Found\r\nLocation: ${origin}${target}\r\nContent-Length: 0\r\n\r\n`),
    /302 to /,
  ],
  ['a gzip bomb', whole(['Content-Encoding: gzip'], gzipSync(zeros)), /is not "gzip"/],
  ['a nested gzip bomb', whole(['Content-Encoding: gzip, gzip'], gzipSync(gzipSync(zeros))), /is not "gzip"/],
  ['a brotli bomb', whole(['Content-Encoding: br'], brotliCompressSync(zeros, brotli)), /is not "br"/],
  [
    'a thousand content codings',
    whole([`Content-Encoding: ${'gzip, '.repeat(1000)}gzip`], gzipSync('[]')),
    /names 1001 codings/,
  ],
  ['megabytes of headers', whole([`X: ${'y'.repeat(4 * MIB)}`], '[]'), /larger than 256 KiB/],
  ['endless headers', flood(STATUS_LINE, 'X: y\r\n'.repeat(1000)), /larger than 256 KiB/],
  ['ten thousand small headers', whole(Array(10_000).fill('X: y'), '[]'), /not covered|violated/i],
  ['invalid UTF-8', whole([], Buffer.from('[{"name":"\xff\xfe\xed\xa0\x80"}]', 'latin1')), /not UTF-8/],
  ['deeply nested lists', whole([], '['.repeat(5 * MIB)), /nested too deeply/],
  [
    'numbers of a million digits',
    whole([], `[{"id":${'9'.repeat(MIB)},"name":"a","categoryId":1}]`),
    /violated/i,
  ],
  ['a hundred thousand records', whole([], `[${records}]`), /violated/i],
  ['another protocol', bytes('220 mail.example ESMTP\r\n'), /does not speak HTTP/],
  [
    'two responses to each request',
    bytes(`${head(JSON_TYPE, 'Content-Length: 2')}[]`.repeat(2)),
    /violated/i,
  ],
  [
    'endless informational responses',
    flood('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100)),
    /no whole answer within/,
  ],
  [
    'a Retry-After of a year',
    bytes('HTTP/1.1 429 Slow\r\nRetry-After: 31536000\r\nContent-Length: 0\r\n\r\n'),
    /no time to wait/,
  ],
  [
    'a Retry-After every other time',
    (socket, request) =>
      request.number % 2 === 0
        ? emptyList(socket, request)
        : void socket.write('HTTP/1.1 503 Slow\r\nRetry-After: 20\r\nContent-Length: 0\r\n\r\n'),
    /violated|not reached/i,
  ],
  [
    'a protocol switch',
    bytes('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx'),
    /switches to another protocol/,
  ],
];

const GIB = 2 ** 30;
/** On a machine so busy that the time was over before anything was found. */
const TOO_LATE = /^(?:No verdict|Incomplete): .*--max-time \d+ (?:is over|leaves no time)/m;

test.concurrent.for(TARGETS)(
  'a target with %s costs bounded time and memory, and is reported',
  async ([, behave, reported]) => {
    let number = 0;
    const target = await rawServer((socket) => {
      socket
        .on('end', () => socket.end())
        .on('data', (chunk) => {
          // What does not begin with a request line is the body of a request.
          const [, path] = /^[A-Z]+ (\S+) HTTP\/1\.1\r\n/.exec(chunk.toString('latin1')) ?? [];
          if (path !== undefined) behave(socket, { target: path, number: ++number, origin: target.url });
        });
    });
    // Only for those that never answer: an answer of megabytes takes seconds on a busy machine.
    const timeout = reported.source.includes('no whole answer') ? '700' : '5000';
    // Seconds. A case that has begun is finished, which takes some more on a busy machine.
    const bounds = ['--max-time', '3', '--settle', '100'];
    const begun = performance.now();
    const { code, output, peak } = await runCheck([`${target.url}/v1`, ...bounds], {
      PADDOCK_TIMEOUT: timeout,
    });
    await target.close();
    if (!TOO_LATE.test(output)) expect(output).toMatch(reported);
    expect(output).not.toMatch(/this is a bug/);
    // Broken, no verdict, or incomplete; never that the contract holds, and never a crash.
    expect([1, 3, 4]).toContain(code);
    expect(performance.now() - begun).toBeLessThan(180_000);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(1.5 * GIB);
  },
);
