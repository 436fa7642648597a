import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { runCheckOf } from './testing/run-check.ts';

const uuid = { type: 'string', format: 'uuid' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const done = (schema: object) => ({ description: '', ...json(schema) });
const record = (members: object) => ({
  type: 'object',
  required: ['id', ...Object.keys(members)],
  properties: { id: { ...uuid, readOnly: true }, ...members },
});
const collection = (schema: object, sent: object = schema) => ({
  get: { responses: { 200: done({ type: 'array', items: schema }) } },
  post: {
    requestBody: { required: true, ...json(sent) },
    responses: { 201: done(schema), 422: { description: 'Invalid' } },
  },
});
const item = (schema: object) => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: uuid }],
  get: { responses: { 200: done(schema), 404: { description: 'Unknown' } } },
});
const OWNER = record({ name: { type: 'string' } });
const BOAT = record({ name: { type: 'string' }, owner: uuid });
const SHOWN = record({ name: { type: 'string' } });

/** A service that refuses a boat of nobody with 404, which its document does not say. @param shows whose a boat is */
function harbour(shows: boolean) {
  const kept: Record<string, Record<string, unknown>[]> = {
    owners: [{ id: randomUUID(), name: 'Ada' }],
    boats: [],
  };
  const named: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const [, name = '', id] = new URL(request.url).pathname.split('/');
    const records = kept[name] ?? [];
    if (request.method === 'GET' && id === undefined) return Response.json(records);
    if (request.method === 'GET') {
      const found = records.find((one) => one.id === id);
      return Response.json(found ?? {}, { status: found ? 200 : 404 });
    }
    const body = (await request.json().catch(() => undefined)) as Record<string, unknown> | undefined;
    const isOwner =
      typeof body?.owner === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(body.owner);
    if (typeof body?.name !== 'string' || (name === 'boats' && !isOwner))
      return Response.json({}, { status: 422 });
    if (name === 'boats' && !kept.owners?.some((one) => one.id === body?.owner))
      return Response.json({}, { status: 404 });
    named.push(body?.owner);
    const { owner, ...rest } = body;
    const made = { ...(shows ? body : rest), id: randomUUID() };
    records.push(made);
    return Response.json(made, { status: 201 });
  };
  return { kept, named, fetch };
}

test.each([
  ['', BOAT],
  [', though no record shows it', SHOWN],
])(
  'a member that is called as a record, with the form of its ids, names a record of the run%s',
  async (_, boat) => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Harbour', version: '1' },
      paths: {
        '/owners': collection(OWNER),
        '/owners/{id}': item(OWNER),
        '/boats': collection(boat, BOAT),
        '/boats/{id}': item(boat),
      },
    };
    const { kept, named, fetch } = harbour(boat === BOAT);
    const report = await runCheckOf(document, {
      fetch,
      settle: 0,
      disposable: true,
    });
    expect(report.causes.map(({ title, law }) => `${law}: ${title}`)).toEqual([]);
    expect(report.verdict).toBe('holds');
    const [others] = kept.owners ?? [];
    expect(named.filter((one) => one !== undefined).length).toBeGreaterThan(5);
    expect(named).not.toContain(others?.id);
  },
);

test("a new record names one of the run, where the records of others name each other's", async () => {
  const { kept, named, fetch } = harbour(true);
  const [ada] = kept.owners ?? [];
  kept.boats?.push({ id: randomUUID(), name: 'Otter', owner: ada?.id });
  const paths = { '/owners': collection(OWNER), '/boats': collection(BOAT), '/boats/{id}': item(BOAT) };
  await runCheckOf(
    { openapi: '3.1.0', info: { title: 'Harbour', version: '1' }, paths },
    { fetch, settle: 0 },
  );
  const owners = named.filter((one) => one !== undefined);
  expect(owners.length).toBeGreaterThan(0);
  expect(owners).not.toContain(ada?.id);
});

