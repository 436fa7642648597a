import { expect, test } from 'vitest';
import { ask, SHIPPED, serve } from '../../testing/serve.ts';
import type { MatchForm } from './rules.ts';

const REX = { name: 'Rex', categoryId: 1 };
const GET_1 = ['GET /pets/1'] as const;

test.each<[name: string, match: MatchForm, request: readonly [line: string, body?: unknown], want: boolean]>([
  ['a method', { method: 'get' }, GET_1, true],
  ['another method', { method: 'POST' }, GET_1, false],
  ['GET is for HEAD as well', { method: 'GET' }, ['HEAD /pets/1'], true],
  ['the path of the document', { path: '/pets/{petId}' }, GET_1, true],
  ['whatever its parameter is called', { path: '/pets/{id}' }, GET_1, true],
  ['another path of the document', { path: '/pets' }, GET_1, false],
  ['the path of a request', { path: '/pets/1' }, GET_1, true],
  ['the same path, with the base path', { path: '/v1/pets/1' }, GET_1, true],
  ['the path of another request', { path: '/pets/2' }, GET_1, false],
  ['an encoded path', { path: '/pets/%31' }, GET_1, true],
  ['a query', { query: { status: 'sold' } }, ['GET /pets?limit=1&status=sold'], true],
  ['another value', { query: { status: 'sold' } }, ['GET /pets?status=pending'], false],
  ['a number in a query', { query: { limit: 5 } }, ['GET /pets?limit=5'], true],
  ['a query that must not be there', { query: { limit: null } }, ['GET /pets?status=sold'], true],
  ['one that is there', { query: { limit: null } }, ['GET /pets?limit=1'], false],
  ['one of several values', { query: { x: 'b' } }, ['GET /pets?x=a&x=b'], true],
  ['all values in their order', { query: { x: ['a', 'b'] } }, ['GET /pets?x=a&x=b'], true],
  ['all values in another order', { query: { x: ['b', 'a'] } }, ['GET /pets?x=a&x=b'], false],
  ['a header', { headers: { 'X-Tenant': 'a' } }, GET_1, true],
  ['another header', { headers: { 'X-Tenant': 'b' } }, GET_1, false],
  ['no header', { headers: { 'X-Other': null } }, GET_1, true],
  ['members of the body', { body: { name: 'Rex' } }, ['POST /pets', REX], true],
  ['other members of the body', { body: { name: 'Tom' } }, ['POST /pets', REX], false],
  ['a member that is not there', { body: { status: null } }, ['POST /pets', REX], false],
  [
    'a number beyond 2^53',
    { body: { categoryId: 2n ** 53n + 1n } },
    ['POST /pets', `{"name":"Rex","categoryId":9007199254740993}`],
    true,
  ],
  [
    'its neighbour',
    { body: { categoryId: 2n ** 53n + 1n } },
    ['POST /pets', `{"name":"Rex","categoryId":9007199254740992}`],
    false,
  ],
  ['a body where there is none', { body: { name: 'Rex' } }, GET_1, false],
  ['all of it', { method: 'POST', path: '/pets', body: REX }, ['POST /pets', REX], true],
  [
    'not all of it',
    { method: 'POST', path: '/pets', body: REX, query: { x: '1' } },
    ['POST /pets', REX],
    false,
  ],
])('%s', async (_, match, [line, body], want) => {
  const mock = await serve(SHIPPED);
  mock.addRule({ match, status: 418, body: '' });
  const { status } = await ask(mock, line, body, { 'x-tenant': 'a' });
  expect(status === 418).toBe(want);
});
