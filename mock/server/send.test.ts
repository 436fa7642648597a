import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Feed, MockResponse } from '../http/exchange.ts';
import { SHIPPED, serve } from '../testing/serve.ts';
import { dial, exchange } from '../testing/wire.ts';
import { send } from './send.ts';

const HEAD = 'Host: here\r\nAuthorization: Bearer paddock-dev-key\r\n';
const ENDS = 'Connection: close\r\n';
const post = (body: string) =>
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${Buffer.from(body).toString('latin1')}`;

/** Headers of the connection and the time. */
const CHANGING = /^(?:Connection|Keep-Alive|Date): .*\r\n/gim;

test.each<[string, { line: string; rest?: string }]>([
  ['a list', { line: 'GET /v1/pets?limit=3' }],
  ['a record', { line: 'GET /v1/pets/7' }],
  ['a refusal with a challenge', { line: 'GET /v1/pets', rest: '\r\n' }],
  ['characters of several bytes', { line: 'POST /v1/pets', rest: post('{"name":"狼🐺é"}') }],
  ['a path of which there is nothing', { line: 'GET /v1/nothing' }],
  ['a response without a body', { line: 'OPTIONS /v1/pets' }],
  ['HEAD', { line: 'HEAD /v1/pets/7' }],
])('%s has the same bytes on a connection that stays open and on one that ends', async (_, given) => {
  const mock = await serve(SHIPPED, { port: 0 });
  const { line, rest = '\r\n' } = given;
  const head = given.rest === '\r\n' ? 'Host: here\r\n' : HEAD;
  const stays = `${line} HTTP/1.1\r\n${head}${rest}`;
  const ends = `${line} HTTP/1.1\r\n${head}${ENDS}${rest}`;
  const [first = '', last = '', ...more] = (await exchange(mock.url, stays + ends)).split(/(?=HTTP\/1\.1 )/);
  expect(more).toEqual([]);
  expect(first).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/m);
  expect(first).toMatch(/^Connection: keep-alive\r\nKeep-Alive: timeout=5\r$/m);
  expect(last).toMatch(/^Connection: close\r$/m);
  expect(first.replace(CHANGING, '')).toBe(last.replace(CHANGING, ''));
});

test('a date that is set is the only one', async () => {
  const mock = await serve(SHIPPED, { port: 0, now: new Date('2030-01-02T03:04:05Z') });
  const text = await exchange(mock.url, `GET /v1/pets/7 HTTP/1.1\r\n${HEAD}\r\n`);
  expect(text.match(/^date: .*$/gim)).toEqual([
    expect.stringMatching(/^Date: Wed, 02 Jan 2030 03:04:0\d GMT$/),
  ]);
});

test.each([204, 304])('a %d has no body, and the next response follows', async (status) => {
  const mock = await serve(SHIPPED, { port: 0 });
  mock.addRule({ operation: 'getPet', status, body: '', times: 1 });
  const get = `GET /v1/pets/7 HTTP/1.1\r\n${HEAD}\r\n`;
  const [first, next] = (await exchange(mock.url, get + get)).split(/(?=HTTP\/1\.1 )/);
  expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(first).toMatch(/\r\n\r\n$/);
  expect(next).toMatch(/^HTTP\/1\.1 200 .*"id":7/s);
});

test('a body may come in pieces, and the next request behind its last one', async () => {
  const mock = await serve(SHIPPED, { port: 0 });
  const body = '{"name":"Rex","categoryId":1}';
  const wire = dial(mock.url);
  wire.send(
    `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  for (const piece of [
    body.slice(0, 5),
    body.slice(5, 20),
    `${body.slice(20)}GET /v1/pets/7 HTTP/1.1\r\n${HEAD}${ENDS}\r\n`,
  ]) {
    await sleep(20);
    wire.send(piece);
  }
  const text = await wire.received();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200']);
  expect(text).toContain('"name":"Rex"');
});

test('a long response that waits for its reader again and again leaves no listeners', async () => {
  let waits = 0;
  const listeners = new Set<number>();
  const server = createServer((_, outgoing) => {
    const body: Feed = (reader) => {
      void (async () => {
        while (waits < 20) {
          reader.write('x'.repeat(200_000));
          const taken = reader.taken();
          if (taken) waits += 1;
          await taken;
          listeners.add(outgoing.listenerCount('close'));
        }
        reader.end();
      })();
      return () => {};
    };
    send({ status: 200, headers: {}, body } as MockResponse, outgoing, false);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
  expect(waits).toBe(20);
  expect(listeners.size).toBe(1);
});
