import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringifyJson } from '#spec';
import { createMock, type Mock, type MockOptions } from '../index.ts';
import { ask, documentOf } from '../testing/serve.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ID = { type: 'integer', format: 'int64' };
const item = (name: string) => ({ name, in: 'path', required: true, schema: ID });

/** A collection of records with these members, and a health check. */
function service(title: string, url: string, path: string, members: object, more: object = {}): object {
  const record = { type: 'object', required: Object.keys(members), properties: { id: ID, ...members } };
  const one = { description: 'One', ...json(record) };
  const paths = {
    '/health': { get: { operationId: 'health', responses: { 200: { description: 'Well' } } } },
    [path]: {
      get: { responses: { 200: { description: 'All', ...json({ type: 'array', items: record }) } } },
      post: {
        requestBody: json({ type: 'object', required: Object.keys(members), properties: members }),
        responses: { 201: one, 422: { description: 'Wrong' } },
      },
    },
    [`${path}/{id}`]: {
      get: { parameters: [item('id')], responses: { 200: one, 404: { description: 'None' } } },
    },
    ...more,
  };
  return { ...documentOf(paths), info: { title, version: '1' }, servers: [{ url }] };
}

const USERS = service('Users', 'https://users.example/v1', '/users', { name: { type: 'string' } });
const ORDERS = service(
  'Orders',
  'https://orders.example/v2',
  '/orders',
  { buyer: ID },
  {
    '/users/{userId}/invoices': {
      get: {
        parameters: [item('userId')],
        responses: {
          200: {
            description: 'All',
            ...json({ type: 'array', items: { type: 'object', properties: { id: ID, sum: ID } } }),
          },
          404: { description: 'None' },
        },
      },
    },
  },
);

async function folderWith(files: Readonly<Record<string, object>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'documents-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), stringifyJson(value, 2));
  return folder;
}

async function serveAll(
  files: Readonly<Record<string, object>>,
  options: Partial<MockOptions> = {},
  place = (file: string): NonNullable<MockOptions['documents']>[number] => file,
): Promise<{ mock: Mock; folder: string }> {
  const folder = await folderWith(files);
  const documents = Object.keys(files).map((name) => place(join(folder, name)));
  const mock = await createMock({ port: false, count: 5, ...options, documents });
  onTestFinished(() => mock.close());
  return { mock, folder };
}

const BOTH = { 'users.json': USERS, 'orders.json': ORDERS };
const status = async (mock: Mock, line: string, body?: unknown) => (await ask(mock, line, body)).status;

test('each document is served at its base path, with the records that it has alone', async () => {
  const { mock, folder } = await serveAll(BOTH);
  const alone = await createMock({ port: false, count: 5, document: join(folder, 'orders.json') });
  onTestFinished(() => alone.close());
  expect((await ask(mock, 'GET /v2/orders')).text).toBe((await ask(alone, 'GET /orders')).text);
  expect(mock.documents.map(({ name, url }) => [name, url])).toEqual([
    ['users', 'http://localhost/v1'],
    ['orders', 'http://localhost/v2'],
  ]);
  expect(await status(mock, 'GET /users')).toBe(404);
});

test('there is one log, one reset, one state and one set of rules, with names that are apart', async () => {
  const { mock } = await serveAll(BOTH);
  await ask(mock, 'POST /v1/users', { name: 'Ann' });
  await ask(mock, 'POST /v2/orders', { buyer: 1 });
  expect((await ask(mock, 'GET /__admin/state')).body.numbered).toMatchObject({
    '/v1/users': 6,
    '/v2/orders': 6,
  });
  mock.addRule({ operation: 'orders:health', status: 200, headers: { 'X-Rule': 'met' } });
  expect((await ask(mock, 'GET /v2/health')).headers.get('x-rule')).toBe('met');
  expect((await ask(mock, 'GET /v1/health')).headers.get('x-rule')).toBeNull();
  expect(mock.requests().map(({ operation }) => operation)).toEqual([
    'POST /users',
    'POST /orders',
    'orders:health',
    'users:health',
  ]);
  await mock.reset();
  expect(await mock.records('/v1/users')).toHaveLength(5);
  expect(await mock.records('/v2/orders')).toHaveLength(5);
});

const CLASH = { ...ORDERS, servers: [{ url: 'https://users.example/v1' }] };

test('the same operation at the same host and path is refused with both places', async () => {
  const folder = await folderWith({ 'users.json': USERS, 'clash.json': CLASH });
  const documents = ['users.json', 'clash.json'].map((name) => join(folder, name));
  const refused = createMock({ port: false, documents });
  await expect(refused).rejects.toThrow(/clash\.json:\d+:\d+: GET \/v1\/health is also in .*users\.json:\d+/);
  await expect(refused).rejects.toThrow(expect.objectContaining({ name: 'DocumentError' }));
});

test('below a path of its own it is served', async () => {
  const place = (file: string) => (file.endsWith('clash.json') ? { document: file, at: '/shop' } : file);
  const { mock } = await serveAll({ 'users.json': USERS, 'clash.json': CLASH }, {}, place);
  expect(await status(mock, 'GET /shop/v1/orders')).toBe(200);
  expect(await status(mock, 'GET /v1/users')).toBe(200);
});

