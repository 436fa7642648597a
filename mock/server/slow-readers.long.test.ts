import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { documentOf, serveText } from '../testing/serve.ts';
import { serveBare, silentReader } from '../testing/wire.ts';

/** A list of 16 MB: more than the system buffers per connection. */
const NOTE = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'integer' }, text: { type: 'string', minLength: 80_000, maxLength: 80_000 } },
};
const LIST = {
  responses: {
    200: { description: 'All', content: { 'application/json': { schema: { type: 'array', items: NOTE } } } },
  },
};

/** Twice the time for which Node keeps an idle connection, and more, in milliseconds. */
const PAUSE = 14_000;

test('a client that pauses while it reads gets the whole response, as from a bare server', async () => {
  const mock = await serveText(documentOf({ '/notes': { get: LIST } }), { port: 0, count: 200 });
  const text = await (await mock.fetch('/notes')).text();
  expect(text.length).toBeGreaterThan(15_000_000);
  const bare = await serveBare({ '/notes': text });
  const received = await Promise.all([mock.url, bare].map(readSlowly));
  for (const [body, next] of received) {
    expect(body?.equals(Buffer.from(text))).toBe(true);
    expect(next?.equals(Buffer.from(text))).toBe(true);
  }
});

/** Two responses of one connection; the client pauses between their beginning and the rest. */
async function readSlowly(url: string): Promise<Buffer[]> {
  const reader = silentReader(url, 'GET /notes HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(2));
  await reader.hasReceived();
  await sleep(PAUSE);
  return reader.read(2);
}
