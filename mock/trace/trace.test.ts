import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Mock } from '../index.ts';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from '../testing/serve.ts';

const TOM = { name: 'Tom', categoryId: 1 };
const lastTrace = (mock: Mock) =>
  mock.requests().at(-1)?.trace as NonNullable<ReturnType<Mock['requests']>[0]>['trace'];

async function traceOf(mock: Mock, ...request: [string, unknown?, Record<string, string>?]) {
  await ask(mock, ...request);
  return lastTrace(mock);
}

const text = { type: 'string' };
const json = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema, ...more } },
});
const ok = (content: object) => ({ responses: { 200: { description: 'Done', ...content } } });
const query = (name: string) => ({ name, in: 'query', schema: text });

test('a record: route, credential, what was judged, which record, and how long it took', async () => {
  const mock = await serve(SHIPPED);
  expect(await traceOf(mock, 'GET /pets/7')).toEqual({
    route: { operation: 'getPet', path: '/pets/{petId}', at: expect.stringMatching(/openapi\.yaml:\d+$/) },
    credential: { result: 'accepted', schemes: ['bearer'] },
    validated: { result: 'valid', parts: ['path.petId'], errors: 0 },
    answered: {
      ...{ by: 'record', collection: '/pets', record: '7', because: 'the record of /pets' },
      at: expect.stringMatching(/openapi\.yaml:\d+$/),
    },
    steps: ['delay', 'authenticate', 'sunset', 'identify', 'validate', 'decide', 'read'],
    nearMisses: [],
    ignored: [],
    violations: [],
    latency: { total: expect.any(Number), own: expect.any(Number) },
  });
  const created = await traceOf(mock, 'POST /pets', TOM);
  expect(created.answered).toMatchObject({
    by: 'record',
    record: '51',
    because: 'the body became a record of /pets',
  });
  expect(created.validated).toEqual({ result: 'valid', parts: ['body'], errors: 0 });
  // The default of `limit` was not sent.
  const sold = await traceOf(mock, 'GET /pets?status=sold&limit=3');
  expect(sold.validated.parts).toEqual(['query.limit', 'query.status']);
  const matching = (await ask(mock, 'GET /pets?status=sold&limit=100')).body.length;
  expect(sold.answered.selected).toBe(`51 records, status=sold: ${matching}, page 1 of limit 3`);
  expect((await traceOf(mock, 'GET /pets')).answered).toMatchObject({ by: 'records', collection: '/pets' });
});

test('the id of a new record that its response does not show', async () => {
  const note = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, text } };
  const made = { requestBody: json(note), responses: { 202: { description: 'Made' } } };
  const named = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const mock = await serveText(
    documentOf({
      '/notes': { get: ok(json({ type: 'array', items: note })), post: made },
      '/notes/{id}': { get: { parameters: named, ...ok(json(note)) } },
    }),
  );
  const { answered } = await traceOf(mock, 'POST /notes', { id: 4711, text: 'a' });
  expect(answered).toMatchObject({ by: 'record', collection: '/notes', record: expect.any(String) });
});

test('each stage of a refusal says how far the request came', async () => {
  const mock = await serve(SHIPPED);
  const stages = async (...request: Parameters<typeof traceOf> extends [Mock, ...infer R] ? R : never) => {
    const { credential, validated, answered } = await traceOf(mock, ...request);
    return [credential.result, validated.result, validated.errors, answered.by];
  };
  expect(await stages('GET /pets/7', undefined, { authorization: 'Bearer nobody' })).toEqual([
    ...['refused', 'not reached', 0, 'refusal'],
  ]);
  expect(await stages('POST /pets', { name: 7 })).toEqual(['accepted', 'invalid', 2, 'refusal']);
  expect(await stages('GET /pets/4711')).toEqual(['accepted', 'valid', 0, 'refusal']);
  expect(await stages('POST /pets', 'x'.repeat(2 ** 20 + 1))).toEqual([
    'accepted',
    'not reached',
    0,
    'refusal',
  ]);
  expect(await stages('POST /pets', { ...TOM, tags: ['x'.repeat(5000)] })).toEqual([
    ...['accepted', 'valid', 0, 'record'],
  ]);
  expect(lastTrace(mock).answered.because).toMatch(/^the body became/);
});

