import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createProxy, type ProxyOptions } from './index.ts';

const DOCUMENT = fileURLToPath(new URL('../../fixtures/documents/telegraph.yaml', import.meta.url));
const GOOD = 'event: sent\ndata: {"number":1,"text":"stop"}\n\n';
const BAD = 'event: sent\ndata: {"number":1}\n\n';

/** A proxy in front of a stream that is open until somebody ends it. */
async function open(options: Partial<ProxyOptions> = {}) {
  let stream: ServerResponse | undefined;
  const server = createServer((_, response) => {
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const proxy = await createProxy({ target, document: DOCUMENT, port: 0, settle: 0, ...options });
  onTestFinished(() => proxy.close());
  const response = await fetch(`${proxy.url}/ticker`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
  const laws = () => proxy.report().findings.map(({ law, received }) => `${law}: ${received}`);
  return { proxy, target: stream as ServerResponse, next, leave: () => reader.cancel(), laws };
}

const FOUND = ['stream-message: message 2: data.text is missing'];

test.each([{}, { enforce: true }, { annotate: true }])(
  'each message passes at once, and is judged when the stream ends: %o',
  async (options) => {
    const { proxy, target, next, laws } = await open(options);
    for (const text of [GOOD, BAD]) {
      target.write(text);
      expect(await next()).toBe(text);
    }
    target.end();
    expect(await next()).toBe('');
    await expect.poll(laws).toEqual(FOUND);
    expect(proxy.found().counts).toMatchObject({ judged: 1, abandoned: 0, failed: 0 });
  },
);

test.each(['client', 'target'])('what has come of a stream is judged when the %s leaves', async (who) => {
  const { proxy, target, next, leave, laws } = await open();
  target.write(GOOD + BAD);
  expect(await next()).toBe(GOOD + BAD);
  target.write('event: sent\ndata: {"num');
  expect(await next()).toBe('event: sent\ndata: {"num');
  if (who === 'client') await leave();
  else target.destroy();
  await expect.poll(laws).toEqual(FOUND);
  expect(proxy.found().counts).toMatchObject({ judged: 1, abandoned: 0, failed: 0 });
});

test('a long stream passes whole, and its beginning is judged', async () => {
  const { target, next, laws } = await open();
  const comment = `: ${'x'.repeat(60_000)}\n\n`;
  target.write(GOOD + BAD);
  for (let sent = 0; sent < 40; sent++) target.write(comment);
  target.end();
  let passed = 0;
  for (let part = await next(); part !== ''; part = await next()) passed += part.length;
  expect(passed).toBe((GOOD + BAD).length + 40 * comment.length);
  await expect.poll(laws).toEqual(FOUND);
});
