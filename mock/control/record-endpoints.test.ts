import { expect, test } from 'vitest';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from '../testing/serve.ts';

const RECORDS = '/__admin/records';

async function mockWithoutBasePath(document = SHIPPED) {
  return serve(document, { basePath: false, count: 12 });
}

test('records are paged by the mock, and found by a text in their values', async () => {
  const mock = await mockWithoutBasePath();
  const page = await ask(mock, `GET ${RECORDS}?collection=/pets&offset=10&limit=5`);
  expect(page.body).toMatchObject({ total: 12, records: [{ path: '/pets' }, {}] });
  const [{ id: own, record }] = page.body.records;
  expect(record.id).toBe(own);
  const named = await ask(mock, `GET ${RECORDS}?collection=/pets&filter=${record.name.toUpperCase()}`);
  expect(named.body.records.map(({ id }: { id: number }) => id)).toContain(own);
  const byName = await ask(mock, `GET ${RECORDS}?collection=/pets&member=name&filter=${record.name}`);
  expect(byName.body.records.map(({ id }: { id: number }) => id)).toContain(own);
  // The names of members are no values.
  expect((await ask(mock, `GET ${RECORDS}?collection=/pets&filter=categoryId`)).body.total).toBe(0);
});

test('a record is found by its id alone, among any number that have its text', async () => {
  const mock = await serve(SHIPPED, { basePath: false, count: 1200 });
  const found = async (id: string) =>
    (await ask(mock, `GET ${RECORDS}?collection=/pets&id=${id}`)).body.records.map(
      (one: { id: unknown }) => one.id,
    );
  expect(await found('1')).toEqual([1]);
  expect(await found('1111')).toEqual([1111]);
  expect(await found('99999')).toEqual([]);
  expect(await found('none')).toEqual([]);
  const nested = await serve(fixture('libraries.yaml'), { basePath: false });
  const { collections } = (await ask(nested, 'GET /__admin/contract')).body;
  const { name } = collections.find((one: { name: string }) => one.name.includes('{'));
  const list = await ask(nested, `GET ${RECORDS}?collection=${encodeURIComponent(name)}`);
  const last = list.body.records.at(-1);
  const one = async (path: string) =>
    (await ask(nested, `GET ${RECORDS}?collection=${encodeURIComponent(path)}&id=${last.id}`)).body.records;
  expect(await one(name)).toEqual([last]);
  expect(await one(last.path)).toEqual([last]);
  const others = list.body.records.find(({ path }: { path: string }) => path !== last.path);
  expect(await one(others.path)).toEqual([]);
});

test('the newest record is the first', async () => {
  const mock = await mockWithoutBasePath();
  const { id } = (await ask(mock, `POST ${RECORDS}?collection=/pets`, { name: 'Rex', categoryId: 1 })).body;
  const idsOf = async (query: string) =>
    (await ask(mock, `GET ${RECORDS}?collection=/pets&${query}`)).body.records.map(
      (one: { id: number }) => one.id,
    );
  const all = await idsOf('limit=20');
  expect(all[0]).toBe(id);
  expect([...(await idsOf('limit=5')), ...(await idsOf('offset=5&limit=20'))]).toEqual(all);
  expect((await idsOf('filter=e'))[0]).toBe(id);
});

test('a form has what is inside of objects and lists', async () => {
  const item = {
    type: 'object',
    required: ['id', 'lines'],
    properties: {
      id: { type: 'integer' },
      secret: { type: 'string', writeOnly: true },
      address: { anyOf: [{ $ref: '#/components/schemas/Address' }, { type: 'null' }] },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { kind: { enum: ['a', 'b'] }, on: { type: 'string', format: 'date' } },
        },
      },
    },
  };
  const content = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  const responses = { 200: { description: 'All', ...content({ type: 'array', items: item }) } };
  const Address = { type: 'object', additionalProperties: false, properties: { city: { type: 'string' } } };
  const document = documentOf(
    { '/orders': { get: { responses } } },
    { components: { schemas: { Address } } },
  );
  const mock = await serveText(document, { count: 1 });
  const { members } = (await ask(mock, 'GET /__admin/records/form?collection=/orders')).body;
  expect(members).toMatchObject([
    { name: 'id', type: 'integer' },
    { name: 'address', type: 'object', open: false, members: [{ name: 'city', type: 'string' }] },
    {
      name: 'lines',
      required: true,
      items: {
        members: [
          { name: 'kind', values: ['a', 'b'] },
          { name: 'on', format: 'date' },
        ],
      },
    },
  ]);
});

