import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { judgeTraffic } from '#observe';
import { readContract, stringifyJson } from '#spec';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../options.ts';
import { documentOf } from '../testing/serve.ts';
import { startReceiver } from '../webhooks/testing/receiver.ts';
import { settled } from '../webhooks/testing/signals.ts';
import { halfOf, json, type Respond, readHalves, startService } from './testing/half-service.ts';

const BIRD = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const jsonContent = (schema: object) => ({ 'application/json': { schema } });
const REX = { id: 701, name: 'Rex', status: 'sold' };

/** A mock in front of a service, and its responses. */
async function startBoth(respond: Respond, options: Partial<MockOptions> = {}) {
  const service = await startService(respond);
  const both = await startInFront(service.url, options);
  return { ...both, service };
}

async function startInFront(upstream: string, options: Partial<MockOptions> = {}) {
  const notices: string[] = [];
  const mock = await createMock({
    document: await readHalves(),
    upstream,
    notice: (text) => notices.push(text),
    ...options,
  });
  onTestFinished(() => mock.close());
  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(mock.url + path, {
      method,
      headers: { Authorization: 'Bearer of the service', ...type, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      source: response.headers.get('paddock-source'),
      body: text === '' ? undefined : JSON.parse(text),
    };
  }
  return { mock, send, notices };
}

test.each(['101 Switching Protocols', '099 Odd'])(
  'the status %s of a service is no response',
  async (status) => {
    const service = createServer((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)),
    );
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void service.close());
    const { port } = service.address() as AddressInfo;
    const { send } = await startInFront(`http://127.0.0.1:${port}`);
    expect(await send('GET', '/pets')).toMatchObject({ status: 502, source: 'mock' });
  },
);

