import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { baseUrlHint } from './base-url.ts';

const HOST = 'https://h.example';

test.for<[string, string, string[], string]>([
  ['missing', '', ['/v1'], `the document's server path is /v1: try ${HOST}/v1`],
  ['a slash alone', '/', ['/v1'], `the document's server path is /v1: try ${HOST}/v1`],
  ['doubled', '/v1/v1', ['/v1'], `the document's server path is /v1: try ${HOST}/v1`],
  [
    'doubled behind a prefix',
    '/team/v1/v1',
    ['/v1'],
    `the document's server path is /v1: try ${HOST}/team/v1`,
  ],
  ['another one', '/v2', ['/v1'], `the document's server path is /v1: try ${HOST}/v1 or ${HOST}/v2/v1`],
  ['one too many', '/v1', [''], `the document's server path is /: try ${HOST}`],
  ['behind a prefix', '/team/v1', ['/v1'], `the document's server path is /v1: try ${HOST}/v1`],
  [
    'of several servers',
    '',
    ['/v1', '/beta'],
    `the document's server path is /v1, /beta: try ${HOST}/v1 or ${HOST}/beta`,
  ],
  [
    'as documented',
    '/v1',
    ['/v1'],
    "the base URL ends with the document's server path /v1, so look at its host and port",
  ],
])('the base path that is %s', ([, path, servers, hint]) => {
  expect(baseUrlHint(new URL(HOST + path), { basePaths: servers, servers: [] })).toBe(hint);
});

test('a variable in the path of a server may have any value', async () => {
  const url = '{scheme}://{host}/{team}/{version}';
  const variable = (value: string) => ({ default: value });
  const variables = {
    scheme: variable('http'),
    host: variable('h'),
    team: variable('ours'),
    version: { default: 'v1', enum: ['v1'] },
  };
  const document = {
    openapi: '3.1.1',
    info: { title: '', version: '' },
    servers: [{ url, variables }],
    paths: {},
  };
  const hint = baseUrlHint(new URL(`${HOST}/ours/v1`), await readContract(document, 'a.json'));
  expect(hint).toMatch(/and at the value of \{team\} in its path, which the document leaves open$/);
});
