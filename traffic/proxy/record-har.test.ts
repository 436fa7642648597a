import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type RecordedExchange, readHar } from '#har';
import { createReplay, observe } from '#observe';
import { createProxy, openHarFile, type ProxyOptions } from './index.ts';

const user = {
  type: 'object',
  required: ['id', 'email'],
  properties: {
    id: { type: 'integer' },
    email: { type: 'string', format: 'email' },
    pin: { type: 'string', pattern: '^\\d{4}$' },
    age: { type: 'integer', minimum: 18 },
    address: { type: 'object', properties: { city: { type: 'string', maxLength: 5 } } },
  },
};
const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } });
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Users', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/users': {
      get: {
        operationId: 'listUsers',
        responses: { 200: json({ type: 'array', items: user }), 401: { description: 'no' } },
      },
      post: { operationId: 'addUser', requestBody: json(user), responses: { 201: json(user) } },
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-App' } } },
};
const ANN = { id: 1, email: 'ann@example.org', pin: '4711', age: 44, address: { city: 'Oslo' } };

async function inFront(answer: RequestListener, options: Partial<ProxyOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-har-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(DOCUMENT));
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = join(folder, 'made/traffic.har');
  const har = await openHarFile(path);
  const proxy = await createProxy({ target, document, port: 0, har, settle: 0, ...options });
  onTestFinished(() => proxy.close());
  const ask = async (path: string, init: RequestInit & { key?: string } = {}) => {
    const { key = 'key-of-ann-1234', ...rest } = init;
    const headers = { 'x-app': key, 'content-type': 'application/json', ...rest.headers };
    return (await fetch(proxy.url + path, { ...rest, headers })).text();
  };
  const close = async () => {
    await proxy.close();
    await har.close();
    return readFile(path, 'utf8');
  };
  return { proxy, har, ask, close, path, target };
}

async function read(path: string): Promise<RecordedExchange[]> {
  const all: RecordedExchange[] = [];
  for await (const item of readHar(path)) {
    if ('problem' in item) throw new Error(item.message);
    all.push(item);
  }
  return all;
}

const always =
  (status: number, value: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value));

test('no secret and nothing that is masked is in the file, and what is judged by it is the same', async () => {
  const broken = { ...ANN, age: 7, token: 'abc-def-123' };
  const { proxy, ask, close, path, target } = await inFront(
    (request, response) =>
      always(request.method === 'POST' ? 201 : 200, request.method === 'POST' ? ANN : [ANN, broken], {
        'set-cookie': 'sid=cookie-value-9; Path=/',
        location: '/users/1?access_token=in-location',
      })(request, response),
    { mask: ['email', '/pin', '/address/city', 'age', 'x-tenant'] },
  );
  const body = JSON.stringify({ ...ANN, password: 'hunter2-hunter2' });
  await ask('/users?api_key=in-query&email=b@example.org', { headers: { 'x-tenant': 'acme' } });
  await ask('/users', { method: 'POST', body });
  await ask('/users', { key: 'key-of-bob-5678' });
  const { findings } = proxy.report();
  const text = await close();
  expect(text).not.toMatch(
    /key-of|cookie-value|in-location|in-query|hunter2|abc-def|example\.org|4711|Oslo|acme/,
  );
  expect(text).not.toMatch(/"age\\":(44|7)\b/);
  const exchanges = await read(path);
  expect(
    exchanges.map(({ request: { headers } }) => headers.find(([name]) => name === 'x-app')?.[1]),
  ).toEqual(['[redacted]', '[redacted]', expect.stringMatching(/^\[redacted\]\d+$/)]);
  const observer = observe(proxy.contract, { baseUrls: [target], wholeHeaders: true });
  const replay = createReplay(observer);
  for (const { request, response, startedAt, ms = 0 } of exchanges)
    replay.add({ ...request, startedAt }, response && { ...response, cut: response.bodyMissing, ms }, ms);
  replay.finish();
  expect(findings.length).toBeGreaterThan(0);
  expect(observer.findings.map(({ key }) => key)).toEqual(findings.map(({ key }) => key));
  expect(observer.traffic).toMatchObject({ exchanges: 3, judged: 3, bodiesMissing: 0 });
});

