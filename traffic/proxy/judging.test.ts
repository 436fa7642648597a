import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createProxy, type ProxyOptions } from './index.ts';
import { rawClient, rawServer } from './testing/wire.ts';

const DOCUMENT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));
const HEADERS = { authorization: 'Bearer key', 'content-type': 'application/json' };

async function inFrontOf(answer: RequestListener, options: Partial<ProxyOptions> = {}) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const proxy = await createProxy({
    target,
    document: DOCUMENT,
    port: 0,
    exclusive: true,
    settle: 0,
    ...options,
  });
  onTestFinished(() => proxy.close());
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(proxy.url + path, { headers: HEADERS, ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const admin = async (path: string, init: RequestInit = {}) => fetch(proxy.adminUrl + path, init);
  const laws = () => proxy.report().findings.map(({ law, operationId }) => `${law} ${operationId}`);
  return { proxy, ask, admin, laws };
}

/** Answers with JSON what `answerOf` makes of method and path. */
function json(answerOf: (asked: string) => readonly [number, unknown]): RequestListener {
  return (request, response) => {
    const [status, value] = answerOf(`${request.method} ${request.url}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}

const PET = { id: 7, name: 'Rex', categoryId: 1 };

test('a service that keeps its document has no finding, and its cells are covered', async () => {
  const { ask, proxy, laws } = await inFrontOf(json(() => [200, PET]));
  for (let count = 0; count < 5; count++) expect((await ask('/pets/7')).text).toBe(JSON.stringify(PET));
  expect(laws()).toEqual([]);
  expect(proxy.report()).toMatchObject({ exitCode: 0, totals: { requests: 5 } });
  expect(proxy.found().counts).toMatchObject({ requests: 5, judged: 5, unknown: 0 });
});

test('a response that is the same again is counted, and one that changes is judged', async () => {
  let count = 0;
  const { ask, proxy, laws } = await inFrontOf(
    json(() => {
      count += 1;
      return [200, count < 20 ? PET : { ...PET, name: 7 }];
    }),
  );
  for (let asked = 0; asked < 19; asked++) await ask('/pets/7');
  expect(laws()).toEqual([]);
  await ask('/pets/7');
  expect(laws()).toContain('schema getPet');
  expect(proxy.found().traffic.judged).toBe(20);
});

test('what follows from several exchanges is found, repetitions or not', async () => {
  const { ask, laws } = await inFrontOf(
    json((asked) => {
      if (asked.startsWith('POST')) return [201, PET];
      return asked.endsWith('/pets/7') ? [200, { ...PET, name: 'Another' }] : [200, []];
    }),
  );
  for (let count = 0; count < 3; count++) await ask('/pets');
  const { status } = await ask('/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' });
  expect(status).toBe(201);
  await ask('/pets/7');
  await ask('/pets');
  expect(laws()).toEqual(expect.arrayContaining(['created-can-be-read getPet']));
});

test('a compressed response is judged, and passes compressed', async () => {
  const { ask, laws } = await inFrontOf((_, response) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    response.writeHead(200, headers).end(gzipSync('{"id":"seven"}'));
  });
  expect((await ask('/pets/7')).text).toBe('{"id":"seven"}');
  expect(laws()).toContain('schema getPet');
});

test('a body that is too long passes, and is counted', async () => {
  const long = Buffer.alloc(17 * 2 ** 20, 'a');
  for (const annotate of [false, true]) {
    const { ask, proxy } = await inFrontOf(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(long),
      { annotate },
    );
    expect((await ask('/pets/7')).text.length).toBe(long.length);
    expect(proxy.found().counts).toMatchObject({ requests: 1, tooLong: 1, judged: 0 });
  }
});

test('--enforce lets through what keeps the document', async () => {
  const { ask } = await inFrontOf(
    json((asked) => (asked.endsWith('/7') ? [200, PET] : [200, 'no pet'])),
    { enforce: true },
  );
  // Until the service has shown itself, nothing is held against it.
  expect((await ask('/pets/7')).status).toBe(200);
  expect((await ask('/pets/8')).status).toBe(502);
  expect((await ask('/pets/7')).text).toBe(JSON.stringify(PET));
});

test('/__admin is for this machine, or for those with the token', async () => {
  const open = await inFrontOf(json(() => [200, PET]));
  await open.ask('/pets/7?api_key=secret');
  expect(await (await open.admin('/health')).json()).toMatchObject({ status: 'ok' });
  const [seen] = (await (await open.admin('/requests')).json()) as unknown[];
  expect(seen).toMatchObject({ id: 1, method: 'GET', target: '/v1/pets/7?api_key=***', status: 200 });
  expect((await open.admin('/findings', { headers: { origin: 'https://elsewhere.example' } })).status).toBe(
    403,
  );
  expect((await open.admin('/elsewhere')).status).toBe(404);
  expect((await open.admin('/findings', { method: 'PUT' })).status).toBe(405);
  const page = await open.admin('/');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  const locked = await inFrontOf(
    json(() => [200, PET]),
    { adminToken: 'token' },
  );
  expect((await locked.admin('/findings')).status).toBe(401);
  const headers = { authorization: 'Bearer token' };
  expect((await locked.admin('/findings', { headers })).status).toBe(200);
});

test('a secret is known by the name of its header or parameter, without a security scheme', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = join(folder, 'openapi.json');
  const schema = { type: 'object', properties: { echo: { type: 'integer' } } };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  await writeFile(
    document,
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Open', version: '1' },
      paths: { '/pets': { get: { operationId: 'listPets', responses } } },
    }),
  );
  const notices: unknown[] = [];
  const { ask, admin, proxy } = await inFrontOf(
    ({ headers, url }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'sid=s3t-Cookie-Vv53' });
      response.end(
        headers['x-api-key'] ? JSON.stringify({ echo: `${url} ${Object.values(headers)}` }) : '{}',
      );
    },
    {
      document,
      onFinding: (finding) => void notices.push(finding),
      notice: (text) => void notices.push(text),
    },
  );
  const events = await admin('/events');
  const reader = (events.body as ReadableStream<Uint8Array>).getReader();
  await ask('/pets');
  await ask('/pets?access_token=qu3ry-Tt31&limit=2', {
    headers: {
      authorization: 'Bearer b3arer-Xy77',
      cookie: 'sid=s3ss-Kw0p1',
      'x-api-key': 'k3y-Pv21aa',
      'x-gateway-token': 'g4te-Lm88bb',
    },
  });
  let heard = '';
  while (!heard.includes('event: finding\n')) heard += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  const seen = await Promise.all(
    ['/findings', '/requests', '/report'].map(async (path) => (await admin(path)).text()),
  );
  expect(proxy.report().findings).toHaveLength(1);
  for (const text of [heard, ...seen, JSON.stringify(notices)]) {
    expect(text).toMatch(/access_token=(?:\*\*\*|\[redacted\])&limit=2/);
    expect(text).not.toMatch(/b3arer|s3ss-K|k3y-P|g4te|qu3ry|s3t-C/);
  }
});

const POST =
  'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"name"';
const GET = 'GET /v1/pets/7 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\n\r\n';
const BEGUN = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** What the client sends, what a target has answered when the client leaves: `end` is FIN, `resetAndDestroy` is RST. */
const LEAVING = [
  ['in a request', POST, '', '{"name"'],
  ['before the response', GET, '', '\r\n\r\n'],
  ['in the head of a response', GET, 'HTTP/1.1 200 OK\r\nConte', '\r\n\r\n'],
  ['in a body of known length', GET, `${BEGUN}Content-Length: 99\r\n\r\n{"id":`, '\r\n\r\n'],
  ['in a chunked body', GET, `${BEGUN}Transfer-Encoding: chunked\r\n\r\n6\r\n{"id":\r\n`, '\r\n\r\n'],
  ['in a body that ends with the connection', GET, `${BEGUN}Connection: close\r\n\r\n{"id":`, '\r\n\r\n'],
] as const;

test.for(
  LEAVING.flatMap(([where, ...row]) =>
    (['end', 'destroy', 'resetAndDestroy'] as const).map((how) => [where, how, ...row] as const),
  ),
)('a client that leaves %s is no fault of the target: %s', async ([, how, request, answer, last]) => {
  let leave = () => {};
  // The proxy keeps the beginning of a head.
  const reaches = answer.includes('\r\n\r\n');
  // As Node's own server does, it ends a connection whose client has ended it.
  const target = await rawServer((socket) => {
    let sent = '';
    socket.on('data', (bytes) => {
      sent += bytes;
      if (!sent.endsWith(last)) return;
      socket.write(answer);
      if (!reaches) leave();
    });
    socket.on('end', () => void socket.end());
  });
  onTestFinished(() => target.close());
  const notices: string[] = [];
  const proxy = await createProxy({
    target: `${target.url}/v1`,
    document: DOCUMENT,
    port: 0,
    notice: (text) => void notices.push(text),
  });
  onTestFinished(() => proxy.close());
  const client = rawClient(Number(new URL(proxy.url).port));
  leave = () => void client.socket[how]();
  client.send(request);
  if (reaches) {
    await client.until((text) => text.includes('{"id":'));
    leave();
  }
  await expect.poll(() => proxy.found().counts.abandoned).toBe(1);
  expect(proxy.found().counts).toMatchObject({ failed: 0, judged: 0 });
  expect({ notices, findings: proxy.report().findings }).toEqual({ notices: [], findings: [] });
});

test('what is not sampled passes, is not judged, and is counted in verdict and report', async () => {
  const { ask, proxy } = await inFrontOf(
    json(() => [200, PET]),
    { sample: 0.5 },
  );
  for (let count = 0; count < 40; count++) expect((await ask('/pets/7')).text).toBe(JSON.stringify(PET));
  const { judged, notSampled } = proxy.found().counts;
  expect(judged + notSampled).toBe(40);
  expect(judged).toBeGreaterThan(8);
  expect(notSampled).toBeGreaterThan(8);
  expect(proxy.report()).toMatchObject({
    verdict: 'holds',
    reason: `Of 40 exchanges, ${judged} were judged and ${notSampled} left out by sampling.`,
    traffic: { exchanges: 40, judged, notSampled },
  });
});

test.each([
  [{ sample: 0 }, /sample: it must be more than 0, and at most 1/],
  [{ sample: 1.5 }, /sample: it must be/],
  [{ sample: 0.5, enforce: true }, /sample leaves out what enforce and annotate judge/],
  [{ mask: ['/a~2'] }, /mask: "\/a~2" is neither/],
])('%j is refused', async (options, message) => {
  await expect(
    inFrontOf(
      json(() => [200, PET]),
      options,
    ),
  ).rejects.toThrow(message);
});
