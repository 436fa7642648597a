import { describe, expect, test } from 'vitest';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

interface Identified {
  readonly id: number;
}
const ids = (records: readonly Identified[]) => records.map(({ id }) => id);

describe('lists in an object', () => {
  test.each<[string, { given: string; want: object; articles: number[] }]>([
    [
      'the first page',
      { given: '', want: { total_count: 50, page_number: 1, page_size: 10 }, articles: [1, 10] },
    ],
    [
      'another page',
      {
        given: '?page_number=3&page_size=8',
        want: { total_count: 50, page_number: 3, page_size: 8 },
        articles: [17, 24],
      },
    ],
    [
      'behind the last',
      { given: '?page_number=6', want: { total_count: 50, page_number: 6, page_size: 10 }, articles: [] },
    ],
  ])('%s', async (_, { given, want, articles }) => {
    const mock = await serve(fixture('warehouse.yaml'));
    const answer = await ask(mock, `GET /articles${given}`);
    expect(misfits(mock, 'list_articles', answer)).toEqual([]);
    expect(answer.body).toMatchObject(want);
    const listed = answer.body.articles.map(({ article_no }: { article_no: number }) => article_no);
    expect([listed[0], listed.at(-1)].filter((id) => id !== undefined)).toEqual(articles);
  });

  test('a filter counts in the total', async () => {
    const mock = await serve(fixture('warehouse.yaml'));
    const { body } = await ask(mock, 'GET /articles?unit=metre&page_size=50');
    expect(body.total_count).toBe(body.articles.length);
    expect(body.total_count).toBeLessThan(50);
  });

  test('an offset, and a filter that is a boolean', async () => {
    const mock = await serve(fixture('tide-gauges.yaml'));
    const key = { 'x-gauge-key': 'paddock-dev-key' };
    const listed = async (query: string) =>
      ids((await ask(mock, `GET /gauges?${query}`, undefined, key)).body);
    expect(await listed('skip=5&take=3')).toEqual([6, 7, 8]);
    const [on, off] = [await listed('active=true&take=200'), await listed('active=false&take=200')];
    expect([...on, ...off].sort((a, b) => a - b)).toEqual(await listed('take=200'));
  });

  test('a filter by several values at a time', async () => {
    const mock = await serve(fixture('notices/openapi.yaml'));
    const channels = async (query: string) =>
      new Set(
        ((await ask(mock, `GET /orders?${query}`)).body as { channel: string }[]).map(
          ({ channel }) => channel,
        ),
      );
    expect(await channels('channel=mail,hook&maxResults=100')).toEqual(new Set(['mail', 'hook']));
    expect(await channels('channel=message&maxResults=100')).toEqual(new Set(['message']));
  });
});

const INTEGER = { type: 'integer' };
const query = (name: string, schema: object = INTEGER) => ({ name, in: 'query', schema });

/** A list of events in an object that states the requested part. */
async function events(parameters: object[], beside: object, record: object = {}) {
  const event = { type: 'object', properties: { id: INTEGER, ...record } };
  const properties = { ...beside, total: INTEGER, events: { type: 'array', items: event } };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const get = { parameters, responses: { 200: { description: 'Done', content } } };
  return serveText(documentOf({ '/events': { get } }));
}

const NINES = '9'.repeat(400);
const PAGED = ['page_number', 'per_page', 'offset'];

