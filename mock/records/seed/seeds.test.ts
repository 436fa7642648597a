import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { ask, documentOf, fixture, misfits, SHIPPED, serve, serveText } from '../../testing/serve.ts';

afterEach(() => {
  vi.useRealTimers();
});

const all = 'GET /pets?limit=100';

describe('the same seed gives the same bytes', () => {
  test('in another mock, on another day, with requests in another order', async () => {
    const first = (await ask(await serve(SHIPPED, { count: 100 }), all)).text;
    vi.useFakeTimers({ now: Date.UTC(2031, 0, 1), toFake: ['Date'] });
    const mock = await serve(SHIPPED, { count: 100 });
    await ask(mock, 'GET /pets/77');
    await ask(mock, 'GET /pets?status=sold');
    expect((await ask(mock, all)).text).toBe(first);
  });

  test('in collections that are first used in another order', async () => {
    const lists = [`GET /gauges?take=200`, `GET /levels?take=200&token=paddock-dev-key`];
    const key = { 'x-gauge-key': 'paddock-dev-key' };
    const textsIn = async (order: readonly string[]) => {
      const mock = await serve(fixture('tide-gauges.yaml'));
      const texts = new Map<string, string>();
      for (const line of order) texts.set(line, (await ask(mock, line, undefined, key)).text);
      return lists.map((line) => texts.get(line));
    };
    expect(await textsIn(lists.toReversed())).toEqual(await textsIn(lists));
  });

  test('and another seed gives other values', async () => {
    const texts = await Promise.all(
      [1, 2, 3].map(async (seed) => (await ask(await serve(SHIPPED, { seed }), all)).text),
    );
    expect(new Set(texts).size).toBe(3);
  });

  test('more records leave the first ones as they are', async () => {
    const few = (await ask(await serve(SHIPPED, { count: 5 }), all)).body;
    const many = (await ask(await serve(SHIPPED, { count: 60 }), all)).body;
    expect(many.slice(0, 5)).toEqual(few);
  });

  test('a new member in the schema changes no other value', async () => {
    const document = parse(await readFile(SHIPPED, 'utf8'));
    const before = (await ask(await serveText(document), all)).body;
    const { properties } = document.components.schemas.NewPet;
    document.components.schemas.NewPet.properties = { shelf: { type: 'string' }, ...properties };
    const after = (await ask(await serveText(document), all)).body as Record<string, unknown>[];
    expect(after.some((record) => 'shelf' in record)).toBe(true);
    expect(after.map(({ shelf: _, ...others }) => others)).toEqual(before);
  });
});

describe('every seeded record fits its schema', () => {
  test.each<[string, { document: string; line: string; operation: string }]>([
    ['shipped', { document: SHIPPED, line: 'GET /pets/', operation: 'getPet' }],
    ['warehouse', { document: fixture('warehouse.yaml'), line: 'GET /articles/', operation: 'get_article' }],
    ['gauges', { document: fixture('tide-gauges.yaml'), line: 'GET /gauges/', operation: 'getGauge' }],
  ])('%s', async (_, { document, line, operation }) => {
    // The Pet Store begins with two examples.
    const mock = await serve(document, { count: 302 });
    for (let id = 1; id <= 300; id++) {
      const answer = await ask(mock, line + id, undefined, { 'x-gauge-key': 'paddock-dev-key' });
      expect({ id, status: answer.status, misfits: misfits(mock, operation, answer) }).toEqual({
        id,
        status: 200,
        misfits: [],
      });
    }
  });

  test.each<[string, { document: string; line: string; operation: string }]>([
    [
      'one of several forms',
      { document: 'notices/openapi.yaml', line: 'GET /orders?maxResults=100', operation: 'listOrders' },
    ],
    ['UUIDs', { document: 'libraries.yaml', line: 'GET /libraries', operation: 'listLibraries' }],
  ])('%s', async (_, { document, line, operation }) => {
    const mock = await serve(fixture(document), { count: 100 });
    const answer = await ask(mock, line);
    expect(answer.body).toHaveLength(100);
    expect(misfits(mock, operation, answer)).toEqual([]);
  });
});

test('an optional member is absent in a share of the records, but for what every screen needs', async () => {
  const schema = {
    type: 'array',
    items: {
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' }, note: { type: 'string' } },
    },
  };
  const responses = { 200: { description: 'Things', content: { 'application/json': { schema } } } };
  const mock = await serveText(documentOf({ '/things': { get: { responses }, post: { responses } } }), {
    count: 100,
  });
  const { body } = await ask(mock, 'GET /things');
  const share = (name: string) => body.filter((record: object) => name in record).length;
  expect(share('note')).toBeGreaterThan(60);
  expect(share('note')).toBeLessThan(95);
  expect(share('name')).toBe(100);
});

