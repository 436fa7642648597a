import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Mock } from '../index.ts';
import { ask, SHIPPED, serve } from '../testing/serve.ts';
import { serveBare, silentReader } from '../testing/wire.ts';

const HEAD = 'Host: here\r\nAuthorization: Bearer paddock-dev-key\r\n';
const get = (path: string) => `GET /v1${path} HTTP/1.1\r\n${HEAD}\r\n`;
const PET = '{"name":"Rex","categoryId":1}';
const POST = `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${PET.length}\r\n\r\n${PET}`;

/** Of one response: a handful fills the buffers that the system has for a connection. */
const LARGE = 1_000_000;

/** A mock whose list is large, and the number of requests that it has responded to. */
async function serveLargeList() {
  const handled = { count: 0 };
  const log = () => {
    handled.count += 1;
  };
  const mock = await serve(SHIPPED, { port: 0, log });
  mock.addRule({ operation: 'listPets', body: JSON.stringify(['x'.repeat(LARGE)]) });
  return { mock, handled };
}

async function expectHealthy(mock: Mock): Promise<void> {
  expect((await fetch(`${mock.controlUrl}/health`)).status).toBe(200);
}

const countOf = async (mock: Mock) => (await ask(mock, 'GET /pets?limit=100')).body.length;

test('pipelined responses are made as their client reads, and are those of a bare server', async () => {
  const { mock, handled } = await serveLargeList();
  const requests = (get('/pets') + get('/pets/7')).repeat(40);
  const reader = silentReader(mock.url, requests);
  await reader.hasReceived();
  await expectHealthy(mock);
  expect(handled.count).toBeLessThan(30);
  const received = await reader.read(80);

  const texts = {
    '/v1/pets': (await ask(mock, 'GET /pets')).text,
    '/v1/pets/7': (await ask(mock, 'GET /pets/7')).text,
  };
  const bare = silentReader(await serveBare(texts), requests);
  const wanted = await bare.read(80);
  expect(received.map(digest)).toEqual(wanted.map(digest));
});

test('nothing is done for a client that has gone', async () => {
  const { mock, handled } = await serveLargeList();
  const reader = silentReader(mock.url, (get('/pets').repeat(10) + POST).repeat(8));
  await reader.hasReceived();
  reader.leave();
  for (let round = 0; round < 10; round++) await expectHealthy(mock);
  expect(handled.count).toBeLessThan(30);
  expect((await ask(mock, 'GET /pets/51')).status).toBe(404);
});

test('of what a client has sent that leaves before the first response, little is acted on', async () => {
  const mock = await serve(SHIPPED, { port: 0, latency: 500 });
  const before = await countOf(mock);
  const reader = silentReader(mock.url, POST.repeat(40));
  await expectHealthy(mock);
  reader.leave();
  await sleep(700);
  expect((await countOf(mock)) - before).toBeLessThan(10);
});

test.each([0, 5])(
  'all of many pipelined requests are responded to in order, at a latency of %d ms',
  async (latency) => {
    const mock = await serve(SHIPPED, { port: 0, latency });
    const ids = Array.from({ length: 40 }, (_, at) => at + 1);
    const reader = silentReader(mock.url, ids.map((id) => POST + get(`/pets/${id}`)).join(''));
    const bodies = (await reader.read(80)).map((body) => JSON.parse(body.toString()).id);
    expect(bodies).toEqual(ids.flatMap((id) => [50 + id, id]));
  },
);

test('a body may wait for the responses before it to be read', async () => {
  const { mock } = await serveLargeList();
  const body = `{"name":"${'x'.repeat(500_000)}","categoryId":1}`;
  const post = POST.replace(`${PET.length}`, `${body.length}`).replace(PET, body);
  const reader = silentReader(mock.url, get('/pets').repeat(20) + post + get('/pets/7'));
  await reader.hasReceived();
  const bodies = await reader.read(22);
  expect(bodies.slice(20).map((text) => JSON.parse(text.toString()).id)).toEqual([51, 7]);
});

test('what is no request is refused after the responses that are waited for', async () => {
  const { mock } = await serveLargeList();
  const reader = silentReader(mock.url, `${get('/pets').repeat(20)}nonsense\r\n\r\n`);
  await reader.hasReceived();
  const bodies = await reader.read(21);
  expect(JSON.parse(bodies[20]?.toString() ?? '')).toMatchObject({ status: 400 });
});

test('what follows a whole request and is none takes no response away from it', async () => {
  const mock = await serve(SHIPPED, { port: 0 });
  const before = await countOf(mock);
  const reader = silentReader(mock.url, `${POST}nonsense\r\n\r\n`);
  const [created, refused] = await reader.read(2);
  expect(JSON.parse(`${created}`)).toMatchObject({ id: before + 1 });
  expect(JSON.parse(`${refused}`)).toMatchObject({ status: 400 });
  expect(await countOf(mock)).toBe(before + 1);
});

const digest = (body: Buffer) => createHash('sha256').update(body).digest('hex');