test('the steps that a request has met end where it was refused, or with what has answered', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'getPet', match: { path: '/pets/8' }, status: 404 });
  const last = async (...request: [string, unknown?, Record<string, string>?]) =>
    (await traceOf(mock, ...request)).steps?.at(-1);
  expect(await last('GET /pets/7', undefined, { authorization: 'Bearer nobody' })).toBe('authenticate');
  expect(await last('POST /pets', { name: 7 })).toBe('validate');
  expect(await last('GET /pets/8')).toBe('rule 1');
  expect(await last('GET /pets/7', undefined, { prefer: 'code=404' })).toBe('Prefer');
  expect(await last('POST /pets', TOM)).toBe('create');
  const nested = await serve(fixture('libraries.yaml'));
  const { steps } = await traceOf(nested, 'GET /libraries/0b6f6a4e-6f0e-4a52-9f43-0f8f3b1d7a10/books');
  expect(steps?.at(-1)).toBe('parents');
});

test('of an unknown path the nearest operations, with and without the base path; of a method those that there are', async () => {
  const mock = await serve(SHIPPED);
  const nearestOf = async (line: string) => (await traceOf(mock, line)).route;
  expect(await nearestOf('GET /pet/7')).toEqual({ nearest: ['GET /v1/pets/{petId}'] });
  expect((await nearestOf('POST http://localhost/pets')).nearest?.[0]).toBe('POST /v1/pets');
  expect(await nearestOf('GET /nothing/of/the/kind')).toEqual({ nearest: [] });
  expect(await nearestOf('DELETE /pets/7')).toMatchObject({
    path: '/pets/{petId}',
    nearest: ['GET /v1/pets/{petId}'],
  });
});

test('a rule says which of its conditions matched and what it did; others which one was missing', async () => {
  const mock = await serve(SHIPPED);
  const both = { headers: { 'X-Tenant': 'a' }, query: { status: 'sold' } };
  mock.addRule({ operation: 'listPets', match: both, status: 401 });
  mock.addRule({ operation: 'createPet', times: 1, match: { body: { name: 'Tom' } }, delay: 20 });
  mock.addRule({ match: { method: 'GET', path: '/pets/8' }, status: 404, headers: { 'X-A': 'b' } });
  const matched = ['operation listPets', 'query.status = "sold"', 'headers.x-tenant = "a"'];
  expect(
    (await traceOf(mock, 'GET /pets?status=sold', undefined, { 'x-tenant': 'a' })).answered,
  ).toMatchObject({
    by: 'rule',
    rule: { id: 1, matched, did: ['status 401'], used: 1 },
    because: `rule 1 matches: ${matched.join(', ')}`,
  });
  expect((await traceOf(mock, 'GET /pets?status=sold')).nearMisses).toEqual([
    { rule: 1, of: 'headers', but: 'headers.x-tenant is missing, not "a"' },
  ]);
  expect(
    (await traceOf(mock, 'GET /pets?status=available', undefined, { 'x-tenant': 'a' })).nearMisses,
  ).toEqual([{ rule: 1, of: 'query', but: 'query.status is "available", not "sold"' }]);
  expect((await traceOf(mock, 'GET /pets')).nearMisses).toEqual([]);

  const delayed = await traceOf(mock, 'POST /pets', TOM);
  expect(delayed.answered).toMatchObject({ by: 'record', rule: { id: 2, did: ['delay 20 ms'] } });
  expect(delayed.latency.rule).toBeGreaterThanOrEqual(19);
  expect(delayed.latency.own).toBeLessThan(delayed.latency.total);
  expect((await traceOf(mock, 'POST /pets', TOM)).nearMisses).toEqual([
    { rule: 2, of: 'times', but: 'it was for 1 request and is used up' },
  ]);

  expect((await traceOf(mock, 'GET /pets/8')).answered.rule?.did).toEqual(['status 404', 'headers X-A']);
  expect((await traceOf(mock, 'GET /pets/7')).nearMisses).toEqual([
    { rule: 3, of: 'path', but: 'it is for the path /pets/8' },
  ]);
});