describe('what a page says of itself', () => {
  test.each<[string, string, string]>([
    ['page_number=9007199254740993', 'page_number', '9007199254740993'],
    [`page_number=${NINES}`, 'page_number', NINES],
    [`page_number=${NINES}&per_page=${NINES}`, 'per_page', NINES],
    ['per_page=9007199254740993', 'per_page', '9007199254740993'],
    ['offset=9007199254740993', 'offset', '9007199254740993'],
    ['offset=9007199254740993&per_page=1', 'page_number', '9007199254740994'],
    ['page_number=9007199254740993&per_page=2', 'offset', '18014398509481984'],
    ['per_page=0', 'page_number', '1'],
    ['per_page=0', 'page_count', '50'],
    ['per_page=-1&page_number=-1&offset=-1', 'per_page', '0'],
    ['per_page=-1&page_number=-1&offset=-1', 'page_number', '1'],
    ['per_page=-1&page_number=-1&offset=-1', 'offset', '0'],
    ['', 'per_page', '20'],
  ])('%.40s: %s', async (line, member, want) => {
    const beside = Object.fromEntries([...PAGED, 'page_count'].map((name) => [name, INTEGER]));
    const mock = await events(
      PAGED.map((name) => query(name)),
      beside,
    );
    const { status, text } = await ask(mock, `GET /events?${line}`);
    expect(status).toBe(200);
    expect(new RegExp(`"${member}":([^,]*),`).exec(text)?.[1]).toBe(want);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  test('is no more than its own schema allows', async () => {
    const mock = await events([query('page')], { page: { type: 'integer', format: 'int32' } });
    expect((await ask(mock, `GET /events?page=${NINES}`)).body.page).toBe(2 ** 31 - 1);
  });

  test('a format is no page size', async () => {
    const int64 = { type: 'integer', format: 'int64' };
    const mock = await events([query('limit', int64), query('page')], { limit: INTEGER });
    expect((await ask(mock, 'GET /events')).body).toMatchObject({ limit: 20, total: 50 });
    const bounded = await events([query('limit', { ...INTEGER, exclusiveMaximum: 9 })], { limit: INTEGER });
    expect((await ask(bounded, 'GET /events')).body.limit).toBe(8);
  });
});

test('a member of the same name makes a filter of what looks like a page', async () => {
  const sizes = { type: 'string', enum: ['small', 'large'] };
  const parameters = [query('start'), query('size', sizes), query('limit')];
  const mock = await events(parameters, {}, { start: { enum: [3, 4], type: 'integer' }, size: sizes });
  const { body } = await ask(mock, 'GET /events?start=4&size=large&limit=2');
  expect(body.events).toHaveLength(2);
  for (const event of body.events) expect(event).toMatchObject({ start: 4, size: 'large' });
});

test('what is around a list and says nothing of the page is as its examples show it', async () => {
  const properties = {
    error: { type: 'boolean', example: false },
    message: { type: 'string', example: 'Done' },
    data: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const responses = { 200: { description: 'All', content: { 'application/json': { schema } } } };
  const mock = await serveText(documentOf({ '/films': { get: { responses } } }));
  expect((await ask(mock, 'GET /films')).body).toMatchObject({ error: false, message: 'Done' });
});

test('an object around a list that has one of several forms has one of them', async () => {
  const integer = { type: 'integer' };
  const form = (...names: string[]) => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, integer])),
  });
  const hits = { type: 'array', items: { type: 'object', properties: { id: integer } } };
  const around = {
    allOf: [
      { oneOf: [form('page', 'totalPages'), form('offset', 'estimated')] },
      { type: 'object', required: ['hits'], properties: { hits } },
    ],
  };
  const content = { 'application/json': { schema: around } };
  const get = { operationId: 'search', responses: { 200: { description: 'Found', content } } };
  const mock = await serveText(documentOf({ '/hits': { get } }), { count: 2 });
  const answer = await ask(mock, 'GET /hits');
  expect(misfits(mock, 'search', answer)).toEqual([]);
  expect(answer.body).toMatchObject({ hits: [{ id: 1 }, { id: 2 }], page: expect.any(Number) });
});

test('a page that has to name a number as the next page names an empty one behind the last', async () => {
  const integer = { type: 'integer', minimum: 0 };
  const notes = { type: 'array', items: { type: 'object', required: ['id'], properties: { id: integer } } };
  const around = { type: 'object', required: ['notes', 'marker'], properties: { notes, marker: integer } };
  const parameters = [
    { name: 'limit', in: 'query', schema: { type: 'integer', default: 2 } },
    {
      name: 'marker',
      in: 'query',
      description: 'Only notes after this ID, for the next page.',
      schema: integer,
    },
  ];
  const content = { 'application/json': { schema: around } };
  const get = { parameters, responses: { 200: { description: 'Some', content } } };
  const mock = await serveText(documentOf({ '/notes': { get } }), { count: 3 });
  expect((await ask(mock, 'GET /notes')).body).toEqual({ notes: [{ id: 1 }, { id: 2 }], marker: 2 });
  expect((await ask(mock, 'GET /notes?marker=2')).body).toEqual({ notes: [{ id: 3 }], marker: 3 });
  expect((await ask(mock, 'GET /notes?marker=3')).body).toEqual({ notes: [], marker: 3 });
});

