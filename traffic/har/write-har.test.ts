import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readHar } from './read-har.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { createHarWriter } from './write-har.ts';

const exchange = (body: Uint8Array, headers: readonly (readonly [string, string])[] = []) => ({
  request: {
    ...{ method: 'POST', url: new URL('http://127.0.0.1/a?b=1'), body },
    headers: [['Content-Type', 'application/octet-stream']] as const,
    startedAt: 1_700_000_000_000,
  },
  response: { status: 200, headers, body: headers.length > 0 ? gzipSync(body) : body, ms: 3 },
});

async function read(file: string): Promise<RecordedExchange[]> {
  const all: RecordedExchange[] = [];
  for await (const item of readHar(file)) {
    if ('problem' in item) throw new Error(item.message);
    all.push(item);
  }
  return all;
}

test('a HAR is whole after each exchange, and has the bytes as they were', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'har-')), 'a.har');
  const writer = createHarWriter(file, 5000);
  expect(await read(file)).toEqual([]);
  const bytes = Uint8Array.from([0, 255, 10, 128]);
  writer.add(exchange(bytes));
  expect(await read(file)).toHaveLength(1);
  writer.add(exchange(bytes, [['content-encoding', 'gzip']]));
  writer.add({ ...exchange(bytes), response: undefined });
  const [plain, packed, lost] = await read(file);
  expect(plain).toMatchObject({ startedAt: 1_700_000_000_000, ms: 3, request: { method: 'POST' } });
  for (const one of [plain?.request.body, plain?.response?.body, packed?.response?.body])
    expect([...(one ?? [])]).toEqual([...bytes]);
  expect(lost?.response).toBeUndefined();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  writer.close();
});

test('what would make it longer than its limit is left out', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'har-')), 'a.har');
  const writer = createHarWriter(file, 2000);
  expect(writer.add(exchange(new Uint8Array(10)))).toBe(true);
  expect(writer.add(exchange(new Uint8Array(3000)))).toBe(false);
  expect(await read(file)).toHaveLength(1);
  writer.close();
});
