import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../testing/serve.ts';

const record = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const demanded = (schema: object, more = {}) => ({ required: true, schema, ...more });

function books({ location }: { readonly location?: object } = {}): object {
  return {
    '/authors/{authorId}/books': {
      parameters: [{ name: 'authorId', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'listBooks',
        responses: {
          200: {
            description: 'Books',
            headers: {
              'X-Pages': demanded({ type: 'integer', minimum: 3, maximum: 3 }),
              'X-Shelf': demanded({ type: 'string' }, { example: 'höher' }),
              'X-Parts': demanded({ type: 'array' }, { examples: { two: { value: ['a', 'b'] } } }),
              'X-Left': {
                required: true,
                content: { 'application/json': { schema: {}, example: { left: 'höher' } } },
              },
              'X-Quota': demanded({ type: 'object' }, { explode: true, example: { limit: 9, left: 7 } }),
              'X-Mood': { schema: { type: 'string' } },
              // No header can carry this example unencoded.
              'X-Odd': { schema: { type: 'string' }, example: 'höher' },
              'X-Next': { schema: { type: 'string' }, example: 'abc' },
              'Retry-After': { schema: { type: 'integer' } },
              'Content-Encoding': demanded({ enum: ['gzip'] }),
            },
            ...json({ type: 'array', items: record }),
          },
          404: { description: 'No', headers: { 'Retry-After': demanded({ enum: [7] }) } },
        },
      },
      post: {
        operationId: 'addBook',
        requestBody: json(record),
        responses: {
          201: { description: 'New', ...(location && { headers: { Location: location } }), ...json(record) },
        },
      },
    },
    '/authors/{authorId}/books/{id}': {
      parameters: ['authorId', 'id'].map((name) => ({
        ...{ name, in: 'path', required: true },
        schema: { type: name === 'id' ? 'integer' : 'string' },
      })),
      get: { operationId: 'getBook', responses: { 200: { description: 'One', ...json(record) } } },
    },
  };
}

const serveBooks = (location?: object) =>
  serveText(documentOf(books(location && { location }), { servers: [{ url: '/v2' }] }));

test('a documented header is there, by its example or as a sample, but not one that only its cause could say', async () => {
  const { status, headers } = await ask(await serveBooks(), 'GET /authors/ann/books');
  expect(status).toBe(200);
  const names = [
    'x-pages',
    'x-shelf',
    'x-parts',
    'x-left',
    'x-quota',
    'x-mood',
    'x-odd',
    'x-next',
    'retry-after',
  ];
  expect(names.map((name) => headers.get(name))).toEqual([
    ...['3', 'h?her', 'a,b', '{"left":"h\\u00f6her"}', 'limit=9,left=7'],
    ...[expect.stringMatching(/^[a-z]+$/), expect.stringMatching(/^[a-z]+$/)],
    ...[null, null],
  ]);
  expect(headers.get('access-control-expose-headers')).toMatch(
    /, x-pages, x-shelf, x-parts, x-left, x-quota, x-mood, x-odd$/,
  );
});

test('what says how to read the body is never a sample', async () => {
  const { headers } = await ask(await serveBooks(), 'GET /authors/ann/books');
  expect(headers.get('content-encoding')).toBeNull();
});

test.each([
  { required: true, schema: { type: 'string' } },
  { schema: { type: 'string', format: 'uri-reference' } },
])('a create names the place of what it made: %j', async (location) => {
  const mock = await serveBooks(location);
  const made = await ask(mock, 'POST /authors/ann%20b/books', { title: 'One' });
  expect(made.headers.get('location')).toBe(`/v2/authors/ann%20b/books/${made.body.id}`);
  const inSession = await ask(
    mock,
    'POST /authors/ann/books',
    { title: 'One' },
    { 'paddock-session': 'tom' },
  );
  expect(inSession.headers.get('location')).toMatch(/^\/v2\/authors\/ann\/books\/\d+$/);
});

test('a whole URL is what the document demands, and so a sample; without a header in the document it is a path', async () => {
  const url = await serveBooks(demanded({ type: 'string', format: 'uri' }));
  const made = await ask(url, 'POST /authors/ann/books', { title: 'One' });
  expect(made.headers.get('location')).toMatch(/^https:\/\/example\.com\//);
  const silent = await ask(await serveBooks(), 'POST /authors/ann/books', { title: 'One' });
  expect([silent.status, silent.headers.get('location')]).toEqual([201, '/v2/authors/ann/books/51']);
});
