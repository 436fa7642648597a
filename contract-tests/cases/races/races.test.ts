import { afterEach, expect, test } from 'vitest';
import { startShop } from '../../../quality/mutants/by-hand/shop.ts';
import { mockOf } from '../../../quality/mutants/mock-faults.ts';
import { SHIPPED_DOCUMENT, type Target } from '../../../quality/mutants/suspect.ts';
import { check, type Report } from '../../index.ts';
import type { Fetch } from '../../send/client.ts';
import type { CheckOptions } from '../../settings/check-options.ts';
import { runCheckOf } from '../../testing/run-check.ts';

const targets: Target[] = [];

afterEach(async () => {
  for (const target of targets.splice(0)) await target.close();
});

async function reportOn(target: Target, document: string, options: Partial<CheckOptions>): Promise<Report> {
  targets.push(target);
  const events = check({
    target: target.url,
    apiKey: target.apiKey,
    document,
    only: '/race-',
    disposable: true,
    ...options,
  });
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}

test('races come over connections of their own', async () => {
  const shop = await startShop();
  await reportOn(shop, SHIPPED_DOCUMENT, { maxCreates: 400 });
  expect(new Set(shop.requests.map(({ socket }) => socket)).size).toBeGreaterThanOrEqual(4);
});

test('without --disposable none is sent, and a notice says so', async () => {
  const { cases, notices } = await reportOn(await startShop(), SHIPPED_DOCUMENT, { disposable: false });
  expect(cases.filter(({ id }) => id.includes('/race-'))).toEqual([]);
  expect(notices).toContainEqual(
    expect.objectContaining({
      text: expect.stringMatching(/^not tried: 1 race,/),
    }),
  );
});

test('the rate holds for all connections together', async () => {
  const shop = await startShop();
  const began = performance.now();
  const { totals } = await reportOn(shop, SHIPPED_DOCUMENT, { rate: 20, maxCreates: 400 });
  expect(totals.requests).toBeGreaterThan(8);
  expect(performance.now() - began).toBeGreaterThan((totals.requests - 2) * 50);
});

test('a resource with all operations is sent 40 requests at most, and what was created is removed', async () => {
  const { document, start } = mockOf('libraries.yaml', { count: 3 });
  const { totals, created, cases, exitCode } = await reportOn(await start({}), document, {
    only: 'Book/.*/race-',
  });
  const ran = cases.filter(({ outcome }) => outcome !== 'skipped');
  expect(ran.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed', 'passed', 'passed']);
  // Each record that is left is removed by a request of its own, and the library is looked up first.
  expect(totals.requests).toBeLessThanOrEqual(40 + 11 + 2);
  expect(created).toEqual([]);
  expect(exitCode).not.toBe(1);
});

test('a target that has no room for more records is not raced', async () => {
  const shop = await startShop();
  const { cases } = await reportOn(shop, SHIPPED_DOCUMENT, { maxCreates: 3 });
  expect(cases.filter(({ id }) => id.includes('/race-'))).toMatchObject([
    { id: 'createPet/201/race-creates', outcome: 'skipped', reason: '--max-creates 3 leaves no room for it' },
  ]);
});

const text = { type: 'string' };
const one = (...states: string[]) => ({ state: { enum: states } });

test.each<[title: string, made: object, sent: object, shown: object]>([
  [
    'a number that the record shows as a text',
    { length: text },
    { length: { type: 'integer' } },
    { length: text },
  ],
  [
    'a state that may mean removed records',
    one('active'),
    one('inactive', 'closed'),
    one('active', 'inactive', 'closed'),
  ],
])('requests at once may write %s', async (_, made, sent, shown) => {
  const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const record = object({ id: { type: 'integer', readOnly: true }, ...shown });
  const answer = (status: number) => ({ [status]: { description: 'It', ...json(record) } });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const document = {
    openapi: '3.1.1',
    info: { title: 'Ropes', version: '1' },
    paths: {
      '/ropes': { post: { requestBody: json(object(made)), responses: answer(201) } },
      '/ropes/{id}': {
        parameters,
        get: { responses: answer(200) },
        put: { requestBody: json(object(sent)), responses: answer(200) },
      },
    },
  };
  const ropes: object[] = [];
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    const id = Number(url.pathname.split('/')[2] ?? ropes.length);
    if (request.method === 'GET') return Response.json(ropes[id] ?? {}, { status: ropes[id] ? 200 : 404 });
    const given = (await request.json()) as object;
    const members = Object.entries(given).map(([name, value]) => [name, String(value)]);
    const rope = { ...Object.fromEntries(members), id };
    ropes[id] = rope;
    return Response.json(rope, { status: request.method === 'POST' ? 201 : 200 });
  };
  const { findings, cases } = await runCheckOf(document, {
    fetch,
    only: 'race-replaces',
    settle: 20,
    disposable: true,
  });
  expect(findings).toEqual([]);
  expect(cases.map(({ outcome }) => outcome)).toContain('passed');
});
