import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mock } from '../../index.ts';
import { type Asked, ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

const WIKI = fixture('wiki.yaml');
const PAGE = { title: 'Tides', text: 'Twice a day' };
const STALE = { 'if-match': '"of-no-version"' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

const tagOf = ({ headers }: Asked) => headers.get('etag') ?? '';
const named = (tag: string) => ({ 'if-match': tag });

async function wikiWithPage(): Promise<{ mock: Mock; path: string; tag: string }> {
  const mock = await serve(WIKI);
  const made = await ask(mock, 'POST /pages', PAGE);
  return { mock, path: `/pages/${made.body.id}`, tag: tagOf(made) };
}

async function wikiWithSnippet(): Promise<{ mock: Mock; path: string; tag: string }> {
  const mock = await serve(WIKI);
  const made = await ask(mock, 'POST /snippets', { name: 'Note', text: 'See below' });
  const path = `/snippets/${made.body.id}`;
  return { mock, path, tag: tagOf(await ask(mock, `GET ${path}`)) };
}

describe('the entity tag of a record', () => {
  test('is one for whatever shows it, and another one after each change', async () => {
    const { mock, path, tag } = await wikiWithPage();
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(tagOf(await ask(mock, `GET ${path}`))).toBe(tag);
    expect(tagOf(await ask(mock, `HEAD ${path}`))).toBe(tag);
    const put = await ask(mock, `PUT ${path}`, { ...PAGE, text: 'Ebb' });
    expect(put).toMatchObject({ status: 200, body: { text: 'Ebb' } });
    expect(tagOf(put)).not.toBe(tag);
    expect(tagOf(await ask(mock, `GET ${path}`))).toBe(tagOf(put));
    const patch = await ask(mock, `PATCH ${path}`, { text: 'Flood' }, MERGE);
    expect(new Set([tag, tagOf(put), tagOf(patch)]).size).toBe(3);
    expect(tagOf(await ask(mock, `GET ${path}`))).toBe(tagOf(patch));
  });

  test('is that of the record where a change shows no body', async () => {
    const { mock, path, tag } = await wikiWithSnippet();
    const put = await ask(mock, `PUT ${path}`, { name: 'Note', text: 'See above' }, named(tag));
    expect([put.status, put.text]).toEqual([204, '']);
    expect(tagOf(put)).toMatch(/^"[\w-]{22}"$/);
    expect(tagOf(await ask(mock, `GET ${path}`))).toBe(tagOf(put));
  });

  test('differs between media types, and has the form that its schema describes', async () => {
    const header = (pattern: string) => ({ ETag: { schema: { type: 'string', pattern } } });
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
    };
    const content = { 'application/json': { schema }, 'application/hal+json': { schema } };
    const path = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
    const ok = { 200: { description: 'One', headers: header('^W/"v[0-9]{6}"$'), content } };
    const mock = await serveText(
      documentOf({
        '/notes': { get: { responses: { 200: { description: 'All', content } } } },
        '/notes/{id}': {
          parameters: path,
          get: { responses: ok },
          put: { requestBody: { content: { 'application/json': { schema } } }, responses: ok },
        },
      }),
    );
    const shown = await ask(mock, 'GET /notes/1');
    expect(tagOf(shown)).toMatch(/^W\/"v\d{6}"$/);
    expect(tagOf(await ask(mock, 'GET /notes/1'))).toBe(tagOf(shown));
    const other = await ask(mock, 'GET /notes/1', undefined, { accept: 'application/hal+json' });
    expect(other.headers.get('content-type')).toBe('application/hal+json');
    expect(tagOf(other)).not.toBe(tagOf(shown));
    const put = await ask(mock, 'PUT /notes/1', { name: 'x' });
    expect(tagOf(put)).toMatch(/^W\/"v\d{6}"$/);
    expect(tagOf(await ask(mock, 'GET /notes/1'))).toBe(tagOf(put));
  });

  test('is sent where a change takes one, and no response is said to have one', async () => {
    const mock = await serveText(plainNotes({ parameters: [IF_MATCH] }));
    const tag = tagOf(await ask(mock, 'GET /notes/1'));
    expect(tag).not.toBe('');
    expect(await ask(mock, 'PUT /notes/1', { name: 'x' }, named(tag))).toMatchObject({ status: 200 });
    expect(await ask(mock, 'PUT /notes/1', { name: 'y' }, named(tag))).toMatchObject({ status: 412 });
  });
});

test('a member of the record may be its version, where no response is said to have a tag', async () => {
  const mock = await serveText(plainNotes({ parameters: [IF_MATCH] }, { etag: { type: 'string' } }));
  const { etag } = (await ask(mock, 'GET /notes/1')).body;
  for (const field of [etag, `"${etag}"`])
    expect(await ask(mock, 'PUT /notes/1', { name: 'x', etag }, named(field))).toMatchObject({ status: 200 });
  expect(await ask(mock, 'PUT /notes/1', { name: 'x', etag }, STALE)).toMatchObject({ status: 412 });
});

const IF_MATCH = { name: 'If-Match', in: 'header', schema: { type: 'string' } };

/** Notes with versions documented in PUT only. */
function plainNotes(put: { parameters?: unknown[]; responses?: object }, members: object = {}): object {
  const schema = {
    type: 'object',
    required: ['id', ...Object.keys(members)],
    properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' }, ...members },
  };
  const content = { 'application/json': { schema } };
  const ok = { 200: { description: 'One', content } };
  const path = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return documentOf({
    '/notes/{id}': {
      get: { parameters: [path], responses: ok },
      put: {
        parameters: [path, ...(put.parameters ?? [])],
        requestBody: { content },
        responses: { ...ok, ...put.responses },
      },
    },
  });
}

describe('a change whose If-Match names another version', () => {
  test.each<[line: string, body: unknown, headers: Record<string, string>, operation: string]>([
    ['PUT', { title: 'Other', text: 'x' }, {}, 'rewritePage'],
    ['PATCH', { title: 'Other' }, MERGE, 'amendPage'],
    ['DELETE', undefined, {}, 'dropPage'],
  ])(
    '%s is refused with the error body of the document, and writes nothing',
    async (method, body, headers, operation) => {
      const { mock, path, tag } = await wikiWithPage();
      const before = await ask(mock, `GET ${path}`);
      for (const field of ['"of-no-version"', `W/${tag}`, tag.slice(1, -1), `"a", W/"b"`, '']) {
        const refused = await ask(mock, `${method} ${path}`, body, { ...headers, ...named(field) });
        expect(refused).toMatchObject({ status: 412, body: { error: { code: 'precondition_failed' } } });
        expect(misfits(mock, operation, refused)).toEqual([]);
      }
      const after = await ask(mock, `GET ${path}`);
      expect([after.text, tagOf(after)]).toEqual([before.text, tag]);
    },
  );

  test('is refused after all that is wrong with the request itself', async () => {
    const { mock, path } = await wikiWithPage();
    expect(await ask(mock, `PUT ${path}`, { title: 7 }, STALE)).toMatchObject({ status: 400 });
    expect(await ask(mock, 'PUT /pages/4711', PAGE, STALE)).toMatchObject({ status: 404 });
    const keyless = { ...STALE, authorization: '' };
    expect(await ask(mock, `PUT ${path}`, PAGE, keyless)).toMatchObject({ status: 401 });
  });

  test('is carried out where the document tells of no versions', async () => {
    const mock = await serveText(plainNotes({}));
    expect(tagOf(await ask(mock, 'GET /notes/1'))).toBe('');
    expect(await ask(mock, 'PUT /notes/1', { name: 'x' }, STALE)).toMatchObject({ status: 200 });
  });
});

test.each([
  ['the current version', (tag: string) => tag],
  ['one of several', (tag: string) => `"other", ${tag}`],
  ['any version', () => '*'],
])('a change whose If-Match names %s is carried out', async (_, field) => {
  const { mock, path, tag } = await wikiWithPage();
  const changed = await ask(mock, `PUT ${path}`, { ...PAGE, text: 'New' }, named(field(tag)));
  expect(changed.status).toBe(200);
});

test.each(['memory', 'a file'])(
  'of several writers with one tag one wins, whatever they do: %s',
  async (place) => {
    const folder = mkdtempSync(join(tmpdir(), 'conditional-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const mock = await serve(WIKI, { store: place === 'memory' ? place : `file:${join(folder, 'w.db')}` });
    for (let turn = 0; turn < 5; turn++) {
      const made = await ask(mock, 'POST /pages', PAGE);
      const path = `/pages/${made.body.id}`;
      const field = named(tagOf(made));
      const results = await Promise.all([
        ask(mock, `PUT ${path}`, { title: 'One', text: '' }, field),
        ask(mock, `PATCH ${path}`, { title: 'Two' }, { ...MERGE, ...field }),
        ask(mock, `DELETE ${path}`, undefined, field),
        ask(mock, `PUT ${path}`, { title: 'Three', text: '' }, field),
      ]);
      const statuses = results.map(({ status }) => status);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect(statuses.filter((status) => status >= 300).every((one) => one === 412 || one === 404)).toBe(
        true,
      );
    }
  },
);

describe('a read whose If-None-Match names the current version', () => {
  test('is answered with 304, its tag and no body, until the record changes', async () => {
    const { mock, path, tag } = await wikiWithPage();
    for (const field of [tag, `W/${tag}`, `"a", ${tag}`, '*']) {
      const same = await ask(mock, `GET ${path}`, undefined, { 'if-none-match': field });
      expect([same.status, same.text, tagOf(same)]).toEqual([304, '', tag]);
      expect(same.headers.get('content-type')).toBeNull();
      expect(same.headers.get('access-control-expose-headers')).toMatch(/etag/i);
    }
    expect((await ask(mock, `HEAD ${path}`, undefined, { 'if-none-match': tag })).status).toBe(304);
    await ask(mock, `PATCH ${path}`, { text: 'Flood' }, MERGE);
    expect(await ask(mock, `GET ${path}`, undefined, { 'if-none-match': tag })).toMatchObject({
      status: 200,
    });
  });

  test('is a success where there is no tag, and not found where there is no record', async () => {
    const { mock, tag } = await wikiWithPage();
    const any = { 'if-none-match': '*' };
    expect(await ask(mock, 'GET /pages', undefined, any)).toMatchObject({ status: 200 });
    expect(await ask(mock, 'GET /pages/4711', undefined, { 'if-none-match': tag })).toMatchObject({
      status: 404,
    });
  });
});

describe('a PUT that creates', () => {
  const schema = {
    type: 'object',
    required: ['slug'],
    properties: { slug: { type: 'string' }, to: { type: 'string' } },
  };
  const content = { 'application/json': { schema } };
  const answer = { description: 'One', headers: { ETag: { schema: { type: 'string' } } }, content };
  const document = documentOf({
    '/links': {
      get: {
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { type: 'array', items: schema } } },
          },
        },
      },
    },
    '/links/{slug}': {
      parameters: [{ name: 'slug', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: answer } },
      put: {
        requestBody: { content },
        responses: { 200: answer, 201: answer, 412: { description: 'Another version' } },
      },
    },
  });
  const none = { 'if-none-match': '*' };
  const body = { slug: 'a', to: 'b' };

  test('with If-None-Match: * creates what is not there, and nothing else', async () => {
    const mock = await serveText(document, { count: 0 });
    expect(await ask(mock, 'PUT /links/a', body, STALE)).toMatchObject({ status: 412 });
    const made = await ask(mock, 'PUT /links/a', body, none);
    expect(made.status).toBe(201);
    expect(tagOf(await ask(mock, 'GET /links/a'))).toBe(tagOf(made));
    expect(await ask(mock, 'PUT /links/a', { ...body, to: 'c' }, none)).toMatchObject({ status: 412 });
    expect(await ask(mock, 'GET /links/a')).toMatchObject({ body });
    expect(await ask(mock, 'PUT /links/a', body)).toMatchObject({ status: 200 });
  });

  test('of several at once one creates', async () => {
    const mock = await serveText(document, { count: 0 });
    const all = await Promise.all([1, 2, 3].map(() => ask(mock, 'PUT /links/a', body, none)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 412, 412]);
  });
});