test('a file is whole while exchanges pass, and has them in the order in which they began', async () => {
  let release = () => {};
  const { ask, har, path, close } = await inFront((request, response) => {
    const answer = () => always(200, [])(request, response);
    if (request.url?.includes('slow')) release = answer;
    else answer();
  });
  expect(JSON.parse(await readFile(path, 'utf8')).log.entries).toEqual([]);
  await ask('/users?first');
  const flushed = async () => {
    await har.flush();
    return (await read(path)).length;
  };
  await expect.poll(flushed).toBe(1);
  const slow = ask('/users?slow');
  await ask('/users?second');
  await har.flush();
  expect(await read(path)).toHaveLength(1);
  release();
  await slow;
  await close();
  expect((await read(path)).map(({ request }) => request.url.search)).toEqual(['?first', '?slow', '?second']);
});

test('bodies of each kind can be read again', async () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);
  const { ask, path, close } = await inFront((request, response) => {
    const kinds: Record<string, RequestListener> = {
      '/gzip': always(200, gzipSync('{"id":1,"token":"secret-1"}'), { 'content-encoding': 'gzip' }),
      '/picture': always(200, picture, { 'content-type': 'image/png' }),
      '/xml': always(200, '<a><password>secret-2</password><b>2</b></a>', {
        'content-type': 'application/xml',
      }),
      '/lines': always(200, '{"token":"secret-3"}\n{"b":3}\n', { 'content-type': 'application/jsonl' }),
      '/unknown': always(200, 'secret-4', { 'content-encoding': 'own' }),
    };
    (kinds[request.url ?? ''] ?? always(204, ''))(request, response);
  });
  for (const kind of ['gzip', 'picture', 'xml', 'lines', 'unknown']) await ask(`/${kind}`);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await ask('/form', { method: 'POST', body: 'a=1&password=secret-5', headers: form });
  const parts = `--x\r\nContent-Disposition: form-data; name="pin"\r\n\r\nsecret-6\r\n--x--\r\n`;
  await ask('/parts', {
    method: 'POST',
    body: parts,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  await ask('/binary', {
    method: 'POST',
    body: picture,
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(await close()).not.toContain('secret-');
  const [gzip, png, xml, lines, unknown, sent, multi, binary] = await read(path);
  const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
  expect(JSON.parse(textOf(gzip?.response?.body))).toEqual({ id: 1, token: '[redacted]' });
  expect(png?.response?.body).toEqual(picture);
  expect(textOf(xml?.response?.body)).toBe('<a><password>[redacted]</password><b>2</b></a>');
  expect(textOf(lines?.response?.body)).toBe('{"token":"[redacted]"}\n{"b":3}\n');
  expect(unknown?.response?.bodyMissing).toBe(true);
  expect(textOf(sent?.request.body)).toBe('a=1&password=[redacted]');
  expect(sent?.request.bodyMissing).toBe(false);
  expect(textOf(multi?.request.body)).toContain('name="pin"\r\n\r\n[redacted]\r\n--x--');
  expect(binary?.request.body).toEqual(picture);
});

test('what is not judged is recorded, and a request that is not sent on is not', async () => {
  const { ask, path, close, proxy } = await inFront(always(200, [ANN]), { sample: 0.3, enforce: 'requests' });
  for (let count = 0; count < 20; count++) await ask(`/users?${count}`);
  await ask('/nowhere');
  expect(proxy.found().counts.notSampled).toBeGreaterThan(8);
  await close();
  const exchanges = await read(path);
  expect(exchanges).toHaveLength(20);
  expect(exchanges.every(({ response }) => response?.bodyMissing === false && response.body.length > 9)).toBe(
    true,
  );
});

test('a service that does not respond is recorded without a response', async () => {
  const { ask, path, close } = await inFront((_, response) => void response.destroy());
  await ask('/users', { method: 'POST', body: '{}' });
  await close();
  expect(await read(path)).toMatchObject([{ response: undefined, remarks: ['no-response'] }]);
});
