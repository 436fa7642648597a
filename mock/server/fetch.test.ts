import { expect, test } from 'vitest';
import { BUILT_IN_KEY, type Mock } from '../index.ts';
import { SHIPPED, serve } from '../testing/serve.ts';

const authorization = `Bearer ${BUILT_IN_KEY}`;
const type = { 'content-type': 'application/json' };

test.each<[string, { path: string; init?: RequestInit; want: number }]>([
  ['a target just within bounds', { path: `/pets?status=${'x'.repeat(15_000)}`, want: 400 }],
  ['a target that is too long', { path: `/pets?status=${'x'.repeat(20_000)}`, want: 414 }],
  ['headers within bounds', { path: '/pets', init: { headers: { 'x-a': 'x'.repeat(15_000) } }, want: 200 }],
  [
    'headers that are too large',
    { path: '/pets', init: { headers: { 'x-a': 'x'.repeat(20_000) } }, want: 431 },
  ],
  [
    'a body that is too large',
    { path: '/pets', init: { method: 'POST', headers: type, body: 'x'.repeat(2000) }, want: 413 },
  ],
])('%s is refused by fetch as through the socket', async (_, { path, init = {}, want }) => {
  const mock = await serve(SHIPPED, { port: 0, maxBody: 1000 });
  const asked = { ...init, headers: { authorization, ...init.headers } };
  const [direct, wired] = await Promise.all([mock.fetch(path, asked), fetch(mock.url + path, asked)]);
  expect([direct.status, wired.status]).toEqual([want, want]);
  expect(await direct.text()).toBe(await wired.text());
});

test('a state is restored by fetch beyond the limit of other bodies, as through the socket', async () => {
  const mock = await serve(SHIPPED, { port: 0, maxBody: 100 });
  const body = await (await mock.fetch(`${mock.controlUrl}/state`)).text();
  const init = { method: 'PUT', headers: type, body };
  const statuses = [
    await mock.fetch(`${mock.controlUrl}/state`, init),
    await fetch(`${mock.controlUrl}/state`, init),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([204, 204]);
});

test('HEAD of a stream ends at once', async () => {
  const mock: Mock = await serve(SHIPPED, { port: 0 });
  const url = `${mock.controlUrl}/events`;
  for (const send of [fetch, mock.fetch]) {
    const response = await send(url, { method: 'HEAD' });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toBe('');
  }
});
