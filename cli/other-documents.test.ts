import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { check, type Report } from '#contract-tests';
import { createMock, type Mock } from '#mock';

/**
 * Documents of other services, each with conventions of its own: all that mock and suite do there follows from the
 * document, since no line of either was written for it.
 */
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

async function run(target: string, document: string): Promise<Report> {
  const events = check({ target, document, apiKey: KEY, settle: 200, maxCreates: 1000 });
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what a body holds is what each test is about.
type Body = any;
type Ask = (line: string, body?: unknown, type?: string) => Promise<{ status: number; body: Body }>;

/** Asks as a client of that service would: `PUT /articles/1`, with the key in every header that one may stand in. */
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

describe('the suite reaches every cell of a mock, and finds nothing', () => {
  test.each(['warehouse.yaml', 'tide-gauges.yaml'])('%s', async (name) => {
    const { mock, document } = await serve(name);
    expect(mock.operations.filter(({ action }) => action === 'sample')).toEqual([]);
    const { verdict, findings, cells, totals } = await run(mock.url, document);
    expect(findings.map(({ caseId, received, documented }) => ({ caseId, received, documented }))).toEqual(
      [],
    );
    expect(cells.filter((cell) => cell.verdict !== 'covered')).toEqual([]);
    expect({ verdict, notReached: totals.notReached }).toEqual({ verdict: 'holds', notReached: 0 });
  });
});

test('a warehouse: numbered pages in an object, members that may be null, a bound that is excluded', async () => {
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

test('tide gauges: a key in a header here, in the query there; pages by offset', async () => {
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

  // The header is no key for what asks for one in the query.
  expect((await ask('GET /levels')).status).toBe(401);
  const [level] = (await ask(`GET /levels?tide=high&take=1&token=${KEY}`)).body;
  expect(level.tide).toBe('high');
  expect((await ask(`GET /levels/${level.levelId}?token=${KEY}`)).body).toEqual(level);
});