test('a rule in the shade of a newer one, and one whose request was refused before, say so', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'createPet', status: 401 });
  const remove = mock.addRule({ operation: 'createPet', sequence: [{ status: 400 }, 'pass'] });
  const refused = 'the request was refused with 400 before: rules are for valid requests';
  expect((await traceOf(mock, 'POST /pets', {})).nearMisses).toEqual([
    { rule: 2, of: 'refused', but: refused },
    { rule: 1, of: 'refused', but: refused },
  ]);
  const first = await traceOf(mock, 'POST /pets', TOM);
  expect(first.nearMisses).toEqual([{ rule: 1, of: 'order', but: 'rule 2 goes before it and matches, too' }]);
  expect(first.answered.rule).toMatchObject({ id: 2, did: ['answer 1 of 2', 'status 400'] });
  const second = await traceOf(mock, 'POST /pets', TOM);
  expect(second.answered).toMatchObject({ by: 'record', rule: { id: 2, did: ['answer 2 of 2'], used: 2 } });
  // The state at the time of the request counts, even if rules were removed since.
  remove();
  expect(lastTrace(mock)).toEqual(second);
});

test('a condition on a body that is too long to be kept', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'createPet', match: { body: { name: 'Kim' } }, status: 401 });
  const long = { ...TOM, tags: ['x'.repeat(5000)] };
  expect((await traceOf(mock, 'POST /pets', long)).nearMisses).toEqual([
    { rule: 1, of: 'body', but: 'body.name is "Tom", not "Kim"' },
  ]);
});

test('a preference, a dropped connection, and a clock', async () => {
  const mock = await serve(SHIPPED);
  const { answered } = await traceOf(mock, 'GET /pets/7', undefined, { prefer: 'code=404' });
  expect(answered).toMatchObject({
    by: 'Prefer',
    because: 'the request prefers code=404',
    example: 'unknownId',
  });
  expect((await traceOf(mock, 'GET /pets/x?__code=404&__validate=false')).ignored).toEqual([]);
  mock.addRule({ operation: 'getPet', drop: true });
  await mock.setClock(new Date('2030-01-01T00:00:00Z'));
  await expect(ask(mock, 'GET /pets/7')).rejects.toThrow('fetch failed');
  const dropped = lastTrace(mock);
  expect(dropped.clock).toMatch(/^2030-01-01T00:00:00/);
  expect(dropped.answered).toMatchObject({
    by: 'rule',
    rule: { did: ['connection dropped before it was carried out'] },
  });
  await mock.setLatency(15);
  expect((await traceOf(mock, 'GET /pets')).latency.session).toBeGreaterThanOrEqual(14);
});

test('what a rule sends against the document is a violation of the response', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'getPet', body: { id: 1 } });
  expect((await traceOf(mock, 'GET /pets/1')).violations.join()).toMatch(/^body\.name is required/);
});

test('an example or a sample, and parameters that do nothing', async () => {
  const report = { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } };
  const mock = await serveText(
    documentOf({
      '/report': {
        get: {
          operationId: 'report',
          parameters: [query('year')],
          ...ok(json(report, { examples: { big: { value: { total: 9 } } } })),
        },
      },
      '/sum': { get: { operationId: 'sum', ...ok(json(report)) } },
    }),
  );
  const { answered, ignored } = await traceOf(mock, 'GET /report?year=2030&yaer=1');
  expect(answered).toMatchObject({
    by: 'example',
    example: 'big',
    at: expect.stringMatching(/openapi\.json:\d+$/),
  });
  expect(ignored).toEqual([
    { where: 'query.yaer', why: 'report declares no such parameter; it has year' },
    { where: 'query.year', why: expect.stringMatching(/does nothing with it/), at: expect.any(String) },
  ]);
  expect((await traceOf(mock, 'GET /sum')).answered.by).toBe('sample');
  // The query of a valid request is only read once.
  expect((await traceOf(mock, 'GET /report?year=2030&yaer=1')).ignored).toEqual(ignored);
});

