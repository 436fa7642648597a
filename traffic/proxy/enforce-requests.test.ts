import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract, responseFor } from '#spec';
import { createProxy, type InvalidRequest, type ProxyOptions } from './index.ts';
import { rawClient } from './testing/wire.ts';

const DOCUMENT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));
const contract = await loadContract(DOCUMENT);
const HEADERS = { authorization: 'Bearer key', 'content-type': 'application/json' };
const PET = '{"id":7,"name":"Rex","categoryId":1}';

/** A service that says yes to everything, and counts. */
async function inFront(options: Partial<ProxyOptions> = {}) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => (body += part));
    request.on('end', () => {
      received.push(`${request.method} ${request.url} ${body}`.trim());
      response
        .writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
        .end(PET);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const invalid: InvalidRequest[] = [];
  const proxy = await createProxy({
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ...{
      document: DOCUMENT,
      port: 0,
      enforce: 'requests',
      onInvalidRequest: (one) => void invalid.push(one),
    },
    ...options,
  });
  onTestFinished(() => proxy.close());
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(proxy.url + path, { headers: HEADERS, ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { proxy, ask, received, invalid };
}

function connect(url: string) {
  const client = rawClient(Number(new URL(url).port));
  onTestFinished(() => void client.socket.destroy());
  return client;
}

/** What is wrong with a response by the document. */
function violations(
  operationId: string,
  { status, headers, text }: { status: number; headers: Headers; text: string },
) {
  const operation = contract.operations.find(({ id }) => id === operationId);
  const media = operation && responseFor(operation.responses, status)?.content[0];
  expect(headers.get('content-type')).toBe(media?.type);
  return media?.schema && contract.validators.compile(media.schema, 'response')(JSON.parse(text));
}

test('a valid request is sent on with its body, and an invalid one gets the error body of the document', async () => {
  const { ask, received, invalid, proxy } = await inFront();
  const body = '{"name":"Rex","categoryId":1}';
  expect(await ask('/pets', { method: 'POST', body })).toMatchObject({ status: 201, text: PET });
  const refused = await ask('/pets', { method: 'POST', body: '{"name":7}' });
  expect(refused.status).toBe(400);
  expect(violations('createPet', refused)).toEqual([]);
  expect(refused.text).toContain('name must be a string, not 7');
  expect(refused.headers.get('paddock-proxy')).toContain('was not sent to the target');
  expect(received).toEqual([`POST /v1/pets ${body}`]);
  expect(invalid).toMatchObject([{ operation: 'createPet', refused: 400 }]);
  expect(proxy.found().counts).toMatchObject({ requests: 1, invalid: 1 });
  expect(proxy.found().traffic.exchanges).toBe(1);
  const seen = (await (await fetch(`${proxy.adminUrl}/requests`)).json()) as unknown[];
  expect(seen).toContainEqual(
    expect.objectContaining({ status: 400, operation: 'createPet', unjudged: 'refused' }),
  );
});

test('parameters, a missing credential, unknown paths and unknown methods are refused, too', async () => {
  const { ask, received } = await inFront();
  expect((await ask('/pets?limit=x')).status).toBe(400);
  const open = await ask('/pets', { headers: {} });
  expect(open.status).toBe(401);
  expect(open.headers.get('www-authenticate')).toContain('realm');
  expect(violations('listPets', open)).toEqual([]);
  expect((await ask('/petz')).status).toBe(404);
  const method = await ask('/pets', { method: 'DELETE' });
  expect(method.status).toBe(405);
  expect(method.headers.get('allow')).toContain('GET');
  expect(received).toEqual([]);
});

test('what browsers ask beforehand, HEAD, and what is not below the base URL pass', async () => {
  const { ask, received } = await inFront();
  await ask('/pets', { method: 'OPTIONS', headers: { origin: 'http://a.example' } });
  await ask('/pets', { method: 'HEAD' });
  await ask('/../logo.svg');
  expect(received).toEqual(['OPTIONS /v1/pets', 'HEAD /v1/pets', 'GET /logo.svg']);
});

test('responses are held to the document with `both` alone', async () => {
  const wrong = async (enforce: ProxyOptions['enforce']) => {
    const { ask } = await inFront({ enforce });
    await ask('/pets/7');
    return [(await ask('/pets')).status, (await ask('/pets?limit=x')).status];
  };
  expect(await wrong('requests')).toEqual([200, 400]);
  expect(await wrong('both')).toEqual([502, 400]);
  expect(await wrong('responses')).toEqual([502, 502]);
  expect(await wrong(true)).toEqual([502, 502]);
});

test('on one connection responses come in the order of their requests, and it goes on after a refusal', async () => {
  const { proxy, received } = await inFront();
  const client = connect(proxy.url);
  const request = (path: string) =>
    `GET /v1/pets${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\n\r\n`;
  client.send(request('/7') + request('?limit=x') + request('/8') + request('?limit=y') + request('/9'));
  await expect.poll(() => client.received().match(/HTTP\/1.1 \d+/g)?.length).toBe(5);
  expect(client.received().match(/HTTP\/1.1 \d+/g)).toEqual(
    [200, 400, 200, 400, 200].map((one) => `HTTP/1.1 ${one}`),
  );
  expect(received.map((one) => one.at(-1))).toEqual(['7', '8', '9']);
});

test('a client that waits to be told to send its body is told', async () => {
  const { proxy, received } = await inFront();
  const client = connect(proxy.url);
  const body = '{"name":"Rex","categoryId":1}';
  const head = [
    'POST /v1/pets HTTP/1.1',
    'Host: x',
    'Authorization: Bearer k',
    'Content-Type: application/json',
  ];
  client.send(`${[...head, 'Expect: 100-continue', `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`);
  await expect.poll(() => client.received()).toContain('100 Continue');
  expect(received).toEqual([]);
  client.send(body);
  await expect.poll(() => client.received()).toContain('201 Created');
  expect(received).toEqual([`POST /v1/pets ${body}`]);
});

test('a body in chunks is read as its content, and passes as it came', async () => {
  const { proxy, received } = await inFront();
  const client = connect(proxy.url);
  const head = [
    'POST /v1/pets HTTP/1.1',
    'Host: x',
    'Authorization: Bearer k',
    'Content-Type: application/json',
  ];
  const chunks = (...texts: string[]) =>
    texts.map((text) => `${text.length.toString(16)};a=b\r\n${text}\r\n`).join('');
  const post = (...texts: string[]) =>
    `${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n${chunks(...texts)}0\r\n\r\n`;
  client.send(post('{"name":"R', 'ex","categoryId":1}'));
  await expect.poll(() => client.received()).toContain('201 Created');
  client.send(post('{"name":', '7}'));
  await expect.poll(() => client.received()).toContain('400 Bad Request');
  expect(received).toEqual(['POST /v1/pets {"name":"Rex","categoryId":1}']);
});

test('a body that is too long to be held back passes, unless its head is invalid', async () => {
  const { ask, received } = await inFront();
  const long = JSON.stringify({ name: 'x'.repeat(17 * 2 ** 20), categoryId: 1 });
  expect((await ask('/pets', { method: 'POST', body: long })).status).toBe(201);
  expect(received[0]?.length).toBe(long.length + 'POST /v1/pets '.length);
  const open = await ask('/pets', {
    method: 'POST',
    body: long,
    headers: { 'content-type': 'application/json' },
  });
  expect(open.status).toBe(401);
  expect((await ask('/pets/7')).status).toBe(200);
  expect(received).toHaveLength(2);
});
