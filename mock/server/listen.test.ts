import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { documentOf, fixture, misfits, SHIPPED, serve, serveText } from '../testing/serve.ts';
import { dial, exchange, parsed, silentReader } from '../testing/wire.ts';
import type { LogEntry } from './listen.ts';

const KEY = 'Authorization: Bearer paddock-dev-key\r\n';
const HOST = 'Host: here\r\n';

describe('bytes that are no proper request get the documented error body', () => {
  test.each<[string, { given: string; want: number }]>([
    ['no HTTP', { given: 'hello\r\n\r\n', want: 400 }],
    ['a method that HTTP does not have', { given: `FETCH /v1/pets HTTP/1.1\r\n${HOST}\r\n`, want: 400 }],
    ['a header without a name', { given: `GET /v1/pets HTTP/1.1\r\n${HOST}: x\r\n\r\n`, want: 400 }],
    ['a blank in a header name', { given: `GET /v1/pets HTTP/1.1\r\n${HOST}a b: x\r\n\r\n`, want: 400 }],
    [
      'two lengths',
      {
        given: `POST /v1/pets HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
        want: 400,
      },
    ],
    [
      'a length that is no number',
      { given: `POST /v1/pets HTTP/1.1\r\n${HOST}Content-Length: x\r\n\r\n`, want: 400 },
    ],
    [
      'a length and chunks',
      {
        given: `POST /v1/pets HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        want: 400,
      },
    ],
    [
      'a chunk without a size',
      { given: `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, want: 400 },
    ],
    ['no Host', { given: `GET /v1/pets HTTP/1.1\r\n${KEY}\r\n`, want: 400 }],
    ['two Hosts', { given: `GET /v1/pets HTTP/1.1\r\n${HOST}hOST: here\r\n${KEY}\r\n`, want: 400 }],
    ['two Hosts of HTTP/1.0', { given: `GET /v1/pets HTTP/1.0\r\n${HOST}${HOST}${KEY}\r\n`, want: 400 }],
    ...['a b', 'a/b', 'http://a', 'u@a', 'a:b', 'a:1:2', '[::1', '::1', 'a%2', 'ä'].map(
      (host): [string, { given: string; want: number }] => [
        `a Host that is none: ${host}`,
        { given: `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\n${KEY}\r\n`, want: 400 },
      ],
    ),
    ['a target without a host', { given: `GET http:///v1/pets HTTP/1.1\r\n${HOST}${KEY}\r\n`, want: 400 }],
    ['a target with a user', { given: `GET http://u@here/v1/pets HTTP/1.1\r\n${HOST}${KEY}\r\n`, want: 400 }],
    [
      'headers without end',
      { given: `GET /v1/pets HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`, want: 431 },
    ],
    [
      'a target without end',
      { given: `GET /v1/pets?a=${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, want: 414 },
    ],
    ['another version', { given: `GET /v1/pets HTTP/3.7\r\n${HOST}\r\n`, want: 400 }],
  ])('%s', async (_, { given, want }) => {
    const mock = await serve(SHIPPED, { port: 0 });
    const answer = parsed(await exchange(mock.url, given));
    expect(answer.status).toBe(want);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(misfits(mock, 'createPet', answer)).toEqual([]);
    expect(JSON.parse(answer.text)).toMatchObject({ status: want });
    const after = await fetch(`${mock.controlUrl}/health`);
    expect(after.status).toBe(200);
  });
});

test.each([0, 20])(
  'of what a client sends at once little is kept, at a latency of %d ms',
  async (latency) => {
    let handled = 0;
    const mock = await serve(SHIPPED, { port: 0, latency, log: () => handled++ });
    mock.addRule({ operation: 'listPets', body: JSON.stringify(['x'.repeat(1_000_000)]) });
    const reader = silentReader(mock.url, `GET /v1/pets HTTP/1.1\r\n${HOST}${KEY}\r\n`.repeat(80));
    await reader.hasReceived();
    await fetch(`${mock.controlUrl}/health`);
    expect(handled).toBeLessThan(50);
    expect(await reader.read(80)).toHaveLength(80);
  },
);

describe('forms of a proper request', () => {
  test.each<[string, { given: string; want: number }]>([
    ['HTTP/1.0 without Host', { given: `GET /v1/pets HTTP/1.0\r\n${KEY}\r\n`, want: 200 }],
    [
      'a whole URL as the target',
      { given: `GET http://here/v1/pets?limit=0 HTTP/1.1\r\n${HOST}${KEY}\r\n`, want: 400 },
    ],
    ['a URL without a path', { given: `GET http://here HTTP/1.1\r\n${HOST}${KEY}\r\n`, want: 404 }],
    [
      'a URL whose query looks like a path',
      { given: `GET http://other?x=/v1/pets HTTP/1.1\r\n${HOST}${KEY}\r\n`, want: 404 },
    ],
    [
      'a whole URL with a query that holds slashes',
      { given: `GET HTTP://other:80/v1/pets/1?x=//y HTTP/1.1\r\n${HOST}${KEY}\r\n`, want: 200 },
    ],
    ...['', 'here:80', '[::1]:4020', '[v1.a:b]', '127.0.0.1', "a-b_c.~!$&'()*+;=%2f", 'here:'].map(
      (host): [string, { given: string; want: number }] => [
        `the Host "${host}"`,
        { given: `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\n${KEY}\r\n`, want: 200 },
      ],
    ),
    ['an asterisk', { given: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, want: 404 }],
    [
      'a body in chunks',
      {
        given: `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"name":"\r\n14\r\nRex","categoryId":1}\r\n0\r\n\r\n`,
        want: 201,
      },
    ],
    [
      'a body on a GET',
      { given: `GET /v1/pets HTTP/1.1\r\n${HOST}${KEY}Content-Length: 2\r\n\r\n{}`, want: 200 },
    ],
    [
      'an expectation that nobody knows',
      { given: `GET /v1/pets HTTP/1.1\r\n${HOST}${KEY}Expect: wonders\r\n\r\n`, want: 200 },
    ],
    [
      'a second Authorization, which does not count',
      { given: `GET /v1/pets HTTP/1.1\r\n${HOST}${KEY}Authorization: Bearer x\r\n\r\n`, want: 200 },
    ],
  ])('%s', async (_, { given, want }) => {
    const mock = await serve(SHIPPED, { port: 0 });
    expect(parsed(await exchange(mock.url, given)).status).toBe(want);
  });

  test('HEAD has the length of the body, and no body', async () => {
    const mock = await serve(SHIPPED, { port: 0 });
    const get = parsed(await exchange(mock.url, `GET /v1/pets/1 HTTP/1.1\r\n${HOST}${KEY}\r\n`));
    const head = parsed(await exchange(mock.url, `HEAD /v1/pets/1 HTTP/1.1\r\n${HOST}${KEY}\r\n`));
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(String(get.text.length));
  });

  test('lengths are counted in bytes', async () => {
    const mock = await serve(SHIPPED, { port: 0 });
    const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
    const body = JSON.stringify({ name: '狼🐺é', categoryId: 1 });
    const response = await fetch(`${mock.url}/pets`, { method: 'POST', headers, body });
    const text = await response.text();
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toMatchObject({ name: '狼🐺é' });
  });

  test('pipelined requests get their responses in order', async () => {
    const mock = await serve(SHIPPED, { port: 0 });
    const request = (path: string) => `GET /v1${path} HTTP/1.1\r\n${HOST}${KEY}\r\n`;
    const text = await exchange(mock.url, request('/pets/1') + request('/pets/4711') + request('/pets/2'));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    const broken = await exchange(mock.url, `${request('/pets/1')}nonsense\r\n\r\n${request('/pets/2')}`);
    expect(broken.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

test('a documented header value that cannot be sent fails one response, and not the process', async () => {
  const bugs: unknown[] = [];
  const answers = { 200: { description: 'Done', content: { 'application/json; charset=狼': {} } } };
  const document = documentOf({ '/a': { get: { responses: answers } } });
  const mock = await serveText(document, { port: 0, onBug: (error) => bugs.push(error) });
  for (let round = 1; round <= 2; round++) {
    const response = await fetch(`${mock.url}/a`);
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 500,
      body: { status: 500 },
    });
    expect(bugs).toHaveLength(round);
  }
});

describe('a body that is too large', () => {
  const head = `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}Content-Type: application/json\r\n`;

  test('is refused as soon as its length is known, and the client may go on', async () => {
    const mock = await serve(SHIPPED, { port: 0, maxBody: 10 });
    const next = `GET /v1/pets/1 HTTP/1.1\r\n${HOST}${KEY}\r\n`;
    const text = await exchange(mock.url, `${head}Content-Length: 11\r\n\r\n${'x'.repeat(11)}${next}`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  test('is refused when it turns out to be in chunks', async () => {
    const mock = await serve(SHIPPED, { port: 0, maxBody: 10 });
    const body = `b\r\n${'x'.repeat(11)}\r\n`;
    const text = await exchange(mock.url, `${head}Transfer-Encoding: chunked\r\n\r\n${body}`);
    // The refusal of the unfinished body follows.
    const answer = parsed(text.split(/(?=HTTP)/)[0] as string);
    expect(answer.status).toBe(413);
    expect(misfits(mock, 'createPet', answer)).toEqual([]);
  });

  test('is not requested from a client that waits for 100 (Continue)', async () => {
    const mock = await serve(SHIPPED, { port: 0, maxBody: 10 });
    const waiting = `${head}Expect: 100-continue\r\nContent-Length: `;
    expect(await exchange(mock.url, `${waiting}11\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await exchange(mock.url, `${waiting}10\r\n\r\n`)).toMatch(/^HTTP\/1\.1 100 /);
  });

  test('one byte less is read', async () => {
    const mock = await serve(SHIPPED, { port: 0, maxBody: 27 });
    const body = '{"name":"A","categoryId":1}';
    expect(parsed(await exchange(mock.url, `${head}Content-Length: 27\r\n\r\n${body}`)).status).toBe(201);
  });
});

test('a client that goes away in the middle of a body does no harm', async () => {
  const mock = await serve(SHIPPED, { port: 0 });
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1');
  socket.write(`POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}Content-Length: 100\r\n\r\nhalf`);
  await fetch(`${mock.controlUrl}/health`);
  socket.resetAndDestroy();
  await fetch(`${mock.controlUrl}/health`);
  const response = await fetch(`${mock.url}/pets/51`, {
    headers: { authorization: 'Bearer paddock-dev-key' },
  });
  expect(response.status).toBe(404);
});

describe('closing', () => {
  test('responds to running requests, and accepts no new ones', async () => {
    const mock = await serve(SHIPPED, { port: 0 });
    const wire = dial(mock.url);
    const body = '{"name":"A","categoryId":1}';
    wire.send(
      `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}Content-Type: application/json\r\nContent-Length: 27\r\n\r\n${body.slice(0, 9)}`,
    );
    // The mock has read the first part once it answers this.
    await fetch(`${mock.controlUrl}/health`);
    const closed = mock.close();
    wire.send(body.slice(9));
    const answer = parsed(await wire.received());
    expect(answer.status).toBe(201);
    expect(answer.headers.get('connection')).toBe('close');
    await closed;
    await expect(fetch(`${mock.controlUrl}/health`)).rejects.toThrow();
  });

  test('does not wait for connections without a request', async () => {
    const mock = await serve(SHIPPED, { port: 0 });
    const agentful = await fetch(`${mock.controlUrl}/health`);
    await agentful.text();
    await mock.close();
    await expect(fetch(`${mock.controlUrl}/health`)).rejects.toThrow();
  });
});

test('a taken port is told as the system tells it', async () => {
  const mock = await serve(SHIPPED, { port: 0 });
  const port = Number(new URL(mock.url).port);
  await expect(serve(SHIPPED, { port })).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' });
});

test('the log tells of each exchange, and of no credential', async () => {
  const entries: LogEntry[] = [];
  const mock = await serve(fixture('tide-gauges.yaml'), { port: 0, log: (entry) => entries.push(entry) });
  await fetch(`${mock.url}/levels?take=3&token=paddock-dev-key&tok%65n=other-key&x=token`);
  await exchange(mock.url, 'nonsense\r\n\r\n');
  await fetch(`${mock.url}/levels?take=paddock-dev-key&token=paddock-dev-key`);
  expect(entries).toEqual([
    {
      method: 'GET',
      target: '/levels?take=3&token=***&tok%65n=***&x=token',
      status: 200,
      ms: expect.any(Number),
      remark: expect.stringMatching(/^\d+ records, page 1 of limit 3$/),
      operation: 'findLevels',
    },
    {
      method: '-',
      target: '-',
      status: 400,
      ms: 0,
      refused: {
        code: 'malformed_request',
        message: 'This is no HTTP request: Invalid method encountered',
        violations: [],
      },
    },
    {
      method: 'GET',
      target: '/levels?take=***&token=***',
      status: 400,
      ms: expect.any(Number),
      operation: 'findLevels',
      refused: {
        code: 'invalid_request',
        message: 'query.take must be an integer, not "***"',
        violations: [
          {
            where: 'query.take',
            message: 'must be an integer, not "***"',
            at: expect.stringMatching(/^fixtures\/specs\/tide-gauges\.yaml:\d+$/),
          },
        ],
      },
    },
  ]);
});

test('requests to the control API are neither in the log nor among the requests, refused or not', async () => {
  const entries: LogEntry[] = [];
  const mock = await serve(SHIPPED, { port: 0, log: (entry) => entries.push(entry) });
  const { origin } = new URL(mock.url);
  for (const path of ['/__admin/', '/__admin/health', '/__admin/nothing', '/__admin/console/main.js'])
    await (await fetch(origin + path)).text();
  await (await fetch(`${origin}/~ida/__admin/health`)).text();
  await (await fetch(`${mock.controlUrl}/requests`, { headers: { origin: 'http://evil.example' } })).text();
  await (await fetch(`${origin}/__administration`)).text();
  expect(entries.map(({ target }) => target)).toEqual(['/__administration']);
  expect(mock.requests().map(({ target }) => target)).toEqual(['/__administration']);
});