test('a real and a mocked half of one service show a record of each in the list of the other', async () => {
  const { send, mock, service } = await startBoth(halfOf(new Map([[701, REX]])));

  expect(await send('GET', '/pets')).toEqual({ status: 200, source: 'upstream', body: [REX] });
  const made = await send('POST', '/pets', { name: 'Milo', status: 'new' });
  expect(made).toMatchObject({ status: 201, source: 'mock', body: { name: 'Milo', status: 'new' } });
  const milo = made.body;

  // The real half's list has the mocked record, and the mock's list the real one.
  expect(await send('GET', '/pets')).toEqual({ status: 200, source: 'upstream, mock', body: [REX, milo] });
  mock.addRule({ operation: 'listPets', source: 'mock' });
  expect(await send('GET', '/pets')).toEqual({ status: 200, source: 'mock', body: [REX, milo] });

  expect(await send('GET', '/pets/701')).toEqual({ status: 200, source: 'upstream', body: REX });
  expect(await send('GET', `/pets/${milo.id}`)).toEqual({ status: 200, source: 'mock', body: milo });
  // A mocked record may have the id of a real one: no request for it reaches the real service.
  expect(await send('DELETE', `/pets/${milo.id}`)).toMatchObject({ status: 204, source: 'mock' });
  expect(service.received.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('which records are mocked is known after a restart, and of a restored state', async () => {
  const service = await startService(halfOf(new Map([[701, REX]])));
  const folder = await mkdtemp(join(tmpdir(), 'upstream-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = `file:${join(folder, 'records.db')}`;
  const first = await startInFront(service.url, { store });
  await first.send('GET', '/pets');
  const { body: milo } = await first.send('POST', '/pets', { name: 'Milo', status: 'new' });
  const state = await (await fetch(`${first.mock.controlUrl}/state`)).text();
  await first.mock.close();
  const second = await startInFront(service.url, { store });
  const restored = await startInFront(service.url);
  await fetch(`${restored.mock.controlUrl}/state`, { method: 'PUT', body: state });
  for (const { send } of [second, restored]) {
    expect(await send('GET', '/pets')).toEqual({ status: 200, source: 'upstream, mock', body: [REX, milo] });
    expect(await send('GET', `/pets/${milo.id}`)).toEqual({ status: 200, source: 'mock', body: milo });
  }
});

test('mocked records stand in a real list as it filters and as far as its page has room', async () => {
  const { send } = await startBoth(halfOf(new Map([[701, REX]])));
  await send('POST', '/pets', { name: 'Milo', status: 'new' });
  expect((await send('GET', '/pets?status=new')).body.map(({ name }: typeof REX) => name)).toEqual([
    'Rex',
    'Milo',
  ]);
  expect((await send('GET', '/pets?status=sold')).body).toEqual([REX]);
  expect((await send('GET', '/pets?limit=1')).body).toEqual([REX]);
});

const PAGED = documentOf({
  '/birds': {
    get: {
      operationId: 'listBirds',
      parameters: ['limit', 'cursor', 'page'].map((name) => ({
        ...{ name, in: 'query' },
        schema: { type: name === 'cursor' ? 'string' : 'integer' },
      })),
      responses: {
        200: { description: 'ok', content: jsonContent({ type: 'array', items: BIRD }) },
        400: { description: 'wrong' },
      },
    },
    post: {
      requestBody: { content: jsonContent(BIRD) },
      responses: { 201: { description: 'made', content: jsonContent(BIRD) } },
    },
  },
  '/birds/{birdId}': {
    get: {
      parameters: [{ name: 'birdId', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: { 200: { description: 'ok', content: jsonContent(BIRD) } },
    },
  },
});

test.each([
  ['whose cursors only the real service knows', ['limit=2', 'limit=2&cursor=xyz'], [2, 2]],
  ['of a size that nobody has said', ['page=1', 'page=2'], [3, 1]],
])('a mocked record stands once in the pages of a real list %s', async (_, pages, lengths) => {
  const service = await startService(({ method, url }, out) => {
    if (method !== 'GET' || !url.startsWith('/api/birds')) return undefined;
    const isLater = /cursor=|page=2/.test(url);
    return json(out, 200, isLater ? [{ id: 703 }] : [{ id: 701 }, { id: 702 }]);
  });
  const document = await readContract(stringifyJson(PAGED), 'paged.json', { presumeResponses: true });
  const { send } = await startInFront(service.url, { document });
  const { body: made } = await send('POST', '/birds', { name: 'Own' });
  const shown = [];
  for (const page of pages) shown.push((await send('GET', `/birds?${page}`)).body);
  expect(shown.map(({ length }) => length)).toEqual(lengths);
  expect(shown.flat().filter(({ id }) => id === made.id)).toEqual([made]);
});

test('a list with mocked records always comes whole, and says nothing of when the real one has changed', async () => {
  const { send, mock } = await startBoth(({ method, url, headers }, out) => {
    if (method !== 'GET' || url !== '/api/pets') return undefined;
    const version = { etag: '"1"', 'last-modified': 'Tue, 24 Nov 2026 10:00:00 GMT' };
    if (headers['if-none-match'] === version.etag) out.writeHead(304, version).end();
    else out.writeHead(200, { ...version, 'content-type': 'application/json' }).end(JSON.stringify([REX]));
    return true;
  });
  const known = { headers: { 'If-None-Match': '"1"' } };
  const before = await fetch(`${mock.url}/pets`, known);
  expect([before.status, before.headers.get('last-modified')]).toEqual([
    304,
    'Tue, 24 Nov 2026 10:00:00 GMT',
  ]);
  await send('POST', '/pets', { name: 'Milo' });
  const after = await fetch(`${mock.url}/pets`, known);
  expect(await after.json()).toMatchObject([REX, { name: 'Milo' }]);
  expect([after.headers.get('etag'), after.headers.get('last-modified')]).toEqual([null, null]);
});

test('a real record that gets the id of a mocked one later is out of reach until that one is removed', async () => {
  const pets = new Map<number, object>([[701, REX]]);
  const { send, service, notices } = await startBoth(halfOf(pets));
  const { body: milo } = await send('POST', '/pets', { name: 'Milo' });
  const real = { id: milo.id, name: 'Real' };
  pets.set(milo.id, real);
  expect((await send('GET', '/pets')).body).toEqual([REX, real, milo]);
  expect(notices.at(-1)).toContain('the mock has made one with it for a client');
  const own = `/pets/${milo.id}`;
  expect(await send('GET', own)).toEqual({ status: 200, source: 'mock', body: milo });
  expect(await send('DELETE', own)).toMatchObject({ status: 204, source: 'mock' });
  expect(service.received.filter(({ method }) => method === 'DELETE')).toEqual([]);
  expect((await send('GET', '/pets')).body).toEqual([REX, real]);
  expect(await send('GET', own)).toEqual({ status: 200, source: 'upstream', body: real });
});

test('a mocked child finds its real parent, whether or not a client has read that before', async () => {
  const { send, service } = await startBoth(halfOf(new Map([[701, REX]])));
  const toy = await send('POST', '/pets/701/toys', { name: 'ball' });
  expect(toy).toMatchObject({ status: 201, source: 'mock', body: { name: 'ball', petId: 701 } });
  expect(await send('GET', '/pets/701/toys')).toEqual({ status: 200, source: 'mock', body: [toy.body] });
  expect((await send('GET', '/pets/9/toys')).status).toBe(404);
  // The parent was read with the client's credentials.
  const reads = service.received.filter(({ url }) => url === '/api/pets/701');
  expect(reads.length).toBeGreaterThan(0);
  for (const { method, headers } of reads)
    expect([method, headers.authorization]).toEqual(['GET', 'Bearer of the service']);
});

test.each<[string, Respond, { method?: string; path?: string; status: number; source: string }]>([
  ['501', (_, out) => json(out, 501, {}), { status: 200, source: 'mock' }],
  ['405', (_, out) => json(out, 405, {}), { status: 200, source: 'mock' }],
  ['the 404 of an unknown path', () => undefined, { status: 200, source: 'mock' }],
  [
    'another 404',
    ({ url }, out) => (url === '/api/pets' ? json(out, 404, { message: 'off' }) : undefined),
    { status: 404, source: 'upstream' },
  ],
  ['500', (_, out) => json(out, 500, {}), { status: 500, source: 'upstream' }],
  ['401', (_, out) => json(out, 401, {}), { status: 401, source: 'upstream' }],
  ['the documented 404 of a record', halfOf(new Map()), { path: '/pets/5', status: 404, source: 'upstream' }],
  [
    'a 404 that may mean a record',
    (_, out) => json(out, 404, { message: 'Not Found' }),
    { path: '/pets/5', status: 404, source: 'upstream' },
  ],
  [
    'a documented 404 of a removal',
    (_, out) => json(out, 404, { message: 'Not Found' }),
    { method: 'DELETE', path: '/pets/5', status: 404, source: 'upstream' },
  ],
  [
    'a 404 without documented meaning',
    (_, out) => json(out, 404, { message: 'Not Found' }),
    { status: 200, source: 'mock' },
  ],
])('auto: %s', async (_, respond, { method = 'GET', path = '/pets', ...want }) => {
  const { send } = await startBoth(respond);
  expect(await send(method, path)).toMatchObject(want);
});

test('auto: where all 404 are the same, a record that can be read shows that the operation is lacking', async () => {
  const pets = new Map([[701, REX]]);
  const respond: Respond = ({ method, url }, out) => {
    const pet = pets.get(Number(url.split('/').at(-1)));
    return method === 'GET' && pet ? json(out, 200, pet) : json(out, 404, { message: 'Not Found' });
  };
  const { send, notices } = await startBoth(respond);
  expect(await send('GET', '/pets/701/toys')).toMatchObject({ status: 200, source: 'mock' });
  expect(await send('GET', '/pets/702/toys')).toMatchObject({ status: 404, source: 'upstream' });
  expect(notices.at(-1)).toContain('--source listToys=mock mocks the operation');
  // It was removed, which a mock must not hide.
  pets.clear();
  expect(await send('GET', '/pets/701')).toMatchObject({ status: 404, source: 'upstream' });
  expect(await send('GET', '/pets/701/toys')).toMatchObject({ status: 404, source: 'upstream' });
});

test('auto: a refused connection is mocked, and said once', async () => {
  const service = await startService();
  await service.close();
  const { send, notices } = await startInFront(service.url);
  expect(await send('POST', '/pets', { name: 'Milo' })).toMatchObject({ status: 201, source: 'mock' });
  expect(await send('POST', '/pets', { name: 'Otto' })).toMatchObject({ status: 201, source: 'mock' });
  expect(notices.filter((text) => text.includes('connection refused'))).toHaveLength(1);
});

test('real: what the service lacks is what the client gets, and a refused connection is a 502', async () => {
  const sources = { all: 'real' } as const;
  const { send, service } = await startBoth((_, out) => json(out, 501, { message: 'later' }), { sources });
  expect(await send('GET', '/pets')).toEqual({ status: 501, source: 'upstream', body: { message: 'later' } });
  await service.close();
  const failed = await send('GET', '/pets');
  expect(failed).toMatchObject({ status: 502, source: 'mock' });
  expect(JSON.stringify(failed.body)).toContain('connection refused');
});

test('no write is sent twice: not where the connection breaks, and not where the time is over', async () => {
  const broken = await startBoth((_, __, socket) => socket.destroy() && true);
  const failed = await broken.send('POST', '/pets', { name: 'Milo' });
  expect(failed.status).toBe(502);
  expect(JSON.stringify(failed.body)).toContain('may have been carried out, and is not repeated');
  expect(broken.service.received).toHaveLength(1);

  const late = await startBoth(() => true, { upstreamTimeout: 50 });
  const timed = await late.send('POST', '/pets', { name: 'Milo' });
  expect(timed.status).toBe(504);
  expect(JSON.stringify(timed.body)).toContain('within 50 ms');
  expect(late.service.received).toHaveLength(1);

  const lacking = await startBoth((_, out) => json(out, 501, {}));
  expect(await lacking.send('POST', '/pets', { name: 'Milo' })).toMatchObject({
    status: 201,
    source: 'mock',
  });
  expect(lacking.service.received).toHaveLength(1);
});

test('a read over a connection that the service closes meanwhile is sent again, a write gets a connection of its own', async () => {
  let requests = 0;
  const connections = new Set<number | undefined>();
  const { send } = await startBoth(({ method }, out, socket) => {
    requests += 1;
    connections.add(socket.remotePort);
    if (method === 'GET' && requests === 2) return socket.destroy() && true;
    return json(out, method === 'GET' ? 200 : 201, method === 'GET' ? [] : REX);
  });
  expect((await send('GET', '/pets')).status).toBe(200);
  expect((await send('GET', '/pets')).status).toBe(200);
  expect(requests).toBe(3);
  expect((await send('POST', '/pets', { name: 'Rex' })).status).toBe(201);
  expect(connections.size).toBe(3);
});

test('bodies, headers and redirects pass as they are; what belongs to the connection does not', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const packed = gzipSync(JSON.stringify([REX]));
  const { mock, service } = await startBoth(({ url, method }, out) => {
    if (url.startsWith('/api/old')) out.writeHead(302, { Location: '/elsewhere' }).end();
    else if (method === 'POST')
      out
        .writeHead(201, { 'Set-Cookie': ['a=1', 'b=2'], 'Content-Type': 'application/octet-stream' })
        .end(bytes);
    else
      out
        .writeHead(200, {
          'Content-Encoding': 'gzip',
          'Content-Type': 'application/json',
          Connection: 'X-Own',
          'X-Own': '1',
        })
        .end(packed);
    return true;
  });
  const posted = await fetch(`${mock.url}/pets?a=%2F%20b`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/x-own', 'X-Kept': 'yes', Authorization: 'Bearer secret' },
    body: bytes,
  });
  expect(Buffer.from(await posted.arrayBuffer())).toEqual(bytes);
  expect(posted.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const [sent] = service.received;
  expect(sent).toMatchObject({ url: '/api/pets?a=%2F%20b', body: bytes });
  expect(sent?.headers).toMatchObject({
    'x-kept': 'yes',
    authorization: 'Bearer secret',
    host: new URL(service.url).host,
  });

  const listed = await fetch(`${mock.url}/pets`);
  expect(await listed.json()).toEqual([REX]);
  expect(listed.headers.get('x-own')).toBeNull();
  const moved = await fetch(`${mock.url}/old`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/elsewhere']);
  // The mock learned from the list, although it was compressed.
  expect(await mock.records('/pets')).toEqual([REX]);
});

test('HEAD, no content and long bodies keep their lengths', async () => {
  const long = Buffer.alloc(17 * 2 ** 20, 'x');
  const { mock, notices } = await startBoth(({ method, url }, out) => {
    if (url === '/api/long') out.writeHead(200, { 'Content-Type': 'text/plain' }).end(long);
    else if (method === 'DELETE') out.writeHead(204).end();
    else out.writeHead(200, { 'Content-Length': '1234' }).end();
    return true;
  });
  const head = await fetch(`${mock.url}/pets`, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe('1234');
  // A missing body is no error.
  expect(notices).toEqual([]);
  const gone = await fetch(`${mock.url}/pets/7`, { method: 'DELETE' });
  expect([gone.status, gone.headers.get('content-length')]).toEqual([204, null]);
  const warnings: string[] = [];
  const warn = ({ name }: Error) => warnings.push(name);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const whole = await fetch(`${mock.url}/long`);
  expect(Buffer.from(await whole.arrayBuffer()).equals(long)).toBe(true);
  // Warnings about accumulating listeners while the client is slow.
  expect(warnings).toEqual([]);
});

test('a stream of events passes as it comes', async () => {
  let finish = () => {};
  const { mock } = await startBoth((_, out) => {
    out.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    finish = () => out.end('data: 2\n\n');
    return true;
  });
  const response = await fetch(`${mock.url}/pets`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
  expect(await read()).toBe('data: 1\n\n');
  finish();
  expect(await read()).toBe('data: 2\n\n');
  expect((await reader.read()).done).toBe(true);
});

test('a client that leaves a silent stream leaves the real service, too', async () => {
  const left = Promise.withResolvers<void>();
  const { mock } = await startBoth((_, out, socket) => {
    out.writeHead(200, { 'Content-Type': 'application/stream+json' }).write('{}\n');
    socket.on('close', left.resolve);
    return true;
  });
  const response = await fetch(`${mock.url}/pets`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('{}\n');
  await reader.cancel();
  await left.promise;
});

test('a client that leaves before a stream begins leaves the real service, too', async () => {
  const asked = Promise.withResolvers<() => void>();
  const left = Promise.withResolvers<void>();
  const { mock, send } = await startBoth(({ url }, out, socket) => {
    if (url !== '/api/pets') return json(out, 200, REX);
    socket.on('close', left.resolve);
    asked.resolve(() => out.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n'));
    return true;
  });
  const leaving = new AbortController();
  const response = fetch(`${mock.url}/pets`, { signal: leaving.signal });
  const begin = await asked.promise;
  leaving.abort();
  await expect(response).rejects.toThrow('aborted');
  // By now the mock has noticed that the client left.
  await send('GET', '/pets/701');
  begin();
  await left.promise;
});

test('what the real service breaks of the document is in the log and among the requests', async () => {
  const entries: unknown[] = [];
  const respond: Respond = ({ url }, out) => json(out, 200, url === '/api/pets' ? [{ id: 'x' }] : REX);
  const { mock, send } = await startBoth(respond, {
    judge: judgeTraffic,
    log: (entry) => entries.push(entry),
  });
  await send('GET', '/pets/701');
  await send('GET', '/pets');
  const [sound, broken] = mock.requests().map(({ response }) => response);
  expect(sound).toMatchObject({ source: 'upstream' });
  expect(sound?.violations).toBeUndefined();
  expect(broken?.violations).toContainEqual({
    where: 'schema',
    message: expect.stringContaining('name is required'),
    at: expect.stringMatching(/^halves\.yaml:\d+$/),
  });
  expect(entries).toMatchObject([
    { operation: 'getPet', source: 'upstream' },
    { operation: 'listPets', source: 'upstream', broken: [{ where: 'schema' }, {}] },
  ]);
});

test('codings are asked for only where they can be undone', async () => {
  const { service, mock } = await startBoth(halfOf(new Map([[701, REX]])));
  await fetch(`${mock.url}/pets/701`, { headers: { 'accept-encoding': 'gzip, dcb, br' } });
  expect(service.received[0]?.headers['accept-encoding']).toBe('gzip, br');
});

test('rules apply to what is real: a forced status asks nobody, a delay and a header go with the response', async () => {
  const { mock, service } = await startBoth(halfOf(new Map([[701, REX]])));
  const remove = mock.addRule({ operation: 'getPet', status: 404 });
  expect((await fetch(`${mock.url}/pets/701`)).status).toBe(404);
  expect(service.received).toEqual([]);
  remove();
  mock.addRule({ operation: 'getPet', headers: { 'X-Seen': '1' }, delay: 1 });
  const response = await fetch(`${mock.url}/pets/701`);
  expect(await response.json()).toEqual(REX);
  expect([response.headers.get('x-seen'), response.headers.get('paddock-source')]).toEqual(['1', 'upstream']);
});

test('a rule says who responds, for as many requests as it says', async () => {
  const { mock, send } = await startBoth(halfOf(new Map([[701, REX]])));
  mock.addRule({ operation: 'listPets', source: 'mock', times: 1 });
  const answers = [await send('GET', '/pets'), await send('GET', '/pets')];
  expect(answers.map(({ source }) => source)).toEqual(['mock', 'upstream']);
  expect(() => mock.addRule({ source: 'real', status: 503 })).toThrow('status and source exclude each other');
});

test('without a real service a rule about one is refused', async () => {
  const mock = await createMock({ document: await readHalves(), port: false });
  expect(() => mock.addRule({ source: 'real' })).toThrow('start the mock with --upstream');
  await mock.close();
});

test('a reset forgets what the real service has shown', async () => {
  const { mock, send } = await startBoth(halfOf(new Map([[701, REX]])));
  await send('GET', '/pets');
  await send('POST', '/pets', { name: 'Milo' });
  await mock.reset();
  expect((await mock.records('/pets')).length).toBe(50);
  expect(await send('GET', '/pets')).toMatchObject({ source: 'upstream', body: [REX] });
});

test('a removal by the real service takes the record, and what is mocked below it', async () => {
  const pets = new Map([[701, REX]]);
  const { mock, send } = await startBoth((request, out, socket) => {
    if (request.method !== 'DELETE') return halfOf(pets)(request, out, socket);
    pets.clear();
    return out.writeHead(204).end() && true;
  });
  await send('POST', '/pets/701/toys', { name: 'ball' });
  expect(await mock.records('/pets/701/toys')).toHaveLength(1);
  expect(await send('DELETE', '/pets/701')).toMatchObject({ status: 204, source: 'upstream' });
  expect(await mock.records('/pets')).toEqual([]);
});

test('a page of this machine reads a real response; to others the real service says what they may read', async () => {
  const { mock } = await startBoth(halfOf(new Map()));
  const own = await fetch(`${mock.url}/pets`, { headers: { Origin: 'http://localhost:5173' } });
  expect(own.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  expect(own.headers.get('access-control-expose-headers')).toContain('paddock-source');
  const foreign = await fetch(`${mock.url}/pets`, { headers: { Origin: 'https://evil.example' } });
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  const mocked = await fetch(`${mock.url}/nothing`, { headers: { Origin: 'http://localhost:5173' } });
  expect(mocked.headers.get('access-control-expose-headers')).toMatch(/Paddock-Source$/);
});

const FOREIGN_PAGE = {
  Origin: 'https://evil.example',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'content-type',
};

test.each<[string, Respond]>([
  ['404', () => undefined],
  ['405', (_, out) => json(out, 405, {})],
  ['501', (_, out) => json(out, 501, {})],
  ['200 without CORS', (_, out) => json(out, 200, {})],
])(
  'a page of another machine may send nothing where the real service has a %s for its preflight',
  async (_, respond) => {
    const { mock, service } = await startBoth(respond);
    const preflight = await fetch(`${mock.url}/pets`, { method: 'OPTIONS', headers: FOREIGN_PAGE });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    expect(preflight.headers.get('paddock-source')).toBe('upstream');
    const [sent] = service.received;
    expect(sent).toMatchObject({
      method: 'OPTIONS',
      url: '/api/pets',
      headers: { origin: FOREIGN_PAGE.Origin },
    });
  },
);

test('a page of another machine may send what the real service permits it', async () => {
  const { mock } = await startBoth((_, out) => {
    out.writeHead(204, {
      'Access-Control-Allow-Origin': FOREIGN_PAGE.Origin,
      'Access-Control-Allow-Methods': 'POST',
    });
    out.end();
    return true;
  });
  const preflight = await fetch(`${mock.url}/pets`, { method: 'OPTIONS', headers: FOREIGN_PAGE });
  expect([
    preflight.status,
    preflight.headers.get('access-control-allow-origin'),
    preflight.headers.get('access-control-allow-methods'),
  ]).toEqual([204, FOREIGN_PAGE.Origin, 'POST']);
});

test('the mock permits preflights of this machine, and those of operations that it alone responds to', async () => {
  const { mock, service } = await startBoth(() => undefined, { sources: { createPet: 'mock' } });
  const preflights = [
    { ...FOREIGN_PAGE, Origin: 'http://localhost:5173' },
    { ...FOREIGN_PAGE, Origin: 'http://127.0.0.1:8000', 'Access-Control-Request-Method': 'DELETE' },
    FOREIGN_PAGE,
  ];
  for (const headers of preflights) {
    const { status, headers: given } = await fetch(`${mock.url}/pets`, { method: 'OPTIONS', headers });
    expect([status, given.get('access-control-allow-origin')]).toEqual([204, headers.Origin]);
  }
  expect(service.received).toEqual([]);
});

test('paths that the document does not have are asked for, too, below the base path', async () => {
  const { mock, service } = await startBoth(({ url }, out) =>
    url === '/api/health' ? json(out, 200, 'up') : undefined,
  );
  const health = await fetch(`${mock.url}/health`);
  expect([health.status, await health.json(), health.headers.get('paddock-source')]).toEqual([
    200,
    'up',
    'upstream',
  ]);
  const nothing = await fetch(`${mock.url}/nothing`);
  expect([nothing.status, nothing.headers.get('paddock-source')]).toEqual([404, 'mock']);
  const before = service.received.length;
  const outside = await fetch(new URL('/health', mock.url));
  expect([outside.status, service.received.length]).toEqual([404, before]);
});

test('what is no HTTP is a 502 that says so', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0\r\n'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const { send } = await startInFront(`http://127.0.0.1:${port}`);
  expect(await send('GET', '/pets')).toMatchObject({
    status: 502,
    body: { message: expect.stringContaining('HTTP') },
  });
});

test.each<[Partial<MockOptions>, RegExp]>([
  [{ upstream: 'ftp://a.example' }, /upstream must be a URL with http or https/],
  [{ upstream: 'http://me:secret@a.example' }, /^(?!.*secret)/],
  [{ sources: { nothing: 'real' } }, /no operation "nothing"/],
  [{ sources: { listpets: 'real' } }, /it has "listPets"/],
  [{ sources: { listPets: 'other' as 'real' } }, /"real", "mock" or "auto"/],
  [{ upstream: undefined, sources: { listPets: 'real' } }, /needs a real service/],
])('%j is refused', async (options, message) => {
  const given = {
    document: await readHalves(),
    port: false,
    upstream: 'http://127.0.0.1:9',
    ...options,
  } as const;
  await expect(createMock(given)).rejects.toThrow(message);
});

test('clients hear of what the mock does, and not of what it learns of the real service', async () => {
  const receiver = await startReceiver();
  const service = await startService(({ method, url }, outgoing) =>
    method === 'GET' && url === '/api/signals'
      ? json(outgoing, 200, [{ id: 7, label: 'Real', state: 'lit' }])
      : undefined,
  );
  const document = 'fixtures/specs/signals.yaml';
  const { send, mock } = await startInFront(service.url, { document });
  await send('POST', '/subscriptions', { callbackUrl: receiver.url });
  expect((await send('GET', '/signals')).body).toHaveLength(1);
  await send('POST', '/signals', { label: 'Mine' });
  await settled(mock);
  const heard = receiver.received.map(({ body }) => JSON.parse(body).signal.label);
  expect(heard).toEqual(['Mine']);
});

test('what has servers of its own is asked beside the base URL of the real service, as it was encoded', async () => {
  const content = jsonContent({ type: 'string' });
  const post = { requestBody: { content }, responses: { 200: { description: 'ok', content } } };
  const paths = { '/a': { post }, '/b': { servers: [{ url: 'https://files.example/bb' }], post } };
  const document = await readContract(documentOf(paths, { servers: [{ url: '/api' }] }), 'servers.json');
  const { mock, service } = await startBoth((_, response) => json(response, 200, 'done'), { document });
  const origin = mock.url.slice(0, -'/api'.length);
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  for (const path of ['/api/a', '/bb/b'])
    await fetch(origin + path, { method: 'POST', headers, body: gzipSync('"x"') });
  expect(service.received.map(({ url }) => url)).toEqual(['/api/a', '/bb/b']);
  expect(service.received[1]?.body).toEqual(gzipSync('"x"'));
});