test('a filter that is described as a text compares with numbers, and one that may be null with texts', async () => {
  const film = {
    type: 'object',
    properties: { id: { type: 'integer' }, year: { type: 'integer' }, kind: { type: 'string' } },
  };
  const json = (schema: object) => ({ 'application/json': { schema } });
  const query = (name: string, schema: object) => ({ name, in: 'query', schema });
  const parameters = [
    query('year', { type: 'string' }),
    query('kind', { anyOf: [{ type: 'string' }, { type: 'null' }] }),
  ];
  const mock = await serveText(
    documentOf({
      '/films': {
        get: {
          parameters,
          responses: { 200: { description: 'Films.', content: json({ type: 'array', items: film }) } },
        },
        post: {
          requestBody: { content: json(film) },
          responses: { 201: { description: 'Made.', content: json(film) } },
        },
      },
    }),
  );
  const { body } = await ask(mock, 'POST /films', { year: 1871, kind: 'silent' });
  expect((await ask(mock, 'GET /films?year=1871')).body).toEqual([body]);
  expect((await ask(mock, 'GET /films?kind=silent')).body).toEqual([body]);
});

describe('a list that no query orders', () => {
  const NOTE = {
    type: 'object',
    required: ['id', 'text'],
    properties: {
      id: { type: 'integer', readOnly: true },
      text: { type: 'string' },
      created_at: { type: 'string', format: 'date-time', readOnly: true },
    },
  };
  const json = (schema: object) => ({ description: 'fine', content: { 'application/json': { schema } } });
  const notes = (list: object) =>
    serveText(
      documentOf({
        '/notes': {
          get: { ...list, responses: { 200: json({ type: 'array', items: NOTE }) } },
          post: { requestBody: json(NOTE), responses: { 201: json(NOTE) } },
        },
      }),
    );

  test.each<[string, object]>([
    ['by words', { summary: 'Get the most recent notes' }],
    ['by x-paddock', { 'x-paddock': { order: ['-created_at'] } }],
  ])('the newest first, %s', async (_, list) => {
    const mock = await notes(list);
    await ask(mock, 'POST /notes', { text: 'first' });
    await ask(mock, 'POST /notes', { text: 'second' });
    const { body } = await ask(mock, 'GET /notes');
    expect(body.slice(0, 2).map(({ text }: { text: string }) => text)).toEqual(['second', 'first']);
    const moments: string[] = body.map(({ created_at }: { created_at: string }) => created_at);
    expect(moments).toEqual(moments.toSorted().reverse());
  });

  test('otherwise as they were made', async () => {
    const mock = await notes({ summary: 'Recently used words are kept elsewhere' });
    expect(ids((await ask(mock, 'GET /notes')).body).slice(0, 3)).toEqual([1, 2, 3]);
  });
});

test('a documented HEAD is the GET of its path, without the body', async () => {
  const shown = { description: 'A buoy', content: { 'application/json': { schema: BUOY } } };
  const at = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const responses = { 200: shown, 404: { description: 'None' } };
  const list = { ...shown, content: { 'application/json': { schema: { type: 'array', items: BUOY } } } };
  const mock = await serveText(
    documentOf({
      '/buoys': { get: { responses: { 200: list } } },
      '/buoys/{id}': {
        parameters: [at],
        get: { responses },
        head: { responses: { 200: { description: 'There is one' }, 404: { description: 'None' } } },
      },
    }),
  );
  const statuses = ['/buoys/3', '/buoys/3000'].map(async (path) => (await ask(mock, `HEAD ${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([200, 404]);
});

const BUOY = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
