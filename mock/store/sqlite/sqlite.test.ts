import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { boxes } from '../../testing/boxes.ts';
import { ask, documentOf, SHIPPED, serve, serveText } from '../../testing/serve.ts';
import { storeCases } from '../store.cases.ts';
import { sqliteStore } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'paddock-store-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

describe('the SQLite store', () =>
  storeCases((collections) => sqliteStore(join(folder, `${++files}.db`))(collections)));

function emptyFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'paddock-store-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test('a stopped mock leaves a single file, and the next mock on it continues with its records and ids', async () => {
  const place = emptyFolder();
  const store = `file:${join(place, 'records.db')}`;
  const first = await serve(SHIPPED, { store });
  const made = await ask(first, 'POST /pets', { name: 'Ernesto', categoryId: 2n ** 63n - 1n });
  await first.close();
  expect(readdirSync(place)).toEqual(['records.db']);

  const second = await serve(SHIPPED, { store, count: 3 });
  expect((await ask(second, `GET /pets/${made.body.id}`)).text).toBe(made.text);
  expect((await ask(second, 'POST /pets', { name: 'Ida', categoryId: 1 })).body.id).toBe(made.body.id + 1);
  await second.reset();
  expect((await ask(second, 'GET /pets')).body).toHaveLength(3);
});

test('named sessions are stored in the file, too', async () => {
  const store = `file:${join(emptyFolder(), 'records.db')}`;
  const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
  const first = await serve(SHIPPED, { store });
  const body = '{"name":"Ernesto","categoryId":1}';
  await first.session('guest').fetch('/pets', { method: 'POST', headers, body });
  await first.close();
  const second = await serve(SHIPPED, { store });
  expect((await second.session('guest').fetch('/pets/51', { headers })).status).toBe(200);
  expect((await ask(second, 'GET /pets/51')).status).toBe(404);
});

test('sessions of an earlier process are deleted when they are not used for an hour', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(emptyFolder(), 'records.db');
  const things = boxes('things', 2);
  const first = await sqliteStore(path)([things]);
  for (const name of ['used', 'left']) await first.fork(name).remove(things, 1, []);
  await first.close();
  const second = await sqliteStore(path)([things]);
  const used = second.fork('used');
  vi.advanceTimersByTime(3_600_000);
  expect(await used.read(things, 1, [])).toBeUndefined();
  expect(await second.fork('left').read(things, 1, [])).toBeDefined();
  await second.close();
});

test('records are indexed anew when the document gains a filter', async () => {
  const store = `file:${join(emptyFolder(), 'records.db')}`;
  const filter = { name: 'colour', in: 'query', schema: { type: 'string' } };
  const first = await serveText(shelves([]), { store, count: 0 });
  for (const colour of ['red', 'blue', 'red']) await ask(first, 'POST /shelves', { colour });
  await first.close();
  const second = await serveText(shelves([filter]), { store });
  expect((await ask(second, 'GET /shelves?colour=red')).body).toEqual([
    { id: 1, colour: 'red' },
    { id: 3, colour: 'red' },
  ]);
});

function shelves(parameters: object[]) {
  const properties = { id: { type: 'integer', readOnly: true }, colour: { type: 'string' } };
  const schema = { type: 'object', properties, required: ['id'] };
  const json = (of: object) => ({ content: { 'application/json': { schema: of } } });
  return documentOf({
    '/shelves': {
      get: { parameters, responses: { 200: json({ type: 'array', items: schema }) } },
      post: { requestBody: json(schema), responses: { 201: json(schema) } },
    },
  });
}

describe('a file that cannot be opened', () => {
  test.each<[string, RegExp, (path: string) => void]>([
    [
      'is text',
      /is not an SQLite database/,
      (path) => writeFileSync(path, 'hello, this is a text\n'.repeat(99)),
    ],
    [
      'belongs to another program',
      /belongs to another program/,
      (path) => new DatabaseSync(path).exec('CREATE TABLE notes (text)'),
    ],
    [
      'is of a newer version',
      /was written by a newer Paddock \(tables of version 99\)/,
      (path) => new DatabaseSync(path).exec('PRAGMA user_version = 99'),
    ],
  ])('because it %s', (_, message, make) => {
    const path = join(emptyFolder(), 'records.db');
    make(path);
    expect(() => sqliteStore(path)([])).toThrow(message);
  });

  test('because its folder does not exist', () => {
    const path = join(emptyFolder(), 'nowhere', 'records.db');
    expect(() => sqliteStore(path)([])).toThrow(/records\.db cannot be opened; is there such a folder/);
  });

  test('because another process has locked it', async () => {
    const path = join(emptyFolder(), 'records.db');
    const owner = await sqliteStore(path)([]);
    expect(() => sqliteStore(path)([])).toThrow(/is in use by another process/);
    await owner.close();
    await sqliteStore(path)([]);
  });
});
