import { expect, test } from 'vitest';
import { type Asked, ask, documentOf, serveText } from '../../testing/serve.ts';

const number = { type: 'integer' };
const text = { type: 'string' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const gone = { responses: { 204: { description: 'Gone' } } };
const id = [{ name: 'id', in: 'path', required: true, schema: number }];
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const many = { type: 'array', items: { $ref: '#/components/schemas/Note' } };
const components = {
  schemas: {
    Note: {
      type: 'object',
      properties: { id: number, applicationId: number, text, isOld: { type: 'boolean' } },
    },
  },
};

async function notes(remove: object, elsewhere: object = {}) {
  const one = answers(many.items);
  const paths = {
    '/notes': { get: answers(many), post: { requestBody: json(many.items), ...one }, delete: remove },
    '/notes/{id}': { parameters: id, get: one },
    ...elsewhere,
  };
  return serveText(documentOf(paths, { components }), { count: 6 });
}

const idsOf = ({ body }: Asked) => body.map((one: { id: number }) => one.id);

test.each<[title: string, given: { remove: object; ask: string; body?: unknown; left: number[] }]>([
  ['all, where nothing selects some', { remove: gone, ask: '', left: [] }],
  [
    'those of a list of ids',
    {
      remove: { parameters: [query('ids', { type: 'array', items: number })], ...gone },
      ask: '?ids=2&ids=4',
      left: [1, 3, 5, 6],
    },
  ],
  [
    'those of a text with ids',
    { remove: { parameters: [query('id', text)], ...gone }, ask: '?id=2,4,99', left: [1, 3, 5, 6] },
  ],
  [
    'those of a body',
    {
      remove: {
        requestBody: json({ type: 'object', properties: { noteIds: { type: 'array', items: number } } }),
        ...gone,
      },
      ask: '',
      body: { noteIds: [1] },
      left: [2, 3, 4, 5, 6],
    },
  ],
  [
    'none, where none is named',
    {
      remove: { parameters: [query('id', text), query('all', { type: 'boolean' })], ...gone },
      ask: '',
      left: [1, 2, 3, 4, 5, 6],
    },
  ],
  [
    'all, where a flag says so',
    {
      remove: { parameters: [query('id', text), query('all', { type: 'boolean' })], ...gone },
      ask: '?all=true',
      left: [],
    },
  ],
  [
    'none, where nothing tells what a parameter selects',
    { remove: { parameters: [query('before', text)], ...gone }, ask: '?before=x', left: [1, 2, 3, 4, 5, 6] },
  ],
])('a DELETE of a collection removes %s', async (_, given) => {
  const mock = await notes(given.remove);
  expect((await ask(mock, `DELETE /notes${given.ask}`, given.body)).status).toBe(204);
  expect(idsOf(await ask(mock, 'GET /notes'))).toEqual(given.left);
});

test('a DELETE of what is listed below a parent removes that alone', async () => {
  const app = { type: 'object', properties: { id: number } };
  const mock = await notes(gone, {
    '/applications': { get: answers({ type: 'array', items: app }) },
    '/applications/{id}': { parameters: id, get: answers(app) },
    '/applications/{id}/notes': { parameters: id, get: answers(many), delete: gone },
  });
  const { body: first } = await ask(mock, 'POST /notes', { applicationId: 1 });
  const { body: second } = await ask(mock, 'POST /notes', { applicationId: 2 });
  expect(idsOf(await ask(mock, 'GET /applications/1/notes'))).toContain(first.id);
  expect((await ask(mock, 'DELETE /applications/1/notes')).status).toBe(204);
  expect((await ask(mock, 'GET /applications/1/notes')).body).toEqual([]);
  expect(idsOf(await ask(mock, 'GET /applications/2/notes'))).toContain(second.id);
});
