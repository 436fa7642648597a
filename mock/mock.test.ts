import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadContract } from '#spec';
import { createMock, defaultParts, type Parts } from './index.ts';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from './testing/serve.ts';

const authorization = 'Bearer paddock-dev-key';

describe('where the document comes from', () => {
  test.each<[string, () => Promise<Parameters<typeof serve>[0]> | string | URL]>([
    ['a path', () => SHIPPED],
    ['a file URL', () => pathToFileURL(SHIPPED)],
    ['a contract', () => loadContract(SHIPPED)],
  ])('%s', async (_, documentFrom) => {
    const mock = await serve(await documentFrom());
    expect((await ask(mock, 'GET /pets/1')).status).toBe(200);
  });

  test('a broken one stops the start, with file, line and column', async () => {
    await expect(createMock({ document: fixture('nowhere.yaml') })).rejects.toThrow(
      /nowhere\.yaml:1:1: cannot read/,
    );
    const odd = { openapi: '3.1.0', paths: { '/a': { get: 7 } } };
    await expect(serveText(odd, { strictDocument: true })).rejects.toThrow(
      /openapi\.json:\d+:\d+: GET \/a must be an object/,
    );
    expect((await serveText(odd)).contract.warnings).toHaveLength(2);
  });
});

describe('the base path', () => {
  test('is that of the first server', async () => {
    const mock = await serve(fixture('libraries.yaml'), { port: 0 });
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/catalogue$/);
    expect((await fetch(`${mock.url}/libraries`, { headers: { authorization } })).status).toBe(200);
  });

  test('can be left out', async () => {
    const mock = await serve(fixture('libraries.yaml'), { basePath: false });
    expect(mock.url).toBe('http://localhost');
    expect((await ask(mock, 'GET /libraries')).status).toBe(200);
    expect((await ask(mock, 'GET /catalogue/libraries')).status).toBe(404);
  });
});

describe('fetch without a socket', () => {
  test.each<[string, (url: string) => Parameters<Awaited<ReturnType<typeof serve>>['fetch']>]>([
    ['a path below the base URL', () => ['/pets/1', { headers: { authorization } }]],
    ['a whole URL', (url) => [`${url}/pets/1`, { headers: { authorization } }]],
    ['a URL object', (url) => [new URL(`${url}/pets/1`), { headers: { authorization } }]],
    ['a request', (url) => [new Request(`${url}/pets/1`, { headers: { authorization } })]],
    ['a request and more', (url) => [new Request(`${url}/pets/1`), { headers: { authorization } }]],
  ])('%s', async (_, argumentsFor) => {
    const mock = await serve(SHIPPED);
    const response = await mock.fetch(...argumentsFor(mock.url));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 1 });
  });

  test('sees the same records as the socket', async () => {
    const mock = await serve(SHIPPED, { port: 0 });
    await ask(mock, 'POST /pets', { name: 'Rex', categoryId: 1 });
    const response = await fetch(`${mock.url}/pets/51`, { headers: { authorization } });
    expect(await response.json()).toEqual({ id: 51, name: 'Rex', categoryId: 1 });
  });
});

describe('a part of the engine can be replaced by its name', () => {
  const through = async (parts: Partial<Parts>, line = 'GET /pets/1') =>
    ask(await serve(SHIPPED, { parts }), line);

  test('who may ask', async () => {
    const authenticate = () => () => ({ refuse: 'unauthorized', message: 'Nobody' }) as const;
    expect(await through({ authenticate })).toMatchObject({ status: 401, body: { message: 'Nobody' } });
  });

  test('what is read of a request', async () => {
    const read: Parts['read'] = (operation, validators) => {
      const usual = defaultParts.read(operation, validators);
      return (request) => ({ ...usual(request), violations: [] });
    };
    expect((await through({ read }, 'GET /pets?limit=0')).status).toBe(200);
  });

  test('what is done', async () => {
    const list: Parts['actions']['list'] = () => () => ({
      status: 200,
      type: 'application/json',
      body: '[]',
    });
    const actions = { ...defaultParts.actions, list };
    expect(await through({ actions }, 'GET /pets')).toMatchObject({ status: 200, text: '[]' });
  });

  test('how it is refused', async () => {
    const refuse: Parts['refuse'] = () => () => ({ status: 418, type: undefined, body: '' });
    expect((await through({ refuse }, 'GET /pets/4711')).status).toBe(418);
  });

  test('its response', async () => {
    const reply: Parts['reply'] =
      () =>
      ({ body }) => ({ status: 299, headers: { 'X-Own': 'yes' }, body });
    const { status, headers } = await through({ reply });
    expect([status, headers.get('x-own'), headers.get('content-type')]).toEqual([
      299,
      'yes',
      'text/plain;charset=UTF-8',
    ]);
  });

  test('where paths lead', async () => {
    const route: Parts['route'] = () => () => undefined;
    expect(await through({ route })).toMatchObject({ status: 404, body: { code: 'no_such_path' } });
  });
});

