import { expect, test } from 'vitest';
import { ask, fixture, misfits, serve } from '../../testing/serve.ts';

const SHELTER = fixture('shelter.yaml');

const animal = { name: 'Rex', status: 'waiting', keeperId: 2 };

test('all paths of a collection show the same records', async () => {
  const mock = await serve(SHELTER, { count: 3 });
  const { body: made } = await ask(mock, 'POST /animal', JSON.stringify(animal));
  const path = `/animals/${made.id}`;
  expect((await ask(mock, `GET ${path}`)).body).toEqual(made);
  expect((await ask(mock, 'GET /animal/findByStatus?status=waiting')).body).toContainEqual(made);
  expect((await ask(mock, 'GET /animal/findByStatus?status=adopted')).body).not.toContainEqual(made);
  expect((await ask(mock, 'GET /keepers/2/animals')).body).toContainEqual(made);
  expect((await ask(mock, 'GET /keepers/1/animals')).body).not.toContainEqual(made);

  const replaced = { id: made.id, name: 'Max', status: 'adopted' };
  expect((await ask(mock, 'PUT /animal', JSON.stringify(replaced))).body).toEqual(replaced);
  expect((await ask(mock, `POST ${path}`, '{"status":"reserved"}')).body.status).toBe('reserved');
  const { body: changed } = await ask(mock, `GET ${path}`);
  expect(changed).toEqual({ ...replaced, status: 'reserved' });
  expect((await ask(mock, `POST ${path}/vaccinate`)).body).toEqual(changed);
  const declared = await ask(mock, 'GET /adoptions/latest');
  expect(declared.body.map(({ id }: { id: number }) => id)).toContain(made.id);

  expect((await ask(mock, `DELETE ${path}`)).status).toBe(204);
  expect((await ask(mock, 'GET /animal/findByStatus')).body).not.toContainEqual(changed);
});

test.each([
  ['PUT /animal', '{"id":99,"name":"Rex","status":"waiting"}'],
  ['POST /animals/99', '{"name":"Rex"}'],
  ['POST /animals/99/vaccinate', undefined],
  ['GET /keepers/99/animals', undefined],
])('%s of what is not there is not found', async (request, body) => {
  const mock = await serve(SHELTER, { count: 3 });
  expect((await ask(mock, request, body)).status).toBe(404);
});

test('several records at once are all stored', async () => {
  const mock = await serve(SHELTER, { count: 3 });
  const { status, body } = await ask(mock, 'POST /animal/createWithList', JSON.stringify([animal, animal]));
  expect(status).toBe(201);
  expect(body).toEqual([
    { id: 4, ...animal },
    { id: 5, ...animal },
  ]);
  expect((await ask(mock, 'GET /animals/5')).body).toEqual(body[1]);
});

test('a cursor leads through all records once, and the last page says so', async () => {
  const mock = await serve(SHELTER, { count: 7 });
  const ids: number[] = [];
  let next: string | null = '';
  for (let page = 0; page < 9 && next !== null; page++) {
    const answer = await ask(mock, `GET /keepers?limit=3${next && `&page_token=${next}`}`);
    expect(misfits(mock, 'listKeepers', answer)).toEqual([]);
    ids.push(...answer.body.data.map(({ id }: { id: number }) => id));
    next = answer.body.next_page_token;
    expect(answer.body.has_more).toBe(next !== null);
  }
  expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const unknown = await ask(mock, 'GET /keepers?page_token=nothing');
  expect([unknown.status, unknown.body.message]).toEqual([
    400,
    'query.page_token must be a cursor of this list, not "nothing"',
  ]);
});

test('a singleton reads as it was last written, and begins as it was seeded', async () => {
  const mock = await serve(SHELTER, { count: 3 });
  const { body: seeded } = await ask(mock, 'GET /settings');
  expect(misfits(mock, 'readSettings', await ask(mock, 'GET /settings'))).toEqual([]);
  const beds = seeded.beds === 7 ? 8 : 7;
  expect((await ask(mock, 'PATCH /settings', JSON.stringify({ beds }))).body).toEqual({ ...seeded, beds });
  expect((await ask(mock, 'GET /settings')).body).toEqual({ ...seeded, beds });
  await ask(mock, 'PUT /settings', '{"open":false,"beds":1}');
  expect((await ask(mock, 'GET /settings')).body).toEqual({ open: false, beds: 1 });
  const state = await mock.state();
  await mock.reset();
  expect((await ask(mock, 'GET /settings')).body).toEqual(seeded);
  await mock.restore(state);
  expect((await ask(mock, 'GET /settings')).body).toEqual({ open: false, beds: 1 });
});

test('what belongs to no collection is answered from the schema', async () => {
  const mock = await serve(SHELTER);
  const actions = new Map(mock.operations.map(({ id, action }) => [id, action]));
  expect(actions.get('readStatistics')).toBe('sample');
  expect(actions.get('listOpenDays')).toBe('sample');
  expect([...actions.values()].filter((action) => action === 'sample')).toHaveLength(2);
});
