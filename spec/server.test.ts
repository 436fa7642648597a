import { expect, test } from 'vitest';
import { contractOf, documentOf } from './testing/contract-of.ts';

const ok = { 200: { description: 'Done' } };

const SERVERS: [name: string, servers: unknown[] | undefined, want: [url: string, basePath: string]][] = [
  ['none', undefined, ['/', '']],
  ['a URL', [{ url: 'https://example.com/v1/' }, { url: '/other' }], ['https://example.com/v1/', '/v1']],
  ['a path', [{ url: '/api/v2' }], ['/api/v2', '/api/v2']],
  [
    'variables',
    [
      {
        url: '{scheme}://{host}:{port}/{base}',
        variables: {
          ...{ scheme: { default: 'https', enum: ['http', 'https'] }, host: { default: 'example.com' } },
          ...{ port: { default: '8443' }, base: { default: 'v3' } },
        },
      },
    ],
    ['https://example.com:8443/v3', '/v3'],
  ],
];

test.each(SERVERS)('the first server gives the base path: %s', async (_name, servers, [url, basePath]) => {
  const contract = await contractOf({
    'a.json': documentOf({ '/a': { get: { responses: ok } } }, { servers }),
  });
  expect(contract.servers[0]?.url).toBe(url);
  expect(contract.basePath).toBe(basePath);
});