test('whose token it was, and what the account is, though it was given back since', async () => {
  const user = {
    type: 'object',
    required: ['email', 'role'],
    properties: { email: text, role: { type: 'string', enum: ['user', 'admin'] } },
  };
  const login = {
    type: 'object',
    required: ['email', 'password'],
    properties: { email: text, password: text },
  };
  const token = { type: 'object', required: ['access_token'], properties: { access_token: text } };
  const security = [{ bearer: [] }];
  const mock = await serveText(
    documentOf(
      {
        '/auth/register': { post: { operationId: 'register', requestBody: json(login), ...ok(json(user)) } },
        '/auth/login': { post: { operationId: 'login', requestBody: json(login), ...ok(json(token)) } },
        '/auth/logout': {
          post: { operationId: 'logout', security, responses: { 204: { description: 'Done' } } },
        },
        '/users/me': { get: { operationId: 'me', security, ...ok(json(user)) } },
      },
      { components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } },
    ),
  );
  const admin = { email: 'admin@example.com', password: 'secret-password' };
  expect((await traceOf(mock, 'POST /auth/register', admin)).credential).toEqual({ result: 'none needed' });
  const { body } = await ask(mock, 'POST /auth/login', admin);
  const authorization = `Bearer ${body.access_token}`;
  const accepted = {
    result: 'accepted',
    schemes: ['bearer'],
    account: 'admin@example.com',
    roles: ['admin'],
  };
  expect((await traceOf(mock, 'GET /users/me', undefined, { authorization })).credential).toEqual(accepted);
  expect((await traceOf(mock, 'POST /auth/logout', undefined, { authorization })).credential).toMatchObject({
    account: 'admin@example.com',
  });
  expect((await traceOf(mock, 'GET /users/me', undefined, { authorization })).credential).toEqual({
    result: 'refused',
    schemes: ['bearer'],
  });
});

test('who has responded: a real service, or the mock in its place', async () => {
  const service = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"id":7,"name":"Real","categoryId":1}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise((resolve) => service.close(() => resolve())));
  const upstream = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const mock = await serve(SHIPPED, { upstream, sources: { listPets: 'mock' } });
  const real = await traceOf(mock, 'GET /pets/7', undefined, { 'paddock-trace': '1' });
  expect(real.answered).toEqual({ by: 'upstream', because: 'the real service has it: the options say so' });
  expect([real.credential.result, real.validated.result]).toEqual(['not judged', 'not judged']);
  expect(real.latency.upstream).toBeGreaterThan(0);
  expect((await traceOf(mock, 'GET /pets')).answered).toMatchObject({
    by: 'records',
    because: 'the records of /pets; mocked, since the options say so',
  });
  mock.addRule({ operation: 'getPet', source: 'mock' });
  expect((await traceOf(mock, 'GET /pets/7')).answered.because).toBe(
    'the record of /pets; mocked, since rule 1 says so',
  );
});

