import { describe, expect, test } from 'vitest';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

const ORCHARDS = fixture('orchards.yaml');

type Answer = Awaited<ReturnType<typeof ask>>;

/** A list's reference to its next page, as a request. Undefined: there is none. */
const NEXT: Readonly<Record<string, (answer: Answer) => string | undefined>> = {
  'trees?limit=2': ({ body }) =>
    body.pagination.next_cursor === null
      ? undefined
      : `/trees?limit=2&cursor=${encodeURIComponent(body.pagination.next_cursor)}`,
  'pickers?per_page=2': ({ headers }) => /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1],
  'crates?size=2': ({ body }) => (body.last ? undefined : `/crates?size=2&page=${body.number + 1}`),
  'deliveries?limit=2': ({ body }) => body._links.next?.href,
  'weighings?page_size=2': ({ body }) => body.meta.next ?? undefined,
};

/** Below the base path, wherever the link leads. */
const pathIn = (target: string) => target.replace(/^(?:https?:\/\/[^/]*)?(?:\/api)?/, '');

const recordsIn = ({ body }: Answer) =>
  (Array.isArray(body) ? body : Object.values(body).find(Array.isArray)) as unknown[];

describe('each page leads to the next one, and the last says so', () => {
  test.each(Object.entries(NEXT))('%s', async (line, nextOf) => {
    const mock = await serve(ORCHARDS, { count: 5 });
    const operation = mock.operations.find(({ path }) => `/${line}`.startsWith(path))?.id ?? '';
    const sizes: number[] = [];
    const seen: unknown[] = [];
    for (let next: string | undefined = `/${line}`; next !== undefined && sizes.length < 9; ) {
      const answer: Answer = await ask(mock, `GET ${pathIn(next)}`);
      expect(misfits(mock, operation, answer)).toEqual([]);
      seen.push(...recordsIn(answer));
      sizes.push(recordsIn(answer).length);
      next = nextOf(answer);
    }
    expect(sizes).toEqual([2, 2, 1]);
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(5);
  });
});

test("Spring's form is true on every page", async () => {
  const mock = await serve(ORCHARDS, { count: 5 });
  const at = async (page: number) => {
    const { content, ...others } = (await ask(mock, `GET /crates?size=2&page=${page}`)).body;
    return others;
  };
  const all = { totalElements: 5, totalPages: 3, size: 2 };
  expect(await at(0)).toEqual({
    ...all,
    ...{ number: 0, numberOfElements: 2, first: true, last: false, empty: false },
  });
  expect(await at(2)).toEqual({
    ...all,
    ...{ number: 2, numberOfElements: 1, first: false, last: true, empty: false },
  });
  expect(await at(9)).toEqual({
    ...all,
    ...{ number: 9, numberOfElements: 0, first: false, last: true, empty: true },
  });
});

test('a size may be a word, or a number that is not whole', async () => {
  const mock = await serve(ORCHARDS, { count: 30 });
  expect((await ask(mock, 'GET /pickers')).body).toHaveLength(15);
  expect((await ask(mock, 'GET /pickers?per_page=all')).body).toHaveLength(30);
  expect((await ask(mock, 'GET /deliveries?limit=1.5&offset=2')).body.deliveries).toMatchObject([
    { id: 3 },
    { id: 4 },
  ]);
});

test('a URL in a body leads to where its request went, and into its session', async () => {
  const mock = await serve(ORCHARDS, { count: 5 });
  const weighings = 'https://orchards.example/~ann/api/weighings?page_size=2';
  const body = await (await mock.fetch(weighings)).json();
  expect(body).toMatchObject({ meta: { next: `${weighings}&page=2` } });
});

describe('a cursor that no page has named', () => {
  test.each([
    ['trees?cursor=none', 400],
    ['trees?cursor=', 200],
    ['pickers?page_token=none', 422],
  ])('%s: %i', async (line, status) => {
    const mock = await serve(ORCHARDS);
    expect((await ask(mock, `GET /${line}`)).status).toBe(status);
  });

  test('finds nothing where the document has no refusal, and an id leads on in the order of the list', async () => {
    const items = { type: 'object', properties: { id: { type: 'integer' } } };
    const content = { 'application/json': { schema: { type: 'array', items } } };
    const parameters = ['marker', 'sort', 'limit'].map((name) => ({
      ...{ name, in: 'query', schema: { type: name === 'limit' ? 'integer' : 'string' } },
    }));
    const get = { parameters, responses: { 200: { description: 'All', content } } };
    const mock = await serveText(documentOf({ '/things': { get } }), { count: 5 });
    const ids = async (query: string) =>
      (await ask(mock, `GET /things?${query}`)).body.map(({ id }: { id: number }) => id);
    expect([await ids('marker=none'), await ids('marker=3&limit=1')]).toEqual([[], [4]]);
    expect(await ids('marker=3&sort=-id')).toEqual([2, 1]);
  });
});