test('what differs by its host only goes to the host, and elsewhere to the first document', async () => {
  const other = { ...ORDERS, servers: [{ url: 'https://orders.example/v1' }] };
  const notices: string[] = [];
  const { mock } = await serveAll(
    { 'users.json': USERS, 'orders.json': other },
    { notice: (text) => notices.push(text) },
  );
  const atHost = async (host: string, path: string) =>
    (await mock.fetch(`http://localhost${path}`, { headers: { host } })).status;
  expect(await atHost('orders.example:4020', '/v1/users')).toBe(404);
  expect(await atHost('orders.example', '/v1/orders')).toBe(200);
  expect(await atHost('localhost:4020', '/v1/orders')).toBe(200);
  await mock.fetch('http://localhost/v1/health', { headers: { host: 'orders.example' } });
  await mock.fetch('http://localhost/v1/health');
  expect(
    mock
      .requests()
      .slice(-2)
      .map(({ operation }) => operation),
  ).toEqual(['orders:health', 'users:health']);
  expect(notices.join()).toMatch(/GET \/v1\/health is also in .*all other hosts the latter/);
});

test('a member and a path parameter name records of another document', async () => {
  const relate = { '/v2/orders#buyer': '/v1/users', '/v2/users/{userId}#userId': '/v1/users' };
  const { mock } = await serveAll(BOTH, { relate });
  const users = (await ask(mock, 'GET /v1/users')).body.map(({ id }: { id: number }) => id);
  for (const { buyer } of (await ask(mock, 'GET /v2/orders')).body) expect(users).toContain(buyer);
  const refused = await ask(mock, 'POST /v2/orders', { buyer: 99 });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('body.buyer must be the id of a record of /v1/users, not 99');
  expect(await status(mock, 'POST /v2/orders', { buyer: users[0] })).toBe(201);
  expect(await status(mock, 'GET /v2/users/99/invoices')).toBe(404);
  expect(await status(mock, `GET /v2/users/${users[0]}/invoices`)).toBe(200);
});

test.each([
  [{ '/v2/orders#byer': '/v1/users' }, /no collection whose records have a member byer/],
  [{ '/v2/orders#buyer': '/v1/user' }, /there is no collection \/v1\/user; there are \/v1\/users/],
  [{ '/v2/orders': '/v1/users' }, /it must be COLLECTION#MEMBER=COLLECTION/],
  [{ '/v3/{id}#id': '/v1/users' }, /no path of the documents begins with/],
])('the relation %o is refused', async (relate, message) => {
  const folder = await folderWith(BOTH);
  const documents = Object.keys(BOTH).map((name) => join(folder, name));
  await expect(createMock({ port: false, documents, relate })).rejects.toThrow(message);
});

test('documents are at their base paths and under their names, with an index at the root', async () => {
  const { mock } = await serveAll(BOTH);
  expect((await ask(mock, 'GET /v2/openapi.json')).body.info.title).toBe('Orders');
  expect((await ask(mock, 'GET /openapi/users.json')).body.info.title).toBe('Users');
  expect((await ask(mock, 'GET /openapi.json')).body.documents).toMatchObject([
    { name: 'users', basePath: '/v1', yaml: '/openapi/users.yaml' },
    { name: 'orders', basePath: '/v2', host: 'orders.example' },
  ]);
  const reference = await ask(mock, 'GET /__admin/reference-document?document=orders');
  expect(reference.body.info.title).toBe('Orders');
  const index = await ask(mock, 'GET /__admin/reference-index?document=orders');
  expect(index.body).toMatchObject({ title: 'Orders', documents: ['users', 'orders'], basePath: '/v2' });
  const [{ collection }] = index.body.operations.filter((one: { collection?: string }) => one.collection);
  expect((await ask(mock, `GET /__admin/records?collection=${collection}`)).status).toBe(200);
  expect((await ask(mock, 'GET /__admin/reference-index?document=none')).status).toBe(404);
});

test('each document is watched; one that would collide is refused, and the old one goes on', async () => {
  let wake = () => {};
  const notices: string[] = [];
  const notice = (text: string) => {
    notices.push(text);
    wake();
  };
  const noticed = async (pattern: RegExp) => {
    while (!notices.some((text) => pattern.test(text)))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const { mock, folder } = await serveAll(BOTH, { watch: true, notice });
  await ask(mock, 'POST /v1/users', { name: 'Ann' });
  const file = join(folder, 'orders.json');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('https://orders.example/v2', 'https://users.example/v1'));
  await noticed(/orders: the document was refused[\s\S]*GET \/v1\/health is also in/);
  expect(await status(mock, 'GET /v2/orders')).toBe(200);
  await writeFile(file, text.replaceAll('/orders', '/purchases'));
  await noticed(/is served from now on/);
  expect(await status(mock, 'GET /v2/purchases')).toBe(200);
  expect(await mock.records('/v1/users')).toHaveLength(6);
});
