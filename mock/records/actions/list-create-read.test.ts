import { describe, expect, test } from 'vitest';
import { ask, documentOf, SHIPPED, serve, serveText } from '../../testing/serve.ts';

interface Identified {
  readonly id: number;
}
const ids = (records: readonly Identified[]) => records.map(({ id }) => id);

describe('the shipped document', () => {
  test('lists its own examples first, then in the order of ids, twenty by default', async () => {
    const mock = await serve(SHIPPED);
    const twenty = (await ask(mock, 'GET /pets')).body;
    expect(ids(twenty)).toEqual([1002, 1001, ...Array.from({ length: 18 }, (_, index) => index + 1)]);
    expect((await ask(mock, 'GET /pets?limit=3')).body).toEqual(twenty.slice(0, 3));
  });

  test.each(['available', 'pending', 'sold'])('lists only %s ones on demand', async (status) => {
    const mock = await serve(SHIPPED);
    const every = (await ask(mock, 'GET /pets?limit=100')).body;
    const some = (await ask(mock, `GET /pets?limit=100&status=${status}`)).body;
    expect(some).toEqual(every.filter((record: { status?: string }) => record.status === status));
    expect(some.length).toBeGreaterThan(0);
    expect((await ask(mock, `GET /pets?limit=1&status=${status}`)).body).toEqual(some.slice(0, 1));
  });

  test('what was created can be read, listed and filtered', async () => {
    const mock = await serve(SHIPPED);
    const created = await ask(mock, 'POST /pets', { name: 'Rex', categoryId: 3, status: 'sold' });
    expect(created).toMatchObject({
      status: 201,
      body: { id: 51, name: 'Rex', categoryId: 3, status: 'sold' },
    });
    expect((await ask(mock, 'GET /pets/51')).body).toEqual(created.body);
    expect((await ask(mock, 'GET /pets?limit=100')).body).toContainEqual(created.body);
    expect((await ask(mock, 'GET /pets?limit=100&status=sold')).body).toContainEqual(created.body);
    expect((await ask(mock, 'GET /pets?limit=100&status=pending')).body).not.toContainEqual(created.body);
  });

  test('a member that was not sent is absent; an undocumented one is not stored; an id is ignored', async () => {
    const mock = await serve(SHIPPED);
    const body = '{"id":7,"name":"Rex","categoryId":3,"__proto__":{"x":1},"constructor":1,"tag":"x"}';
    const { text } = await ask(mock, 'POST /pets', body);
    expect(text).toBe('{"id":51,"name":"Rex","categoryId":3}');
    expect((await ask(mock, 'GET /pets/51')).text).toBe(text);
  });

  test.each(['', ' ', 'a'.repeat(100_000), 'Ōkami 狼 🐺', 'O\'Neill "&<>\\\u2028', '\u0000', 'ﷺ', 'e\u0301'])(
    'a name comes back as sent (%#)',
    async (name) => {
      const mock = await serve(SHIPPED);
      const created = await ask(mock, 'POST /pets', { name, categoryId: 1 });
      expect(created.body.name).toBe(name);
      expect((await ask(mock, 'GET /pets/51')).body.name).toBe(name);
    },
  );

  test('reset brings the first records back', async () => {
    const mock = await serve(SHIPPED);
    const before = (await ask(mock, 'GET /pets?limit=100')).text;
    await ask(mock, 'POST /pets', { name: 'Rex', categoryId: 3 });
    await mock.reset();
    expect((await ask(mock, 'GET /pets?limit=100')).text).toBe(before);
    expect((await ask(mock, 'POST /pets', { name: 'Rex', categoryId: 3 })).body.id).toBe(51);
  });

  test('two mocks in one process know nothing of each other', async () => {
    const [one, other] = await Promise.all([serve(SHIPPED), serve(SHIPPED)]);
    await ask(one, 'POST /pets', { name: 'Rex', categoryId: 3 });
    expect((await ask(one, 'GET /pets/51')).status).toBe(200);
    expect((await ask(other, 'GET /pets/51')).status).toBe(404);
  });

  test('no records at the start with count 0', async () => {
    const mock = await serve(SHIPPED, { count: 0 });
    expect((await ask(mock, 'GET /pets')).body).toEqual([]);
    expect((await ask(mock, 'POST /pets', { name: 'Rex', categoryId: 3 })).body.id).toBe(1);
  });
});

