import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { boxes } from '../../testing/boxes.ts';
import { ask, documentOf, SHIPPED, serve, serveText } from '../../testing/serve.ts';
import { StoreUnavailable } from '../port.ts';
import { storeCases } from '../store.cases.ts';
import { connect } from './connection.ts';
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

test('what a seed file gives is stored as a whole at the first start, whatever was asked for', async () => {
  const place = emptyFolder();
  const store = `file:${join(place, 'records.db')}`;
  const fixtures = [join(place, 'seeds.json')];
  writeFileSync(String(fixtures), '{"records":{"/shelves":[{"colour":"red"}],"/boxes":[{"colour":"red"}]}}');
  const [shelf] = Object.values(shelves([]).paths as object);
  const document = documentOf({ '/shelves': shelf, '/boxes': shelf });
  const first = await serveText(document, { store, fixtures });
  await ask(first, 'GET /shelves');
  await first.close();
  const second = await serveText(document, { store });
  for (const path of ['/shelves', '/boxes'])
    expect((await ask(second, `GET ${path}`)).body).toEqual([{ id: 1, colour: 'red' }]);
});

/** Two collections with one schema; the second may be absent. */
function yard(schema: object, hasSheds = true) {
  const one = { type: 'object', ...schema };
  const json = (of: object) => ({ content: { 'application/json': { schema: of } } });
  const collection = {
    get: { responses: { 200: json({ type: 'array', items: one }) } },
    post: { requestBody: json(one), responses: { 201: json(one) } },
  };
  return documentOf({ '/shelves': collection, ...(hasSheds && { '/sheds': collection }) });
}

const id = { type: 'integer', readOnly: true };
const [colour, size] = [{ type: 'string' }, { type: 'integer' }];
const LOOSE = { properties: { id, colour, size }, required: ['id', 'colour'] };

