import { expect, test } from 'vitest';
import { type HarOptions, type HarProblem, type RecordedExchange, readHar } from './index.ts';

const entry = (request: object, response: object, more: object = {}) => ({
  startedDateTime: '2026-03-04T05:06:07.000Z',
  time: 12.5,
  request: { method: 'GET', url: 'http://api.test/pets', headers: [], bodySize: -1, ...request },
  response: { status: 200, statusText: 'OK', headers: [], content: { size: 2, text: '[]' }, ...response },
  ...more,
});

async function read(source: string | AsyncIterable<Uint8Array>, options?: HarOptions) {
  return Array.fromAsync(readHar(source, options));
}

const har = (...entries: unknown[]) => JSON.stringify({ log: { version: '1.2', pages: [], entries } });

async function* bytesOf(text: string, size = 7): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const exchanges = (items: readonly (RecordedExchange | HarProblem)[]) =>
  items.filter((item): item is RecordedExchange => !('problem' in item));

test('entries are exchanges, whatever the chunks are in which the file comes', async () => {
  const text = har(
    entry({ method: 'POST', postData: { mimeType: 'application/json', text: '{"name":"Zoë \\"}]"}' } }, {}),
    entry({}, { content: { size: 4, text: 'AP8=', encoding: 'base64' } }),
  );
  for (const size of [1, 7, 100_000]) {
    const [first, second, ...others] = exchanges(await read(bytesOf(text, size)));
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      position: 'entry 1',
      line: 1,
      startedAt: Date.UTC(2026, 2, 4, 5, 6, 7),
      ms: 12.5,
      request: { method: 'POST', bodyMissing: false },
      response: { status: 200, statusText: 'OK', bodyMissing: false },
      remarks: [],
    });
    expect(first?.request.url.href).toBe('http://api.test/pets');
    expect(Buffer.from(first?.request.body ?? []).toString()).toBe('{"name":"Zoë \\"}]"}');
    expect(second?.position).toBe('entry 2');
    expect([...(second?.response?.body ?? [])]).toEqual([0, 255]);
  }
});
