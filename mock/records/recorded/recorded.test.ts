import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock.ts';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from '../../testing/serve.ts';
import type { RecordedTraffic } from './recorded-traffic.ts';

interface Given {
  /** `POST /pets` */
  readonly line: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly sent?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: number;
  readonly ms?: number;
  readonly bodyMissing?: boolean;
}

const bytes = (value: unknown) =>
  value === undefined
    ? Buffer.alloc(0)
    : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

function trafficOf(given: readonly Given[]): readonly RecordedTraffic[] {
  return given.map(({ line, status = 200, body, sent, headers = {}, at, ms, bodyMissing = false }, index) => {
    const [method = '', path = ''] = line.split(' ');
    return {
      position: `entry ${index + 1}`,
      startedAt: at,
      ms,
      request: {
        method,
        url: new URL(path, 'https://api.example'),
        headers: [
          ['Authorization', 'Bearer s3cret'],
          ...(sent === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
        ],
        body: sent === undefined ? undefined : bytes(sent),
      },
      response: { status, headers: Object.entries(headers), body: bytes(body), bodyMissing },
    };
  });
}

const recorded = (...given: readonly Given[]) => ({ recorded: () => trafficOf(given), count: 3 });

const pet = (id: number, more: object = {}) => ({ id, name: `Pet ${id}`, categoryId: 1, ...more });

/** A collection with all actions, and further paths. */
const THING = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    size: { type: 'integer' },
    made: { type: 'string', readOnly: true },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = (schema: object) => ({ 200: { description: 'ok', ...json(schema) } });
const done = { 204: { description: 'done' } };
const ID = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const THINGS = documentOf({
  '/things': {
    get: { responses: ok({ type: 'array', items: THING }) },
    post: { requestBody: json(THING), responses: { 201: { description: 'made', ...json(THING) } } },
  },
  '/things/{id}': {
    parameters: ID,
    get: { responses: ok(THING) },
    put: { requestBody: json(THING), responses: done },
    patch: { requestBody: json(THING), responses: done },
    delete: { responses: done },
  },
  '/others': {
    get: { responses: ok({ type: 'array', items: { ...THING, description: 'other' } }) },
  },
});

async function thingsAfter(...given: readonly Given[]) {
  const mock = await serveText(THINGS, recorded(...given));
  return { mock, things: (await ask(mock, 'GET /things')).body, learned: mock.recorded };
}

describe('what exchanges show', () => {
  test('lists, reads and creates: the later one counts, and what was removed is not there', async () => {
    const { mock, things, learned } = await thingsAfter(
      {
        line: 'GET /things',
        body: [
          { id: 1, name: 'a' },
          { id: 2, name: 'b' },
        ],
      },
      {
        line: 'POST /things',
        status: 201,
        body: { id: 9, name: 'new', made: 'today' },
        sent: { name: 'new' },
      },
      { line: 'GET /things/2', body: { id: 2, name: 'B', size: 4 } },
      { line: 'DELETE /things/1', status: 204 },
    );
    expect(things).toEqual([
      { id: 2, name: 'B', size: 4 },
      { id: 9, name: 'new', made: 'today' },
    ]);
    expect(learned).toEqual({
      exchanges: 4,
      used: 4,
      collections: [{ path: '/things', records: 2, madeUp: 0 }],
      misfits: [],
    });
    // Not in the traffic: seeded as usual.
    expect((await ask(mock, 'GET /others')).body).toHaveLength(3);
    expect((await ask(mock, 'GET /things/1')).status).toBe(404);
  });

  test('a PUT or PATCH without a response is what it sent, over what is known', async () => {
    const known = { line: 'GET /things/1', body: { id: 1, name: 'a', size: 1, made: 'once' } };
    const put = await thingsAfter(known, { line: 'PUT /things/1', status: 204, sent: { name: 'z' } });
    expect(put.things).toEqual([{ id: 1, name: 'z', made: 'once' }]);
    const patch = await thingsAfter(known, { line: 'PATCH /things/1', status: 204, sent: { size: 2 } });
    expect(patch.things).toEqual([{ id: 1, name: 'a', size: 2, made: 'once' }]);
  });

  test('a create without a response has the id of its Location', async () => {
    const { things } = await thingsAfter({
      line: 'POST /things',
      status: 201,
      sent: { name: 'new' },
      headers: { Location: '/things/12' },
    });
    expect(things).toEqual([{ id: 12, name: 'new' }]);
  });

  test('the clock decides which exchange is the later one, and the file where there is none', async () => {
    const { things } = await thingsAfter(
      { line: 'GET /things/1', at: 2000, body: { id: 1, name: 'late' } },
      { line: 'GET /things/1', at: 1000, body: { id: 1, name: 'early' } },
      { line: 'DELETE /things/2', at: 3000, status: 204 },
      { line: 'GET /things/2', at: 1000, body: { id: 2, name: 'before it was removed' } },
    );
    expect(things).toEqual([{ id: 1, name: 'late' }]);
  });

  test('what was asked for while a record was removed may show it still, and what came afterwards is new', async () => {
    const { things } = await thingsAfter(
      { line: 'DELETE /things/1', at: 1000, ms: 50, status: 204 },
      { line: 'GET /things', at: 1020, ms: 10, body: [{ id: 1, name: 'still shown' }] },
      { line: 'DELETE /things/2', at: 1000, ms: 50, status: 204 },
      { line: 'GET /things/2', at: 1060, ms: 10, body: { id: 2, name: 'made again' } },
    );
    expect(things).toEqual([{ id: 2, name: 'made again' }]);
  });

  test('a record that is not found is gone, and other failures say nothing', async () => {
    const { things } = await thingsAfter(
      {
        line: 'GET /things',
        body: [
          { id: 1, name: 'a' },
          { id: 2, name: 'b' },
        ],
      },
      { line: 'GET /things/1', status: 404 },
      { line: 'DELETE /things/2', status: 403 },
      { line: 'PUT /things/2', status: 500, sent: { name: 'z' } },
    );
    expect(things).toEqual([{ id: 2, name: 'b' }]);
    const { learned } = await thingsAfter({ line: 'GET /things/7', status: 404 });
    expect(learned?.collections).toEqual([]);
  });

  test('lists keep their order, and what none of them shows comes after', async () => {
    const { things } = await thingsAfter(
      { line: 'GET /things/4', body: { id: 4, name: 'd' } },
      {
        line: 'GET /things?sort=name',
        body: [
          { id: 3, name: 'a' },
          { id: 1, name: 'b' },
        ],
      },
      {
        line: 'GET /things',
        body: [
          { id: 3, name: 'a' },
          { id: 9, name: 'c' },
          { id: 1, name: 'b' },
        ],
      },
      { line: 'GET /things/2', body: { id: 2, name: 'e' } },
    );
    expect(things.map(({ id }: { id: number }) => id)).toEqual([3, 9, 1, 2, 4]);
  });

  test('a collection that was shown empty begins empty', async () => {
    const { things } = await thingsAfter({ line: 'GET /things', body: [] });
    expect(things).toEqual([]);
  });

  test('new records get ids that no record has, nor had', async () => {
    const { mock } = await thingsAfter(
      {
        line: 'GET /things',
        body: [
          { id: 40, name: 'a' },
          { id: 41, name: 'b' },
        ],
      },
      { line: 'DELETE /things/41', status: 204 },
    );
    expect((await ask(mock, 'POST /things', { name: 'new' })).body).toMatchObject({ id: 42 });
  });
});

describe('other documents', () => {
  test('lists in an object, with pages and base path', async () => {
    const article = (number: number) => ({
      ...{ article_no: number, label: `A${number}`, unit: 'piece', price: 1.5, barcode: null, stock: 2 },
    });
    const mock = await serve(
      fixture('warehouse.yaml'),
      recorded(
        {
          line: 'GET /api/v2/articles?page_number=1',
          body: { total_count: 3, page_number: 1, page_size: 2, articles: [article(5), article(6)] },
        },
        { line: 'GET /articles/9', body: article(9) },
      ),
    );
    const { articles } = (await ask(mock, 'GET /articles')).body;
    expect(articles.map((one: { article_no: number }) => one.article_no)).toEqual([5, 6, 9]);
  });

  test('records below other records: a parent of which only the id is known is made up', async () => {
    const library = '0b6f6a4e-6f0e-4a52-9f43-0f8f3b1d7a10';
    const book = { id: '5c9f0b8a-52a7-4d68-8b1c-3a44a5a2f0aa', title: 'A', language: 'da', pages: 10 };
    const mock = await serve(
      fixture('libraries.yaml'),
      recorded({ line: `GET /libraries/${library}/books`, body: [book] }),
    );
    expect(mock.recorded?.misfits).toEqual([]);
    expect(mock.recorded?.collections).toEqual([
      { path: '/libraries', records: 1, madeUp: 1 },
      { path: '/libraries/{libraryId}/books', records: 1, madeUp: 0 },
    ]);
    expect((await ask(mock, `GET /libraries/${library}/books`)).body).toEqual([book]);
    expect((await ask(mock, 'GET /libraries')).body).toMatchObject([{ id: library }]);
    const made = await ask(mock, `POST /libraries/${library}/books`, {
      title: 'B',
      language: 'da',
      pages: 1,
    });
    expect(made.status).toBe(201);
    expect(made.body.id).not.toBe(book.id);
  });

  test('one record by itself is as it was read or written last', async () => {
    const settings = { type: 'object', required: ['theme'], properties: { theme: { type: 'string' } } };
    const document = documentOf({
      '/settings': {
        get: { responses: ok(settings) },
        put: { requestBody: json(settings), responses: ok(settings) },
      },
    });
    const read = { line: 'GET /settings', body: { theme: 'light' } };
    const put = { line: 'PUT /settings', body: { theme: 'dark' }, sent: { theme: 'dark' } };
    const mock = await serveText(document, recorded(read, put));
    expect((await ask(mock, 'GET /settings')).body).toEqual({ theme: 'dark' });
  });

  test('integers are exact', async () => {
    const mock = await serve(
      SHIPPED,
      recorded({ line: 'GET /v1/pets', body: '[{"id":9007199254740993,"name":"Big","categoryId":1}]' }),
    );
    expect((await ask(mock, 'GET /pets')).text).toBe('[{"id":9007199254740993,"name":"Big","categoryId":1}]');
  });
});

describe('what does not fit', () => {
  test('is counted by kind, and the first are shown with their places', async () => {
    const { learned, things } = await thingsAfter(
      { line: 'GET /things', body: [{ id: 1, name: 7 }, { id: 2, name: 'b', colour: 'red' }, { name: 'c' }] },
      { line: 'GET /assets/app.js?token=s3cret', body: 'x' },
      { line: 'GET /things/3', bodyMissing: true },
      { line: 'GET /things/4', body: '<html>' },
      ...[5, 6, 7, 8].map((id) => ({ line: `GET /things/${id}`, body: { id } })),
      { line: 'OPTIONS /things', status: 204 },
    );
    expect(things).toEqual([{ id: 2, name: 'b' }]);
    const shown = learned?.misfits.map(({ kind, count, first }) => [kind, count, first]);
    const place = 'GET /things/{id}';
    expect(shown).toEqual([
      ['unknown path', 1, ['entry 2: GET /assets/app.js']],
      [
        'breaks schema',
        5,
        [
          'entry 1: GET /things: name must be a string',
          `entry 5: ${place}: name is required`,
          `entry 6: ${place}: name is required`,
        ],
      ],
      ['undocumented members', 1, ['entry 1: GET /things: "colour"']],
      ['body missing', 1, [`entry 3: ${place}`]],
      ['body unreadable', 1, [`entry 4: ${place}`]],
      ['no id', 1, ['entry 1: GET /things']],
    ]);
    expect(JSON.stringify(learned)).not.toContain('s3cret');
  });

  test('what a list shows of a record in short does not shorten it', async () => {
    const short = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
    const document = structuredClone(THINGS) as { paths: Record<string, Record<string, object>> };
    Object.assign(document.paths['/things'] as object, {
      get: { responses: ok({ type: 'array', items: short }) },
    });
    const mock = await serveText(
      document,
      recorded(
        { line: 'GET /things/1', body: { id: 1, name: 'a', size: 3 } },
        { line: 'GET /things', body: [{ id: 1, name: 'b' }] },
      ),
    );
    expect((await ask(mock, 'GET /things/1')).body).toEqual({ id: 1, name: 'b', size: 3 });
  });

  test('what no response of a list shows is made up, where the document requires it', async () => {
    const short = { type: 'object', properties: { id: { type: 'integer' }, extra: { type: 'string' } } };
    const document = structuredClone(THINGS) as { paths: Record<string, Record<string, object>> };
    Object.assign(document.paths['/things'] as object, {
      get: { responses: ok({ type: 'array', items: short }) },
    });
    const mock = await serveText(document, recorded({ line: 'GET /things', body: [{ id: 5, extra: 'x' }] }));
    expect((await ask(mock, 'GET /things/5')).body).toEqual({ id: 5, name: expect.any(String) });
    expect(mock.recorded?.misfits).toMatchObject([
      { kind: 'partly made up', count: 1, first: ['entry 1: GET /things: "name"'] },
    ]);
  });
});

describe('beside other options', () => {
  test('a reset goes back to the traffic', async () => {
    const mock = await serve(SHIPPED, recorded({ line: 'GET /v1/pets', body: [pet(7)] }));
    await ask(mock, 'POST /pets', { name: 'New', categoryId: 1 });
    expect((await ask(mock, 'GET /pets')).body).toHaveLength(2);
    await mock.reset();
    expect((await ask(mock, 'GET /pets')).body).toEqual([pet(7)]);
    expect(await mock.session('other').records('/pets')).toEqual([pet(7)]);
  });

  test('a seed file counts before the traffic, for the collections that it names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'seeds.yaml');
    await writeFile(file, 'records: { /others: [{ id: 1, name: from the file }] }');
    const things = { line: 'GET /things', body: [{ id: 1, name: 'a' }] };
    const others = { line: 'GET /others', body: [{ id: 2, name: 'b' }] };
    const mock = await serveText(THINGS, { ...recorded(things, others), fixtures: [file] });
    expect((await ask(mock, 'GET /others')).body).toEqual([{ id: 1, name: 'from the file' }]);
    expect((await ask(mock, 'GET /things')).body).toEqual(things.body);
  });

  test('a store that has records keeps them, and a reset goes back to the traffic', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const store = `file:${join(folder, 'records.db')}`;
    const first = await createMock({
      ...{ document: SHIPPED, port: false, store },
      ...recorded({ line: 'GET /v1/pets', body: [pet(7)] }),
    });
    await ask(first, 'POST /pets', { name: 'New', categoryId: 1 });
    await first.close();
    const next = recorded({ line: 'GET /v1/pets', body: [pet(9)] });
    const mock = await createMock({ document: SHIPPED, port: false, store, ...next });
    expect((await ask(mock, 'GET /pets')).body).toMatchObject([{ id: 7 }, { id: 8 }]);
    await mock.reset();
    expect((await ask(mock, 'GET /pets')).body).toMatchObject([{ id: 9 }]);
    await mock.close();
  });

  test('a changed document is a reason to read the traffic again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
    const document = join(folder, 'openapi.json');
    await writeFile(document, JSON.stringify(THINGS));
    let times = 0;
    const mock = await createMock({
      document,
      port: false,
      watch: true,
      recorded: () => {
        times++;
        return trafficOf([
          { line: 'GET /things', body: [{ id: 1, name: 'a', colour: 'red' }] },
          { line: 'GET /others', body: [{ id: 2, name: 'b' }] },
        ]);
      },
    });
    onTestFinished(async () => {
      await mock.close();
      await rm(folder, { recursive: true });
    });
    await ask(mock, 'POST /things', { name: 'new' });
    const changed = JSON.parse(
      JSON.stringify(THINGS).replaceAll('"made":', '"colour":{"type":"string"},"made":'),
    );
    await writeFile(document, JSON.stringify({ ...changed, info: { title: 'Changed', version: '2' } }));
    await expect.poll(() => mock.contract.version).toBe('2');
    expect(times).toBe(2);
    expect((await ask(mock, 'GET /others')).body).toEqual([{ id: 2, name: 'b' }]);
    expect((await ask(mock, 'GET /things')).body).toEqual([
      { id: 1, name: 'a', colour: 'red' },
      { id: 2, name: 'new' },
    ]);
  });

  test('without recorded traffic no records follow', async () => {
    expect((await serve(SHIPPED)).recorded).toBeUndefined();
    await expect(serve(SHIPPED, { recorded: [] as never })).rejects.toThrow('option recorded must be');
  });
});
