import { describe, expect, test } from 'vitest';
import type { Fetch } from './send/client.ts';
import type { CheckOptions } from './settings/check-options.ts';
import { runCheckOf } from './testing/run-check.ts';

type Data = Readonly<Record<string, unknown>>;

const ITEM = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string', minLength: 1, maxLength: 80 },
    size: { type: 'integer', minimum: 1, maximum: 9 },
  },
};
const bare = { description: '' };
const as = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const takes = { requestBody: { required: true, ...as(ITEM) } };
const list = { get: { responses: { 200: as({ type: 'array', items: ITEM }) } } };
const create = { post: { ...takes, responses: { 201: as(ITEM), 400: bare } } };
const read = { get: { responses: { 200: as(ITEM), 404: bare } } };
const replace = { put: { ...takes, responses: { 200: as(ITEM), 400: bare, 404: bare } } };
const remove = { delete: { responses: { 204: bare, 404: bare } } };

function documentOf(paths: Readonly<Record<string, object>>): object {
  const withParameters = Object.entries(paths).map(([path, item]) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'integer' },
    }));
    return [path, { parameters, ...item }];
  });
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: Object.fromEntries(withParameters) };
}

/** How a service differs from one that keeps its document. */
interface Habits {
  /** It takes whatever it is sent. */
  readonly lax?: boolean;
  /** A PUT makes what is not there. */
  readonly upserts?: boolean;
  /** What a create is answered with, which has stored the record; `nothing`: the connection closes. */
  readonly creates?: (record: Data) => Response | 'nothing';
  /** It answers 500 to invalid bodies, and stores them. */
  readonly breaks?: boolean;
  /** The status of a DELETE of what does not exist. */
  readonly gone?: number;
  /** It stores what it is sent by any other POST, too. */
  readonly others?: boolean;
}