test('the header is a dictionary of RFC 9651 for whoever asks, pages too, and of bounded length', async () => {
  const mock = await serve(SHIPPED);
  const headerOf = async (...request: [string, unknown?, Record<string, string>?]) =>
    (await ask(mock, ...request)).headers;
  expect((await headerOf('GET /pets/7')).get('paddock-trace')).toBeNull();
  for (const asked of ['0', '?0', 'yes'])
    expect(
      (await headerOf('GET /pets/7', undefined, { 'paddock-trace': asked })).get('paddock-trace'),
    ).toBeNull();
  const headers = await headerOf('GET /pets?page=2&limit=1', undefined, {
    'paddock-trace': '?1',
    origin: 'http://a.example',
  });
  expect(headers.get('paddock-trace')).toMatch(
    /^answered=records, operation="listPets", path="\/pets", record="\/pets", selected="50 records, page 1 of limit 1", ignored=\("query\.page"\), credential=accepted;schemes="bearer", validated=valid;parts=1;errors=0, latency=[\d.]+, because="the records of \/pets", steps="delay > authenticate > identify > validate > decide > list"$/,
  );
  expect(headers.get('access-control-expose-headers')).toMatch(/, Paddock-Trace$/);

  const long = 'ü'.repeat(300);
  for (let n = 0; n < 30; n++)
    mock.addRule({ operation: 'getPet', match: { query: { [`${long}${n}`]: `ü"${n}\\` } }, status: 404 });
  const trace =
    (await headerOf('GET /pets/7', undefined, { 'paddock-trace': '1' })).get('paddock-trace') ?? '';
  expect(trace.length).toBeLessThanOrEqual(1500);
  expect(trace).toMatch(/^answered=record, .*more=1$/);
  const query = 'ü"\\%'.repeat(3);
  mock.addRule({ operation: 'getPet', match: { query: { q: query } }, delay: 1 });
  const shown = await headerOf(`GET /pets/7?q=${encodeURIComponent(query)}`, undefined, {
    'paddock-trace': '1',
  });
  // A Display String: what is not ASCII is percent-encoded UTF-8.
  expect(shown.get('paddock-trace')).toMatch(/, rule=31;matched=%"operation getPet; query\.q = %22%c3%bc/);
});

test('no credential stands in it', async () => {
  const mock = await serve(SHIPPED, { apiKeys: ['s3cret-key'] });
  mock.addRule({
    match: { query: { token: 's3cret-key' }, headers: { 'x-api-key': 's3cret-key' } },
    delay: 1,
  });
  const headers = { authorization: 'Bearer s3cret-key', 'x-api-key': 'other-s3cret', 'paddock-trace': '1' };
  const response = await ask(mock, 'GET /pets/s3cret-key?token=s3cret-key&s3cret-key=1', undefined, headers);
  expect(response.headers.get('paddock-trace')).toContain('operation="getPet"');
  expect(response.headers.get('paddock-trace')).not.toMatch(/s3cret/);
  expect(JSON.stringify(lastTrace(mock))).not.toMatch(/s3cret/);
});

test('the option trace adds it to every response', async () => {
  const mock = await serve(SHIPPED, { trace: true });
  expect((await ask(mock, 'GET /pets/7')).headers.get('paddock-trace')).toMatch(/^answered=record, /);
  expect((await ask(mock, 'GET /nothing')).headers.get('paddock-trace')).toMatch(/^answered=refusal, /);
});

test('the example of a response is that of the media type that was sent, also where it is forced', async () => {
  const shown = (name: string, value: unknown) => ({ examples: { [name]: { value } } });
  const content = (code: string) => ({
    content: {
      'application/json': shown(`json of ${code}`, { code }),
      'text/plain': shown(`text of ${code}`, `code ${code}`),
    },
  });
  const mock = await serveText(
    documentOf({
      '/greeting': {
        get: {
          responses: {
            200: { description: 'OK', ...content('200') },
            404: { description: 'No', ...content('404') },
          },
        },
      },
    }),
  );
  const exampleFor = async (headers: Record<string, string>) =>
    (await traceOf(mock, 'GET /greeting', undefined, headers)).answered.example;
  expect(await exampleFor({ accept: 'text/plain' })).toBe('text of 200');
  expect(await exampleFor({ accept: 'application/json' })).toBe('json of 200');
  expect(await exampleFor({ accept: 'text/plain', prefer: 'code=404' })).toBe('text of 404');
});
