import { expect, test } from 'vitest';
import type { Fetch } from '../send/client.ts';
import { runCheckOf } from '../testing/run-check.ts';

const record = (...kinds: string[]) => ({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, kind: { enum: kinds } },
});
const get = (schema: object) => ({
  responses: { 200: { description: 'It', content: { 'application/json': { schema } } } },
});

/** A list that shows some kinds of accounts as others. */
const documentOf = (...listed: string[]) => ({
  openapi: '3.1.1',
  info: { title: 'Accounts', version: '1' },
  paths: {
    '/accounts': { get: get({ type: 'array', items: record(...listed) }) },
    '/accounts/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: get(record('bank', 'other')),
    },
  },
});

const fetch: Fetch = async ({ pathname }) => {
  const [status, body] =
    pathname === '/accounts'
      ? [200, [{ id: 1, kind: 'bank' }]]
      : pathname === '/accounts/1'
        ? [200, { id: 1, kind: 'other' }]
        : [404, {}];
  return Response.json(body, { status });
};

test.each([
  ['may show another value for one that its schema does not have', ['bank'], []],
  ['shows the values that its schema has', ['bank', 'other'], ['list-and-read-agree']],
])('a list %s', async (_, listed, want) => {
  const { findings } = await runCheckOf(documentOf(...listed), { fetch, only: 'as-listed', settle: 20 });
  expect(findings.map(({ law }) => law)).toEqual(want);
});
