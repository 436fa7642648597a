import { expect, test } from 'vitest';
import { ask, documentOf, fixture, serve, serveText } from '../../testing/serve.ts';

const pagesIn = (link: string | null) =>
  Object.fromEntries(
    [...(link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, relation]) => [relation, target]),
  );

test('a list counts its records in a header, and links to the pages beside it', async () => {
  const mock = await serve(fixture('kennels.yaml'), { count: 45 });
  const second = await ask(mock, 'GET /owners?page=2&limit=10&city=Nowhere');
  expect(second.headers.get('x-total-count')).toBe('0');
  const first = await ask(mock, 'GET /owners?limit=20');
  expect(first.headers.get('x-total-count')).toBe('45');
  const links = pagesIn(first.headers.get('link'));
  expect(Object.keys(links)).toEqual(['first', 'next', 'last']);
  const seen: unknown[] = [...first.body];
  let next: string | undefined = links.next;
  while (next !== undefined) {
    const page = await ask(mock, `GET ${next.replace('/v1', '')}`);
    seen.push(...page.body);
    next = pagesIn(page.headers.get('link')).next;
  }
  expect(new Set(seen.map((one) => (one as { id: number }).id)).size).toBe(45);
  const inSession = await ask(mock, 'GET /owners?limit=20', undefined, { 'paddock-session': 'ann' });
  expect(pagesIn(inSession.headers.get('link')).last).toBe('/v1/owners?limit=20&page=3');
});

test.each<[string, string, Record<string, string>]>([
  [
    'the last page',
    'page=3&limit=20',
    { first: '?page=1&limit=20', prev: '?page=2&limit=20', last: '?page=3&limit=20' },
  ],
  [
    'a page behind the last',
    'page=99&limit=20',
    { first: '?page=1&limit=20', prev: '?page=3&limit=20', last: '?page=3&limit=20' },
  ],
  ['one page', 'limit=100', { first: '?limit=100&page=1', last: '?limit=100&page=1' }],
])('%s', async (_, query, want) => {
  const mock = await serve(fixture('kennels.yaml'), { count: 45 });
  const links = pagesIn((await ask(mock, `GET /owners?${query}`)).headers.get('link'));
  expect(links).toEqual(
    Object.fromEntries(Object.entries(want).map(([relation, target]) => [relation, `/v1/owners${target}`])),
  );
});

test('offsets are linked to as well', async () => {
  const item = { type: 'object', properties: { id: { type: 'integer' } } };
  const list = {
    parameters: ['offset', 'limit'].map((name) => ({
      name,
      in: 'query',
      schema: { type: 'integer', minimum: 0 },
    })),
    responses: {
      200: {
        description: 'All',
        headers: { Link: { schema: { type: 'string' } }, 'X-Total': { schema: { type: 'string' } } },
        content: { 'application/json': { schema: { type: 'array', items: item } } },
      },
    },
  };
  const mock = await serveText(documentOf({ '/things': { get: list } }), { count: 10 });
  const { headers } = await ask(mock, 'GET /things?offset=4&limit=4');
  expect(pagesIn(headers.get('link'))).toEqual({
    first: '/things?offset=0&limit=4',
    prev: '/things?offset=0&limit=4',
    next: '/things?offset=8&limit=4',
    last: '/things?offset=8&limit=4',
  });
});

test('the same content has the same entity tag, and other content another', async () => {
  const mock = await serve(fixture('kennels.yaml'), { count: 3 });
  const tagOf = async (line: string) => (await ask(mock, line)).headers.get('etag');
  const tag = await tagOf('GET /owners');
  expect(tag).toMatch(/^"[\w-]{22}"$/);
  expect([await tagOf('GET /owners'), await tagOf('HEAD /owners')]).toEqual([tag, tag]);
  expect(await tagOf('GET /owners?limit=1')).not.toBe(tag);
  await ask(mock, 'POST /owners', { email: 'x@y.example', name: 'X' });
  expect(await tagOf('GET /owners')).not.toBe(tag);
});
