import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const HUGE = 1_000_000_000;

test.each<[string, object]>([
  ['items', { type: 'array', minItems: HUGE, items: { type: 'string' } }],
  ['characters', { type: 'string', minLength: 400_000_000 }],
  ['members', { type: 'object', minProperties: HUGE }],
  ['a count in a pattern', { type: 'string', pattern: `^x{${HUGE}}$` }],
  ['words that faker is asked for', { type: 'string', 'x-faker': { 'lorem.words': HUGE } }],
])('%s in a number that no value should have: the mock responds without them', async (name, schema) => {
  const record = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', readOnly: true }, held: schema },
  };
  const content = { 'application/json': { schema: record } };
  const listed = { 'application/json': { schema: { type: 'array', items: record } } };
  const whole = { 'application/json': { schema } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const mock = await serveText(
    documentOf({
      '/things': {
        get: { responses: { 200: { description: 'All', content: listed } } },
        post: { requestBody: { content }, responses: { 201: { description: 'It', content } } },
      },
      '/things/{id}': { parameters, get: { responses: { 200: { description: 'It', content } } } },
      '/held': { get: { responses: { 200: { description: 'It', content: whole } } } },
    }),
    { count: 3 },
  );
  expect(mock.contract.warnings.length).toBeGreaterThan(0);
  const { body } = await ask(mock, 'GET /things');
  expect(body.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
  if (!name.startsWith('words')) expect(body).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect((await ask(mock, 'POST /things', {})).status).toBe(201);
  expect((await ask(mock, 'GET /held')).status).toBe(200);
  expect((await ask(mock, 'GET /__admin/health')).status).toBe(200);
});