describe('a change without a condition', () => {
  test('is refused where 428 is documented', async () => {
    const { mock, path, tag } = await wikiWithSnippet();
    const body = { name: 'Note', text: 'See above' };
    const refused = await ask(mock, `PUT ${path}`, body);
    expect(refused).toMatchObject({ status: 428, body: { error: { code: 'precondition_required' } } });
    expect(misfits(mock, 'replaceSnippet', refused)).toEqual([]);
    expect(await ask(mock, `DELETE ${path}`)).toMatchObject({ status: 428 });
    expect(tagOf(await ask(mock, `GET ${path}`))).toBe(tag);
    expect(await ask(mock, `DELETE ${path}`, undefined, STALE)).toMatchObject({ status: 412 });
    expect(await ask(mock, `DELETE ${path}`, undefined, named('*'))).toMatchObject({ status: 204 });
    expect(await ask(mock, `DELETE ${path}`)).toMatchObject({ status: 404 });
  });

  test('is refused so where the header is required as well, and as invalid without a 428', async () => {
    const parameters = [{ ...IF_MATCH, required: true }];
    const responses = { 400: { description: 'Invalid' }, 428: { description: 'No If-Match' } };
    const both = await serveText(plainNotes({ parameters, responses }));
    expect(await ask(both, 'PUT /notes/1', { name: 'x' })).toMatchObject({ status: 428 });
    expect(await ask(both, 'PUT /notes/1', { name: 7 })).toMatchObject({ status: 400 });
    const invalid = await serveText(
      plainNotes({ parameters, responses: { 400: { description: 'Invalid' } } }),
    );
    expect(await ask(invalid, 'PUT /notes/1', { name: 'x' })).toMatchObject({ status: 400 });
  });
});

