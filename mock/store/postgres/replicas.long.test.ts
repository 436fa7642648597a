import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stringifyJson } from '#spec';
import type { Mock } from '../../index.ts';
import { type PostgresServer, startPostgres } from '../../testing/postgres-server.ts';
import { ask, fixture, SHIPPED, serve } from '../../testing/serve.ts';
import type { Collection, Store } from '../port.ts';
import { postgresStore } from './postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

async function replicas(count: number): Promise<Mock[]> {
  const store = await server.createPlace();
  return Promise.all(Array.from({ length: count }, () => serve(SHIPPED, { store })));
}

const create = async (mock: Mock, name: string) =>
  (await ask(mock, 'POST /pets', { name, categoryId: 1, status: 'sold' })).body.id as number;

test('three replicas that start at once on an empty database seed each record once', async () => {
  const mocks = await replicas(3);
  const lists = await Promise.all(mocks.map((mock) => ask(mock, 'GET /pets?limit=100')));
  expect(new Set(lists.map(({ text }) => text)).size).toBe(1);
  expect(lists[0]?.body).toHaveLength(50);
});

test('no id is assigned twice, and ids are consecutive', async () => {
  const mocks = await replicas(3);
  const ids = await Promise.all(
    Array.from({ length: 300 }, (_, n) => create(mocks[n % 3] as Mock, `animal ${n}`)),
  );
  expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => 51 + n));
});

test('of writers at once with one tag, each on a replica of its own, one wins', async () => {
  const store = await server.createPlace();
  const mocks = await Promise.all([1, 2, 3].map(() => serve(fixture('wiki.yaml'), { store })));
  for (let turn = 0; turn < 10; turn++) {
    const made = await ask(mocks[0] as Mock, 'POST /pages', { title: 'Tides', text: '' });
    const field = { 'if-match': made.headers.get('etag') ?? '' };
    const statuses = mocks.map(async (mock, n) => {
      const line = `${n === 2 ? 'DELETE' : 'PUT'} /pages/${made.body.id}`;
      return (await ask(mock, line, n === 2 ? undefined : { title: `Writer ${n}`, text: '' }, field)).status;
    });
    expect((await Promise.all(statuses)).filter((status) => status < 300)).toHaveLength(1);
  }
});

test('each replica sees creates and resets of the other at once, in named sessions, too', async () => {
  const [left, right] = (await replicas(2)) as [Mock, Mock];
  const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
  for (let n = 51; n <= 60; n++) {
    expect(await create(n % 2 ? left : right, 'Ernesto')).toBe(n);
    expect((await ask(n % 2 ? right : left, `GET /pets/${n}`)).status).toBe(200);
  }
  const body = '{"name":"Ida","categoryId":1}';
  await left.session('guest').fetch('/pets', { method: 'POST', headers, body });
  expect((await right.session('guest').fetch('/pets/51', { headers })).status).toBe(200);
  expect((await right.session('guest').fetch('/pets/52', { headers })).status).toBe(404);

  await right.reset();
  expect((await ask(left, 'GET /pets/51')).status).toBe(404);
  expect((await ask(left, 'GET /pets?limit=100')).body).toHaveLength(50);
  expect((await left.session('guest').fetch('/pets/51', { headers })).status).toBe(200);
  expect(await create(left, 'Ernesto')).toBe(51);
});

const control = (mock: Mock, method: string, path: string, body?: object) =>
  mock.fetch(`http://localhost/__admin/${path}`, {
    method,
    ...(body && { body: stringifyJson(body) }),
  });

/** A replica polls five times a second: on a busy machine, updates arrive later than the response that caused them. */
const soon = (assertion: () => Promise<void> | void) => vi.waitFor(assertion, 10_000);

