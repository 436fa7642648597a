import { expect, test } from 'vitest';
import { contractOf, documentOf, problemsOf } from './testing/contract-of.ts';

const ok = { 200: { description: 'Done' } };

test("an operation's parameters override the path's, and its security the document's", async () => {
  const parameter = (type: string, place = 'query') => ({ name: 'q', in: place, schema: { type } });
  const bearer = { type: 'http', scheme: 'Bearer' };
  const contract = await contractOf({
    'a.json': documentOf(
      {
        '/a': {
          parameters: [parameter('string'), parameter('string', 'header')],
          get: { parameters: [{ $ref: '#/components/parameters/q' }], responses: ok },
          post: { security: [], responses: ok },
          put: { security: [{}, { key: [], bearer: [] }], responses: ok },
        },
      },
      {
        security: [{ bearer: [] }],
        components: {
          parameters: { q: parameter('integer') },
          securitySchemes: { bearer, key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
        },
      },
    ),
  });
  const [get, put, post] = contract.operations;
  expect(get?.parameters.map(({ in: place, shape }) => [place, shape.mainType])).toEqual([
    ['query', 'integer'],
    ['header', 'string'],
  ]);
  expect(get?.security.map((each) => each.map(({ kind, name }) => [kind, name]))).toEqual([
    [['bearer', 'authorization']],
  ]);
  expect(post?.security).toEqual([]);
  expect(put?.security.map((each) => each.map(({ name }) => name))).toEqual([[], ['x-key', 'authorization']]);
});

test('responses are optional in 3.1 and required in 3.0', async () => {
  const paths = { '/a': { get: {} } };
  const contract = await contractOf({ 'a.json': documentOf(paths) });
  expect(contract.operations.map(({ id, responses }) => [id, responses])).toEqual([['GET /a', []]]);
  expect(await problemsOf({ 'a.json': documentOf(paths, { openapi: '3.0.3' }) })).toHaveLength(1);
});

test('paths that differ in the names of parameters only are one, with the names and operations of the first', async () => {
  const path = (name: string) => ({
    parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
    put: { responses: ok },
  });
  const paths = { '/a/{x}': path('x'), '/a/{y}': { ...path('y'), get: { responses: ok } } };
  const { operations, warnings } = await contractOf({ 'a.json': documentOf(paths) });
  expect(operations.map(({ id, parameters: [one] }) => [id, one?.name])).toEqual([
    ['PUT /a/{x}', 'x'],
    ['GET /a/{x}', 'x'],
  ]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'PUT /a/{y} is the same request as PUT /a/{x}; it is ignored',
    'GET /a/{y} is the path /a/{x} (OpenAPI 3.1 §4.8.8.2); its names are read as there',
  ]);
});

test('a list by the id of another record keeps the name of its parameter', async () => {
  const path = (name: string) => [{ name, in: 'path', required: true, schema: { type: 'integer' } }];
  const training = { type: 'object', properties: { id: { type: 'integer' }, userId: { type: 'integer' } } };
  const gives = (schema: object) => ({
    responses: { 200: { description: '', content: { 'application/json': { schema } } } },
  });
  const { operations, resources } = await contractOf({
    'a.json': documentOf({
      '/trainings': { get: gives({ type: 'array', items: training }) },
      '/trainings/{trainingId}': { put: { parameters: path('trainingId'), ...gives(training) } },
      '/trainings/{userId}': {
        get: { parameters: path('userId'), ...gives({ type: 'array', items: training }) },
      },
    }),
  });
  expect(operations.map(({ id }) => id)).toContain('GET /trainings/{userId}');
  const shown = resources.flatMap(({ actions, parents, further }) => [
    { parents, operation: actions.list },
    ...further,
  ]);
  const list = shown.find(({ operation }) => operation?.path === '/trainings/{userId}');
  expect(list?.parents).toMatchObject([{ parameter: 'userId', property: 'userId' }]);
});

test('a parameter that a template has under another name is that one, and no GET has to have a body', async () => {
  const paths = {
    '/a/{a_id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        requestBody: { required: true, content: { 'application/json': { schema: {} } } },
        responses: ok,
      },
    },
  };
  const { operations, warnings } = await contractOf({ 'a.json': documentOf(paths) });
  expect(operations[0]?.parameters).toMatchObject([{ name: 'a_id', in: 'path' }]);
  expect(operations[0]?.parameters[0]?.shape.mainType).toBe('integer');
  expect(operations[0]?.body?.required).toBe(false);
  expect(warnings.map(({ message }) => message)).toEqual([
    '/a/{a_id} has no {id}; the path parameter is read as {a_id}',
    'browsers send no body with GET (RFC 9110 §9.3.1); it may be left out',
  ]);
});