describe('other operations on one record', () => {
  const schema = { type: 'object', properties: { theme: { type: 'string' }, size: { type: 'integer' } } };
  const answer = {
    description: 'The settings',
    headers: { ETag: { schema: { type: 'string' } } },
    content: { 'application/json': { schema } },
  };
  const stale = { 412: { description: 'Another version' } };

  test('a record without an id has a tag before it is written, and one of two first writers wins', async () => {
    const mock = await serveText(
      documentOf({
        '/settings': {
          get: { responses: { 200: answer } },
          put: {
            requestBody: { content: { 'application/json': { schema } } },
            responses: { 200: answer, ...stale },
          },
          delete: { responses: { 204: { description: 'As at first' }, ...stale } },
        },
      }),
    );
    const first = await ask(mock, 'GET /settings');
    expect(await ask(mock, 'DELETE /settings', undefined, STALE)).toMatchObject({ status: 412 });
    const both = await Promise.all(
      ['dark', 'light'].map((theme) => ask(mock, 'PUT /settings', { theme }, named(tagOf(first)))),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    const now = await ask(mock, 'GET /settings');
    expect(tagOf(now)).toBe(both.map(tagOf).find((tag) => tag !== ''));
    expect(await ask(mock, 'DELETE /settings', undefined, named(tagOf(now)))).toMatchObject({ status: 204 });
    expect(tagOf(await ask(mock, 'GET /settings'))).toBe(tagOf(first));
  });

  test('what is done to a record is refused as well', async () => {
    const page = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, title: { type: 'string' } },
    };
    const one = { ...answer, content: { 'application/json': { schema: page } } };
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
    const mock = await serveText(
      documentOf({
        '/pages': {
          get: {
            responses: {
              200: {
                description: 'All',
                content: { 'application/json': { schema: { type: 'array', items: page } } },
              },
            },
          },
        },
        '/pages/{id}': { parameters: [id], get: { responses: { 200: one } } },
        '/pages/{id}/publish': {
          parameters: [id],
          post: { parameters: [IF_MATCH], responses: { 200: one, ...stale } },
        },
      }),
    );
    const tag = tagOf(await ask(mock, 'GET /pages/1'));
    expect(await ask(mock, 'POST /pages/1/publish', undefined, STALE)).toMatchObject({ status: 412 });
    expect(await ask(mock, 'POST /pages/1/publish', undefined, named(tag))).toMatchObject({ status: 200 });
  });
});
