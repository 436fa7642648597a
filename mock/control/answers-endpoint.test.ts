import { expect, test } from 'vitest';
import { ask, documentOf, SHIPPED, serve, serveText } from '../testing/serve.ts';

const at = (path: string) => `http://localhost/__admin/${path}`;

async function withRules(...rules: readonly object[]) {
  const mock = await serve(SHIPPED);
  for (const rule of rules) expect((await ask(mock, `POST ${at('answers')}`, rule)).status).toBe(201);
  const list = async () => (await ask(mock, `GET ${at('answers')}`)).body as Record<string, unknown>[];
  return { mock, list, status: async () => (await ask(mock, 'GET /pets')).status };
}

test('a rule is switched off and on, changed and replaced, in its place', async () => {
  const { mock, list, status } = await withRules(
    { operation: 'listPets', status: 503 },
    { operation: 'listPets', status: 401, times: 2 },
  );
  expect(await status()).toBe(401);
  expect((await ask(mock, `PATCH ${at('answers/2')}`, { enabled: false })).body).toMatchObject({
    used: 1,
    enabled: false,
  });
  expect(await status()).toBe(503);
  // Null removes a member; its use count is kept.
  await ask(mock, `PATCH ${at('answers/2')}`, { enabled: null });
  expect([await status(), await status()]).toEqual([401, 503]);
  expect(await list()).toMatchObject([{ id: 1 }, { id: 2, used: 2 }]);
  await ask(mock, `PATCH ${at('answers/2')}`, { times: 3 });
  expect([await status(), await status()]).toEqual([401, 503]);
  // A new rule starts at 0.
  const put = await ask(mock, `PUT ${at('answers/2')}`, { operation: 'listPets', status: 500, times: 1 });
  expect(put.body).toEqual({ operation: 'listPets', status: 500, times: 1, id: 2, used: 0 });
  expect([await status(), await status()]).toEqual([500, 503]);
  expect((await ask(mock, `PATCH ${at('answers/2')}`, { times: 0 })).status).toBe(400);
  expect((await ask(mock, `PUT ${at('answers/9')}`, { status: 500 })).status).toBe(404);
  expect(mock.rules().map(({ id, used }) => ({ id, used }))).toEqual([
    { id: 1, used: 4 },
    { id: 2, used: 1 },
  ]);
  await mock.changeRule(1, { enabled: false });
  expect(await status()).toBe(200);
  expect(() => mock.changeRule(1, { status: 99 })).toThrow(/status must be/);
  expect(() => mock.changeRule(7, { status: 500 })).toThrow('there is no rule 7');
});