describe('a curl line to copy', () => {
  const key = '$KEY';
  const item = (security: object) => ({
    '/logs': {
      get: {
        parameters: [{ name: 'level', in: 'query', required: true, schema: { enum: ['a&b'] } }],
        security: [security],
        responses: { 200: { description: 'Logs' } },
      },
    },
  });
  const schemes = {
    basic: { type: 'http', scheme: 'basic' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
  };
  const served = (security: object) =>
    serveText(documentOf(item(security), { components: { securitySchemes: schemes } }));

  test.each<[string, { mock: () => ReturnType<typeof serve>; want: string }]>([
    [
      'bearer',
      { mock: () => serve(SHIPPED), want: 'curl -H "Authorization: Bearer $KEY" "http://localhost/v1/pets"' },
    ],
    [
      'a header',
      {
        mock: () => serve(fixture('tide-gauges.yaml')),
        want: 'curl -H "x-gauge-key: $KEY" "http://localhost/gauges"',
      },
    ],
    [
      'basic, and a parameter that is required',
      { mock: () => served({ basic: [] }), want: 'curl -u "$KEY:" "http://localhost/logs?level=a%26b"' },
    ],
    [
      'a cookie',
      { mock: () => served({ cookie: [] }), want: 'curl -b "sid=$KEY" "http://localhost/logs?level=a%26b"' },
    ],
    [
      'the query',
      { mock: () => served({ query: [] }), want: 'curl "http://localhost/logs?level=a%26b&key=$KEY"' },
    ],
    ['no key', { mock: () => served({}), want: 'curl "http://localhost/logs?level=a%26b"' }],
  ])('%s', async (_, { mock, want }) => {
    expect((await mock()).curlLine(key)).toBe(want);
  });

  test('leads to a seeded record where nothing can be listed', async () => {
    const content = {
      'application/json': {
        schema: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } },
      },
    };
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
    const mock = await serveText(
      documentOf({
        '/logs/{id}': { get: { parameters, responses: { 200: { description: 'Log', content } } } },
      }),
    );
    const path = /"http:\/\/localhost([^"]+)"/.exec(mock.curlLine(key) ?? '')?.[1];
    expect(await ask(mock, `GET ${path}`)).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  });

  test('is left out where nothing can be read', async () => {
    const mock = await serveText(
      documentOf({ '/logs': { delete: { responses: { 204: { description: 'Gone' } } } } }),
    );
    expect(mock.curlLine(key)).toBeUndefined();
  });
});

test('what is done for each operation, and why one is not stateful', async () => {
  const note = { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } };
  const around = { 'application/json': { schema: { type: 'object', properties: { note } } } };
  const enveloped = await serveText(
    documentOf({
      '/notes': {
        post: {
          operationId: 'addNote',
          requestBody: { content: around },
          responses: { 201: { description: 'Made', content: around } },
        },
      },
      '/notes/{id}': {
        get: {
          operationId: 'getNote',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'It', content: { 'application/json': { schema: note } } } },
        },
      },
    }),
  );
  expect(enveloped.operations[0]?.steps.slice(-3)).toEqual(['show record', 'take record', 'create']);
  const mock = await serveText(
    documentOf({ '/state': { get: { operationId: 'state', responses: { 204: { description: 'Fine' } } } } }),
  );
  expect(mock.operations).toEqual([
    {
      id: 'state',
      method: 'GET',
      path: '/state',
      action: 'sample',
      reason: 'it is stateless',
      steps: ['delay', 'authenticate', 'identify', 'validate', 'decide', 'sample'],
    },
  ]);
  const shipped = await serve(SHIPPED);
  expect(shipped.operations.map(({ action, reason }) => [action, reason])).toEqual([
    ['list', undefined],
    ['create', undefined],
    ['read', undefined],
  ]);
});

test('rules are put in another order and removed one by one or all, as by the control API', async () => {
  const mock = await serve(SHIPPED);
  for (const status of [500, 501, 502]) mock.addRule({ operation: 'listPets', status });
  const statuses = () => mock.rules().map((rule) => rule.status);
  expect(mock.rules().map(({ id }) => id)).toEqual([1, 2, 3]);
  await mock.orderRules([3, 1]);
  expect(statuses()).toEqual([502, 500, 501]);
  expect((await ask(mock, 'GET /pets')).status).toBe(501);
  for (const ids of [[1, 1], [7], [], '1'])
    expect(() => mock.orderRules(ids as number[])).toThrow(/^ids must be a list of ids of rules, each once/);
  await mock.removeRules(1);
  expect(statuses()).toEqual([502, 501]);
  expect(() => mock.removeRules(1)).toThrow('there is no rule 1');
  await mock.removeRules();
  expect(mock.rules()).toEqual([]);
  expect((await ask(mock, 'GET /pets')).status).toBe(200);
});

test('the log is emptied, and the time of the clock can be asked for, each for one session', async () => {
  const mock = await serve(SHIPPED, { time: () => 1000 });
  const tom = mock.session('tom');
  await tom.fetch('/pets');
  await mock.fetch('/pets');
  tom.clearRequests();
  expect([tom.requests().length, mock.requests().length]).toEqual([0, 1]);
  expect(tom.clock()).toBeUndefined();
  await tom.setClock(new Date('2030-12-06'));
  expect(tom.clock()).toEqual(new Date('2030-12-06'));
  expect(mock.clock()).toBeUndefined();
});