test('of a list what records must have, and lack, is filled in', async () => {
  const mock = await mockWithoutBasePath();
  const body = [{ name: 'Rex' }, { categoryId: 3 }];
  expect((await ask(mock, `POST ${RECORDS}?collection=/pets`, body)).status).toBe(400);
  expect((await ask(mock, `POST ${RECORDS}/check?collection=/pets&fill=true`, body)).body.problems).toEqual(
    [],
  );
  const { ids } = (await ask(mock, `POST ${RECORDS}?collection=/pets&fill=true`, body)).body;
  const [first, second] = await Promise.all(
    ids.map(async (id: number) => (await ask(mock, `GET /pets/${id}`)).body),
  );
  expect(first).toEqual({ id: ids[0], name: 'Rex', categoryId: expect.anything() });
  expect(second).toEqual({ id: ids[1], name: expect.any(String), categoryId: 3 });
});

test('a record is added, replaced and removed, its integers exact', async () => {
  const mock = await mockWithoutBasePath();
  const exact = { name: 'Rex', categoryId: 9007199254740993n };
  const added = await ask(mock, `POST ${RECORDS}?collection=/pets`, exact);
  expect(added.status).toBe(201);
  const { id } = added.body;
  expect((await ask(mock, `GET /pets/${id}`)).body).toEqual({ id, ...exact });
  const put = await ask(mock, `PUT ${RECORDS}?collection=/pets&id=${id}`, {
    id: 13,
    name: 'Max',
    categoryId: 1,
  });
  expect(put.status).toBe(204);
  expect((await ask(mock, `GET /pets/${id}`)).body).toEqual({ id, name: 'Max', categoryId: 1 });
  expect((await ask(mock, `DELETE ${RECORDS}?collection=/pets&id=${id}`)).status).toBe(204);
  expect((await ask(mock, `DELETE ${RECORDS}?collection=/pets&id=${id}`)).status).toBe(404);
});

test('a record that breaks the schema is refused, with the reason and the line for each member', async () => {
  const mock = await mockWithoutBasePath();
  const broken = { name: 7, status: 'lost', colour: 'red' };
  const checked = await ask(mock, `POST ${RECORDS}/check?collection=/pets`, broken);
  const line = expect.stringMatching(/openapi\.yaml:\d+$/);
  expect(checked.body.problems).toEqual(
    expect.arrayContaining([
      { pointer: '/name', message: 'must be a string', at: line },
      { pointer: '/status', message: expect.stringMatching(/^must be one of "available"/), at: line },
      { pointer: '/categoryId', message: 'is required', at: line },
      { pointer: '/colour', message: 'is not in the document' },
    ]),
  );
  const { body } = await ask(mock, `GET /__admin/source?at=${checked.body.problems.at(-1).at}`);
  expect(body.lines[body.line - body.first]).toMatch(/\S/);
  const refused = await ask(mock, `POST ${RECORDS}?collection=/pets`, broken);
  expect(refused.status).toBe(400);
  expect(refused.body.details).toHaveLength(checked.body.problems.length);
  const [{ id }] = (await ask(mock, `GET ${RECORDS}?collection=/pets`)).body.records;
  const renumbered = await ask(mock, `PUT ${RECORDS}?collection=/pets&id=${id}`, {
    id: 9999,
    name: 'A',
    categoryId: 1,
  });
  expect(renumbered.body.details).toMatchObject([{ where: '/id' }]);
  expect((await mock.state()).records['/pets']).toHaveLength(12);
});

test('a record of a nested collection keeps its parents', async () => {
  const mock = await mockWithoutBasePath(fixture('libraries.yaml'));
  const contract = (await ask(mock, 'GET /__admin/contract')).body;
  const nested = contract.collections.find(({ name }: { name: string }) => name.includes('{'));
  const { records } = (await ask(mock, `GET ${RECORDS}?collection=${encodeURIComponent(nested.name)}`)).body;
  const [{ id, path, record }] = records;
  expect(path).not.toContain('{');
  const put = await ask(
    mock,
    `PUT ${RECORDS}?collection=${encodeURIComponent(nested.name)}&id=${id}`,
    record,
  );
  expect(put.status).toBe(204);
  expect((await ask(mock, `GET ${path}`)).text).toContain(JSON.stringify(id));
});

test('what is no collection, no record or no line is refused', async () => {
  const mock = await mockWithoutBasePath();
  expect((await ask(mock, `GET ${RECORDS}?collection=/nosuch`)).body.message).toContain('there are /pets');
  expect((await ask(mock, `PUT ${RECORDS}?collection=/pets`, { name: 'A', categoryId: 1 })).status).toBe(400);
  for (const at of ['/etc/passwd:1', 'openapi.yaml:999999', 'nonsense'])
    expect((await ask(mock, `GET /__admin/source?at=${at}`)).status).toBe(404);
});

