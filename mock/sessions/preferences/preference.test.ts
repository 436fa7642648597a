import { describe, expect, test } from 'vitest';
import { ask, documentOf, misfits, SHIPPED, serve, serveText } from '../../testing/serve.ts';
import { preferenceText, readPreference } from './preference.ts';

const GOOD = { name: 'Rex', categoryId: 1 };

describe('reading a preference', () => {
  const nothing = { method: 'GET', path: '/', body: undefined };
  test.each<[string, { prefer?: string | string[]; query?: string; want: unknown }]>([
    ['none', { want: undefined }],
    ['one', { prefer: 'code=404', want: { code: 404 } }],
    [
      'several',
      { prefer: 'code=404, example=x, dynamic=true', want: { code: 404, example: 'x', dynamic: true } },
    ],
    ['in two headers', { prefer: ['code=404', 'example=x'], want: { code: 404, example: 'x' } }],
    ['quoted', { prefer: 'example="a, \\"b\\"; c"', want: { example: 'a, "b"; c' } }],
    ['with parameters', { prefer: 'code=404; why="a, b", example=x', want: { code: 404, example: 'x' } }],
    ['with spaces', { prefer: '  code = 404 ,example=x', want: { code: 404, example: 'x' } }],
    ['a name of any case', { prefer: 'Code=404', want: { code: 404 } }],
    ['the first of two counts', { prefer: 'code=404, code=200', want: { code: 404 } }],
    ['others are passed over', { prefer: 'respond-async, wait=10, return=minimal', want: undefined }],
    ['a name inside a quoted text is none', { prefer: 'x="code=404"', want: undefined }],
    ['dynamic=false asks for nothing', { prefer: 'dynamic=false', want: undefined }],
    ['in the query', { query: '__code=404&__example=x%20y&limit=1', want: { code: 404, example: 'x y' } }],
    ['the header goes before the query', { prefer: 'code=404', query: '__code=500', want: { code: 404 } }],
    ['both together', { prefer: 'code=404', query: '__example=x', want: { code: 404, example: 'x' } }],
    ['no status', { prefer: 'code=40', want: { refuse: 'preference' } }],
    ['a status that ends nothing', { prefer: 'code=100', want: { refuse: 'preference' } }],
    ['a word for a flag', { query: '__dynamic=1', want: { refuse: 'preference' } }],
  ])('%s', (_, { prefer, query = '', want }) => {
    const read = readPreference({ ...nothing, query, headers: { prefer } });
    if (want === undefined) expect(read).toBeUndefined();
    else expect(read).toMatchObject(want as object);
  });

  test('what is said to have been applied can be sent in a header', () => {
    expect(preferenceText({ code: 404, example: 'plain', dynamic: true })).toBe(
      'code=404, example=plain, dynamic=true',
    );
    expect(preferenceText({ example: 'a "b" \u{1f40e}' })).toBe('example="a \\"b\\" ??"');
  });
});