/** A service with collections at all paths, which counts what is made there. */
function serviceOf(habits: Habits, theirs: readonly string[] = []) {
  const records = new Map<string, Data>(theirs.map((path, index) => [path, { id: index + 1, name: path }]));
  const received: string[] = [];
  const made: string[] = [];
  let lastId = 100;

  function respond(method: string, path: string, body: unknown): Response | 'nothing' {
    const isItem = path.split('/').length % 2 === 1;
    const above = path.split('/').slice(0, isItem ? -2 : -1);
    const isThere = above.length < 3 || records.has(above.join('/'));
    const known = records.get(path);
    const show = (value: unknown, status = 200) => Response.json(value, { status });
    const isValid = habits.lax || isItemBody(body);
    const missing = { status: method === 'DELETE' ? (habits.gone ?? 404) : 404 };
    if (!isThere) return new Response(null, missing);
    const store = (at: string, record: Data) => {
      records.set(at, record);
      made.push(at);
      return record;
    };
    if (!isItem && method === 'GET') {
      const isDirect = (one: string) =>
        one.startsWith(`${path}/`) && !one.slice(path.length + 1).includes('/');
      return show([...records].flatMap(([one, record]) => (isDirect(one) ? [record] : [])));
    }
    if (!isItem && method === 'POST') {
      if (!isValid && !habits.breaks) return new Response(null, { status: 400 });
      const id = ++lastId;
      const sent = typeof body === 'object' && body !== null ? body : {};
      const record = store(`${path}/${id}`, { ...sent, id });
      if (!isValid) return new Response(null, { status: 500 });
      return habits.creates?.(record) ?? show(record, 201);
    }
    if (isItem && method === 'PUT' && (known || habits.upserts)) {
      if (!isValid) return new Response(null, { status: 400 });
      const id = Number(path.split('/').at(-1));
      const record = { ...(body as Data), id };
      if (known) records.set(path, record);
      return show(known ? record : store(path, record));
    }
    if (!known) return new Response(null, missing);
    if (method === 'GET') return show(known);
    if (method !== 'DELETE') return new Response(null, { status: 405 });
    for (const one of records.keys()) if (one === path || one.startsWith(`${path}/`)) records.delete(one);
    return new Response(null, { status: 204 });
  }

  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    const text = await request.text();
    received.push(`${request.method} ${url.pathname}`);
    const isJson = request.headers.get('content-type')?.startsWith('application/json');
    const response = respond(request.method, url.pathname, isJson || habits.lax ? jsonOf(text) : undefined);
    if (response !== 'nothing') return response;
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
  };
  return { fetch, received, made, left: () => [...records.keys()].filter((path) => !theirs.includes(path)) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isItemBody(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const { name, size = 1 } = body as Data;
  const isNamed = typeof name === 'string' && name !== '' && [...name].length <= 80;
  return isNamed && Number.isInteger(size) && Number(size) >= 1 && Number(size) <= 9;
}

const OPTIONS: Partial<CheckOptions> = { settle: 0, retries: 0, examples: 3, timeout: 2000 };

const ITEMS = { '/items': { ...list, ...create }, '/items/{id}': { ...read, ...replace, ...remove } };
const BELOW = {
  '/sets/{setId}/items': { ...list, ...create },
  '/sets/{setId}/items/{id}': { ...read, ...replace, ...remove },
};

describe('below records of others', () => {
  const THEIRS = ['/sets/1', '/sets/2'];

  test('ten records are made at most where no operation makes a parent, removed and told of', async () => {
    const document = documentOf({ '/sets': list, '/sets/{setId}': read, ...BELOW });
    const { fetch, made, left } = serviceOf({}, THEIRS);
    const { cells, notices, created, exitCode } = await runCheckOf(document, { fetch, ...OPTIONS });
    expect(made.length).toBeLessThanOrEqual(10);
    expect({ left: left(), created, exitCode }).toEqual({ left: [], created: [], exitCode: 0 });
    expect(notices.map(({ text }) => text)).toContain(
      `records made below setId 1, which the run has not made: ${made.length}, of which 0 are left`,
    );
    const covered = cells.filter(({ verdict }) => verdict === 'covered').map((one) => one.operationId);
    expect(covered).toContain('PUT /sets/{setId}/items/{id}');
  });

  test.each<[string, Habits]>([
    ['takes whatever it is sent', { lax: true }],
    ['shows no record that it makes', { creates: () => new Response(null, { status: 202 }) }],
    ['fails, and makes it all the same', { creates: () => new Response(null, { status: 500 }) }],
    ['makes what is put where nothing is', { upserts: true }],
  ])('no more are made where the service %s', async (_, habits) => {
    const document = documentOf({ '/sets': list, '/sets/{setId}': read, ...BELOW });
    const { fetch, made } = serviceOf(habits, THEIRS);
    await runCheckOf(document, { fetch, ...OPTIONS });
    expect(made.length).toBeGreaterThan(0);
    expect(made.length).toBeLessThanOrEqual(10);
  });

  test('none is made where an operation makes a parent: the run makes its own', async () => {
    const document = documentOf({
      '/sets': { ...list, ...create },
      '/sets/{setId}': { ...read, ...remove },
      ...BELOW,
    });
    const { fetch, made, left } = serviceOf({}, THEIRS);
    await runCheckOf(document, { fetch, ...OPTIONS });
    expect(made.filter((one) => THEIRS.some((parent) => one.startsWith(`${parent}/`)))).toEqual([]);
    expect(made.length).toBeGreaterThan(10);
    expect(left()).toEqual([]);
  });

  test('where the parent cannot be made after all, none is made', async () => {
    const document = documentOf({ '/sets': { ...list, ...create }, '/sets/{setId}': read, ...BELOW });
    const { fetch, made } = serviceOf({}, THEIRS);
    const refusing: Fetch = (url, init) =>
      url.pathname === '/sets' && init.method === 'POST'
        ? Promise.resolve(new Response(null, { status: 400 }))
        : fetch(url, init);
    await runCheckOf(document, { fetch: refusing, ...OPTIONS });
    expect(made).toEqual([]);
  });
});

describe('what was made is removed, or reported', () => {
  test.each<[string, Habits]>([
    ['a create shows no record', { creates: () => new Response(null, { status: 202 }) }],
    ['a create is answered with an error', { creates: () => new Response(null, { status: 500 }) }],
    ['a create is not answered', { creates: () => 'nothing' }],
    ['a PUT makes what is not there', { upserts: true }],
  ])('where %s', async (_, habits) => {
    const { fetch, made, left } = serviceOf(habits);
    const { created } = await runCheckOf(documentOf(ITEMS), {
      fetch,
      ...OPTIONS,
      only: '^(?!.*(generated|text-))',
    });
    expect(made.length).toBeGreaterThan(0);
    expect({ left: left(), created }).toEqual({ left: [], created: [] });
  });

  test('what went with its parent is not reported as left, whatever its DELETE is answered', async () => {
    const document = documentOf({
      '/sets': { ...list, ...create },
      '/sets/{setId}': { ...read, ...remove },
      ...BELOW,
    });
    const { fetch, left } = serviceOf({ gone: 400 });
    const { created } = await runCheckOf(document, { fetch, ...OPTIONS });
    expect({ left: left(), created }).toEqual({ left: [], created: [] });
  });

  test.each<[string, object, Habits]>([
    [
      'a PUT makes what nothing removes',
      { '/items': { ...list, ...create }, '/items/{id}': { ...read, ...replace } },
      { upserts: true },
    ],
    [
      'a create is not answered, and nothing lists',
      { '/items': create, '/items/{id}': { ...read, ...remove } },
      { creates: () => 'nothing' },
    ],
  ])('where %s', async (_, paths, habits) => {
    const { fetch, left } = serviceOf(habits);
    const { created } = await runCheckOf(documentOf(paths as Record<string, object>), { fetch, ...OPTIONS });
    expect(left().length).toBeGreaterThan(0);
    expect(created.length).toBe(left().length);
  });
});

describe('a run keeps to its plan', () => {
  const receipt = as({ type: 'object', properties: { receipt: { type: 'string' } } });
  const PAYMENTS = { '/payments': { post: { ...takes, responses: { 201: receipt, 400: bare } } } };
  const LASTING = { '/items': { ...list, ...create }, '/items/{id}': { ...read, ...replace } };
  const MANY = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].flatMap((name) =>
      Object.entries(LASTING).map(([path, item]) => [`/${name}${path.slice(1)}`, item]),
    ),
  );
  const habits: [string, Habits][] = [
    ['keeps its document', {}],
    ['takes whatever it is sent', { lax: true }],
    ['makes what is put where nothing is', { upserts: true }],
    ['shows no record that it makes', { creates: () => new Response(null, { status: 202 }) }],
    ['fails, and makes it all the same', { creates: () => new Response(null, { status: 500 }) }],
    ['breaks on what is invalid, and stores it', { breaks: true }],
    ['does not answer', { creates: () => 'nothing' }],
  ];
  const documents: [string, Readonly<Record<string, object>>, Partial<CheckOptions>][] = [
    ['receipts of no collection', PAYMENTS, {}],
    ['what can be removed', ITEMS, {}],
    ['what stays', LASTING, {}],
    ['much that stays', MANY, { jobs: 4 }],
    ['what stays, within a bound', { ...LASTING, ...PAYMENTS }, { maxCreates: 7 }],
    ['nothing may stay', { ...LASTING, ...PAYMENTS }, { maxCreates: 0 }],
  ];
  // Each habit where something stays, and each document with the two habits that make most.
  const table = documents.flatMap(([what, paths, options]) =>
    habits
      .slice(0, paths === LASTING ? undefined : 2)
      .map(([how, one]) => [what, how, paths, one, options] as const),
  );

  test.each(table)('%s, by a service that %s', async (_what, _how, paths, one, options) => {
    const { fetch, received, left } = serviceOf(one);
    const document = documentOf(paths);
    const { plan } = await runCheckOf(document, { fetch, ...OPTIONS, ...options, plan: true });
    expect(received).toEqual([]);
    await runCheckOf(document, { fetch, ...OPTIONS, ...options });
    expect(received.length).toBeLessThanOrEqual(plan?.requests ?? 0);
    expect(left().length).toBeLessThanOrEqual(plan?.records ?? 0);
  });

  test.each<[string, Habits, number]>([
    ['refuses what it must', {}, 1],
    ['takes whatever it is sent', { lax: true }, 2],
  ])(
    'what nothing is known to remove is sent one valid request, by a service that %s',
    async (_, one, most) => {
      const { fetch, made, received } = serviceOf(one);
      const { cells, exitCode, created } = await runCheckOf(documentOf(PAYMENTS), { fetch, ...OPTIONS });
      expect(made.length).toBe(most);
      expect(created.length).toBe(most);
      expect(received.length > 10).toBe(most === 1);
      expect({ exitCode, verdicts: cells.map(({ verdict }) => verdict) }).toMatchObject(
        most === 1 ? { exitCode: 0, verdicts: ['covered', 'covered'] } : { exitCode: 1 },
      );
    },
  );
});

