import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { AbsentValue, planRequest } from './plan-request.ts';

const TARGET = {
  base: new URL('http://127.0.0.1:1'),
  basePaths: [],
  apiKey: undefined,
  credentials: {},
  headers: [],
};

async function pathWith(id: unknown, schema: object = { type: 'string' }): Promise<string> {
  const parameters = [{ name: 'id', in: 'path', required: true, schema }];
  const paths = { '/news/{id}': { delete: { parameters, responses: { 204: { description: '' } } } } };
  const contract = await readContract(
    { openapi: '3.1.0', info: { title: '', version: '' }, paths },
    'news.json',
  );
  const [operation] = contract.operations;
  if (!operation) throw new Error('no operation');
  return planRequest(TARGET, operation, { path: { id } }).url.pathname;
}

test('what has servers of its own is asked at the origin of the target', async () => {
  const get = { responses: { 200: { description: '' } } };
  const paths = { '/b': { servers: [{ url: 'https://files.example/bb' }], get }, '/a': { get } };
  const { operations, basePaths } = await readContract(
    { openapi: '3.1.0', info: { title: '', version: '' }, servers: [{ url: '/v1' }], paths },
    'servers.json',
  );
  const target = { ...TARGET, basePaths, base: new URL('http://127.0.0.1:1/~s/v1') };
  expect(operations.map((one) => planRequest(target, one, {}).url.href)).toEqual([
    'http://127.0.0.1:1/~s/bb/b',
    'http://127.0.0.1:1/~s/v1/a',
  ]);
});

test.each([
  [undefined],
  [null],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [''],
  [' '],
  ['undefined'],
  ['null'],
  ['None'],
  ['NaN'],
  ['nil'],
  ['<nil>'],
  ['[object Object]'],
  [{}],
  [{ a: 1 }],
  [[]],
  [new Date(Number.NaN)],
])('%o is no value of a path', async (id) => {
  await expect(pathWith(id)).rejects.toThrow(AbsentValue);
});

test.each<[unknown, string, object?]>([
  ['nullable', '/news/nullable'],
  ['none of these', '/news/none%20of%20these'],
  [0, '/news/0', { type: 'integer' }],
  [-1n, '/news/-1', { type: 'integer' }],
  ['none', '/news/none', { type: 'string', enum: ['none', 'all'] }],
  [[1, 2], '/news/1,2', { type: 'array', items: { type: 'integer' } }],
])('%o is sent', async (id, path, schema) => {
  expect(await pathWith(id, schema)).toBe(path);
});

test.each([
  ['Idempotency-Key', {}],
  ['X-Again', { 'x-paddock': { idempotencyKey: 'x-again' } }],
])('each request has a value of its own in %s, by which repeated ones are known', async (name, said) => {
  const schema = { type: 'string', pattern: '^[a-z]{9}$' };
  const parameters = [{ name, in: 'header', required: true, schema }];
  const paths = { '/news': { post: { parameters, responses: { 201: { description: '' } }, ...said } } };
  const { operations } = await readContract(
    { openapi: '3.1.0', info: { title: '', version: '' }, paths },
    'news.json',
  );
  const sent = () =>
    operations.flatMap((one) =>
      planRequest(TARGET, one, {}).headers.find(([own]) => own === name.toLowerCase()),
    );
  expect(sent()).toEqual([name.toLowerCase(), expect.stringMatching(/^[a-z]{9}$/)]);
  expect(sent()).not.toEqual(sent());
});
