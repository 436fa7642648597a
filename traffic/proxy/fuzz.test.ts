import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBytes, type Exchange, KINDS, oneOf } from '../../mock/testing/malformed-requests.ts';
import { SHIPPED } from '../../mock/testing/serve.ts';
import { EFFORT, faultsOf, SEED, send } from '../../quality/testing/attack.ts';
import { createProxy, type ProxyOptions } from './index.ts';
import { rawServer } from './testing/wire.ts';

/** Malformed bytes through proxies, from both sides. */
const COUNT = 400 * EFFORT;
const MODES: readonly Partial<ProxyOptions>[] = [
  {},
  { enforce: true },
  { annotate: true },
  { enforce: true, annotate: true },
];

async function through(port: number, mode: Partial<ProxyOptions>) {
  const bugs: string[] = [];
  const onBug = (error: unknown) => void bugs.push(`a bug: ${(error as Error).stack}`);
  const target = `http://127.0.0.1:${port}/v1`;
  const proxy = await createProxy({ target, document: SHIPPED, port: 0, onBug, ...mode });
  return { proxy, bugs, port: Number(new URL(proxy.url).port) };
}

/** A target that reads as leniently as Node can. */
async function attackTarget(mode: Partial<ProxyOptions>, seed: number) {
  let seen = 0;
  const options = { insecureHTTPParser: true, requireHostHeader: false };
  const server = createServer(options, (incoming, response) => {
    seen += 1;
    incoming.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { proxy, bugs, port } = await through((server.address() as AddressInfo).port, mode);
  const attack = {
    attempts: fc.oneof(...KINDS.map(([, weight, arbitrary]) => ({ weight, arbitrary }))),
    async stands(exchange: Exchange) {
      await send(port, exchange);
      // A request of a client that went away may come late, or never.
      const [reached, passed] = [seen, proxy.found().counts.requests];
      seen = Math.min(reached, passed);
      if (reached > passed) throw new Error(`${reached} requests for ${passed}`);
    },
    shown: ({ pieces }: Exchange) => JSON.stringify(Buffer.concat(pieces).toString('latin1').slice(0, 1500)),
  };
  const faults = await faultsOf(attack, COUNT / MODES.length, seed);
  await proxy.close();
  server.close().closeAllConnections();
  return { counts: proxy.found().counts, faults: [...faults, ...bugs] };
}

const GET = Buffer.from('GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\n\r\n');

async function attackClient(mode: Partial<ProxyOptions>, seed: number) {
  let answer = '';
  const target = await rawServer((socket) => {
    socket.once('data', () => void socket.end(answer, 'latin1'));
  });
  const { proxy, bugs, port } = await through(target.port, mode);
  const attack = {
    attempts: responses,
    async stands(bytes: string) {
      answer = bytes;
      const came = await send(port, { pieces: [GET], pause: 0, ending: 'after the response' });
      const count = countResponses(came.toString('latin1'));
      if (count > 1) throw new Error(`${count} responses for one request`);
    },
    shown: (bytes: string) => JSON.stringify(bytes.slice(0, 1500)),
  };
  const faults = await faultsOf(attack, COUNT / MODES.length, seed);
  await proxy.close();
  await target.close();
  return { counts: proxy.found().counts, faults: [...faults, ...bugs] };
}

test('malformed bytes from either side: each connection ends, one request is never two, and nothing is a bug', async () => {
  const all = await Promise.all(
    MODES.map(async (mode, at) => [await attackTarget(mode, SEED + at), await attackClient(mode, SEED + at)]),
  );
  const ends = all.flat();
  const sumOf = (name: 'requests' | 'refused' | 'failed') =>
    ends.reduce((sum, { counts }) => sum + counts[name], 0);
  expect(ends.flatMap(({ faults }) => faults)).toEqual([]);
  expect(sumOf('requests')).toBeGreaterThan(COUNT);
  expect(sumOf('refused')).toBeGreaterThan(COUNT / 8);
  expect(sumOf('failed')).toBeGreaterThan(COUNT / 8);
});

const statusLine = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.1 404 Not Found', 'HTTP/1.0 200 OK') },
  {
    weight: 3,
    arbitrary: oneOf(
      'HTTP/1.1 HTTP/2.0 ICY 200 HTTP/1.1\t200 http/1.1',
      ...[
        'HTTP/1.1 99 X',
        'HTTP/1.1 1000 X',
        'HTTP/1.1 2OO OK',
        'HTTP/1.1  200 OK',
        'HTTP/1.1 101 Switching',
        ' HTTP/1.1 200 OK',
      ],
      ...[
        'HTTP/1.1 100 Continue',
        'HTTP/1.1 103 Early',
        'HTTP/1.1 204 None',
        'HTTP/1.1 304 Same',
        'HTTP/1.1 200 \r',
        'HTTP/1.1 200 \0',
      ],
    ),
  },
  { weight: 1, arbitrary: anyBytes(30) },
);
const length = oneOf('0 5 +5 -1 0x5 5,5 05 1e1 99999999999999999999 5;', '5, 6', ' 5', '5 ', '');
const coding = oneOf(
  'chunked Chunked xchunked identity gzip "chunked" chunked;q=1',
  ...['chunked, chunked', 'gzip, chunked', 'chunked, gzip', '\x0bchunked', ''],
);
const name = oneOf(
  'Transfer-Encoding transfer-encoding',
  'Transfer-Encoding ',
  'Transfer Encoding',
  'X:\r\nTransfer-Encoding',
);
const field = fc.oneof(
  length.map((value) => `Content-Length: ${value}`),
  fc
    .tuple(name, fc.constantFrom('', '\r\n ', '\n', '\r'), coding)
    .map(([one, fold, value]) => `${one}: ${fold}${value}`),
  oneOf(
    'Connection:close',
    'Connection: content-length',
    'Connection: transfer-encoding',
    'Connection: upgrade',
    'Upgrade: h2c',
  ),
  oneOf(
    'Content-Type:application/json',
    'Content-Encoding: gzip',
    'Set-Cookie: a=b',
    'X: \x1b[2J',
    'X:',
    ': x',
    'X',
  ),
  anyBytes(20).map((text) => `X: ${text}`),
);
const end = fc.oneof(
  { weight: 8, arbitrary: fc.constant('\r\n') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n') },
);
const FORGED = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
const body = fc.oneof(
  fc.constantFrom(
    '',
    '[]',
    'abcde',
    '0\r\n\r\n',
    '5\r\nabcde\r\n0\r\n\r\n',
    '5\r\nabcde\r\n0\r\nX: y\r\n\r\n',
    '5\r\nabc',
  ),
  fc.constantFrom(
    'fffffffffffffff\r\n',
    '-1\r\n',
    '5;a="\r\n"\r\nabcde\r\n0\r\n\r\n',
    '5\nabcde\n0\n\n',
    '[[[['.repeat(3000),
  ),
  anyBytes(60),
);

/** What a target may send: sound responses, malformed ones, and everything that may be taken for two. */
const responses: fc.Arbitrary<string> = fc
  .tuple(
    statusLine,
    fc.array(fc.tuple(field, end), { maxLength: 4 }),
    end,
    body,
    fc.constantFrom('', '', FORGED),
  )
  .map(([first, fields, last, content, second]) => {
    const lines = fields.map(([line, lineEnd]) => line + lineEnd).join('');
    return `${first}\r\n${lines}${last}${content}${second}`;
  });

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: [^\r\n]*)?\r\n/;

/**
 * How many final responses a client would see in the bytes of a connection that has ended, by RFC 9112 §6.3 alone.
 * @throws Error for what no client can read, and for what is left when the last one is whole
 */
function countResponses(bytes: string): number {
  let count = 0;
  for (let rest = bytes; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [, minor, code] = STATUS_LINE.exec(rest) ?? [];
    // It broke off: so does the connection.
    if (end < 0)
      return 'HTTP/1.1 '.startsWith(rest.slice(0, 9)) || code !== undefined ? count : unreadable(rest);
    if (code === undefined) return unreadable(rest);
    const lines = rest.slice(0, end).split('\r\n').slice(1);
    rest = rest.slice(end + 4);
    if (code === '101') return count + 1;
    if (code.startsWith('1')) continue;
    count += 1;
    if (code === '204' || code === '304') continue;
    const valuesOf = (name: string) =>
      lines.flatMap((line) =>
        line.toLowerCase().startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : [],
      );
    const [codings, lengths] = [valuesOf('transfer-encoding'), valuesOf('content-length')];
    if (codings.length > 0 && (lengths.length > 0 || minor === '0')) return unreadable(lines.join(' | '));
    if (lengths.length > 1) return unreadable(lines.join(' | '));
    if (codings.length > 0) rest = /(?:^|,)\s*chunked$/i.test(codings.join(',')) ? afterChunks(rest) : '';
    else if (lengths[0] !== undefined)
      rest = rest.slice(/^\d+$/.test(lengths[0]) ? Number(lengths[0]) : unreadable(lengths[0]));
    else rest = '';
  }
  return count;
}

function afterChunks(text: string): string {
  for (let rest = text; ; ) {
    const end = rest.indexOf('\r\n');
    if (end < 0) return '';
    const size = Number.parseInt(/^[0-9a-f]+/i.exec(rest)?.[0] ?? unreadable(rest), 16);
    if (size === 0)
      return rest.slice(rest.indexOf('\r\n\r\n', end) < 0 ? rest.length : rest.indexOf('\r\n\r\n', end) + 4);
    rest = rest.slice(end + 2 + size + 2);
  }
}

function unreadable(text: string): never {
  throw new Error(`no client can read ${JSON.stringify(text.slice(0, 200))}`);
}