test('a record that a change has named otherwise is removed by its new name', async () => {
  const file = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 6 }, text: { type: 'string' } },
  };
  const kept = new Map<string, Data>([['theirs', { name: 'theirs', text: 'a' }]]);
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    const name = decodeURIComponent(url.pathname.split('/')[2] ?? '');
    const known = kept.get(name);
    if (request.method === 'GET' && name === '') return Response.json([...kept.values()]);
    const body = jsonOf(await request.text());
    const isValid = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (request.method === 'POST' || request.method === 'PATCH') {
      const { name: own = name } = (isValid ? body : {}) as Data;
      if (typeof own !== 'string' || own.length < 6 || !isValid) return new Response(null, { status: 400 });
      if (request.method === 'PATCH' && !known) return new Response(null, { status: 404 });
      if (own !== name && kept.has(own)) return new Response(null, { status: 409 });
      const record = { ...known, ...body, name: own };
      kept.delete(name);
      kept.set(own, record);
      return Response.json(record, { status: known ? 200 : 201 });
    }
    if (!known) return new Response(null, { status: 404 });
    if (request.method === 'GET') return Response.json(known);
    kept.delete(name);
    return new Response(null, { status: 204 });
  };
  const sent = { requestBody: { required: true, ...as(file) } };
  const refusals = { 400: bare, 404: bare, 409: bare };
  const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }];
  const paths = {
    '/files': {
      get: { responses: { 200: as({ type: 'array', items: file }) } },
      post: { ...sent, responses: { 201: as(file), ...refusals } },
    },
    '/files/{name}': {
      parameters,
      get: { responses: { 200: as(file), 404: bare } },
      patch: { ...sent, responses: { 200: as(file), ...refusals } },
      ...remove,
    },
  };
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths };
  const { created } = await runCheckOf(document, { fetch, ...OPTIONS });
  expect({ kept: [...kept.keys()], created }).toEqual({ kept: ['theirs'], created: [] });
});

