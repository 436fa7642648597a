import { expect, test } from 'vitest';
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
  expect(baseUrlHint(new URL(HOST + path), servers)).toBe(hint);
});