describe('a preferred response', () => {
  test.each<[line: string, prefer: string, want: number, body?: RegExp]>([
    ['GET /pets', 'code=401', 401],
    ['GET /pets', 'code=404', 404, /"status":404/],
    ['GET /pets', 'code=429', 429, /"status":429/],
    ['GET /pets', 'code=503', 503, /"status":503/],
    ['GET /pets', 'code=599', 599, /"status":599/],
    ['GET /pets', 'code=500, example=unavailable', 500, /being restarted","status":500/],
    ['GET /pets', 'code=400, dynamic=true', 400, /"status":400/],
    ['GET /pets', 'dynamic=true', 200],
    ['GET /pets', 'example=none', 200, /^\[\]$/],
    ['GET /pets/1', 'code=404', 404],
    ['GET /pets/1', 'example=unknownId', 404, /4711/],
    ['GET /pets/4711', 'code=200', 200, /1001/],
    ['POST /pets', 'code=400', 400],
    ['POST /pets', 'code=409', 409, /"status":409/],
    ['POST /pets', 'example=created', 201, /1003/],
  ])('%s with %s is as documented', async (line, prefer, want, body = /./) => {
    const mock = await serve(SHIPPED);
    const before = await mock.state();
    const answer = await ask(mock, line, line.startsWith('POST') ? GOOD : undefined, { prefer });
    expect(answer.status).toBe(want);
    expect(answer.text).toMatch(body);
    const [operation] = mock.requests().flatMap((request) => request.operation ?? []);
    expect(misfits(mock, operation as string, answer)).toEqual([]);
    expect(answer.headers.get('preference-applied')).toBe(prefer);
    expect(answer.headers.get('vary')).toBe('Origin, Prefer');
    // The operation did not run.
    expect(await mock.state()).toEqual(before);
  });

  test('the status that a request has anyway is given with what is true', async () => {
    const mock = await serve(SHIPPED);
    const created = await ask(mock, 'POST /pets', GOOD, { prefer: 'code=201' });
    expect(created.body).toEqual({ id: 51, ...GOOD });
    const read = await ask(mock, 'GET /pets/51', undefined, { prefer: 'code=200' });
    expect(read.body).toEqual(created.body);
    expect(read.headers.get('preference-applied')).toBe('code=200');
  });

  test('a sample is the same for the same request, and another for another', async () => {
    const mock = await serve(SHIPPED);
    const sampled = async (line: string) =>
      (await ask(mock, line, undefined, { prefer: 'dynamic=true' })).text;
    expect(await sampled('GET /pets?limit=5')).toBe(await sampled('GET /pets?limit=5'));
    expect(await sampled('GET /pets?limit=5')).not.toBe(await sampled('GET /pets?limit=6'));
  });

  test.each<[name: string, line: string, headers: Record<string, string>, body: unknown, want: number]>([
    ['without a credential', 'GET /pets', { authorization: '', prefer: 'code=200' }, undefined, 401],
    ['with a request that is not in order', 'GET /pets?limit=0', { prefer: 'code=200' }, undefined, 400],
    ['with a body that is not in order', 'POST /pets', { prefer: 'code=201' }, {}, 400],
  ])('is not given %s', async (_, line, headers, body, want) => {
    const answer = await ask(await serve(SHIPPED), line, body, headers);
    expect(answer.status).toBe(want);
    expect(answer.headers.get('preference-applied')).toBeNull();
  });

  test.each<[prefer: string, want: RegExp]>([
    ['code=299', /listPets documents no status 299; there are 200, 401, any 4xx or 5xx \(default\)/],
    ['code=302', /no status 302/],
    ['code=abc', /code must be a status from 200 to 599, not "abc"/],
    ['dynamic=perhaps', /dynamic must be true or false, not "perhaps"/],
    ['validate=false', /validate=false must stand beside code, example or dynamic/],
    [
      'example=nosuch',
      /no example "nosuch"; there are 200 \(required, several, none\), 401 \(noCredential\)/,
    ],
    ['code=401, example=several', /no example "several" for 401/],
  ])('%s cannot be given, and the refusal says what can', async (prefer, want) => {
    const mock = await serve(SHIPPED);
    const answer = await ask(mock, 'GET /pets', undefined, { prefer });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(want);
    expect(misfits(mock, 'listPets', answer)).toEqual([]);
  });

  test('a range, required headers, a success of `default` alone, a response without a body', async () => {
    const json = (schema: object) => ({ content: { 'application/json': { schema } } });
    const mock = await serveText(
      documentOf({
        '/things': {
          get: {
            operationId: 'listThings',
            responses: {
              default: { description: 'All', ...json({ type: 'object' }) },
              '4XX': {
                description: 'No',
                headers: { 'X-Why': { required: true, schema: { type: 'string', enum: ['because'] } } },
                ...json({ type: 'object', required: ['code'], properties: { code: { type: 'string' } } }),
              },
            },
          },
          delete: {
            operationId: 'clear',
            responses: { 204: { description: 'Gone' }, 304: { description: 'Still' } },
          },
        },
      }),
    );
    const ranged = await ask(mock, 'GET /things', undefined, { prefer: 'code=451' });
    expect({ status: ranged.status, why: ranged.headers.get('x-why'), code: ranged.body.code }).toEqual({
      status: 451,
      why: 'because',
      code: 'forced',
    });
    expect((await ask(mock, 'GET /things', undefined, { prefer: 'code=200' })).status).toBe(200);
    expect((await ask(mock, 'GET /things', undefined, { prefer: 'code=203' })).status).toBe(400);
    const bare = await ask(mock, 'DELETE /things', undefined, { prefer: 'code=304' });
    expect({ status: bare.status, text: bare.text }).toEqual({ status: 304, text: '' });
  });
});

test.for<[line: string, prefer: string, want: number, applied: string | null]>([
  ['POST /pets', 'code=201, validate=false', 201, 'code=201, validate=false'],
  ['POST /pets', 'code=503, validate=false', 503, 'code=503, validate=false'],
  ['POST /pets?__code=409&__validate=false', 'return=minimal', 409, 'code=409, validate=false'],
  ['POST /pets', 'code=201', 400, null],
  ['POST /pets', 'validate=false', 400, null],
  ['POST /pets', 'code=4, validate=false', 400, null],
])('an invalid %s with %s: %i', async ([line, prefer, want, applied]) => {
  const mock = await serve(SHIPPED, { port: 0 });
  const { status, headers } = await ask(mock, line, { name: 7 }, { prefer });
  expect([status, headers.get('preference-applied')]).toEqual([want, applied]);
});

test('a rule answers an invalid request where it says so, and only then', async () => {
  const mock = await serve(SHIPPED, { port: 0 });
  const send = async () => (await ask(mock, 'POST /pets', { name: 7 })).status;
  await mock.addRule({ operation: 'createPet', status: 503, validate: false });
  await mock.addRule({ operation: 'createPet', status: 409 });
  expect(await send()).toBe(503);
  expect((await ask(mock, 'POST /pets', GOOD)).status).toBe(409);
  await mock.addRule({ operation: 'createPet', sequence: ['pass', 201], validate: false });
  expect([await send(), await send()]).toEqual([400, 201]);
});
