import { expect, test } from 'vitest';
import { runCheckOf } from '../testing/run-check.ts';

const parameters = (...names: string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
const answer = (schema: object) => ({
  responses: { 200: { description: 'It', content: { 'application/json': { schema } } } },
});
const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const silent = { responses: { default: { description: 'Done' } } };
const atItem = { get: answer(named), post: silent, delete: silent };
const list = { get: answer({ type: 'array', items: named }) };

/** Shops and tags are made at their paths; a tag is put into a shop, and taken out of it. */
const PATHS = {
  '/shops': list,
  '/shops/{shopName}': { parameters: parameters('shopName'), ...atItem },
  '/tags': list,
  '/tags/{tagName}': { parameters: parameters('tagName'), ...atItem },
  '/shops/{shopName}/tags/{tagName}': {
    parameters: parameters('shopName', 'tagName'),
    post: silent,
    delete: silent,
  },
};

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
}

/** @param fails what is answered with a 500, beside what the service knows */
async function check(fails: (asked: Asked, isKnown: (path: string) => boolean) => boolean) {
  const known = new Set(['/shops/mine', '/tags/red']);
  const put: [shop: boolean, tag: boolean][] = [];
  const answerTo = (asked: Asked): Response => {
    const { method, url } = asked;
    const path = decodeURIComponent(url.pathname);
    if (fails(asked, (one) => known.has(one))) return new Response(null, { status: 500 });
    const [, collection = '', name, below, tag] = path.split('/');
    if (name === undefined) {
      const names = [...known].filter((one) => one.startsWith(`/${collection}/`));
      return Response.json(names.map((one) => ({ name: one.split('/')[2] })));
    }
    if (below !== undefined) {
      put.push([known.has(`/shops/${name}`), known.has(`/tags/${tag}`)]);
      return new Response(null, { status: put.at(-1)?.every(Boolean) ? 204 : 404 });
    }
    if (method === 'POST') known.add(path);
    else if (!known.has(path)) return new Response(null, { status: 404 });
    if (method === 'DELETE') known.delete(path);
    return method === 'GET' ? Response.json({ name }) : new Response(null, { status: 204 });
  };
  const document = { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: PATHS };
  const report = await runCheckOf(document, {
    fetch: async (url, init) =>
      answerTo({
        method: init?.method ?? 'GET',
        url: new URL(String(url)),
        headers: new Headers(init?.headers),
      }),
  });
  return {
    causes: report.causes.map(({ title }) => title),
    gates: report.causes.map(({ gates }) => gates),
    known,
    put,
  };
}

test('what is put below a record is a record of its own collection, made before', async () => {
  const { causes, known, put } = await check(() => false);
  expect(put).toContainEqual([true, true]);
  expect(causes).toEqual([]);
  expect([...known]).toEqual(['/shops/mine', '/tags/red']);
});

test('a 5xx to a removal of what is not there is a cause', async () => {
  const { causes } = await check(
    ({ method, url }, isKnown) =>
      method === 'DELETE' &&
      /^\/tags\/[^/]*$/.test(url.pathname) &&
      !isKnown(decodeURIComponent(url.pathname)),
  );
  expect(causes).toEqual(['DELETE /tags/{tagName} answers 500 to an id that names nothing']);
});

test('a 5xx to a name with signs that a URL encodes is a cause', async () => {
  const { causes } = await check(
    ({ method, url }) => method === 'POST' && /^\/tags\/.*%20/.test(url.pathname),
  );
  expect(causes).toEqual(['POST /tags/{tagName} answers 500 to a valid request']);
});

test('a 5xx to what nobody documents of a request is worth a look, once for all operations', async () => {
  const ofQuery = await check(({ url }) => /[^ -~]/.test([...url.searchParams.keys()].join('')));
  const ofType = await check(({ method, headers }) => method === 'GET' && headers.has('content-type'));
  expect([...ofQuery.gates, ...ofType.gates]).toEqual([false, false]);
  expect([ofQuery.causes, ofType.causes]).toEqual([
    [
      'GET /tags and others answer 500 to a parameter of the query that nobody documents: 4 requests, 4 operations',
    ],
    ['GET /tags and others answer 500 to a Content-Type without a body: 4 requests, 4 operations'],
  ]);
});

test('a body of another media type names the record of its path', async () => {
  const parts = new Map<string, unknown>();
  const named: [path: string | undefined, code: unknown][] = [];
  const part = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } };
  const body = { required: true, content: { 'application/json': { schema: part } } };
  const fetch = async (url: URL | string, init: RequestInit = {}) => {
    const [, , code = ''] = new URL(url).pathname.split('/');
    const sent = JSON.parse(String(await new Request(url, init).text()) || 'null');
    if (new Headers(init.headers).get('content-type') === 'text/plain') named.push([code, sent.code]);
    if (init.method === 'POST') parts.set(sent.code, sent);
    if (init.method === 'PUT') parts.set(code, { ...sent, code });
    if (init.method === 'POST') return Response.json(sent);
    if (init.method === 'DELETE') parts.delete(code);
    if (code === '') return Response.json([...parts.values()]);
    return parts.has(code) ? Response.json(parts.get(code)) : new Response(null, { status: 404 });
  };
  await runCheckOf(
    {
      openapi: '3.1.1',
      info: { title: 'Parts', version: '1' },
      paths: {
        '/parts': {
          get: answer({ type: 'array', items: part }),
          post: { requestBody: body, ...answer(part) },
        },
        '/parts/{code}': {
          parameters: parameters('code'),
          get: answer(part),
          put: { requestBody: body, ...answer(part) },
          delete: { responses: { 204: { description: 'Gone' } } },
        },
      },
    },
    { fetch, examples: 0, settle: 0, only: 'PUT.*not-json' },
  );
  expect(named.length).toBeGreaterThan(0);
  for (const [path, code] of named) expect(code).toBe(path);
});

test('what a service changes by an id with a space before it is not held to what was sent before', async () => {
  const notes = new Map<number, object>();
  const note = {
    type: 'object',
    required: ['text'],
    properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
  };
  const body = { required: true, content: { 'application/json': { schema: note } } };
  const silent404 = { 404: { description: 'None' } };
  const fetch = async (url: URL | string, init: RequestInit = {}) => {
    const [, , segment = ''] = decodeURIComponent(new URL(url).pathname).split('/');
    const [id, { method = 'GET' }] = [Number(segment || notes.size + 1), init];
    const sent = JSON.parse(String(await new Request(url, init).text()) || 'null');
    if (segment === '' && method === 'GET') return Response.json([...notes.values()]);
    if (segment !== '' && !notes.has(id)) return new Response(null, { status: 404 });
    if (method !== 'GET' && typeof sent?.text !== 'string') return new Response(null, { status: 400 });
    if (method !== 'GET') notes.set(id, { ...sent, id });
    return Response.json(notes.get(id));
  };
  const { causes } = await runCheckOf(
    {
      openapi: '3.1.1',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes': {
          get: answer({ type: 'array', items: note }),
          post: { requestBody: body, ...answer(note) },
        },
        '/notes/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          get: { responses: { ...answer(note).responses, ...silent404 } },
          put: { requestBody: body, responses: { ...answer(note).responses, ...silent404 } },
        },
      },
    },
    { fetch, examples: 0, settle: 0, jobs: 1 },
  );
  expect(causes.filter(({ key }) => key.startsWith('created/')).map(({ key }) => key)).toEqual([]);
});
