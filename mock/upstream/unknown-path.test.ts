import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createUpstreamClient } from './client.ts';
import { type Received, startService } from './testing/half-service.ts';
import { createUnknownPaths } from './unknown-path.ts';

type Page = (request: Received) => readonly [headers: Record<string, string>, body: string];

const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('/', '&#x2F;');

/** Frameworks' responses to an unknown path, and to a missing record. */
const FRAMEWORKS: readonly [name: string, unknown: Page, record: Page][] = [
  [
    'HTML with the method and the path',
    ({ method, url }) => [
      { 'content-type': 'text/html', etag: `"${url.length}"` },
      `<pre>Cannot ${method} ${html(decodeURIComponent(url.replace(/\?.*/, '')))}</pre>`,
    ],
    () => [{ 'content-type': 'text/html' }, '<pre>No such pet</pre>'],
  ],
  [
    'JSON with the method and the whole target',
    ({ method, url }) => [
      { 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() },
      JSON.stringify({ message: `Route ${method}:${url} not found`, error: 'Not Found', statusCode: 404 }),
    ],
    () => [{ 'content-type': 'application/json' }, JSON.stringify({ error: 'Not Found', statusCode: 404 })],
  ],
  [
    'JSON with a moment, a trace and the path below the prefix',
    ({ url }) => [
      { 'content-type': 'application/problem+json', date: 'x', 'x-ratelimit-remaining': String(url.length) },
      JSON.stringify({
        ...{ timestamp: new Date().toISOString(), trace: crypto.randomUUID().replaceAll('-', '') },
        ...{ status: 404, path: url.replace('/api', '') },
      }),
    ],
    ({ url }) => [
      { 'content-type': 'application/problem+json' },
      JSON.stringify({ status: 404, path: url.replace('/api', ''), title: 'Gone' }),
    ],
  ],
  [
    'a sentence whose words are also those of methods',
    () => [{ 'content-type': 'text/plain' }, 'We could not get, post or delete it'],
    () => [{ 'content-type': 'text/plain' }, 'We could not get, post or delete this pet'],
  ],
  [
    'the same body, and another header',
    () => [{ 'content-type': 'text/plain' }, 'not found'],
    () => [{ 'content-type': 'text/plain', 'x-kind': 'record' }, 'not found'],
  ],
];

test.each(FRAMEWORKS)('%s', async (_, unknown, record) => {
  const respond = (request: Received, out: ServerResponse) => {
    const [headers, body] = (request.url.startsWith('/api/pets/7') ? record : unknown)(request);
    return out.writeHead(404, headers).end(request.method === 'HEAD' ? undefined : body);
  };
  const service = await startService(respond);
  const client = createUpstreamClient(new URL(service.url), 5000, true);
  const isUnknownPath = createUnknownPaths(client, '/api');
  const ask = async (method: string, path: string) => {
    const headers = [['accept', 'application/json']] as const;
    const request = { method, target: `/api${path}`, headers, body: undefined };
    return isUnknownPath(request, await client.send(request));
  };
  expect(await ask('GET', '/toys')).toBe(true);
  expect(await ask('POST', '/toys/a%20b?limit=3')).toBe(true);
  expect(await ask('DELETE', '/toys/12345678901')).toBe(true);
  expect(await ask('GET', '/pets/7')).toBe(false);
  // All of them share one made-up path.
  expect(service.received.filter(({ url }) => /^\/api\/[\da-f-]{36}$/.test(url))).toHaveLength(1);
  client.close();
});

test('a service that has an answer for every path has no unknown ones', async () => {
  const service = await startService(({ url }, out) =>
    out.writeHead(url === '/api/a' ? 404 : 200).end('page'),
  );
  const client = createUpstreamClient(new URL(service.url), 5000, true);
  const request = { method: 'GET', target: '/api/a', headers: [], body: undefined };
  const isUnknown = await createUnknownPaths(client, '/api')(request, await client.send(request));
  expect(isUnknown).toBe(false);
  client.close();
});
