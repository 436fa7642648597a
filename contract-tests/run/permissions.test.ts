import { expect, test } from 'vitest';
import { readContract } from '#spec';
import type { CheckOptions } from '../settings/check-options.ts';
import { withOperations } from '../settings/for-document.ts';
import { resolveSettings } from '../settings/settings.ts';
import { createPermissions, type RefusalCode } from './permissions.ts';

const ITEM = { schema: { $ref: '#/components/schemas/Item' } };
const one = (status = 200) => ({ [status]: { description: '', content: { 'application/json': ITEM } } });
const many = {
  200: {
    description: '',
    content: { 'application/json': { schema: { type: 'array', items: ITEM.schema } } },
  },
};
const body = { content: { 'application/json': ITEM } };
const secret = {
  content: {
    'application/json': {
      schema: { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } },
    },
  },
};
const asking = {
  content: {
    'application/json': { schema: { type: 'object', properties: { text: { type: 'string' } } } },
  },
};
const done = { 200: { description: '' } };

/** A service with what others have destroyed, and what is harmless. */
const PATHS = {
  '/items': {
    get: { responses: many },
    post: { requestBody: body, responses: one(201) },
    delete: { responses: done },
    put: { requestBody: body, responses: done },
  },
  '/items/{itemId}': {
    get: { responses: one() },
    put: { requestBody: body, responses: one() },
    delete: { responses: done },
  },
  '/items/{itemId}/restart': { post: { responses: done } },
  '/items/{itemId}/parts': { get: { responses: many }, post: { requestBody: body, responses: one(201) } },
  '/items/import': { post: { requestBody: body, responses: one(201) } },
  '/items/add': { post: { requestBody: body, responses: one(201) } },
  '/items/search': { post: { requestBody: asking, responses: many } },
  '/servers': { get: { responses: many } },
  '/servers/{serverId}': { get: { responses: one() }, delete: { responses: done } },
  '/servers/{serverId}/zones': { get: { responses: many }, post: { requestBody: body, responses: one(201) } },
  '/servers/{serverId}/zones/{zoneId}': {
    get: { responses: one() },
    patch: { requestBody: body, responses: one() },
  },
  '/tenants/{tenantId}/keys': { post: { requestBody: body, responses: one(201) } },
  '/settings': { get: { responses: one() }, put: { requestBody: body, responses: one() } },
  '/flags/{flag}': { put: { requestBody: body, responses: one() } },
  '/shutdown': { post: { responses: done } },
  '/logout': { get: { responses: done } },
  '/login': { post: { requestBody: secret, responses: done } },
  '/tokens/refresh': { post: { requestBody: body, responses: one(201) } },
  '/trace': { trace: { responses: done } },
};

function documentOf(extension: object = {}) {
  const paths = Object.entries(PATHS).map(([path, item]) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    return [path, { ...item, parameters, ...(path === '/shutdown' ? extension : {}) }];
  });
  const properties = { id: { type: 'string', readOnly: true }, name: { type: 'string' } };
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: Object.fromEntries(paths),
    components: { schemas: { Item: { type: 'object', required: ['name'], properties } } },
  };
}

/** `METHOD /path` -> why it is not called. */
async function refusals(
  options: Partial<CheckOptions> = {},
  extension = {},
  uri = 'service.json',
): Promise<Record<string, RefusalCode>> {
  const contract = await readContract(documentOf(extension), uri);
  const target = 'http://127.0.0.1:1';
  const settings = withOperations(resolveSettings({ target, document: '', ...options }), contract);
  const found = createPermissions(contract, settings).refusals;
  return Object.fromEntries(found.map(({ operation, code }) => [operation.id, code]));
}

const WITHHELD = {
  'DELETE /items': 'no own record',
  'PUT /items': 'no own record',
  'POST /items/import': 'named act',
  'POST /items/add': 'named act',
  'DELETE /servers/{serverId}': 'no own record',
  'POST /tenants/{tenantId}/keys': 'no own record',
  'PUT /settings': 'no own record',
  'PUT /flags/{flag}': 'no own record',
  'POST /shutdown': 'named act',
  'GET /logout': 'named act',
  'POST /login': 'login',
  'POST /tokens/refresh': 'named act',
};

test('what may change more than the run has made is withheld, and nothing else', async () => {
  expect(await refusals()).toEqual(WITHHELD);
});

/** Beside a collection of items: whether an operation is called, sent once, or withheld. */
async function callOf(name: string, item: Record<string, object>) {
  const [method, path = ''] = name.split(' ');
  const { components, ...document } = documentOf();
  const contract = await readContract(
    {
      ...document,
      paths: { '/items': PATHS['/items'], [path]: item },
      components,
    },
    'service.json',
  );
  const settings = withOperations(
    resolveSettings({ target: 'https://staging.example', document: '', writes: true }),
    contract,
  );
  const permissions = createPermissions(contract, settings);
  const operation = contract.operations.find((one) => one.path === path && one.method === method);
  if (!operation) throw new Error(name);
  if (permissions.of(operation)) return 'withheld';
  return permissions.isSentOnce(operation) ? 'once' : permissions.changes(operation) ? 'changes' : 'reads';
}

