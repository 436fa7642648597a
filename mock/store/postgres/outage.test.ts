import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '../../index.ts';
import { storeAt } from '../../start.ts';
import { PASSWORD, type PostgresServer, startPostgres } from '../../testing/postgres-server.ts';
import { ask, misfits, SHIPPED, serve } from '../../testing/serve.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

test('during an outage each request gets a documented 503, and afterwards no record is lost', async () => {
  const notices: string[] = [];
  const bugs: unknown[] = [];
  const mock = await serve(SHIPPED, {
    store: await server.createPlace(),
    notice: (text) => notices.push(text),
    onBug: (error) => bugs.push(error),
  });
  const made = await ask(mock, 'POST /pets', { name: 'Ernesto', categoryId: 1 });
  expect(made.status).toBe(201);

  await server.stop();
  for (const [line, operation, body] of [
    ['GET /pets', 'listPets'],
    ['GET /pets/1', 'getPet'],
    ['POST /pets', 'createPet', { name: 'Ida', categoryId: 1 }],
  ] as const) {
    const answer = await ask(mock, line, body);
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', status: 503 } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(misfits(mock, operation, answer)).toEqual([]);
  }

  // The log has each reason, but clients do not learn the database's address.
  const [, ...refused] = mock.requests();
  expect(refused.map(({ message }) => message)).toEqual(
    Array(3).fill(expect.stringMatching(/^The store of the mock cannot be used for now: \S+/)),
  );

  await server.start();
  expect((await ask(mock, `GET /pets/${made.body.id}`)).text).toBe(made.text);
  const next = await ask(mock, 'POST /pets', { name: 'Ida', categoryId: 1 });
  expect(next).toMatchObject({ status: 201, body: { id: made.body.id + 1 } });
  expect(bugs).toEqual([]);
  expect(notices).toEqual([
    expect.stringMatching(
      /^the database at 127\.0\.0\.1:\d+\/postgres is unavailable, and requests get a 503: /,
    ),
    expect.stringMatching(/^the database at 127\.0\.0\.1:\d+\/postgres is available again$/),
  ]);
});

test('a database that keeps a query waiting does not keep the mock from closing', async () => {
  const store = await server.createPlace();
  const mock = await createMock({ document: SHIPPED, port: false, store });
  await ask(mock, 'GET /pets');
  const other = new pg.Client(store);
  await other.connect();
  await other.query('BEGIN; LOCK TABLE paddock_record IN ACCESS EXCLUSIVE MODE');
  const inTransaction = `DELETE ${mock.controlUrl}/records?collection=/pets&id=1`;
  const waiting = [ask(mock, 'GET /pets/1'), ask(mock, inTransaction)];
  await expect.poll(async () => (await other.query(WAITING)).rowCount, { timeout: 10_000 }).toBe(2);
  await mock.close();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(503);
  await other.end();
});

/** Processes that wait for a lock. */
const WAITING = 'SELECT pid FROM pg_locks WHERE NOT granted';

const secret = [PASSWORD, encodeURIComponent(PASSWORD)];

test.each<[string, (url: string) => string, RegExp]>([
  [
    'a wrong password',
    (url) => url.replace(secret[1] as string, 'open%2Fsesame'),
    /password authentication failed/,
  ],
  ['an unknown user', (url) => url.replace('//paddock:', '//nobody:'), /authentication failed/],
  ['an unknown database', (url) => url.replace('/postgres?', '/nothing?'), /"nothing" does not exist/],
  [
    'a port where nothing listens',
    (url) => url.replace(/:\d+\//, ':1/'),
    /cannot connect to the database at 127\.0\.0\.1:1\/postgres: .*ECONNREFUSED/,
  ],
])('%s fails with a message without the password', async (_, change, want) => {
  const store = change(await server.createPlace());
  const failure: Error = await createMock({ document: SHIPPED, port: false, store }).then(
    () => new Error('it started'),
    (error) => error,
  );
  expect(failure.name).toBe('StoreError');
  expect(failure.message).toMatch(want);
  for (const text of [...secret, 'sesame']) expect(failure.message).not.toContain(text);
});

test('the message on a malformed address does not repeat it', async () => {
  await expect(async () => storeAt('postgres://paddock:open/sesame@host:x/y')([])).rejects.toThrow(
    /^this postgres URL cannot be read; (?!.*sesame)/,
  );
  expect(() => storeAt('postgre://paddock:sesame@host/y')).toThrow(/^a store must be (?!.*sesame)/);
});
