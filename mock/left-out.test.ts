import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from './testing/serve.ts';

const gone = { $ref: '#/components/schemas/Gone' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const of = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const pet = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

test('an operation that is left out keeps its place among the paths, and says why it responds 501', async () => {
  const mock = await serveText(
    documentOf({
      '/pets': { get: of({ type: 'array', items: pet }), post: { requestBody: json(gone), ...of(pet) } },
      '/pets/{id}': { parameters: [id], get: of(pet) },
      '/pets/mine': { get: of(gone) },
      '/shops/{id}': { $ref: '#/components/pathItems/Gone' },
    }),
  );
  for (const [line, body] of [
    ['GET /pets/mine'],
    ['POST /pets', { id: 'a' }],
    ['GET /shops/1'],
    ['DELETE /shops/1'],
  ] as const) {
    const { status, text } = await ask(mock, line, body);
    expect({ status, text }).toEqual({
      status: 501,
      text: expect.stringMatching(/is left out of the mock: it cannot be read: .*:\d+:\d+: the \$ref /),
    });
  }
  const [first] = (await ask(mock, 'GET /pets')).body as { id: string }[];
  expect((await ask(mock, `GET /pets/${first?.id}`)).status).toBe(200);
  expect((await ask(mock, 'GET /openapi.json')).status).toBe(200);
});