test('of records that show no id no more are left than of those that cannot be removed', async () => {
  const { fetch, left } = serviceOf({ creates: ({ name }) => Response.json({ name }, { status: 201 }) });
  const withoutIds: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    const isList = (init?.method ?? 'GET') === 'GET' && url.pathname === '/items' && response.ok;
    const shown = isList ? ((await response.json()) as Data[]) : [];
    return isList ? Response.json(shown.map(({ name }) => ({ name }))) : response;
  };
  const document = documentOf({ '/items': { ...list, ...create }, '/items/{id}': { ...read, ...remove } });
  await runCheckOf(document, { fetch: withoutIds, settle: 0, examples: 150 });
  expect(left().length).toBeGreaterThan(0);
  expect(left().length).toBeLessThanOrEqual(60);
});

test.each<[string, object]>([
  ['where nothing lists it', create],
  ['where the list shows a part', { ...list, ...create }],
])(
  'no more is left of what fails and is made all the same than of what cannot be removed, %s',
  async (_, items) => {
    const { fetch, left } = serviceOf({ creates: () => new Response(null, { status: 500 }) });
    const inPart: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      const isList = (init?.method ?? 'GET') === 'GET' && url.pathname === '/items' && response.ok;
      if (!isList) return response;
      const records = (await response.json()) as Data[];
      return Response.json({ items: records.slice(0, 2), total: records.length });
    };
    const page = as({
      type: 'object',
      properties: { items: { type: 'array', items: ITEM }, total: { type: 'integer' } },
    });
    const paged = 'get' in items ? { ...items, get: { responses: { 200: page } } } : items;
    const document = documentOf({ '/items': paged, '/items/{id}': { ...read, ...replace, ...remove } });
    await runCheckOf(document, { fetch: inPart, settle: 0, examples: 150 });
    expect(left().length).toBeGreaterThan(0);
    expect(left().length).toBeLessThanOrEqual(60);
  },
);
