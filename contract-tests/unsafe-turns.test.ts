import { expect, test } from 'vitest';
import type { Fetch } from './send/client.ts';
import { runCheckOf } from './testing/run-check.ts';

const NOTE = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string', maxLength: 40 } },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answered = (statuses: Record<number, object | undefined>) =>
  Object.fromEntries(
    Object.entries(statuses).map(([status, schema]) => [
      status,
      { description: 'x', ...(schema && json(schema)) },
    ]),
  );
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': {
      get: { responses: answered({ 200: { type: 'array', items: NOTE } }) },
      post: {
        requestBody: { required: true, ...json(NOTE) },
        responses: answered({ 201: NOTE, 400: undefined }),
      },
    },
    '/notes/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: answered({ 200: NOTE, 404: undefined }) },
      put: {
        requestBody: { required: true, ...json(NOTE) },
        responses: answered({ 200: NOTE, 400: undefined, 404: undefined }),
      },
      delete: { responses: answered({ 204: undefined, 404: undefined }) },
    },
  },
};

type Note = { id: number; name: unknown };

/** Keeps its notes in one file, which it reads, changes and writes: two writers at once lose what one of them wrote. */
function fileStore(accepts: (body: { name?: unknown }) => boolean) {
  let file: Note[] = [
    { id: 1, name: 'ann' },
    { id: 2, name: 'bob' },
  ];
  let last = 2;
  const writers = { underWay: 0, most: 0 };
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  async function write(change: (all: Note[]) => Note[]): Promise<void> {
    writers.underWay += 1;
    writers.most = Math.max(writers.most, writers.underWay);
    const read = file;
    for (let step = 0; step < 3; step++) await pause();
    file = change(read);
    writers.underWay -= 1;
  }
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    const { method } = request;
    const tail = url.pathname.split('/')[2];
    const id = tail === undefined ? undefined : Number(tail);
    const body: unknown = await request.json().catch(() => undefined);
    await pause();
    const known = file.find((note) => note.id === id);
    if (id !== undefined && !known) return new Response(null, { status: 404 });
    if (method === 'GET') return Response.json(known ?? file);
    if (method === 'DELETE') {
      await write((all) => all.filter((note) => note.id !== id));
      return new Response(null, { status: 204 });
    }
    if (typeof body !== 'object' || body === null || !accepts(body as { name?: unknown }))
      return new Response(null, { status: 400 });
    if (method === 'POST') last += 1;
    const note = { id: id ?? last, name: (body as { name?: unknown }).name };
    await write((all) => [...all.filter((one) => one.id !== note.id), note]);
    return Response.json(note, { status: method === 'POST' ? 201 : 200 });
  };
  return { fetch, writers, names: () => file.map(({ name }) => name).sort() };
}

const STRICT = ({ name }: { name?: unknown }) => typeof name === 'string' && name.length <= 40;

test.for([
  ['a service that keeps its contract', STRICT],
  ['one that refuses only what has no name', ({ name }: { name?: unknown }) => name !== undefined],
  ['one that takes whatever is an object', () => true],
] as const)('%s gets one write at a time, and keeps what is not of the run', async ([, accepts]) => {
  const store = fileStore(accepts);
  const { totals } = await runCheckOf(DOCUMENT, { fetch: store.fetch, jobs: 8, settle: 0, examples: 3 });
  expect(totals.requests).toBeGreaterThan(50);
  expect(store.writers.most).toBe(1);
  expect(store.names()).toEqual(expect.arrayContaining(['ann', 'bob']));
});

test('a service that looks at no credential, and asks some operations for one, gets one write at a time', async () => {
  const { fetch, writers, names } = fileStore(STRICT);
  const document = {
    ...DOCUMENT,
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
  const lenient: Fetch = async (url, init) => {
    const { method, headers } = new Request(url, init);
    const isKept =
      method === 'POST' ? headers.get('authorization') === 'Bearer k' : headers.has('authorization');
    return isKept ? fetch(url, init) : new Response(null, { status: 401 });
  };
  const { findings } = await runCheckOf(document, {
    fetch: lenient,
    apiKey: 'k',
    jobs: 8,
    settle: 0,
    examples: 2,
  });
  // It has read `0x9` as 9 where that was to be removed.
  expect(findings).toEqual([]);
  expect(writers.most).toBe(1);
  expect(names()).toEqual(expect.arrayContaining(['ann', 'bob']));
});

test('a disposable target gets several', async () => {
  const { fetch, writers } = fileStore(STRICT);
  await runCheckOf(DOCUMENT, { fetch, jobs: 8, settle: 0, only: '/race-', disposable: true });
  expect(writers.most).toBeGreaterThan(1);
});