const object = (properties: object, required: string[] = []) => ({
  content: { 'application/json': { schema: { type: 'object', properties, required } } },
});
const receipt = (status: number) => ({
  [status]: { description: '', ...object({ receipt: { type: 'string' } }) },
});
const amount = object({ amount: { type: 'integer' } }, ['amount']);
const text = { type: 'string' };

test.each<[string, string, Record<string, object>, string]>([
  [
    'a create of no collection',
    'POST /payments',
    { post: { requestBody: amount, responses: receipt(201) } },
    'once',
  ],
  [
    'the same in the singular',
    'POST /payment',
    { post: { requestBody: amount, responses: receipt(201) } },
    'once',
  ],
  [
    'what may be accepted only',
    'POST /payments',
    { post: { requestBody: amount, responses: receipt(202) } },
    'withheld',
  ],
  [
    'what is named like an act',
    'POST /mails/send',
    { post: { requestBody: amount, responses: receipt(201) } },
    'withheld',
  ],
  [
    'what is set, and read at the same path',
    'POST /schedule',
    { get: { responses: receipt(200) }, post: { requestBody: amount, responses: receipt(201) } },
    'withheld',
  ],
  [
    'a POST that validates',
    'POST /coupons/validate',
    { post: { requestBody: asking, responses: receipt(200) } },
    'withheld',
  ],
  [
    'a POST that queries',
    'POST /query',
    { post: { requestBody: asking, responses: receipt(200) } },
    'withheld',
  ],
  [
    'a search that lists no known records',
    'POST /search',
    { post: { requestBody: asking, responses: receipt(200) } },
    'withheld',
  ],
  ['a search for records', 'POST /items/find', { post: { requestBody: asking, responses: many } }, 'reads'],
  [
    'what lists records, and is sent one',
    'POST /items/find',
    { post: { requestBody: body, responses: many } },
    'withheld',
  ],
  ['what lists records, and is asked nothing', 'POST /items/find', { post: { responses: many } }, 'withheld'],
  [
    'what lists records, and must have a member of one',
    'POST /items/find',
    { post: { requestBody: object({ name: text }, ['name']), responses: many } },
    'withheld',
  ],
  [
    'what lists records that it cancels',
    'POST /items/cancel',
    { post: { requestBody: asking, responses: many } },
    'withheld',
  ],
  ['a GET that runs', 'GET /jobs/run-now', { get: { responses: receipt(200) } }, 'withheld'],
  [
    'a GET that deletes, in the way of remote procedures',
    'GET /jobs.delete',
    { get: { responses: receipt(200) } },
    'withheld',
  ],
  ['a GET that deletes many', 'GET /jobs/bulk-delete', { get: { responses: receipt(200) } }, 'withheld'],
  ['a GET that lists what it sends', 'GET /items/send', { get: { responses: many } }, 'withheld'],
  [
    'a GET whose operationId starts',
    'GET /jobs/now',
    { get: { operationId: 'startJob', responses: receipt(200) } },
    'withheld',
  ],
  [
    'a GET of what is written there',
    'GET /run',
    { put: { requestBody: asking, responses: done }, get: { responses: receipt(200) } },
    'reads',
  ],
  ['a GET of a noun', 'GET /jobs/status', { get: { responses: receipt(200) } }, 'reads'],
  ['a GET that does it again', 'GET /jobs/relaunch', { get: { responses: receipt(200) } }, 'withheld'],
  ['a GET of a noun that looks so', 'GET /jobs/remark', { get: { responses: receipt(200) } }, 'reads'],
  [
    'a GET that is said not to be safe',
    'GET /jobs/status',
    { get: { 'x-paddock': { safe: false }, responses: receipt(200) } },
    'withheld',
  ],
  [
    'a login by another name',
    'POST /access-token',
    { post: { requestBody: object({ user: text, otp: text }, ['otp']), responses: receipt(201) } },
    'withheld',
  ],
])('%s: %s', async (_, name, item, call) => {
  expect(await callOf(name, item)).toBe(call);
});

test('a body names the record that it changes only where it must have its id, or the response is the record', async () => {
  const properties = { id: { type: 'number' }, title: { type: 'string' } };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const todo = { type: 'object', title: 'Todo', properties };
  const count = json({ type: 'object', properties: { count: { type: 'number' } } });
  const withheld = async (schema: object, response: object) => {
    const document = {
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: {
        '/todos': {
          get: { responses: { 200: { description: '', ...json({ type: 'array', items: todo }) } } },
          post: { requestBody: json(todo), responses: { 201: { description: '', ...json(todo) } } },
          patch: { requestBody: json(schema), responses: { 200: { description: '', ...response } } },
        },
        '/todos/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'number' } }],
          get: { responses: { 200: { description: '', ...json(todo) } } },
        },
      },
    };
    const contract = await readContract(document, 'todos.json');
    const settings = resolveSettings({ target: 'http://127.0.0.1:1', document: '' });
    return createPermissions(contract, withOperations(settings, contract)).refusals.map(
      ({ operation }) => operation.id,
    );
  };
  expect(await withheld(todo, count)).toEqual(['PATCH /todos']);
  expect(await withheld(todo, json(todo))).toEqual([]);
  expect(await withheld({ ...todo, required: ['id'] }, count)).toEqual([]);
});

