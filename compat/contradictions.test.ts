import { expect, test } from 'vitest';
import { compared } from './testing/compared.ts';
import { documentOf, json } from './testing/documents.ts';

const full = { status: { type: 'string', enum: ['new', 'used', 'gone'] }, name: { type: 'string' } };
const narrow = { status: { type: 'string', enum: ['new', 'used'] }, name: { type: 'string', maxLength: 20 } };

/** What is sent, and what is received, as two schemas. */
function things(sent: object, received: object, pageSize = 20) {
  const id = { type: 'integer', readOnly: true };
  const schemaOf = (properties: object) => ({
    type: 'object',
    required: ['id', 'status', 'name'],
    properties: { id, ...properties },
  });
  const thing = json(schemaOf(received));
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50, default: pageSize } };
  return documentOf({
    '/things': {
      get: {
        operationId: 'list',
        parameters: [limit],
        responses: {
          200: { description: 'All.', ...json({ type: 'array', items: schemaOf(received) }) },
        },
      },
      post: {
        operationId: 'add',
        requestBody: { required: true, ...json(schemaOf(sent)) },
        responses: { 201: { description: 'Stored.', ...thing }, 400: { description: 'Refused.' } },
      },
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'read', responses: { 200: { description: 'One.', ...thing } } },
    },
  });
}

test('a response that was narrowed, and a request that was not, are no break', async () => {
  const found = await compared([things(full, full), things(full, narrow)]);
  expect(found).toMatchObject({ exitCode: 0, reported: [], warnings: [] });
});

test('what only the mock of NEW refuses for that is no break either, and hides none', async () => {
  const { reported } = await compared([things(full, full), things(full, narrow, 10)], { examples: 5 });
  expect([...new Set(reported)].sort()).toEqual(['list complete-list', 'list page-default']);
});

test('who narrows both breaks clients', async () => {
  const { reported } = await compared([things(full, full), things(narrow, narrow)]);
  expect([...new Set(reported)]).toEqual(['add status']);
});

test('what could not be stored before is no change', async () => {
  const { reported } = await compared([things(full, narrow), things(full, narrow, 10)]);
  expect(new Set(reported)).not.toContain('add status');
});
