import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { createMock, type Mock } from '#mock';

/** Documents of other services, each with its own conventions, for which neither mock nor suite has special code. */
const KEY = 'paddock-dev-key';
const mocks: Mock[] = [];

afterEach(async () => {
  for (const mock of mocks.splice(0)) await mock.close();
});

async function serve(name: string): Promise<{ mock: Mock; document: string }> {
  const document = fileURLToPath(new URL(`../fixtures/specs/${name}`, import.meta.url));
  const mock = await createMock({ document, port: 0 });
  mocks.push(mock);
  return { mock, document };
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its bodies.
type Body = any;
type Ask = (line: string, body?: unknown, type?: string) => Promise<{ status: number; body: Body }>;

/** Sends requests such as `PUT /articles/1`, with the key in every header that a document names for it. */
async function clientOf(name: string): Promise<Ask> {
  const { mock } = await serve(name);
  return async (line, body, type = 'application/json') => {
    const [method = '', path = ''] = line.split(' ');
    const response = await fetch(mock.url + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'x-gauge-key': KEY, 'content-type': type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

test('warehouse: numbered pages in an envelope, nullable members, an exclusive bound', async () => {
  const ask = await clientOf('warehouse.yaml');
  const { total_count } = (await ask('GET /articles')).body;
  const last = Math.ceil(total_count / 7);
  const page = (await ask(`GET /articles?page_size=7&page_number=${last}`)).body;
  expect(page).toMatchObject({ total_count, page_number: last, page_size: 7 });
  expect(page.articles).toHaveLength(total_count - 7 * (last - 1));
  expect((await ask(`GET /articles?page_number=${total_count}`)).body.articles).toEqual([]);
  const metres = (await ask('GET /articles?unit=metre&page_size=50')).body;
  expect(metres.total_count).toBe(metres.articles.length);
  expect(new Set(metres.articles.map(({ unit }: Body) => unit))).toEqual(new Set(['metre']));

  const nut = { label: 'Hexagon nut', unit: 'piece', price: 0.08, barcode: null, weight_g: null };
  const free = await ask('POST /articles', { ...nut, price: 0 });
  expect(free).toEqual({
    status: 400,
    body: { error_code: expect.any(String), detail: expect.stringMatching(/price/) },
  });
  const made = await ask('POST /articles', nut);
  expect(made).toEqual({ status: 201, body: { ...nut, stock: 0, article_no: expect.any(Number) } });

  const item = `/articles/${made.body.article_no}`;
  const { weight_g: _, ...unweighed } = { ...nut, barcode: '4006381333931', stock: 12 };
  expect(await ask(`PUT ${item}`, unweighed)).toEqual({
    status: 200,
    body: { ...unweighed, article_no: made.body.article_no },
  });
  expect((await ask(`GET ${item}`)).body).not.toHaveProperty('weight_g');
  expect((await ask(`DELETE ${item}`)).status).toBe(204);
  expect((await ask(`GET ${item}`)).status).toBe(404);
  expect((await ask('GET /articles')).body.total_count).toBe(total_count);
});

test('tide gauges: API keys in header and query, pages by offset', async () => {
  const ask = await clientOf('tide-gauges.yaml');
  const all = (await ask('GET /gauges?take=200')).body;
  expect((await ask('GET /gauges?take=4&skip=3')).body).toEqual(all.slice(3, 7));
  expect((await ask('GET /gauges')).body).toHaveLength(25);
  const silent = all.filter(({ active }: Body) => !active);
  expect((await ask('GET /gauges?active=false&take=200')).body).toEqual(silent);

  const gauge = { harbour: 'Sandhaven', latitude: 54.175, longitude: 12.0875, active: false };
  const made = await ask('POST /gauges', { ...gauge, id: 4711 });
  expect(made).toEqual({ status: 201, body: { ...gauge, id: all.length + 1 } });
  expect((await ask(`GET /gauges?active=false&skip=${silent.length}`)).body).toEqual([made.body]);
  expect(await ask('GET /gauges/4711')).toEqual({
    status: 404,
    body: { errorCode: expect.any(String), reason: expect.stringMatching(/4711/), httpStatus: 404 },
  });

  // The header is no credential for an operation with the key in the query.
  expect((await ask('GET /levels')).status).toBe(401);
  const [level] = (await ask(`GET /levels?tide=high&take=1&token=${KEY}`)).body;
  expect(level.tide).toBe('high');
  expect((await ask(`GET /levels/${level.levelId}?token=${KEY}`)).body).toEqual(level);
});

test('libraries: nested resources, PUT and PATCH', async () => {
  const ask = await clientOf('libraries.yaml');
  const [first] = (await ask('GET /libraries')).body;
  expect((await ask(`GET /libraries/${first.id}/books`)).body.length).toBeGreaterThan(0);

  const library = (await ask('POST /libraries', { name: 'By the harbour' })).body;
  const other = (await ask('POST /libraries', { name: 'Up the hill' })).body;
  const shelf = `/libraries/${library.id}/books`;
  const book = { title: 'Tides', language: 'da', isbn: '9788700000001', pages: 210 };
  const made = await ask(`POST ${shelf}`, book);
  expect(made).toEqual({ status: 201, body: { ...book, id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  const { id } = made.body;

  expect((await ask(`GET ${shelf}?language=da`)).body).toEqual([made.body]);
  expect((await ask(`GET ${shelf}?language=fr`)).body).toEqual([]);
  expect((await ask(`GET /libraries/${other.id}/books`)).body).toEqual([]);
  expect((await ask(`GET /libraries/${other.id}/books/${id}`)).status).toBe(404);

  const patch = (body: unknown) => ask(`PATCH ${shelf}/${id}`, body, 'application/merge-patch+json');
  const { isbn: _, ...unnumbered } = book;
  expect(await patch({ pages: 211, isbn: null })).toEqual({
    status: 200,
    body: { ...unnumbered, id, pages: 211 },
  });
  expect((await patch({ title: null })).status).toBe(422);
  const anew = { title: 'Ebb', language: 'en' };
  expect((await ask(`PUT ${shelf}/${id}`, anew)).body).toEqual({ ...anew, id });
  expect(await ask(`PUT ${shelf}/${id}`, { title: 'Ebb' })).toEqual({
    status: 422,
    body: expect.objectContaining({ status: 422, detail: expect.stringMatching(/language/) }),
  });
  expect((await ask(`GET ${shelf}/${id}`)).body).toEqual({ ...anew, id });

  expect((await ask(`DELETE ${shelf}/${id}`)).status).toBe(204);
  expect((await ask(`DELETE ${shelf}/${id}`)).status).toBe(404);
  expect((await ask(`DELETE /libraries/${library.id}`)).status).toBe(204);
  expect((await ask(`GET ${shelf}`)).status).toBe(404);
  expect((await ask(`POST ${shelf}`, book)).status).toBe(404);
});

test('notices: oneOf, writeOnly members, filters with several values', async () => {
  const ask = await clientOf('notices/openapi.yaml');
  const all = (await ask('GET /orders?maxResults=100')).body;
  const some = (await ask('GET /orders?channel=mail,hook&maxResults=100')).body;
  expect(some).toEqual(all.filter(({ channel }: Body) => channel !== 'message'));
  expect((await ask('GET /orders?channel=mail,hook&maxResults=2&startIndex=1')).body).toEqual(
    some.slice(1, 3),
  );
  const noisy = all.filter(({ topics }: Body) => topics.includes('noise') || topics.includes('power'));
  expect((await ask('GET /orders?topics=noise|power&maxResults=100')).body).toEqual(noisy);
  expect((await ask('GET /orders?topics=noise,power')).status).toBe(400);

  const order = { subject: 'Road works', topics: ['roads'], from: '2031-03-01' };
  const hook = { ...order, channel: 'hook', url: 'https://listener.example/hook' };
  const made = await ask('POST /orders', { ...hook, secret: 'not-a-real-secret' });
  expect(made).toEqual({
    status: 201,
    body: { ...hook, id: expect.any(String), ordered: expect.any(String) },
  });
  expect((await ask('POST /orders', hook)).body.description).toMatch(/secret/);
  expect((await ask('POST /orders', { ...order, channel: 'fax' })).status).toBe(400);

  const { id, ordered } = made.body;
  const message = { ...order, channel: 'message', phone: '+4930123456' };
  expect((await ask(`PUT /orders/${id}`, { ...message, pauseMinutes: 7 })).status).toBe(400);
  expect((await ask(`PUT /orders/${id}`, message)).body).toEqual({
    ...message,
    id,
    ordered,
    pauseMinutes: 15,
  });
  expect((await ask('GET /orders?channel=message&maxResults=100')).body.at(-1).id).toBe(id);
  expect((await ask(`DELETE /orders/${id}`)).status).toBe(204);
  expect((await ask(`GET /orders/${id}`)).status).toBe(404);
});
