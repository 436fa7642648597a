import { describe, expect, test } from 'vitest';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

interface Identified {
  readonly id: number;
}
const ids = (records: readonly Identified[]) => records.map(({ id }) => id);

describe('records below records', () => {
  test('belong to the one in the path', async () => {
    const mock = await serve(fixture('libraries.yaml'));
    const [one, other] = (await ask(mock, 'GET /libraries')).body;
    const created = await ask(mock, `POST /libraries/${one.id}/books`, { title: 'A', language: 'da' });
    expect(misfits(mock, 'acquireBook', created)).toEqual([]);
    const booksOf = async ({ id }: Identified) => ids((await ask(mock, `GET /libraries/${id}/books`)).body);
    expect(await booksOf(one)).toContain(created.body.id);
    expect(await booksOf(other)).not.toContain(created.body.id);
    expect((await ask(mock, `GET /libraries/${one.id}/books/${created.body.id}`)).status).toBe(200);
    expect((await ask(mock, `GET /libraries/${other.id}/books/${created.body.id}`)).status).toBe(404);
    expect((await ask(mock, `DELETE /libraries/${other.id}/books/${created.body.id}`)).status).toBe(404);
  });

  test('are there from the start, and not below what is not there', async () => {
    const mock = await serve(fixture('libraries.yaml'));
    const [one] = (await ask(mock, 'GET /libraries')).body;
    expect((await ask(mock, `GET /libraries/${one.id}/books`)).body).not.toHaveLength(0);
    await ask(mock, `DELETE /libraries/${one.id}`);
    expect((await ask(mock, `GET /libraries/${one.id}/books`)).status).toBe(404);
    expect((await ask(mock, `POST /libraries/${one.id}/books`, { title: 'A', language: 'da' })).status).toBe(
      404,
    );
  });

  test('name it, seeded ones as well', async () => {
    const mock = await serve(fixture('kennels.yaml'));
    const [, owner] = (await ask(mock, 'GET /owners')).body;
    const dogs = (await ask(mock, `GET /owners/${owner.id}/dogs`)).body as { owner_id: number }[];
    expect(dogs.length).toBeGreaterThan(0);
    const created = await ask(mock, `POST /owners/${owner.id}/dogs`, { name: 'Rex', kind: 'other' });
    expect([...dogs, created.body].map((dog) => dog.owner_id)).toEqual(
      Array.from({ length: dogs.length + 1 }, () => owner.id),
    );
  });

  test('name it in an object, beside what else that holds', async () => {
    const integer = { type: 'integer' };
    const owner = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: integer, name: { type: 'string' } },
    };
    const dog = {
      type: 'object',
      required: ['id', 'owner'],
      properties: {
        id: { ...integer, readOnly: true },
        owner: { ...owner, readOnly: true },
        name: { type: 'string' },
      },
    };
    const content = { 'application/json': { schema: dog } };
    const listed = { 'application/json': { schema: { type: 'array', items: dog } } };
    const mock = await serveText(
      documentOf({
        '/owners/{ownerId}/dogs': {
          parameters: [{ name: 'ownerId', in: 'path', required: true, schema: integer }],
          get: {
            operationId: 'listDogs',
            responses: { 200: { description: 'Dogs', content: listed } },
            'x-paddock': { path: { ownerId: 'owner.id' } },
          },
          post: {
            operationId: 'addDog',
            requestBody: { content },
            responses: { 201: { description: 'It', content } },
          },
        },
      }),
    );
    const created = await ask(mock, 'POST /owners/3/dogs', { name: 'Rex' });
    expect(created.body).toMatchObject({ owner: { id: 3, name: expect.any(String) } });
    expect(misfits(mock, 'addDog', created)).toEqual([]);
    expect((await ask(mock, 'GET /owners/3/dogs')).body).toEqual([created.body]);
  });
});
