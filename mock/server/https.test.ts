import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { connect as tcpConnect } from 'node:net';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { ownCache } from '../../certificates/testing/own-cache.ts';
import { documentOf, SHIPPED, serve, serveText } from '../testing/serve.ts';
import { exchange, parsed } from '../testing/wire.ts';
import type { LogEntry } from './listen.ts';

/** A mock with https and its own certificate. */
async function secured(options: Parameters<typeof serve>[1] = {}) {
  await ownCache();
  const mock = await serve(SHIPPED, { port: 0, https: true, ...options });
  const ca = readFileSync(mock.authority as string, 'utf8');
  return { mock, ca, port: Number(new URL(mock.url).port) };
}

const KEY = 'Authorization: Bearer paddock-dev-key\r\n';

/** The bytes that a client with a trusted authority receives, until the other side closes. */
async function sent(port: number, ca: string, bytes: string, servername = 'localhost'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername });
  await once(socket, 'secureConnect');
  socket.write(bytes, 'latin1');
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += chunk;
  return text;
}

test.each(['localhost', '127.0.0.1'])('a client that trusts the authority is served at %s', async (host) => {
  const { mock, ca, port } = await secured();
  expect(mock.url).toBe(`https://127.0.0.1:${port}/v1`);
  expect(mock.controlUrl).toBe(`https://127.0.0.1:${port}/__admin`);
  const agent = new Agent({ ca });
  onTestFinished(() => agent.destroy());
  const asked = httpsRequest(`https://${host}:${port}/v1/pets?limit=1`, {
    agent,
    headers: { authorization: 'Bearer paddock-dev-key' },
  }).end();
  const [response] = await once(asked, 'response');
  expect(response.statusCode).toBe(200);
  response.resume();
});

test('a client that does not trust it is not, and the mock lives on', async () => {
  const { ca, port } = await secured();
  const stranger = connect({ port, host: '127.0.0.1', servername: 'localhost' });
  const [error] = await once(stranger, 'error');
  expect(error.code).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  expect(await sent(port, ca, 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1.1 401 /,
  );
});

test('plain http is refused in words, in the documented form, and logged', async () => {
  const log: LogEntry[] = [];
  const { mock } = await secured({ log: (entry) => log.push(entry) });
  const { status, text, headers } = parsed(
    await exchange(mock.url, `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`),
  );
  expect([status, headers.get('connection')]).toEqual([400, 'close']);
  expect(JSON.parse(text)).toEqual({
    code: 'malformed_request',
    status: 400,
    message: `This port speaks https, and the request came as plain http: the address is ${new URL(mock.url).origin}`,
  });
  expect(log).toMatchObject([{ method: '-', status: 400, refused: { code: 'malformed_request' } }]);
});

test('the rules of a connection are those of plain http: limits, bytes that are no request', async () => {
  const { ca, port } = await secured({ maxBody: 100 });
  const long = `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${KEY}Content-Length: 101\r\n\r\n${'x'.repeat(101)}`;
  const wide = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
  const all = ['hello\r\n\r\n', long, wide];
  const received = await Promise.all(all.map((bytes) => sent(port, ca, bytes)));
  expect(received.map((text) => text.match(/HTTP\/1.1 \d+/g))).toEqual([
    ['HTTP/1.1 400'],
    ['HTTP/1.1 413'],
    ['HTTP/1.1 431'],
  ]);
});

test('addresses in responses are https, of the host that the client named', async () => {
  await ownCache();
  const uri = { type: 'string', format: 'uri' };
  const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, photoUrl: uri } };
  const list = {
    type: 'object',
    properties: { next: { ...uri, nullable: true }, results: { type: 'array', items: item } },
  };
  const mock = await serveText(
    documentOf({
      '/cats': {
        get: {
          parameters: ['page', 'page_size'].map((name) => ({
            name,
            in: 'query',
            schema: { type: 'integer' },
          })),
          responses: { 200: { description: '', content: { 'application/json': { schema: list } } } },
        },
      },
    }),
    { port: 0, https: true },
  );
  const ca = readFileSync(mock.authority as string, 'utf8');
  const { port } = new URL(mock.url);
  const bytes = `GET /cats?page=1&page_size=2 HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`;
  const text = await sent(Number(port), ca, bytes);
  expect(text).toContain(`"next":"https://localhost:${port}/cats?page=2&page_size=2"`);
  expect(text).not.toContain('http://');
});

test('it stops at once, whatever has connected and said nothing', async () => {
  await ownCache();
  const mock = await serve(SHIPPED, { port: 0, https: true });
  const silent = tcpConnect(Number(new URL(mock.url).port), '127.0.0.1');
  silent.on('error', () => {});
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  await mock.close();
  await closed;
});

test('without a socket there is nothing to encrypt; what is no option is refused', async () => {
  await expect(serve(SHIPPED, { port: false, https: true })).rejects.toThrow(
    'option https: without a socket',
  );
  await expect(serve(SHIPPED, { port: 0, https: { cert: 'a' } as never })).rejects.toThrow(
    'option https must be true, false or { cert, key } with the paths of both',
  );
});
