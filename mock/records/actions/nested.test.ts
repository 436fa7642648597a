import { describe, expect, test } from 'vitest';
import { misfits } from '../../testing/documented.ts';
import { ask, fixture, serve } from '../../testing/serve.ts';

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
    expect((await ask(mock, `GET /libraries/${one.id}/books`)).body).toHaveLength(5);
    await ask(mock, `DELETE /libraries/${one.id}`);
    expect((await ask(mock, `GET /libraries/${one.id}/books`)).status).toBe(404);
    expect((await ask(mock, `POST /libraries/${one.id}/books`, { title: 'A', language: 'da' })).status).toBe(
      404,
    );
  });
});