test('where the document lets the client choose the id, it is kept, and refused when it is taken', async () => {
  const tag = {
    type: 'object',
    required: ['slug'],
    properties: { slug: { type: 'string' }, colour: { type: 'string' } },
  };
  const content = { 'application/json': { schema: tag } };
  const mock = await serveText(
    documentOf({
      '/tags': {
        post: {
          requestBody: { required: true, content },
          responses: { 201: { description: 'Kept', content } },
        },
      },
      '/tags/{slug}': {
        get: {
          parameters: [{ name: 'slug', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: 'The tag', content }, 404: { description: 'None' } },
        },
      },
    }),
  );
  const slug = 'a/b ü';
  expect((await ask(mock, 'POST /tags', { slug, colour: 'red' })).body).toEqual({ slug, colour: 'red' });
  expect((await ask(mock, `GET /tags/${encodeURIComponent(slug)}`)).body).toEqual({ slug, colour: 'red' });
  expect((await ask(mock, 'POST /tags', { slug })).status).toBe(409);
});

test('an id that only one form of the body has is kept', async () => {
  const rule = {
    type: 'object',
    required: ['name', 'kind'],
    properties: { name: { type: 'string' }, kind: { enum: ['log', 'count'] } },
  };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const oneOrMany = json({ oneOf: [rule, { type: 'array', items: rule }] });
  const parameters = [{ name: 'ruleName', in: 'path', required: true, schema: { type: 'string' } }];
  const mock = await serveText(
    documentOf({
      '/rules': {
        get: { responses: { 200: { description: 'All', ...json({ type: 'array', items: rule }) } } },
        post: { requestBody: oneOrMany, responses: { 200: { description: 'Made', ...oneOrMany } } },
      },
      '/rules/{ruleName}': { get: { parameters, responses: { 200: { description: 'It', ...json(rule) } } } },
    }),
  );
  const sent = { name: 'clicks', kind: 'count' };
  expect((await ask(mock, 'POST /rules', sent)).body).toEqual(sent);
  expect((await ask(mock, 'GET /rules/clicks')).body).toEqual(sent);
});

test('a body that cannot be read makes a record all the same, where the response shows the id', async () => {
  const content = { 'multipart/form-data': { schema: { type: 'string' } } };
  const game = {
    type: 'object',
    required: ['id', 'board'],
    properties: { id: { type: 'integer' }, board: { type: 'string', default: 'empty' } },
  };
  const answer = (schema: object) => {
    const whole = { type: 'object', properties: { data: schema } };
    return { 200: { description: 'Done', content: { 'application/json': { schema: whole } } } };
  };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const mock = await serveText(
    documentOf({
      '/games': {
        get: { responses: answer({ type: 'array', items: game }) },
        post: { requestBody: { content }, responses: answer(game) },
      },
      '/games/{id}': { parameters, get: { responses: answer(game) } },
    }),
    { count: 0 },
  );
  const { body } = await ask(mock, 'POST /games');
  expect(body).toEqual({ data: { id: 1, board: 'empty' } });
  expect((await ask(mock, 'GET /games/1')).body).toEqual(body);
});

test('objects inside of a record get the required members that only the service sets', async () => {
  const leg = {
    type: 'object',
    required: ['id', 'from'],
    properties: {
      id: { type: 'integer', readOnly: true },
      from: { type: 'string' },
      next: { allOf: [{ $ref: '#/components/schemas/Leg' }, { $ref: '#/components/schemas/Leg' }] },
    },
    allOf: [{ properties: { next: { description: 'The leg after it' } } }],
  };
  const trip = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer', readOnly: true },
      legs: { type: 'array', items: { $ref: '#/components/schemas/Leg' } },
    },
  };
  const content = { 'application/json': { schema: trip } };
  const mock = await serveText(
    documentOf(
      {
        '/trips': {
          get: {
            responses: {
              200: {
                description: 'All',
                content: { 'application/json': { schema: { type: 'array', items: trip } } },
              },
            },
          },
          post: { requestBody: { content }, responses: { 201: { description: 'Made', content } } },
        },
      },
      { components: { schemas: { Leg: leg } } },
    ),
  );
  const sent = { legs: [{ from: 'Ulm', next: { from: 'Graz' } }] };
  const { status, body } = await ask(mock, 'POST /trips', sent);
  expect(status).toBe(201);
  const id = expect.any(Number);
  expect(body).toEqual({ id, legs: [{ id, from: 'Ulm', next: { id, from: 'Graz' } }] });
  expect((await ask(mock, 'GET /trips')).body).toContainEqual(body);
});
