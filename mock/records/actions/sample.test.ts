import { describe, expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

describe('what cannot be inferred', () => {
  const answered = (response: object, method = 'get') =>
    documentOf({ '/state': { [method]: { responses: { 200: { description: 'State', ...response } } } } });
  const schema = {
    type: 'object',
    required: ['level'],
    properties: { level: { type: 'integer', minimum: 3, maximum: 5 } },
  };

  test.each<[string, { given: object; type: string | null; want: RegExp }]>([
    [
      'the first example',
      {
        given: {
          content: {
            'application/json': {
              schema,
              examples: { a: { value: { level: 4 } }, b: { value: { level: 5 } } },
            },
          },
        },
        type: 'application/json',
        want: /^\{"level":4\}$/,
      },
    ],
    [
      'a lone example',
      {
        given: { content: { 'application/json': { schema, example: { level: 5 } } } },
        type: 'application/json',
        want: /^\{"level":5\}$/,
      },
    ],
    [
      'an example of JSON that is given as its text',
      {
        given: { content: { 'application/json': { schema: { properties: {} }, example: '{"level": 7}' } } },
        type: 'application/json',
        want: /^\{"level":7\}$/,
      },
    ],
    [
      'no example of XML whose text is against the schema',
      {
        given: { content: { 'application/xml': { schema, example: '<state><level>9</level></state>' } } },
        type: 'application/xml',
        want: /<level>[345]<\/level>/,
      },
    ],
    [
      'the schema',
      {
        given: { content: { 'application/json': { schema } } },
        type: 'application/json',
        want: /^\{"level":[345]\}$/,
      },
    ],
    [
      'an integer beyond doubles in an example',
      {
        given: { content: { 'application/json': { example: 9007199254740993n } } },
        type: 'application/json',
        want: /^9007199254740993$/,
      },
    ],
    [
      'text',
      { given: { content: { 'text/plain': { example: 'fine' } } }, type: 'text/plain', want: /^fine$/ },
    ],
    [
      'JSON before other types',
      {
        given: {
          content: { 'text/plain': { example: 'fine' }, 'application/vnd.state+json': { example: [1] } },
        },
        type: 'application/vnd.state+json',
        want: /^\[1\]$/,
      },
    ],
    ['no body at all', { given: {}, type: null, want: /^$/ }],
  ])('is answered from %s', async (_, { given, type, want }) => {
    const mock = await serveText(answered(given));
    expect(mock.operations).toMatchObject([{ action: 'sample', reason: expect.any(String) }]);
    const { status, headers, text } = await ask(mock, 'GET /state');
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type });
    expect(text).toMatch(want);
  });

  test('a POST whose body is no record', async () => {
    const post = {
      requestBody: { content: { 'text/csv': {} } },
      responses: { 202: { description: 'Begun' } },
    };
    const list = {
      responses: {
        200: {
          description: 'All',
          content: {
            'application/json': {
              schema: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
            },
          },
        },
      },
    };
    const mock = await serveText(documentOf({ '/imports': { get: list, post } }));
    expect(mock.operations.map(({ method, action }) => [method, action])).toEqual([
      ['GET', 'list'],
      ['POST', 'sample'],
    ]);
    expect((await ask(mock, 'POST /imports', 'a;b', { 'content-type': 'text/csv' })).status).toBe(202);
  });
});

test('what a body has is in the response, inside of the same object, and in any type that may be JSON', async () => {
  const text = { type: 'string' };
  const user = (names: string[]) => ({
    type: 'object',
    required: ['user'],
    properties: {
      user: { type: 'object', required: names, properties: Object.fromEntries(names.map((n) => [n, text])) },
    },
  });
  const post = {
    requestBody: { content: { 'application/json': { schema: user(['name', 'password']) } } },
    responses: { 200: { description: 'Done', content: { '*/*': { schema: user(['name', 'token']) } } } },
  };
  const mock = await serveText(documentOf({ '/register': { post } }));
  const { text: body } = await ask(mock, 'POST /register', { user: { name: 'Ann', password: 'x' } });
  expect(JSON.parse(body)).toEqual({ user: { name: 'Ann', token: expect.any(String) } });
});