describe('settings made on one replica apply to all', () => {
  test('a rule with a number of times, which all replicas count together', async () => {
    const [left, right] = (await replicas(2)) as [Mock, Mock];
    const rule = { operation: 'listPets', times: 5, status: 503 };
    const made = await control(left, 'POST', 'answers', rule);
    expect(made.status).toBe(201);
    const given = await made.json();
    await soon(async () => expect(await (await control(right, 'GET', 'answers')).json()).toEqual([given]));
    const asked = Array.from({ length: 20 }, (_, n) => ask(n % 2 ? left : right, 'GET /pets'));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503)).toHaveLength(5);
    expect(statuses.filter((status) => status === 200)).toHaveLength(15);
  });

  test('rules and the clock of a session, whichever replica sees it first; and a reset', async () => {
    const [left, right] = (await replicas(2)) as [Mock, Mock];
    const names = ['', 'guest'];
    for (const name of names) {
      await control(left, 'POST', `answers?session=${name}`, { operation: 'listPets', status: 401 });
      await control(left, 'PUT', `clock?session=${name}`, { now: '2031-01-01' });
    }
    const headers = { authorization: 'Bearer paddock-dev-key' };
    for (const name of names) {
      const session = name === '' ? right : right.session(name);
      expect((await session.fetch('/pets', { headers })).status).toBe(401);
      expect((await session.fetch('/pets/1', { headers })).headers.get('date')).toContain('2031');
      await control(right, 'POST', `reset?session=${name}`);
      const other = name === '' ? left : left.session(name);
      expect((await other.fetch('/pets', { headers })).status).toBe(200);
      expect((await other.fetch('/pets/1', { headers })).headers.get('date')).toBeNull();
      expect(other.requests()).toHaveLength(2);
    }
  });

  test('removed rules, and a rule added and removed through the JavaScript API', async () => {
    const [left, right] = (await replicas(2)) as [Mock, Mock];
    const remove = left.addRule({ status: 503 });
    const becomes = (status: number) =>
      soon(async () => expect((await ask(right, 'GET /pets')).status).toBe(status));
    await becomes(503);
    remove();
    await becomes(200);
    await control(right, 'POST', 'answers', { status: 401 });
    expect((await control(left, 'DELETE', 'answers')).status).toBe(204);
    await becomes(200);
  });

  test('each answer of a sequence is given once, whichever replica is asked; bodies keep their integers', async () => {
    const [left, right] = (await replicas(2)) as [Mock, Mock];
    const body = { id: 2n ** 53n + 1n, name: 'Tom', categoryId: 1 };
    const sequence = [500, 503, { body }];
    await control(left, 'POST', 'answers', { operation: 'getPet', match: { path: '/pets/1' }, sequence });
    const answers = [];
    for (const mock of [left, right, left, right, left]) answers.push(await ask(mock, 'GET /pets/1'));
    expect(answers.map(({ status }) => status)).toEqual([500, 503, 200, 200, 200]);
    expect(answers[4]?.body).toEqual(body);
    expect((await ask(right, 'GET /pets/2')).status).toBe(200);
  });

  test('latency, set and reset', async () => {
    const [left, right] = (await replicas(2)) as [Mock, Mock];
    await control(left, 'PUT', 'latency', { latency: '1-2' });
    await soon(() => expect(right.latency()).toEqual({ low: 1, high: 2 }));
    await control(right, 'POST', 'reset');
    await soon(() => expect(left.latency()).toEqual({ low: 0, high: 0 }));
  });

  test('what each replica counts for itself is kept when another one changes the rules', async () => {
    const [left, right] = (await replicas(2)) as [Mock, Mock];
    await control(left, 'POST', 'answers', { operation: 'listPets', status: 503 });
    for (let n = 0; n < 3; n++) await ask(left, 'GET /pets');
    await control(right, 'POST', 'answers', { operation: 'getPet', status: 404 });
    const rulesOfLeft = async () => (await control(left, 'GET', 'answers')).json();
    await soon(async () => expect(await rulesOfLeft()).toHaveLength(2));
    expect(await rulesOfLeft()).toMatchObject([{ used: 3 }, { used: 0 }]);
  });
});

test('each response of /__admin names its replica', async () => {
  const store = await server.createPlace();
  for (const replica of ['blue', 'green']) {
    const mock = await serve(SHIPPED, { store, replica });
    for (const [method, path] of [
      ['GET', 'health'],
      ['GET', 'answers'],
      ['POST', 'reset'],
      ['GET', 'nothing'],
      ['DELETE', 'health'],
    ] as const)
      expect((await control(mock, method, path)).headers.get('paddock-replica')).toBe(replica);
  }
});

test('a session is kept while one replica holds a lease, and seeded anew after another one deleted it', async () => {
  const url = await server.createPlace();
  const [left, right] = await Promise.all([1, 2].map(() => postgresStore(url)([THINGS])));
  const [one, two] = [left?.fork('guest') as Store, right?.fork('guest') as Store];
  await one.create(THINGS, NEW);
  expect(await two.read(THINGS, 3, [])).toBeDefined();
  await one.close();
  expect(await two.read(THINGS, 3, [])).toBeDefined();
  await two.close();
  const three = left?.fork('guest') as Store;
  const four = right?.fork('guest') as Store;
  expect(await three.read(THINGS, 3, [])).toBeUndefined();
  expect(await four.read(THINGS, 1, [])).toBeDefined();
  // As if the leases had expired.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('DELETE FROM paddock_use');
  await client.end();
  await four.close();
  expect(await three.read(THINGS, 1, [])).toBeDefined();
  expect(await three.create(THINGS, NEW)).toMatchObject({ id: 3 });
  await left?.close();
  await right?.close();
});

const NEW = { id: undefined, members: {}, scope: [] };
const THINGS: Collection = {
  name: 'things',
  keys: [],
  idOf: (ordinal) => ordinal,
  complete: (id) => ({ id, text: JSON.stringify({ id }), keys: [] }),
  *seeds() {
    for (let id = 1; id <= 2; id++) yield this.complete(id, NEW);
  },
};

test('a shared store cannot be used with --watch', async () => {
  const store = await server.createPlace();
  await expect(serve(SHIPPED, { store, watch: true })).rejects.toThrow(/restart the replicas in turn/);
});

test('concurrent creates and resets leave no record without its index, and no duplicate id', async () => {
  const mocks = await replicas(2);
  await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const mock = mocks[n % 2] as Mock;
      if (n % 25 === 24) await mock.reset();
      else expect(await create(mock, 'Ernesto')).toBeGreaterThan(50);
    }),
  );
  const [left, right] = (await Promise.all(mocks.map((mock) => mock.state()))) as [object, object];
  expect(left).toEqual(right);
  const { records } = left as { records: { '/pets': { id: number; status?: string }[] } };
  const all = records['/pets'];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const sold = (await ask(mocks[0] as Mock, 'GET /pets?status=sold&limit=100')).body;
  expect(sold).toEqual(all.filter(({ status }) => status === 'sold').slice(0, 100));
});

test('an older schema is migrated, a newer one is refused', async () => {
  const url = await server.createPlace();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE paddock_schema (one INT PRIMARY KEY, version INT NOT NULL)');
  await client.query('INSERT INTO paddock_schema VALUES (1, 0)');
  await (await postgresStore(url)([])).close();
  expect((await client.query('SELECT version FROM paddock_schema')).rows).not.toEqual([{ version: 0 }]);
  await client.query('UPDATE paddock_schema SET version = 99');
  await expect(async () => postgresStore(url)([])).rejects.toThrow(/tables of a newer Paddock \(version 99/);
  await client.end();
});
