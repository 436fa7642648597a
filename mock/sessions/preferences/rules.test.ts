import { expect, test } from 'vitest';
import { ask, documentOf, SHIPPED, serve, serveText } from '../../testing/serve.ts';
import type { RuleForm } from './rules.ts';

const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
const GOOD = { name: 'Rex', categoryId: 1 };

test('a rule applies to the next N requests of one operation', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'listPets', times: 2, status: 503 });
  const statuses = [];
  for (const line of ['GET /pets', 'GET /pets/1', 'GET /pets', 'GET /pets']) {
    statuses.push((await ask(mock, line)).status);
  }
  expect(statuses).toEqual([503, 200, 503, 200]);
});

test('many requests at once meet a rule for N just N times', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ times: 7, status: 500 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(mock, 'GET /pets')));
  expect(answers.filter(({ status }) => status === 500)).toHaveLength(7);
});

test('until it is removed, and the newest of several wins', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ status: 500 });
  const remove = mock.addRule({ operation: 'listPets', status: 503, example: 'unavailable' });
  const first = await ask(mock, 'GET /pets');
  expect(first.status).toBe(503);
  // No client requested it.
  expect(first.headers.get('preference-applied')).toBeNull();
  expect((await ask(mock, 'GET /pets/1')).status).toBe(500);
  expect((await ask(mock, 'GET /pets', undefined, { prefer: 'code=401' })).status).toBe(401);
  remove();
  expect((await ask(mock, 'GET /pets')).status).toBe(500);
  await mock.reset();
  expect((await ask(mock, 'GET /pets')).status).toBe(200);
});

test('how often each was used is shown, also of those that are used up, which apply no more', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'listPets', delay: 0 });
  mock.addRule({ operation: 'listPets', times: 2, status: 503 });
  for (let n = 0; n < 3; n++) await ask(mock, 'GET /pets');
  const { body } = await ask(mock, `GET ${mock.controlUrl}/answers`);
  expect(body).toEqual([
    { operation: 'listPets', delay: 0, id: 1, used: 1 },
    { operation: 'listPets', times: 2, status: 503, id: 2, used: 2 },
  ]);
  expect((await ask(mock, `DELETE ${mock.controlUrl}/answers/2`)).status).toBe(204);
  expect((await ask(mock, `GET ${mock.controlUrl}/answers`)).body).toHaveLength(1);
});

test('a sequence gives one answer after the other, and stays at the last one', async () => {
  const mock = await serve(SHIPPED);
  const rule = {
    operation: 'listPets',
    sequence: [503, { status: 500, headers: { 'Retry-After': 1 }, delay: '0-1' }, 'pass'],
  };
  const { body } = await ask(mock, `POST ${mock.controlUrl}/answers`, rule);
  expect(body.sequence).toEqual([
    503,
    { status: 500, headers: { 'Retry-After': '1' }, delay: '0-1' },
    'pass',
  ]);
  const answers = [];
  for (let n = 0; n < 4; n++) answers.push(await ask(mock, 'GET /pets'));
  expect(answers.map(({ status }) => status)).toEqual([503, 500, 200, 200]);
  expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual([null, '1', null, null]);
  mock.addRule({ operation: 'listPets', sequence: [503, 'pass'], times: 2 });
  mock.addRule({ operation: 'listPets', sequence: [500], times: 1 });
  for (const want of [500, 503, 200, 200]) expect((await ask(mock, 'GET /pets')).status).toBe(want);
});

test('many requests at once get each answer of a sequence once', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ sequence: [500, 503, 'pass'] });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(mock, 'GET /pets')));
  expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([500, 503]);
});

test('a rule for a tag is for all of its operations', async () => {
  const mock = await serveText(
    documentOf({
      '/a': { get: { tags: ['odd'], responses: { 200: { description: 'OK' }, 500: { description: 'No' } } } },
      '/b': { get: { tags: ['even'], responses: { 200: { description: 'OK' } } } },
      '/c': {
        get: { tags: ['odd', 'even'], responses: { 200: { description: 'OK' }, 500: { description: 'No' } } },
      },
    }),
  );
  mock.addRule({ tag: 'odd', status: 500 });
  const statuses = await Promise.all(
    ['/a', '/b', '/c'].map(async (path) => (await ask(mock, `GET ${path}`)).status),
  );
  expect(statuses).toEqual([500, 200, 500]);
  expect(() => mock.addRule({ tag: 'none', delay: 1 })).toThrow(/names no tag "none"; there are odd, even/);
});

test('a session holds a bounded number of rules, and a bounded text', async () => {
  const mock = await serve(SHIPPED);
  const body = ['x'.repeat(600_000)];
  mock.addRule({ operation: 'listPets', body, times: 1 });
  expect(() => mock.addRule({ operation: 'getPet', body })).toThrow(
    /at most 1048576 characters of JSON; remove/,
  );
  const refused = await ask(mock, `POST ${mock.controlUrl}/answers`, { operation: 'getPet', body });
  expect([refused.status, refused.body.code]).toEqual([413, 'too_large']);
  // A rule that is used up makes room.
  await ask(mock, 'GET /pets');
  const remove = mock.addRule({ operation: 'getPet', body });
  expect(
    (await ask(mock, `GET ${mock.controlUrl}/answers`)).body.map(({ id }: { id: number }) => id),
  ).toEqual([2]);
  remove();
  for (let n = 0; n < 1000; n++) mock.addRule({ delay: 0 });
  expect(() => mock.addRule({ delay: 0 })).toThrow(/at most 1000 rules/);
  mock.session('other').addRule({ delay: 0 });
});