test('rules are ordered: the last one wins, and a new one goes before all', async () => {
  const { mock, list, status } = await withRules({ status: 501 }, { status: 502 }, { status: 503 });
  const order = async (ids: unknown) => (await ask(mock, `PUT ${at('answers/order')}`, ids)).status;
  expect(await order([3, 2, 1])).toBe(204);
  expect((await list()).map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(await status()).toBe(501);
  await ask(mock, `POST ${at('answers')}`, { status: 500 });
  expect(await status()).toBe(500);
  for (const ids of [[1, 1], [9], [], 'x', null]) expect(await order(ids)).toBe(400);
});

test('a draft is judged without being added: what refuses it, and what the document says against its bodies', async () => {
  const { mock, list } = await withRules();
  const check = async (rule: object) => (await ask(mock, `POST ${at('answers/check')}`, rule)).body;
  const pet = { id: 1, name: 'Tom', categoryId: 1 };
  expect(await check({ operation: 'getPet', body: pet })).toEqual({ problems: [], warnings: [] });
  expect(await check({ operation: 'getPet', body: { ...pet, name: 5 } })).toEqual({
    problems: [],
    warnings: [
      {
        where: 'body',
        pointer: '/name',
        message: 'must be a string',
        at: expect.stringMatching(/^spec\/openapi.yaml:\d+$/),
      },
    ],
  });
  expect(await check({ operation: 'getPet', sequence: [503, { body: {} }] })).toMatchObject({
    warnings: expect.arrayContaining([
      expect.objectContaining({ where: 'sequence.1.body', pointer: '/name' }),
    ]),
  });
  // A template's result is unknown; missing members are known.
  expect(
    await check({ operation: 'getPet', body: { id: '{{request.path.petId}}', name: 'Tom' } }),
  ).toMatchObject({
    warnings: [{ pointer: '/categoryId' }],
  });
  expect(await check({ operation: 'getPet', status: 599, body: pet })).toMatchObject({
    warnings: expect.arrayContaining([expect.objectContaining({ where: 'body' })]),
  });
  expect(await check({ status: 99 })).toMatchObject({ problems: [{ where: 'status' }], warnings: [] });
  expect(await list()).toEqual([]);
});

test('what an operation documents can be answered: each is a body that fits', async () => {
  const { mock } = await withRules();
  const { body } = await ask(mock, `GET ${at('answers/documented?operation=getPet')}`);
  const answers = body as { status: number; example?: string; body?: unknown }[];
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([200, 401, 404, 503]);
  for (const { status, body: own } of answers)
    expect(
      (await ask(mock, `POST ${at('answers/check')}`, { operation: 'getPet', status, body: own })).body,
    ).toEqual({
      problems: [],
      warnings: [],
    });
  expect((await ask(mock, `GET ${at('answers/documented?operation=none')}`)).status).toBe(404);
});

const BOAT = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

test.each([
  ['alone', { type: 'array', items: BOAT }, []],
  [
    'with what is said of pages',
    {
      type: 'object',
      required: ['boats', 'total', 'has_more', 'kind'],
      properties: {
        boats: { type: 'array', items: BOAT },
        total: { type: 'integer' },
        has_more: { type: 'boolean' },
        kind: { const: 'list' },
      },
    },
    { boats: [], total: 0, has_more: false, kind: 'list' },
  ],
])('a list can be answered without records: %s', async (_, list, want) => {
  const body = (schema: object) => ({ content: { 'application/json': { schema } } });
  const answer = (status: string, schema: object) => ({
    [status]: { description: 'Done.', ...body(schema) },
  });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const boats = {
    get: { operationId: 'listBoats', responses: answer('200', list) },
    post: { operationId: 'addBoat', requestBody: body(BOAT), responses: answer('201', BOAT) },
  };
  const boat = { get: { operationId: 'getBoat', parameters: [id], responses: answer('200', BOAT) } };
  const mock = await serveText(documentOf({ '/boats': boats, '/boats/{id}': boat }));
  const emptyListsOf = async (operation: string) => {
    const { body: answers } = await ask(mock, `GET ${at(`answers/documented?operation=${operation}`)}`);
    return answers.filter(({ isEmptyList }: { isEmptyList?: boolean }) => isEmptyList);
  };
  expect(await emptyListsOf('listBoats')).toMatchObject([{ status: 200, body: want }]);
  expect(await emptyListsOf('getBoat')).toEqual([]);
  // The same as the mock's own response for an empty list.
  const { records, ...state } = await mock.state();
  await mock.restore({ ...state, records: { ...records, '/boats': [] } });
  expect((await ask(mock, 'GET /boats')).body).toEqual(want);
});

test('scenarios are kept, switched to, renamed and removed, each session for itself', async () => {
  const { mock, status } = await withRules();
  const tom = mock.session('tom');
  tom.addRule({ operation: 'listPets', status: 503 });
  await tom.setLatency(2);
  await tom.saveScenario('down');
  await tom.reset();
  const scenario = (method: string, name: string, body?: unknown, session = '') =>
    ask(
      mock,
      `${method} ${at(`answers/scenarios/${encodeURIComponent(name)}${session && `?session=${session}`}`)}`,
      body,
    );
  expect((await ask(mock, `GET ${at('answers/scenarios')}`)).body).toEqual([
    { name: 'down', rules: 1, latency: 2, hasRecords: false, isCurrent: false },
  ]);
  expect((await scenario('POST', 'down', undefined, 'tom')).status).toBe(204);
  expect([await status(), tom.latency().low]).toEqual([200, 2]);
  expect((await ask(mock, `GET ${at('answers/scenarios?session=tom')}`)).body).toMatchObject([
    { isCurrent: true },
  ]);
  // A handwritten one with records; whatever it lacks is reset.
  const one = { records: { '/pets': [{ id: 7, name: 'Tom', categoryId: 1 }] } };
  expect((await scenario('PUT', 'one pet', one)).status).toBe(204);
  await tom.useScenario('one pet');
  expect([await tom.records('/pets'), tom.rules(), tom.latency().low]).toMatchObject([[{ id: 7 }], [], 0]);
  expect((await scenario('PUT', 'bad', { rules: [{ status: 99 }] })).body).toMatchObject({
    message: expect.stringMatching(/status must be/),
  });
  for (const name of ['../x', '.x', 'x.', 'a'.repeat(65)])
    expect((await scenario('PUT', name)).status).toBe(400);
  expect((await scenario('PATCH', 'down', { name: 'one pet' })).status).toBe(409);
  expect((await scenario('PATCH', 'down', { name: 'up' })).status).toBe(204);
  expect((await scenario('DELETE', 'down')).status).toBe(404);
  expect((await scenario('DELETE', 'up')).status).toBe(204);
  await expect(tom.useScenario('up')).rejects.toThrow('there is no scenario "up"');
});