test('a request is sent again with its credentials, in its session', async () => {
  const mock = await mockWithoutBasePath();
  const session = mock.session('tom');
  const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
  await session.fetch('/pets', { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' });
  const again = await ask(mock, 'POST /__admin/requests/1?session=tom');
  expect(again.status).toBe(201);
  expect(again.body).toMatchObject({ number: 2, status: 201, headers: { authorization: '***' } });
  expect(again.body.response.body).toContain('"name":"Rex"');
  expect((await session.state()).records['/pets']).toHaveLength(14);
  expect((await mock.state()).records['/pets']).toHaveLength(12);
  expect((await ask(mock, 'POST /__admin/requests/99')).status).toBe(404);
});

test('answers are logged: long ones cut, bytes not shown, keys redacted', async () => {
  const content = { 'text/plain': { schema: { type: 'string' }, example: 'x'.repeat(9000) } };
  const mock = await serveText(
    documentOf({ '/long': { get: { responses: { 200: { description: '', content } } } } }),
  );
  await ask(mock, 'GET /long');
  const [{ response } = { response: undefined }] = mock.requests();
  expect(response).toMatchObject({ body: 'x'.repeat(4096), cutFrom: 9000 });
});

test('records are sorted by a member, in both directions, and what lacks it is last', async () => {
  const mock = await mockWithoutBasePath();
  await ask(mock, `POST ${RECORDS}?collection=/pets`, { name: 'Aa 10', categoryId: 9007199254740993n });
  await ask(mock, `POST ${RECORDS}?collection=/pets`, { name: 'Aa 9', categoryId: 1 });
  const sorted = async (sort: string) =>
    (await ask(mock, `GET ${RECORDS}?collection=/pets&sort=${sort}`)).body.records.map(
      ({ record }: { record: Record<string, unknown> }) => record,
    );
  const names = (await sorted('name')).map(({ name }: { name: string }) => name);
  expect(names.indexOf('Aa 9')).toBe(names.indexOf('Aa 10') - 1);
  expect((await sorted('-categoryId'))[0].name).toBe('Aa 10');
  const states = (await sorted('status')).map(({ status }: { status?: string }) => status);
  expect(states.slice(-2)).toEqual([undefined, undefined]);
});

test('a sample is a record that fits, without what the service sets, and another one for each number', async () => {
  const mock = await mockWithoutBasePath();
  const sample = async (number: number) =>
    (await ask(mock, `POST ${RECORDS}/sample?collection=/pets&number=${number}`)).body.record;
  const [first, second] = [await sample(1), await sample(2)];
  expect(first).not.toEqual(second);
  expect(first).not.toHaveProperty('id');
  expect(await sample(1)).toEqual(first);
  expect((await ask(mock, `POST ${RECORDS}?collection=/pets`, first)).status).toBe(201);
});

test('of a list with an id that another record has nothing is added', async () => {
  const mock = await mockWithoutBasePath();
  const before = await mock.state();
  const list = [
    { id: 4711, name: 'Rex', categoryId: 1 },
    { id: 3, name: 'Ida', categoryId: 1 },
  ];
  const refused = await ask(mock, `POST ${RECORDS}?collection=/pets`, list);
  expect(refused.status).toBe(409);
  expect(refused.body.message).toMatch(/^\/1: .*None was added$/);
  expect(await mock.state()).toEqual(before);
});

test('a list of records is added as a whole or not at all, and several are removed at once', async () => {
  const mock = await mockWithoutBasePath();
  const good = { name: 'Rex', categoryId: 1 };
  const refused = await ask(mock, `POST ${RECORDS}?collection=/pets`, [good, { name: 7 }]);
  expect(refused.status).toBe(400);
  expect(refused.body.details.map(({ where }: { where: string }) => where)).toContain('/1/name');
  expect(
    (await ask(mock, `POST ${RECORDS}/check?collection=/pets`, [good, { name: 7 }])).body.problems,
  ).toContainEqual(expect.objectContaining({ pointer: '/1/name', message: 'must be a string' }));
  const { body } = await ask(mock, `POST ${RECORDS}?collection=/pets`, [good, good]);
  expect(body.ids).toHaveLength(2);
  const ids = body.ids.map((id: number) => `&id=${id}`).join('');
  expect((await ask(mock, `DELETE ${RECORDS}?collection=/pets${ids}`)).status).toBe(204);
  expect((await ask(mock, `GET ${RECORDS}?collection=/pets`)).body.total).toBe(12);
});