describe('a file whose document has changed between two starts', () => {
  test.each<[string, object, unfit: number[], reason: string]>([
    ['a member is required', { ...LOOSE, required: ['id', 'colour', 'size'] }, [5], 'size is required'],
    [
      'a member has another type',
      { properties: { id, colour: { type: 'integer' }, size } },
      [4, 5],
      'colour must be an integer',
    ],
    [
      'values are fewer',
      { ...LOOSE, properties: { id, colour: { enum: ['blue'] }, size } },
      [5],
      'colour must be',
    ],
    [
      'an integer is smaller',
      { properties: { id: { ...id, maximum: 4 }, colour, size } },
      [5],
      'id must be at most 4',
    ],
  ])('names what no longer fits, and keeps the rest: %s', async (_, schema, unfit, reason) => {
    const store = `file:${join(emptyFolder(), 'records.db')}`;
    const first = await serveText(yard(LOOSE), { store, count: 3 });
    await ask(first, 'POST /shelves', { colour: 'blue', size: 1 });
    await ask(first, 'POST /shelves', { colour: 'red' });
    await ask(first, 'POST /sheds', { colour: 'blue', size: 1 });
    await first.close();
    const notices: string[] = [];
    const options = { store, count: 3, notice: (text: string) => notices.push(text) };
    const second = await serveText(yard(schema, false), options);
    expect(notices).toEqual([
      ...unfit.map((one) =>
        expect.stringContaining(`/shelves ${one} no longer fits and was removed: ${reason}`),
      ),
      '/sheds 4 no longer fits and stays in the store, unserved: there is no such collection',
    ]);
    // Seeded records follow the document, so they fit it.
    const listed = (await ask(second, 'GET /shelves')).body.map((one: { id: number }) => one.id);
    expect(listed).toEqual([1, 2, 3, 4, 5].filter((one) => !unfit.includes(one)));
    await second.close();

    const later: string[] = [];
    const third = await serveText(yard(LOOSE), { ...options, notice: (text) => later.push(text) });
    expect(later).toEqual([]);
    expect((await ask(third, 'GET /sheds')).body).toHaveLength(4);
  });

  test('names nothing where the document is the same, or every record still fits', async () => {
    const store = `file:${join(emptyFolder(), 'records.db')}`;
    const notices: string[] = [];
    const options = { store, count: 3, notice: (text: string) => notices.push(text) };
    for (const schema of [LOOSE, LOOSE, { ...LOOSE, required: ['id'] }]) {
      const mock = await serveText(yard(schema), options);
      await ask(mock, 'POST /shelves', { colour: 'blue' });
      await mock.close();
    }
    const last = await serveText(yard(LOOSE), options);
    expect(notices).toEqual([]);
    expect((await ask(last, 'GET /shelves')).body).toHaveLength(6);
  });
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

  test('because a table of another program is in it', async () => {
    const path = join(emptyFolder(), 'records.db');
    await (await sqliteStore(path)([])).close();
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE paddocks (text)');
    database.close();
    expect(() => sqliteStore(path)([])).toThrow(/records\.db holds tables of another program/);
  });

  test.each<[string, string]>([
    ['a rollback journal', 'CREATE TABLE notes (text)'],
    ['a log of what was written ahead', 'PRAGMA journal_mode = WAL; CREATE TABLE notes (text)'],
    ['tables whose names are like those of Paddock', 'CREATE TABLE paddocks (text)'],
    ['an application id alone', 'PRAGMA application_id = 7'],
    [
      'many tables',
      Array.from({ length: 200 }, (_, at) => `CREATE TABLE notes_about_one_thing_${at} (text)`).join(';'),
    ],
  ])('and a file of another program with %s is not changed by a byte, open or closed', (_, text) => {
    const place = emptyFolder();
    const path = join(place, 'records.db');
    const owner = new DatabaseSync(path);
    owner.exec(text);
    // As a killed process leaves it.
    const left = emptyFolder();
    for (const name of readdirSync(place)) copyFileSync(join(place, name), join(left, name));
    owner.close();
    for (const folder of [left, place]) {
      const before = bytesIn(folder);
      expect(() => sqliteStore(join(folder, 'records.db'))([])).toThrow(/belongs to another program/);
      expect(bytesIn(folder)).toEqual(before);
    }
  });

  test('and an empty file, and one that a killed mock has left, are used', async () => {
    const place = emptyFolder();
    const path = join(place, 'records.db');
    writeFileSync(path, '');
    const things = boxes('things', 2);
    const first = await sqliteStore(path)([things]);
    await first.remove(things, 1, []);
    const left = emptyFolder();
    for (const name of readdirSync(place)) copyFileSync(join(place, name), join(left, name));
    await first.close();
    const second = await sqliteStore(join(left, 'records.db'))([things]);
    expect(await second.read(things, 1, [])).toBeUndefined();
    expect(await second.read(things, 2, [])).toBeDefined();
    await second.close();
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

const bytesIn = (place: string) =>
  readdirSync(place).map((name) => [name, readFileSync(join(place, name)).toString('latin1')]);

test('a damaged file is reported with a remedy, in the log, and is no bug', async () => {
  const place = emptyFolder();
  const path = join(place, 'records.db');
  const first = await serve(SHIPPED, { store: `file:${path}`, count: 500 });
  expect((await ask(first, 'GET /pets?limit=100')).status).toBe(200);
  await first.close();
  const bytes = readFileSync(path);
  for (let page = 8; page * 4096 < bytes.length; page++) bytes.fill(0xa5, page * 4096, page * 4096 + 4000);
  writeFileSync(path, bytes);

  const [notices, bugs]: [string[], unknown[]] = [[], []];
  const mock = await serve(SHIPPED, {
    store: `file:${path}`,
    notice: (text) => notices.push(text),
    onBug: (error) => bugs.push(error),
  });
  for (let round = 0; round < 2; round++) {
    const answer = await ask(mock, 'GET /pets?limit=100');
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(answer.text).not.toMatch(/SQLITE|records\.db/);
  }
  expect(bugs).toEqual([]);
  expect(notices).toEqual([
    expect.stringMatching(
      /^a part of the file .*records\.db is unavailable, .*SQLITE_CORRUPT.*put back a copy of the file, or remove it/,
    ),
  ]);
  const [logged] = mock.requests();
  expect(logged?.message).toMatch(/^The store of the mock cannot be used for now: .*SQLITE_CORRUPT/);
});

test('a full disk is reported with its reason, once, and its end too', async () => {
  const notices: string[] = [];
  const database = new DatabaseSync(join(emptyFolder(), 'records.db'));
  onTestFinished(() => database.close());
  const connection = connect(database, 'records.db', (text) => notices.push(text));
  connection.run({ text: 'CREATE TABLE notes (text)' });
  const fill = () =>
    connection.transaction((query) =>
      query({ text: 'INSERT INTO notes VALUES ($1)', values: ['x'.repeat(50_000)] }),
    );
  database.exec('PRAGMA max_page_count = 4');
  for (let round = 0; round < 2; round++)
    expect(fill).toThrow(
      new StoreUnavailable('database or disk is full (SQLITE_FULL): make room on its disk'),
    );
  database.exec('PRAGMA max_page_count = 1000');
  fill();
  expect(notices).toEqual([
    'the file records.db is unavailable, and requests get a 503: database or disk is full (SQLITE_FULL): make room on its disk',
    'the file records.db is available again',
  ]);
});