test.each([
  ['left out', ['id', 'name']],
  ['no reason to name one of others, where it is required', ['id', 'name', 'owner']],
])('a reference to a record that the run cannot make is %s', async (_, required) => {
  const { kept, named, fetch } = harbour(true);
  const isOwner = (input: unknown) => String(input).endsWith('/owners');
  const boat = { ...BOAT, required };
  const paths = { '/owners': collection(OWNER), '/boats': collection(boat), '/boats/{id}': item(boat) };
  await runCheckOf(
    { openapi: '3.1.0', info: { title: 'Harbour', version: '1' }, paths },
    {
      settle: 0,
      fetch: async (input, init) =>
        init?.method === 'POST' && isOwner(input) ? Response.json({}, { status: 422 }) : fetch(input, init),
    },
  );
  expect(kept.owners).toHaveLength(1);
  expect(named.filter((one) => one === kept.owners?.[0]?.id)).toEqual([]);
});

test('the id of something in a record is not that of another record', async () => {
  const members = { id: uuid, name: { type: 'string' } };
  const talk = {
    type: 'object',
    properties: { ...members, room: { type: 'object', properties: members } },
  };
  const others = { id: randomUUID(), name: 'Of mills', room: { id: randomUUID(), name: 'Red' } };
  const kept: Record<string, unknown>[] = [others];
  const rooms: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const [, , id] = new URL(request.url).pathname.split('/');
    if (request.method === 'POST') {
      const body = (await request.json().catch(() => ({}))) as { room?: { id: unknown } };
      rooms.push(body?.room?.id);
      const made = { ...body, id: randomUUID() };
      kept.push(made);
      return Response.json(made, { status: 201 });
    }
    const found = kept.find((one) => one.id === id);
    return Response.json(id === undefined ? kept : (found ?? {}), { status: id && !found ? 404 : 200 });
  };
  await runCheckOf(
    {
      openapi: '3.1.0',
      info: { title: 'Talks', version: '1' },
      paths: { '/talks': collection(talk), '/talks/{id}': item(talk) },
    },
    { fetch, settle: 0 },
  );
  expect(rooms.filter((one) => typeof one === 'string').length).toBeGreaterThan(3);
  expect(rooms).not.toContain(others.id);
  expect(rooms).not.toContain(others.room.id);
});

test('a change names no record but its own in its body, also where that is one of several forms', async () => {
  const flow = { type: 'object', required: ['id'], properties: { id: uuid, name: { type: 'string' } } };
  const form = { anyOf: [flow, { ...flow, required: ['id', 'name'] }] };
  const others: Record<string, unknown>[] = [{ id: randomUUID(), name: 'Ada' }];
  const records = new Map<unknown, unknown>(others.map((one) => [one.id, one]));
  const sent: unknown[][] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const [, , id] = new URL(request.url).pathname.split('/');
    if (request.method === 'GET' && id === undefined) return Response.json([...records.values()]);
    if (id !== undefined && !records.has(id)) return Response.json({}, { status: 404 });
    if (request.method === 'GET') return Response.json(records.get(id));
    const body = (await request.json().catch(() => undefined)) as Record<string, unknown> | undefined;
    if (typeof body?.name !== 'string' && typeof body?.id !== 'string')
      return Response.json({}, { status: 422 });
    const isJson = request.headers.get('content-type') === 'application/json';
    if (id !== undefined && isJson) sent.push([id, body.id]);
    const made = { ...body, id: id ?? randomUUID() };
    records.set(made.id, made);
    return Response.json(made, { status: id === undefined ? 201 : 200 });
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Flows', version: '1' },
    paths: {
      '/flows': collection(flow, form),
      '/flows/{id}': {
        ...item(flow),
        patch: {
          requestBody: { required: true, ...json(form) },
          responses: { 200: done(flow), 404: { description: 'Unknown' }, 422: { description: 'Invalid' } },
        },
      },
    },
  };
  await runCheckOf(document, { fetch, settle: 0, examples: 3 });
  const named = sent.filter(
    ([, one]) => typeof one === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(one),
  );
  expect(named.length).toBeGreaterThan(0);
  for (const [id, one] of named) expect(one).toBe(id);
});

