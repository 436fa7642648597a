import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ask, SHIPPED, serve } from '../testing/serve.ts';

const PET = Buffer.from(JSON.stringify({ name: 'Ada', categoryId: 1 }));
const KEY = { authorization: 'Bearer paddock-dev-key' };

async function send(coding: string, body: Uint8Array, headers: Record<string, string> = KEY) {
  const mock = await serve(SHIPPED, { maxBody: 5000 });
  const response = await mock.fetch('/pets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': coding, ...headers },
    body: new Uint8Array(body),
  });
  return { mock, response };
}

test.each([
  ['gzip', gzipSync(PET)],
  ['x-gzip', gzipSync(PET)],
  ['GZIP', gzipSync(PET)],
  ['deflate', deflateSync(PET)],
  ['br', brotliCompressSync(PET)],
  ['zstd', zstdCompressSync(PET)],
  ['gzip, br', brotliCompressSync(gzipSync(PET))],
  ['identity', PET],
])('a body in %s is read, and logged as text', async (coding, body) => {
  const { mock, response } = await send(coding, body);
  expect([response.status, await response.json()]).toMatchObject([201, { name: 'Ada', categoryId: 1 }]);
  const [seen] = (await ask(mock, `GET ${mock.controlUrl}/requests`)).body;
  expect(seen).toMatchObject({ body: PET.toString(), trace: { validated: { result: 'valid' } } });
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(1e6)), 413],
  ['br', brotliCompressSync(Buffer.alloc(1e6)), 413],
  ['zstd', zstdCompressSync(Buffer.alloc(1e6)), 413],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(1e6))), 413],
  ['zstd', Buffer.concat(Array.from({ length: 9 }, () => zstdCompressSync(Buffer.alloc(1000)))), 413],
  ['gzip', gzipSync(PET).subarray(0, 20), 400],
  ['zstd', gzipSync(PET), 400],
  ['gzip, '.repeat(5), PET, 415],
  ['compress', PET, 415],
])('a body that says %s can be refused', async (coding, body, status) => {
  const { response } = await send(coding, body);
  expect(response.status).toBe(status);
  expect(response.headers.get('accept-encoding')).toBe(status === 415 ? 'gzip, deflate, br, zstd' : null);
});

test('who has no key is not told whether a coding is known', async () => {
  const { response } = await send('compress', PET, {});
  expect(response.status).toBe(401);
});