test('what a value of the user names counts as the run’s own', async () => {
  const values = { serverId: 'a', tenantId: 'b', flag: 'c', password: 'd' };
  const {
    'DELETE /servers/{serverId}': _server,
    'POST /tenants/{tenantId}/keys': _tenant,
    'PUT /flags/{flag}': _flag,
    'POST /login': _login,
    ...rest
  } = WITHHELD;
  expect(await refusals({ values })).toEqual(rest);
});

test('TRACE is sent to this machine only', async () => {
  expect(await refusals({ target: 'http://staging.example', writes: true })).toEqual({
    ...WITHHELD,
    'TRACE /trace': 'trace',
  });
});

test.each<[string, Partial<CheckOptions>]>([
  ['an operationId', { allow: ['POST /shutdown'] }],
  ['method and path', { allow: ['post /shutdown'] }],
])('--allow takes %s', async (_, options) => {
  const { 'POST /shutdown': _shutdown, ...rest } = WITHHELD;
  expect(await refusals(options)).toEqual(rest);
});

test('--allow all permits everything, and --exclude takes it back', async () => {
  expect(await refusals({ allow: ['all'] })).toEqual({});
  expect(await refusals({ allow: ['all'], exclude: ['DELETE /items'] })).toEqual({
    'DELETE /items': 'excluded',
  });
});

test('where the run may not create, it owns nothing that it could change', async () => {
  const found = await refusals({ exclude: ['POST /items'] });
  expect(found).toMatchObject({
    'PUT /items/{itemId}': 'no own record',
    'DELETE /items/{itemId}': 'no own record',
    'POST /items/{itemId}/parts': 'no own record',
    'POST /items/{itemId}/restart': 'named act',
  });
});

test('x-paddock: { safe: true } permits an operation in a local document, and says nothing in one from a URL', async () => {
  const extension = { 'x-paddock': { safe: true } };
  expect(await refusals({}, extension)).not.toHaveProperty('POST /shutdown');
  expect(await refusals({}, extension, 'https://service.example/openapi.json')).toEqual(WITHHELD);
});

test('a name that no operation has is refused, with what the document has', async () => {
  await expect(refusals({ allow: ['post /Shutdown'] })).rejects.toThrow(
    'option allow: the document has no operation "post /Shutdown"; did you mean "POST /shutdown"?',
  );
  await expect(refusals({ exclude: ['tag:none'] })).rejects.toThrow('option exclude');
});

test('only names the operations of a tag, and one that no operation has is refused', async () => {
  const document = { ...documentOf(), paths: { '/cats': { get: { tags: ['cats'], responses: {} } } } };
  const contract = await readContract(document, 'service.json');
  const chosen = (only: string) =>
    withOperations(resolveSettings({ target: 'http://127.0.0.1:1', document: '', only }), contract).isChosen;
  const ids = ['GET /cats/200/ordinary', 'GET /catsitters/200/ordinary'];
  expect(ids.filter(chosen('tag:cats'))).toEqual(ids.slice(0, 1));
  expect(ids.filter(chosen('!tag:cats'))).toEqual(ids.slice(1));
  expect(() => chosen('tag:cat')).toThrow(
    'option only: the document has no operation "tag:cat"; did you mean "tag:cats"?',
  );
});

test('what a document of somebody else says of its operations lets nothing more be sent', async () => {
  const role = (extension: object) => ({ ...{ 'x-paddock': extension }, responses: done });
  const document = {
    ...documentOf(),
    paths: {
      ...documentOf().paths,
      '/broadcast': { post: { ...role({ view: '/items' }), requestBody: asking, responses: many } },
      '/letters': { post: { ...role({ create: '/items' }), requestBody: asking } },
    },
  };
  const withheld = async (uri: string) => {
    const contract = await readContract(document, uri);
    const settings = resolveSettings({ target: 'http://127.0.0.1:1', document: '' });
    const { refusals, isSentOnce } = createPermissions(contract, withOperations(settings, contract));
    return contract.operations.flatMap((one) =>
      /broadcast|letters/.test(one.path) &&
      (refusals.some(({ operation }) => operation === one) || isSentOnce(one))
        ? one.id
        : [],
    );
  };
  expect(await withheld('service.json')).toEqual([]);
  expect(await withheld('https://example.com/service.json')).toEqual(['POST /broadcast', 'POST /letters']);
});