test.each([false, true])(
  'lists of ids name records of the run, or none; all required: %s',
  async (isRequired) => {
    const ids = { type: 'array', items: { type: 'integer' } };
    const id = { type: 'integer', readOnly: true };
    const role = { type: 'object', required: ['id', 'name'], properties: { id, name: { type: 'string' } } };
    const members = { id, name: { type: 'string' }, roles: ids, group_ids: ids };
    const required = isRequired ? Object.keys(members) : ['id', 'name'];
    const user = { type: 'object', required, properties: members };
    const kept: Record<string, Record<string, unknown>[]> = { roles: [{ id: 7, name: 'Admin' }], users: [] };
    const sent: unknown[] = [];
    const madeUp: unknown[] = [];
    const isList = (value: unknown) =>
      value === undefined || (Array.isArray(value) && value.every(Number.isInteger));
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      const [, name = '', at] = new URL(request.url).pathname.split('/');
      const records = kept[name] ?? [];
      const found = records.find((one) => String(one.id) === at);
      if (request.method === 'GET' && at) return Response.json(found ?? {}, { status: found ? 200 : 404 });
      if (request.method === 'GET') return Response.json(records);
      const body = (await request.json().catch(() => undefined)) as Record<string, unknown> | undefined;
      if (typeof body?.name !== 'string' || !isList(body.roles) || !isList(body.group_ids))
        return Response.json({}, { status: 422 });
      if (isRequired && name === 'users' && !(body.roles && body.group_ids))
        return Response.json({}, { status: 422 });
      const roles = [body.roles ?? []].flat();
      const groups = [body.group_ids ?? []].flat();
      if (name === 'users') sent.push(...roles);
      const isKept = (one: unknown) => kept.roles?.some((other) => other.id === one);
      const unknown = [...groups, ...roles.filter((one) => !isKept(one))];
      madeUp.push(...unknown);
      if (unknown.length > 0) return Response.json({}, { status: 422 });
      const made = { ...body, id: 100 + records.length };
      records.push(made);
      return Response.json(made, { status: 201 });
    };
    const numbered = (schema: object) => ({
      ...item(schema),
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    });
    const paths = {
      ...{ '/roles': collection(role), '/roles/{id}': numbered(role) },
      ...{ '/users': collection(user), '/users/{id}': numbered(user) },
    };
    const report = await runCheckOf(
      { openapi: '3.1.0', info: { title: 'Users', version: '1' }, paths },
      { fetch, settle: 0, examples: 3 },
    );
    expect(report.causes.map(({ title }) => title)).toEqual([]);
    expect(sent.length).toBeGreaterThan(3);
    expect(sent).not.toContain(7);
    // What shows whether integers are exact is as large as few ids are.
    expect(madeUp.filter((one) => Number(one) < 2 ** 40)).toEqual([]);
  },
);

test('a time with an offset is not excused by a reference that the service accepts without it', async () => {
  const members = {
    name: { type: 'string' },
    dock_id: { type: 'integer', minimum: 1 },
    sails_at: { type: 'string', format: 'date-time', description: 'Any offset from UTC is accepted.' },
  };
  const boats: Record<string, unknown>[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'GET') return Response.json(boats);
    const body = (await request.json().catch(() => undefined)) as Record<string, unknown> | undefined;
    if (!String(body?.sails_at).endsWith('Z')) return Response.json({}, { status: 422 });
    boats.push({ ...body, id: randomUUID() });
    return Response.json(boats.at(-1), { status: 201 });
  };
  const report = await runCheckOf(
    {
      openapi: '3.1.0',
      info: { title: 'Boats', version: '1' },
      paths: { '/boats': collection(record(members)) },
    },
    { fetch, settle: 0, disposable: true, only: 'sails-at-offset' },
  );
  expect(report.causes.map(({ title, law }) => `${law}: ${title}`)).toEqual([
    'status: POST /boats refuses valid requests with 422',
  ]);
});
