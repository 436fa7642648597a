import { expect, test } from 'vitest';
import { ask, serveText } from '../testing/serve.ts';

const book = { $ref: '#/components/schemas/Book' };
const content = (schema: object) => ({ 'application/json': { schema } });
const body = { content: content({ $ref: '#/components/schemas/NewBook' }) };
const id = { name: 'code', in: 'path', required: true, schema: { type: 'string' } };
const number = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } });
const text = { type: 'string' };

const BOOKS = {
  openapi: '3.1.0',
  info: { title: 'Books', version: '1.0.0' },
  paths: {
    '/books': {
      get: {
        parameters: [number('part'), number('limit')],
        responses: { 200: { description: 'ok', content: content({ type: 'array', items: book }) } },
        'x-paddock': { query: { part: '$page' }, first: 0 },
      },
      post: { requestBody: body, responses: { 201: { description: 'ok', content: content(book) } } },
    },
    '/books/{code}': {
      parameters: [id],
      put: { requestBody: body, responses: { 200: { description: 'ok', content: content(book) } } },
    },
  },
  components: {
    schemas: {
      NewBook: { type: 'object', properties: { title: text, key: text } },
      Book: {
        type: 'object',
        properties: { code: text, title: text, key: text, shelf: text },
        'x-paddock': {
          idFrom: 'title',
          members: { shelf: { set: 'service', first: 'new' }, key: { hidden: 'always' } },
        },
      },
    },
  },
};

test('what is said of members, ids and pages is done', async () => {
  const mock = await serveText(BOOKS);
  const made = await ask(mock, 'POST /books', { title: 'Big Cat', key: 'secret' });
  expect(made.body).toEqual({ code: 'big-cat', title: 'Big Cat', shelf: 'new' });
  const replaced = await ask(mock, 'PUT /books/big-cat', { title: 'Cat', shelf: 'old' });
  expect(replaced.body).toEqual({ code: 'big-cat', title: 'Cat', shelf: 'new' });
  const [zero, one] = [
    await ask(mock, 'GET /books?part=0&limit=2'),
    await ask(mock, 'GET /books?part=1&limit=2'),
  ];
  expect(zero.body).toHaveLength(2);
  expect(one.body).not.toEqual(zero.body);
});

test('what is said of a record with variants is done where each of them has the member', async () => {
  const pet = (kind: string, more: object = {}) => ({
    type: 'object',
    required: ['kind', 'tag'],
    properties: { kind: { const: kind }, tag: text, at: { type: 'string', format: 'date-time' }, ...more },
  });
  const Pet = {
    'x-paddock': { id: 'tag', members: { at: { set: 'once', holds: 'created' }, lives: { first: 9 } } },
    oneOf: [pet('cat', { lives: { type: 'integer' } }), pet('dog', { lives: { type: 'integer' } })],
  };
  const schema = content({ $ref: '#/components/schemas/Pet' });
  const mock = await serveText({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: {
      '/pets': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: content({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }),
            },
          },
        },
        post: {
          requestBody: { content: schema },
          responses: { 201: { description: 'ok', content: schema } },
        },
      },
    },
    components: { schemas: { Pet } },
  });
  const sent = { kind: 'dog', tag: 'a', at: '2000-01-01T00:00:00Z' };
  const { status, body } = await ask(mock, 'POST /pets', sent);
  expect([status, body]).toEqual([201, { ...sent, at: expect.stringMatching(/^20[2-9]/), lives: 9 }]);
});
