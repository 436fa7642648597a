import { expect, test } from 'vitest';
import { ask, SHIPPED, serve } from '../testing/serve.ts';
import type { RuleForm } from './read-rule.ts';

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

test('until it is removed, and the first of several counts', async () => {
  const mock = await serve(SHIPPED);
  const remove = mock.addRule({ status: 500 });
  mock.addRule({ status: 503, example: 'unavailable' });
  expect((await ask(mock, 'GET /pets')).status).toBe(500);
  remove();
  const second = await ask(mock, 'GET /pets');
  expect(second.status).toBe(503);
  // No client asked for it.
  expect(second.headers.get('preference-applied')).toBeNull();
  expect((await ask(mock, 'GET /pets', undefined, { prefer: 'code=401' })).status).toBe(401);
  await mock.reset();
  expect((await ask(mock, 'GET /pets')).status).toBe(200);
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
  [
    'a status that is not documented',
    { operation: 'listPets', status: 299 },
    /listPets documents no status 299/,
  ],
  ['one that some operation does not document', { status: 201 }, /listPets documents no status 201/],
  ['no such example', { operation: 'listPets', example: 'x' }, /no example "x"/],
  ['no member', { statsu: 500 }, /statsu is no member of a rule; there are operation, times, status/],
  [
    'all that is wrong',
    { times: 0, delay: '9-1', drop: 'x' },
    /times must be .*; delay must be .*; drop must be /,
  ],
  ['two ends', { drop: true, truncate: true }, /exclude each other/],
  ['no object', [], /must be an object/],
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