test('what a caller changes afterwards changes no rule', async () => {
  const mock = await serve(SHIPPED);
  const rule = { operation: 'getPet', body: { id: 1, name: 'Tom', categoryId: 1 } };
  mock.addRule(rule);
  rule.body.name = 'Rex';
  expect((await ask(mock, 'GET /pets/1')).body.name).toBe('Tom');
});

test('it meets requests that are in order; the others are refused, and do not use it up', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ times: 1, status: 500 });
  expect((await ask(mock, 'GET /pets', undefined, { authorization: '' })).status).toBe(401);
  expect((await ask(mock, 'GET /pets?limit=0')).status).toBe(400);
  expect((await ask(mock, 'GET /pets')).status).toBe(500);
});

test('a delay waits at least as long as it says', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ times: 1, delay: '60-80' });
  const begun = performance.now();
  expect((await ask(mock, 'GET /pets')).status).toBe(200);
  // Timers may fire a millisecond early.
  expect(performance.now() - begun).toBeGreaterThan(58);
});

test.each<['before' | 'after', number]>([
  ['before', 50],
  ['after', 51],
])('a connection that is dropped %s the request is carried out leaves %i records', async (drop, want) => {
  const mock = await serve(SHIPPED, { port: 0 });
  mock.addRule({ operation: 'createPet', times: 1, drop });
  const create = () => fetch(`${mock.url}/pets`, { method: 'POST', headers, body: JSON.stringify(GOOD) });
  await expect(create()).rejects.toThrow('fetch failed');
  const { records } = await mock.state();
  expect(records['/pets']).toHaveLength(want);
  expect((await create()).status).toBe(201);
  expect(mock.requests().map(({ status }) => status)).toEqual([0, 201]);
});

test('a response that is truncated in its body, over a socket and without one', async () => {
  const mock = await serve(SHIPPED, { port: 0 });
  mock.addRule({ operation: 'listPets', truncate: true });
  for (const ask of [fetch, mock.fetch]) {
    const response = await ask(`${mock.url}/pets`, { headers });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  }
});

test('without a socket a dropped connection fails as it does with one', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ drop: true });
  await expect(mock.fetch('/pets', { headers })).rejects.toThrow('fetch failed');
});

test.each<[name: string, form: unknown, want: RegExp]>([
  ['no effect', { operation: 'listPets' }, /must say what it does/],
  [
    'no such operation',
    { operation: 'nosuch', status: 500 },
    /no operation "nosuch"; there are listPets, createPet/,
  ],
  ['no such example', { operation: 'listPets', example: 'x' }, /no example "x"/],
  ['no member', { statsu: 500 }, /statsu is no member of a rule; there are operation, times, status/],
  [
    'all that is wrong',
    { times: 0, delay: '9-1', drop: 'x' },
    /times must be .*; delay must be .*; drop must be /,
  ],
  ['two ends', { drop: true, truncate: true }, /exclude each other/],
  ['no object', [], /a rule must be an object/],
  ['a name that every object has', { toString: 1 }, /toString is no member of a rule/],
  ['a body and an example', { status: 503, example: 'unavailable', body: {} }, /body and example exclude/],
  ['a body where there is none', { status: 204, body: {} }, /body must be "" or absent/],
  [
    'a header that frames the message',
    { headers: { 'Content-Length': '1', 'a b': 'x', x: 'ä\n' } },
    /headers.Content-Length is set by the mock; .*headers.a b must be the name of a header; .*headers.x must be a text/,
  ],
  ['no headers', { headers: {} }, /headers must be an object such as/],
  ['an empty sequence', { sequence: [] }, /sequence must be a list of 1 to 100 answers/],
  [
    'a sequence with faults',
    { operation: 'listPets', sequence: [99, 'skip', { status: 7, x: 1 }, null] },
    /sequence\.0 must be .*; sequence\.1 must be .*; sequence\.2\.status must be .*; sequence\.2\.x is no member of an answer.*; sequence\.3 must be/,
  ],
  ['a sequence and a status', { status: 503, sequence: [503] }, /status and sequence exclude each other/],
  ['an empty match', { match: {}, delay: 1 }, /match must have a member; there are method, path/],
  [
    'faults in its match',
    { match: { methods: 'GET', path: 'pets', query: { a: {} }, headers: [] }, delay: 1 },
    /match\.methods is no member of match; .*match\.path must be a path such as .*match\.query\.a must be .*match\.headers must be/,
  ],
  [
    'a path that no operation has',
    { match: { path: '/toys' }, delay: 1 },
    /match\.path must be the path of an operation or of a request of it; there are \/pets, \/pets\/\{petId\}/,
  ],
  [
    'a method that its path has not',
    { operation: 'getPet', match: { method: 'post' }, delay: 1 },
    /match\.method must be one of these operations' methods: GET/,
  ],
])('a rule with %s is refused', async (_, form, want) => {
  const mock = await serve(SHIPPED);
  expect(() => mock.addRule(form as RuleForm)).toThrow(want);
});

test('latency delays every response, refusals too', async () => {
  const mock = await serve(SHIPPED, { latency: { low: 40, high: 50 } });
  for (const key of ['Bearer paddock-dev-key', '']) {
    const begun = performance.now();
    await ask(mock, 'GET /pets', undefined, { authorization: key });
    expect(performance.now() - begun).toBeGreaterThan(38);
  }
});
