import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, createFetchClient, type Fetch, WireError } from './client.ts';
import { MAX_BODY, type WireRequest } from './wire.ts';

const request = (changes: Partial<WireRequest> = {}): WireRequest => ({
  method: 'POST',
  url: new URL('http://localhost/v1/things?a=%20b'),
  headers: [
    ['Content-Type', 'application/json'],
    ['X-Twice', '1'],
    ['X-Twice', '2'],
  ],
  body: new TextEncoder().encode('{"a":1}'),
  chunked: false,
  ...changes,
});

const client = (fetch: Fetch, timeout = 10_000) => createFetchClient(fetch, timeout, undefined);

test('a request arrives as it is, and so does its response', async () => {
  const seen: Request[] = [];
  const { send } = client(async (url, init) => {
    seen.push(new Request(url, init));
    return new Response('grün', { status: 418, headers: { 'x-a': 'b' } });
  });
  const { status, headers, body, cut } = await send(request());
  expect({ status, cut, text: new TextDecoder().decode(body) }).toEqual({
    status: 418,
    cut: false,
    text: 'grün',
  });
  expect(headers).toContainEqual(['x-a', 'b']);
  const [sent] = seen as [Request];
  expect([sent.method, sent.url, await sent.text()]).toEqual([
    'POST',
    'http://localhost/v1/things?a=%20b',
    '{"a":1}',
  ]);
  expect(sent.headers.get('x-twice')).toBe('1, 2');
});

test('a long body is cut, as over a socket', async () => {
  const { cut, body } = await client(async () => new Response(new Uint8Array(MAX_BODY + 1))).send(request());
  expect({ cut, length: body.length }).toEqual({ cut: true, length: MAX_BODY });
});

test('what fetch cannot send was never sent', async () => {
  let calls = 0;
  const { send } = client(async () => {
    calls += 1;
    return new Response();
  });
  for (const impossible of [{ method: 'TRACE', body: undefined }, { method: 'GET' }]) {
    const error = await send(request(impossible)).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(WireError);
    expect(error.neverSent).toBe(true);
  }
  expect(calls).toBe(0);
});

test('an error of the function is one of the connection, and so is its silence', async () => {
  const failing = client(async () => {
    throw new TypeError('fetch failed');
  });
  expect(await failing.send(request()).catch((error) => error)).toMatchObject({
    name: 'WireError',
    message: 'fetch failed',
    neverSent: false,
    timedOut: false,
  });
  const silent = client(
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    20,
  );
  expect(await silent.send(request()).catch((error) => error)).toMatchObject({ timedOut: true });
});

test('that this process was busy is no silence of the target', async () => {
  const server = createServer((_, response) => void response.end('done'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
  const { send, close } = createClient({ timeout: 300, direct: true });
  onTestFinished(close);
  const sent = send(request({ method: 'GET', body: undefined, headers: [], url }));
  const until = performance.now() + 700;
  while (performance.now() < until);
  expect((await sent).status).toBe(200);
});