test('UUIDs are of version 7, unique, and ascend for created records, too', async () => {
  const mock = await serve(fixture('libraries.yaml'));
  const created = (await ask(mock, 'POST /libraries', { name: 'New' })).body.id;
  const ids = (await ask(mock, 'GET /libraries')).body.map(({ id }: { id: string }) => id);
  expect(ids.at(-1)).toBe(created);
  expect(new Set(ids).size).toBe(51);
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

describe('values are realistic', () => {
  const listOf = (properties: object, types: object = {}) => {
    const items = { type: 'object', required: Object.keys(properties), properties, ...types };
    const content = { 'application/json': { schema: { type: 'array', items } } };
    // A list without ids or pages would be no collection, and have no seeds.
    const parameters = [{ name: 'offset', in: 'query', schema: { type: 'integer' } }];
    return documentOf({
      '/rows': { get: { parameters, responses: { 200: { description: 'Rows', content } } } },
    });
  };
  const valuesOf = async (member: object, name = 'value'): Promise<unknown[]> => {
    const mock = await serveText(listOf({ [name]: member }), { count: 40 });
    const answer = await ask(mock, 'GET /rows');
    expect(misfits(mock, 'GET /rows', answer)).toEqual([]);
    return answer.body.map((row: Record<string, unknown>) => row[name]);
  };
  const word = /^[a-z]{4,8}$/;

  test.each<[string, { given: object; name?: string; want: RegExp }]>([
    ['x-faker: a method', { given: { type: 'string', 'x-faker': 'color.rgb' }, want: /^#[0-9a-f]{6}$/ }],
    [
      'x-faker: a method with its argument',
      { given: { type: 'integer', 'x-faker': { 'number.int': { min: 70, max: 79 } } }, want: /^7\d$/ },
    ],
    [
      'x-faker: a method with a list of arguments',
      {
        given: { type: 'string', 'x-faker': { 'helpers.arrayElement': [['on', 'off']] } },
        want: /^(on|off)$/,
      },
    ],
    [
      'x-faker: a date',
      { given: { type: 'string', format: 'date-time', 'x-faker': 'date.past' }, want: /^202[56]-/ },
    ],
    [
      'x-faker: big integers',
      {
        given: {
          type: 'integer',
          'x-faker': { 'number.bigInt': { min: 8000000000, max: 9000000000 } },
        },
        want: /^8\d{9}$/,
      },
    ],
    [
      'by name: an address for mail',
      { given: { type: 'string', format: 'email' }, name: 'email', want: /@example\.(com|net|org)$/ },
    ],
    ['by name: an age', { given: { type: 'integer' }, name: 'age', want: /^[1-9]\d?$/ }],
    [
      'by name, where the schema allows that',
      { given: { type: 'string', maxLength: 2 }, name: 'countryCode', want: /^[A-Z]{2}$/ },
    ],
    [
      'the schema, where a method gives what it forbids',
      { given: { type: 'string', maxLength: 3, 'x-faker': 'lorem.paragraph' }, want: /^[a-z]{1,3}$/ },
    ],
    [
      'the schema, where a method gives another type',
      { given: { type: 'string', 'x-faker': 'number.int' }, want: word },
    ],
    [
      'the schema, where faker has no such method',
      { given: { type: 'string', 'x-faker': 'nothing.atAll' }, want: word },
    ],
    [
      'the schema, where a method refuses its arguments',
      { given: { type: 'integer', 'x-faker': { 'number.int': { min: 9, max: 1 } } }, want: /^\d+$/ },
    ],
    [
      'the schema, where a hint reaches out of faker',
      { given: { type: 'string', 'x-faker': { 'helpers.constructor': 'return 1' } }, want: word },
    ],
    [
      'the schema, where a hint has too many steps',
      { given: { type: 'string', 'x-faker': 'helpers.fake.call' }, want: word },
    ],
    [
      'an enumeration, whatever the hint',
      { given: { type: 'string', enum: ['a', 'b'], 'x-faker': 'color.rgb' }, want: /^[ab]$/ },
    ],
  ])('%s', async (_, { given, name, want }) => {
    const values = await valuesOf(given, name);
    for (const value of values) expect(String(value)).toMatch(want);
    expect(new Set(values).size).toBeGreaterThan(1);
  });
});

test('a member that is a text names a record by its number as a text', async () => {
  const integer = { type: 'integer' };
  const object = (properties: object) => ({ type: 'object', properties: { id: integer, ...properties } });
  const gives = (schema: object) => ({
    responses: { 200: { description: 'Done', content: { 'application/json': { schema } } } },
  });
  const at = { parameters: [{ name: 'id', in: 'path', required: true, schema: integer }] };
  const episode = object({ seriesId: { type: 'string' } });
  const series = object({ title: { type: 'string' } });
  const mock = await serveText(
    documentOf({
      '/series': { get: gives({ type: 'array', items: series }) },
      '/series/{id}': { ...at, get: gives(series) },
      '/series/{id}/episodes': { ...at, get: gives({ type: 'array', items: episode }) },
      '/episodes/{id}': { ...at, get: gives(episode) },
    }),
    { count: 3 },
  );
  const { body } = await ask(mock, 'GET /episodes/1');
  expect(body.seriesId).toMatch(/^[1-3]$/);
  expect((await ask(mock, `GET /series/${body.seriesId}/episodes`)).body).toContainEqual(body);
});

test('an object or list of which the schema says nothing is as its example or default shows it', async () => {
  const free = { type: 'object' };
  const properties = {
    quantities: { ...free, example: { saw: 3 } },
    settings: { ...free, additionalProperties: {}, default: { dark: true } },
    untyped: { example: { y: 1 } },
    steps: { type: 'array', items: free, example: [{ z: 1 }] },
    described: { ...free, properties: { a: { type: 'integer', minimum: 5 } }, example: { a: 1 } },
  };
  const items = {
    ...{ ...free, required: Object.keys(properties) },
    properties: { id: { type: 'integer' }, ...properties },
  };
  const content = { 'application/json': { schema: { type: 'array', items } } };
  const get = { responses: { 200: { description: 'Things', content } } };
  const mock = await serveText(documentOf({ '/things': { get } }), { count: 1 });
  const [record] = (await ask(mock, 'GET /things')).body as Record<string, unknown>[];
  expect(record).toMatchObject({ quantities: { saw: 3 }, settings: { dark: true }, untyped: { y: 1 } });
  expect(record).toMatchObject({ steps: [{ z: 1 }] });
  expect(record?.described).not.toEqual({ a: 1 });
});
