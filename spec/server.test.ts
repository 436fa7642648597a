import { expect, test } from 'vitest';
import { readContract } from './contract.ts';
import { basePathsAt } from './server.ts';

const get = { responses: { 200: { description: 'ok' } } };

const contractOf = (paths: object, servers?: unknown) =>
  readContract(
    { openapi: '3.1.1', info: { title: '', version: '' }, paths, ...(servers ? { servers } : {}) },
    'a.json',
  );

test('an operation is served as it says itself, else its path, else the document', async () => {
  const { operations, basePaths, warnings } = await contractOf(
    {
      '/a': { get },
      '/b': {
        servers: [{ url: 'https://files.example/b/' }],
        get,
        put: { ...get, servers: [{ url: './c' }] },
      },
      '/d': { servers: [], get: { ...get, servers: [] } },
      '/e': { servers: 'none', get },
    },
    [{ url: '/v1' }, { url: 'https://a.example/v1' }, { url: '/' }],
  );
  expect(basePaths).toEqual(['/v1', '']);
  expect(operations.map((one) => [one.id, ...one.basePaths])).toEqual([
    ['GET /a', '/v1', ''],
    ['GET /b', '/b'],
    ['PUT /b', '/c'],
    ['GET /d', '/v1', ''],
    ['GET /e', '/v1', ''],
  ]);
  expect(warnings.map(({ message }) => message)).toEqual([
    '"servers" must be a list, not "none"; it is ignored',
  ]);
});

test('each value that enum allows a variable is an address, the default first', async () => {
  const values = Array.from({ length: 40 }, (_, index) => `n${index}`);
  const { servers, basePaths } = await contractOf({ '/a': { get } }, [
    {
      url: '{scheme}://{host}/{base}/v{v}',
      variables: {
        scheme: { default: 'https', enum: ['http', 'https'] },
        host: { default: 'a.example' },
        base: { default: 'x', enum: ['y'] },
        // Numbers in YAML, as ports usually are.
        v: { default: 2, enum: [1, 2] },
      },
    },
    {
      url: '/{a}/{b}',
      variables: { a: { default: 'n0', enum: values }, b: { default: 'n1', enum: values } },
    },
  ]);
  expect(servers[0]?.urls.slice(0, 2)).toEqual(['https://a.example/x/v2', 'https://a.example/x/v1']);
  expect(basePaths.slice(0, 4)).toEqual(['/x/v2', '/x/v1', '/y/v2', '/y/v1']);
  // There are too many combinations: only the default of the last variable is used.
  expect(servers[1]?.urls).toHaveLength(40);
});

test.each<[url: string, document: string[], operation: string[], want: string[]]>([
  ['/v1', ['/v1'], ['/v1'], ['/v1']],
  ['/v1/', ['/v1'], ['/cc', '/rel'], ['/cc', '/rel']],
  ['', [''], ['/cc'], ['/cc']],
  ['/gateway/v1', ['/v1', ''], ['/cc', ''], ['/gateway/cc', '/gateway']],
  ['/~mine/v2', ['/v1', '/v2'], ['/cc', '/v2'], ['/~mine/v2', '/~mine/cc']],
  ['/other', ['/v1'], ['/cc'], ['/other']],
  ['', ['/v1'], ['/cc'], ['']],
])('at %j with the base paths %j one of %j is at %j', (url, document, basePaths, want) => {
  expect(basePathsAt(url, document, { basePaths })).toEqual(want);
});
