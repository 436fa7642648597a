import { expect, test } from 'vitest';
import { ask, documentOf, serve, serveText } from '../testing/serve.ts';

const answer = (example: string) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { example } } } },
});

const variables = { region: { default: 'eu', enum: ['eu', 'us'] }, v: { default: '1', enum: ['1', '2'] } };
const DOCUMENT = documentOf(
  {
    '/a': { get: answer('a') },
    '/b': { servers: [{ url: 'https://files.example/bb' }], get: answer('b'), put: answer('b') },
    '/c': { get: { ...answer('c'), servers: [{ url: '/cc/' }, { url: './rel' }] }, post: answer('c2') },
    '/d/': { servers: [], get: answer('d') },
  },
  { servers: [{ url: 'https://{region}.example/svc/v{v}', variables }, { url: '/alt' }] },
);

test.each([
  ['GET /svc/v1/a', 'a'],
  ['GET /svc/v2/a', 'a'],
  ['GET /alt/a', 'a'],
  ['GET /~mine/alt/a', 'a'],
  ['GET /a', 404],
  ['GET /bb/b', 'b'],
  ['PUT /bb/b', 'b'],
  ['GET /svc/v1/b', 404],
  ['GET /cc/c', 'c'],
  ['GET /rel/c', 'c'],
  ['GET /svc/v1/c', 405],
  ['POST /svc/v1/c', 'c2'],
  ['POST /cc/c', 405],
  ['GET /svc/v1/d/', 'd'],
])('of document, path and operation: %s gives %s', async (line, want) => {
  const mock = await serveText(DOCUMENT);
  const [method, path] = line.split(' ');
  const { status, body } = await ask(mock, `${method} http://localhost${path}`);
  expect(status === 200 ? body : status).toBe(want);
});

test('without base paths no server has one', async () => {
  const mock = await serveText(DOCUMENT, { basePath: false });
  expect([(await ask(mock, 'GET /a')).body, (await ask(mock, 'GET /c')).body]).toEqual(['a', 'c']);
  expect((await ask(mock, 'GET http://localhost/cc/c')).status).toBe(404);
});

test('of several documents, too, below their own paths', async () => {
  const documents = [
    await serveText(DOCUMENT),
    await serveText(documentOf({ '/e': { get: answer('e') } })),
  ].map(({ contract }, index) => ({ document: contract, at: index === 0 ? '/one' : '/two' }));
  const mock = await serve(undefined as never, { documents });
  const found = ['/one/svc/v2/a', '/one/rel/c', '/two/e'].map((path) =>
    ask(mock, `GET http://localhost${path}`),
  );
  expect((await Promise.all(found)).map(({ body }) => body)).toEqual(['a', 'c', 'e']);
});

test('a created record has its address below the server of what reads it', async () => {
  const record = { type: 'object', properties: { id: { type: 'integer', readOnly: true } } };
  const content = { 'application/json': { schema: record } };
  const Location = { schema: { type: 'string' } };
  const created = { 201: { description: 'made', headers: { Location }, content } };
  const mock = await serveText(
    documentOf({
      '/files': { post: { requestBody: { content }, responses: created } },
      '/files/{id}': {
        servers: [{ url: '/stored' }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: { description: 'one', content } } },
      },
    }),
  );
  const location = (await ask(mock, 'POST /files', {})).headers.get('location') ?? '';
  expect(location).toMatch(/^\/stored\/files\/\d+$/);
  expect((await ask(mock, `GET http://localhost${location}`)).status).toBe(200);
});

test.each([
  ['/a/', 'a', 'served as /svc/v1/a: the document has no slash at its end'],
  ['/d', 'd', 'served as /svc/v1/d/: the document has a slash at its end'],
  ['/a', 'a', undefined],
])('GET %s is answered whatever the slash at its end, with a note', async (path, want, note) => {
  const mock = await serveText(DOCUMENT);
  const { status, body } = await ask(mock, `GET ${path}`);
  expect([status, body]).toEqual([200, want]);
  const { body: seen } = await ask(mock, `GET ${mock.controlUrl}/requests`);
  expect(seen.at(-1).trace.route.note).toBe(note);
});

test('paths of the mock itself have no other form', async () => {
  const mock = await serveText(documentOf({ '/{name}/': { get: answer('own') } }));
  expect((await ask(mock, 'GET /openapi.json')).body.openapi).toBe('3.1.1');
  expect((await ask(mock, 'GET /others')).body).toBe('own');
});
