import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { compileFindOperation, readInput } from './read-request.ts';

const get = { responses: { 200: { description: 'ok' } } };
const DOCUMENT = {
  openapi: '3.1.1',
  info: { title: '', version: '' },
  servers: [
    { url: 'https://{region}.a.example/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
    { url: '/v2' },
  ],
  paths: {
    '/a': { get },
    '/b': { servers: [{ url: 'https://files.example/bb' }], get },
    '/c': { get: { ...get, servers: [{ url: '/cc' }] } },
  },
};

test.each<[string, string, string[]?]>([
  ['https://us.a.example/v1/a', 'GET /a'],
  ['https://us.a.example/v2/a', 'GET /a'],
  ['https://us.a.example/a', 'elsewhere'],
  ['https://us.a.example/cc/c', 'GET /c'],
  ['https://us.a.example/bb/b', 'elsewhere'],
  ['https://files.example/bb/b', 'GET /b'],
  ['https://files.example/v1/a', 'elsewhere'],
  ['http://svc.test/v1/a', 'GET /a'],
  ['http://svc.test/a', 'GET /a'],
  ['http://svc.test/bb/b', 'GET /b'],
  ['http://svc.test/v1/b', 'unknownPaths'],
  ['http://svc.test/x/v1/a', 'GET /a', ['http://svc.test/x/v1']],
  ['http://svc.test/x/v2/a', 'elsewhere', ['http://svc.test/x/v1']],
  ['http://svc.test/x/cc/c', 'GET /c', ['http://svc.test/x/v1']],
])('%s is %s', async (url, want, bases) => {
  const contract = await readContract(DOCUMENT, 'a.json');
  const find = compileFindOperation(
    contract,
    bases?.map((base) => new URL(base)),
  );
  const found = find('GET', new URL(url));
  expect('why' in found ? found.why : found.operation.id).toBe(want);
});

test('what has servers of its own belongs to the same service', async () => {
  const find = compileFindOperation(await readContract(DOCUMENT, 'a.json'), [new URL('http://s.test/x/v1')]);
  expect(find('GET', new URL('http://s.test/x/cc/c'))).toMatchObject({ base: 'http://s.test/x/v1' });
});

test.each([
  ['gzip', gzipSync('7'), false, 'type'],
  ['zstd', zstdCompressSync('"a"'), false, undefined],
  ['compress', Buffer.from('7'), true, undefined],
  // Decoded by who has recorded it.
  ['gzip', Buffer.from('"a"'), true, undefined],
])('a request body in %s is read as far as it can be', async (coding, body, bodyMissing, keyword) => {
  const content = { 'application/json': { schema: { type: 'string' } } };
  const post = { requestBody: { content }, responses: get.responses };
  const contract = await readContract({ ...DOCUMENT, paths: { '/a': { post } } }, 'a.json');
  const url = new URL('http://svc.test/v1/a');
  const found = compileFindOperation(contract)('POST', url);
  if ('why' in found) throw new Error(found.why);
  const headers = [
    ['content-type', 'application/json'],
    ['content-encoding', coding],
  ] as const;
  const given = readInput(
    contract,
    found,
    { method: 'POST', url, headers, body, startedAt: undefined },
    true,
  );
  expect([given.bodyMissing, given.read.violations[0]?.keyword]).toEqual([bodyMissing, keyword]);
});
