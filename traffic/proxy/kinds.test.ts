import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openTransport } from './testing/open-transport.ts';
import { rawClient, rawServer } from './testing/wire.ts';

/** What one end sends and what comes to the other, a character a byte; `HOST` stands where the target's host and port do. */
interface Kind {
  readonly request?: string;
  readonly arrives?: string;
  readonly response?: string;
  readonly returns?: string;
  readonly keepHost?: boolean;
}

const head = (first: string, ...lines: string[]) => `${[first, ...lines].join('\r\n')}\r\n\r\n`;
const get = (...lines: string[]) => head('GET /a HTTP/1.1', 'Host: HOST', ...lines);
const ok = (...lines: string[]) => head('HTTP/1.1 200 OK', ...lines, 'Content-Length: 0');
const asked = (method: string, target = '/a') => {
  const request = head(`${method} ${target} HTTP/1.1`, 'Host: HOST', 'Content-Length: 0');
  return { request, arrives: request };
};
const answered = (response: string) => ({ response, returns: response });
const ANY = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
const GZIP = gzipSync('text').toString('latin1');

/** All kinds of bytes that the proxy passes, or no longer passes as they came: what is given up is the framing alone. */
const KINDS: readonly (readonly [kind: string, ...Kind[]])[] = [
  ['methods', ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => asked(method))],
  ['methods of other specifications', ...['PROPFIND', 'QUERY', 'M-SEARCH'].map((method) => asked(method))],
  ['given up: unknown methods', { request: head('BREW /a HTTP/1.1'), returns: '501 Not Implemented' }],
  [
    'targets',
    ...['/v1/pets?limit=2', '/a%20b?q=%00&&=', '//x', '/~s/..', '/?a=b?c', `/${'p'.repeat(20_000)}`].map(
      (target) => asked('GET', target),
    ),
    asked('OPTIONS', '*'),
  ],
  [
    'given up: bytes above 0x7F in a target',
    { request: head('GET /\xe9 HTTP/1.1'), returns: '400 Bad Request' },
  ],
  [
    'the path of a whole URL',
    { request: head('GET http://x?q HTTP/1.1', 'Host: y'), arrives: 'GET /?q HTTP/1.1' },
  ],
  [
    'Host: the target, or what the client has sent',
    { request: get().replace('HOST', 'x'), arrives: get() },
    { request: get().replace('HOST', 'x'), arrives: get().replace('HOST', 'x'), keepHost: true },
    { request: head('GET /a HTTP/1.1'), arrives: get() },
  ],
  [
    'names in their case and order',
    { request: get('x-B: 1', 'ACCEPT: a', 'X-1.2~3: c') },
    answered(ok('eTag: a', 'A: b')),
  ],
  [
    'repeated fields',
    { request: get('x: 1', 'y: 2', 'x: 3') },
    answered(ok('Set-Cookie: a=1', 'V: 1', 'Set-Cookie: b=2')),
  ],
  [
    'values',
    ...['', 'a, b', '"q \\" t"', '\xe4\xf6', 'x'.repeat(9000)].map((value) => answered(ok(`V: ${value}`))),
  ],
  ['given up: white space around values', { response: ok('A:b', 'C: \t d '), returns: ok('A: b', 'C: d') }],
  [
    'no fields of one connection',
    {
      request: get(
        'Connection: X-Hop',
        'X-Hop: 1',
        'Keep-Alive: 5',
        'Proxy-Connection: a',
        'TE: gzip',
        'Upgrade: h2c',
      ),
      arrives: get(),
    },
    { response: ok('Connection: X-Hop', 'X-Hop: 1', 'Keep-Alive: timeout=5'), returns: ok() },
  ],
  ['no option takes the message away', { request: get('Connection: host, content-length'), arrives: get() }],
  [
    'bodies with a length',
    { request: `${head('PUT / HTTP/1.1', 'Host: HOST', 'Content-Length: 256')}${ANY}` },
  ],
  [
    'bodies in chunks',
    {
      response: `${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`,
      returns: 'abc',
    },
  ],
  [
    'given up: sizes and extensions of chunks',
    {
      request: `${head('PUT / HTTP/1.1', 'Transfer-Encoding: chunked')}01;a=b\r\nx\r\n000\r\n\r\n`,
      arrives: '\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    },
  ],
  [
    'trailers',
    {
      request: `${head('PUT / HTTP/1.1', 'Transfer-Encoding: chunked', 'Trailer: S')}1\r\nx\r\n0\r\nS: 1\r\n\r\n`,
      arrives: '1\r\nx\r\n0\r\nS: 1\r\n\r\n',
    },
    {
      response: `${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Trailer: S')}1\r\nx\r\n0\r\nS: 1\r\n\r\n`,
      returns: '1\r\nx\r\n0\r\nS: 1\r\n\r\n',
    },
    { request: get('TE: trailers, gzip'), arrives: get('TE: trailers', 'Connection: TE') },
  ],
  [
    'given up: other transfer codings than chunked',
    {
      request: `${head('PUT / HTTP/1.1', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
      returns: '501 Not Implemented',
    },
    {
      response: `${head('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
      returns: '502 Bad Gateway',
    },
  ],
  ['HTTP/1.0, from its clients and not to the target', { request: head('GET /a HTTP/1.0'), arrives: get() }],
  ['one request after another', { request: `${get('N: 1')}${get('N: 2')}`, returns: `${ok()}${ok()}` }],
  [
    '100 (Continue)',
    {
      request: head('PUT /a HTTP/1.1', 'Host: HOST', 'Expect: 100-continue', 'Content-Length: 4'),
      response: 'HTTP/1.1 100 Continue\r\n\r\n',
    },
  ],
  [
    'status and reason',
    ...['200 OK', '299 A phrase: (signs)', '418 ', '500 X'].map((line) =>
      answered(ok().replace('200 OK', line)),
    ),
  ],
  [
    'responses without a body',
    answered(head('HTTP/1.1 204 No')),
    answered(head('HTTP/1.1 304 Same', 'Content-Length: 17')),
  ],
  [
    'HEAD with the length of a body',
    { request: get().replace('GET', 'HEAD'), ...answered(head('HTTP/1.1 200 OK', 'Content-Length: 9')) },
  ],
  ['1xx but 101', answered(`${head('HTTP/1.1 103 Early Hints', 'Link: </a>', 'link: </b>')}${ok()}`)],
  [
    'given up: chunks of a response to HTTP/1.0',
    {
      request: head('GET /a HTTP/1.0'),
      response: `${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}1\r\na\r\n0\r\n\r\n`,
      returns: 'Connection: close\r\n\r\na',
    },
  ],
  [
    'compressed bodies',
    answered(`${head('HTTP/1.1 200 OK', 'Content-Encoding: gzip', `Content-Length: ${GZIP.length}`)}${GZIP}`),
  ],
  [
    'only codings are asked for that can be undone',
    { request: get('Accept-Encoding: gzip;q=1, dcb, br'), arrives: get('Accept-Encoding: gzip;q=1, br') },
    { request: get('Accept-Encoding: *'), arrives: get('Accept-Encoding: identity') },
  ],
  [
    'streams, part by part',
    {
      response: `${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2\r\na\n\r\n`,
      returns: '2\r\na\n\r\n',
    },
  ],
  [
    'bodies that break off',
    { response: `${head('HTTP/1.1 200 OK', 'Content-Length: 9')}part`, returns: 'part' },
  ],
  [
    'another protocol',
    {
      request: get('Connection: Upgrade', 'Upgrade: echo'),
      ...answered(`${head('HTTP/1.1 101 Yes', 'Connection: Upgrade', 'Upgrade: echo')}\0\xff`),
    },
  ],
];

const WAIT = { timeout: 10_000 };
const OF_CONNECTION = /Connection: keep-alive\r\n(?:Keep-Alive: timeout=75\r\n)?/g;
const OF_TARGET = /Connection: (?:keep-alive|close)\r\n/g;

test('the kinds of bytes are 31', () => expect(KINDS.length).toBe(31));

test.each(KINDS.flatMap(([kind, ...all]) => all.map((one) => [kind, one] as const)))(
  '%s: %j',
  async (_, one) => {
    const { request = get(), response = ok(), keepHost = false, returns = '' } = one;
    let received = '';
    const target = await rawServer((socket) => {
      socket.on('data', (bytes) => {
        const isFirst = received === '' || returns.split('HTTP/').length > 2;
        received += bytes.toString('latin1');
        if (isFirst) socket.write(response, 'latin1');
      });
    });
    const proxy = await openTransport(target.url, { keepHost });
    const client = rawClient(proxy.port);
    onTestFinished(async () => {
      client.socket.destroy();
      await Promise.all([proxy.close(), target.close()]);
    });
    const host = new URL(target.url).host;
    const filled = (text: string) => text.replaceAll('HOST', host);
    client.send(filled(request));
    const sent = () => client.received().replace(OF_CONNECTION, '');
    if (one.returns !== undefined) await expect.poll(sent, WAIT).toContain(returns);
    if (one.returns === undefined || one.arrives !== undefined)
      await expect
        .poll(() => received.replace(OF_TARGET, ''), WAIT)
        .toContain(filled(one.arrives ?? request));
  },
);
