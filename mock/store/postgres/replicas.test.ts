import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mock } from '../../index.ts';
import { type PostgresServer, startPostgres } from '../../testing/postgres-server.ts';
import { ask, SHIPPED, serve } from '../../testing/serve.ts';
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

test('three that start at once on an empty database have each seeded record once', async () => {
  const mocks = await replicas(3);
  const lists = await Promise.all(mocks.map((mock) => ask(mock, 'GET /pets?limit=100')));
  expect(new Set(lists.map(({ text }) => text)).size).toBe(1);
  expect(lists[0]?.body).toHaveLength(50);
});

test('no id is given twice, and ids follow each other', async () => {
  const mocks = await replicas(3);
  const ids = await Promise.all(
    Array.from({ length: 300 }, (_, n) => create(mocks[n % 3] as Mock, `animal ${n}`)),
  );
  expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => 51 + n));
});

test('what one creates or resets the other has at once, in sessions as well', async () => {
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

test('creates and resets that meet leave no record without its index, and no id twice', async () => {
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

test('tables of an older version are brought to this one, those of a newer one are refused', async () => {
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
