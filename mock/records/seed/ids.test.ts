import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };

/** Operations on one record, each with its own path parameter. */
function things(id: object, named: { readonly get: object; readonly put?: object; readonly part?: object }) {
  const record = { type: 'object', required: ['id'], properties: { id, name: text } };
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const responses = { 200: { description: 'It', ...content(record) }, 404: { description: 'None' } };
  const list = { responses: { 200: { description: 'All', ...content({ type: 'array', items: record }) } } };
  const parameters = (schema: object) => [{ name: 'thingId', in: 'path', required: true, schema }];
  const body = { type: 'object', properties: { name: text } };
  return documentOf({
    '/things': { get: list, post: { requestBody: content(body), responses: { 201: responses[200] } } },
    '/things/{thingId}': {
      get: { operationId: 'read', parameters: parameters(named.get), responses },
      put: {
        operationId: 'replace',
        parameters: parameters(named.put ?? named.get),
        requestBody: content(body),
        responses,
      },
      delete: { parameters: parameters(named.get), responses: { 204: { description: 'Gone' } } },
    },
    '/things/{thingId}/parts': { get: { ...list, parameters: parameters(named.part ?? named.get) } },
  });
}

test.each<[string, object, Parameters<typeof things>[1]]>([
  ['texts, of which a path takes UUIDs', text, { get: { ...text, format: 'uuid' } }],
  [
    'texts, of which one path takes UUIDs',
    text,
    { get: text, put: { ...text, format: 'uuid' }, part: { ...text, minLength: 30 } },
  ],
  [
    'texts, of which a path takes some by a pattern',
    text,
    { get: { ...text, pattern: '^[A-Z]{3}-\\d{4}$' } },
  ],
  [
    'texts of a pattern, of which a path takes long ones',
    { ...text, pattern: '^[a-z]+$' },
    { get: { ...text, minLength: 12 } },
  ],
  ['texts, of which a path takes long ones', text, { get: { ...text, minLength: 40, maxLength: 50 } }],
  ['texts, of which a path takes numbers', text, { get: { ...integer, minimum: 1000 } }],
  ['UUIDs', { ...text, format: 'uuid' }, { get: text }],
  ['numbers, of which a path takes large ones', integer, { get: { ...integer, minimum: 10_000 } }],
  ['numbers, which a path takes as texts', integer, { get: text }],
  ['numbers, of which a path takes texts of six digits', integer, { get: { ...text, pattern: '^\\d{6}$' } }],
  ['numbers, of which a path takes long texts', integer, { get: { ...text, minLength: 5 } }],
  ['of any type', {}, { get: { ...text, format: 'uuid' } }],
])('every seeded record is found by its id: %s', async (_, id, named) => {
  const mock = await serveText(things(id, named), { count: 12 });
  expect(mock.operations.filter(({ action }) => action === 'sample')).toEqual([]);
  const { body } = await ask(mock, 'GET /things');
  const ids: unknown[] = body.map((one: { id: unknown }) => one.id);
  expect(new Set(ids).size).toBe(12);
  const created = await ask(mock, 'POST /things', { name: 'a' });
  expect(created.status).toBe(201);
  for (const one of [...ids, created.body.id]) {
    const path = `/things/${encodeURIComponent(String(one))}`;
    expect(await ask(mock, `GET ${path}`)).toMatchObject({ status: 200, body: { id: one } });
    expect(await ask(mock, `PUT ${path}`, { name: 'b' })).toMatchObject({ status: 200, body: { id: one } });
    expect((await ask(mock, `GET ${path}/parts`)).status).toBe(200);
    expect((await ask(mock, `DELETE ${path}`)).status).toBe(204);
  }
});

test.each<[string, object, object]>([
  ['numbers, and a UUID', integer, { ...text, format: 'uuid' }],
  ['short texts, and a long one', { ...text, maxLength: 3 }, { ...text, minLength: 5 }],
  ['texts without a digit, and a number', { ...text, pattern: '^[a-z]+$' }, integer],
])('an operation whose path no id fits is said to be sampled: %s', async (_, id, put) => {
  const mock = await serveText(things(id, { get: id, put }), { count: 3 });
  expect(mock.operations.find((one) => one.id === 'replace')).toMatchObject({
    action: 'sample',
    reason: 'no id of /things can be {thingId} of this path',
  });
  const { body } = await ask(mock, 'GET /things');
  for (const one of body) expect((await ask(mock, `GET /things/${one.id}`)).body).toEqual(one);
});

test.each<[string, object, number]>([
  ['a pattern that has an example', { ...text, pattern: '^[a-z]{3,9}$', example: 'abc' }, 12],
  ['listed values', { ...text, enum: ['a', 'b', 'c'] }, 3],
])('ids of %s are different ones', async (_, id, want) => {
  const mock = await serveText(things(id, { get: id }), { count: 12 });
  const ids: unknown[] = (await ask(mock, 'GET /things')).body.map((one: { id: unknown }) => one.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBe(want);
});

test('a path that names something else of the records says nothing of their ids', async () => {
  const record = { type: 'object', required: ['id', 'scope'], properties: { id: text, scope: text } };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const get = (schema: object) => ({ responses: { 200: { description: 'It', ...json(schema) } } });
  const named = (name: string, schema: object) => ({ name, in: 'path', required: true, schema });
  const scope = { ...text, enum: ['global', 'local'] };
  const mock = await serveText(
    documentOf({
      '/templates': { get: get({ type: 'array', items: record }) },
      '/templates/{id}': { parameters: [named('id', text)], get: get(record) },
      '/templates/global': { get: get({ type: 'array', items: record }) },
      '/templates/{scope}/{key}/schema': {
        parameters: [named('scope', scope), named('key', text)],
        get: get({ type: 'object', properties: { key: text } }),
      },
    }),
    { count: 12 },
  );
  const ids = (await ask(mock, 'GET /templates')).body.map((one: { id: string }) => one.id);
  expect(new Set(ids).size).toBe(12);
  expect((await ask(mock, `GET /templates/${ids[0]}`)).body).toMatchObject({ id: ids[0] });
  expect((await ask(mock, 'GET /templates/global/a/schema')).status).toBe(200);
});
