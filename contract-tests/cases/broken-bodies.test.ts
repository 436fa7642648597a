import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { resolveSettings } from '../settings/settings.ts';
import { brokenBodies } from './broken-bodies.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** A collection of records with a schema of that name. */
const collection = (path: string, name: string) => ({
  [path]: {
    get: { responses: { 200: { description: '', ...json({ type: 'array', items: ref(name) }) } } },
    post: {
      operationId: `add${name}`,
      requestBody: json(ref(name)),
      responses: { 201: { description: '', ...json(ref(name)) } },
    },
  },
  [`${path}/{id}`]: {
    parameters: [id],
    get: { responses: { 200: { description: '', ...json(ref(name)) } } },
  },
});

const object = (properties: object) => ({
  type: 'object',
  properties: { id: { type: 'integer' }, ...properties },
});
const text = { type: 'string' };

test('nothing is broken within a record of another collection, which may be that of others', async () => {
  const contract = await readContract(
    {
      openapi: '3.1.1',
      info: { title: 'Books', version: '1' },
      paths: { ...collection('/books', 'Book'), ...collection('/authors', 'Author') },
      components: {
        schemas: {
          Author: object({ name: text }),
          Book: object({
            title: text,
            size: { type: 'object', properties: { width: { type: 'integer' } } },
            author: { oneOf: [ref('Author'), { type: 'integer' }] },
          }),
        },
      },
    },
    'books.json',
  );
  const add = contract.operations.filter((one) => one.id === 'addBook');
  const settings = resolveSettings({ target: 'http://localhost', document: '' });
  const pointers = add.flatMap((one) => brokenBodies(contract, settings, one)).map(({ pointer }) => pointer);
  expect(pointers).toContain('/size/width');
  expect(pointers.filter((pointer) => pointer.startsWith('/author/'))).toEqual([]);
});
