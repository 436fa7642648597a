import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCheckOf } from '../testing/run-check.ts';

const COUNTRIES = [
  {
    name: 'Chad',
    capital: 'Ndjamena',
    alpha2Code: 'TD',
    callingCodes: ['235'],
    languages: [{ iso: 'fr', name: 'French' }],
    currencies: [{ code: 'XAF', name: 'Franc' }],
  },
];
const SERVICES: Readonly<Record<string, readonly string[]>> = { mail: ['smtp-1'], files: ['disk-1'] };

/** What is at each path; undefined: nothing. */
function shownAt({ pathname, searchParams }: URL): unknown {
  const [, collection, first = '', below, last] = pathname.split('/').map(decodeURIComponent);
  const known: Readonly<Record<string, readonly string[]>> = {
    capital: ['Ndjamena'],
    alpha: ['TD'],
    callingcode: ['235'],
    lang: ['fr'],
    currency: ['XAF'],
  };
  if (pathname === '/all') return COUNTRIES;
  if (pathname === '/alpha') return searchParams.get('codes') === 'TD' ? COUNTRIES : undefined;
  if (pathname === '/services') return Object.keys(SERVICES);
  if (collection === 'measure')
    return Number(first) > 5 && Number.isInteger(Number(first)) ? { value: 1 } : undefined;
  if (collection !== 'services') return known[collection ?? '']?.includes(first) ? COUNTRIES : undefined;
  const instances = SERVICES[first];
  if (below === undefined) return instances && { lines: instances.length };
  if (last === undefined) return instances;
  return instances?.includes(last) ? { host: last } : undefined;
}

let server: Server;
let target = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const shown = shownAt(new URL(request.url ?? '', 'http://x'));
    response.writeHead(shown === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(shown ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

test('another way to write a number that is taken is left open', async () => {
  const documented = { 200: { description: 'It' }, 404: { description: 'None' } };
  const one = {
    get: { operationId: 'measure', parameters: [parameterOf('n', 'path', 'integer')], responses: documented },
  };
  const document = { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: { '/measure/{n}': one } };
  const only = ['measure/404/an-id-in-hexadecimal', 'measure/404/an-id-with-letters-behind-it'];
  const report = await runCheckOf(document, { target, only });
  expect(report.findings).toEqual([]);
  expect(report.notSpecified.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^an id in hexadecimal: 200/),
  );
});

test('where any text may be good, the documented 404 is seen with an end of line, and a 400 is as good', async () => {
  const documented = { 200: { description: 'It' }, 404: { description: 'None' } };
  const get = { operationId: 'echo', parameters: [parameterOf('word')], responses: documented };
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/echo/{word}': { get } },
  };
  const check = (status: number) =>
    runCheckOf(document, {
      fetch: async (url) =>
        /%0A$/.test(String(url)) ? new Response(null, { status }) : Response.json({ echo: true }),
    });
  const [found, malformed] = [await check(404), await check(400)];
  expect(found.cells).toMatchObject([{ verdict: 'covered' }, { status: 404, verdict: 'covered' }]);
  expect(malformed).toMatchObject({ causes: [], exitCode: 0 });
});

const responses = { 200: { description: 'It' }, default: { description: 'A failure' } };
const parameterOf = (name: string, place = 'path', type = 'string') => ({
  name,
  in: place,
  required: true,
  schema: { type },
});

/** A read of a path; the names of its parameters are in it. */
function read(path: string, type?: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { [path]: { get: { parameters: names.map((name) => parameterOf(name, 'path', type)), responses } } };
}

test.each([
  ['a member of that name', '/capital/{capital}'],
  ['a name that differs in a digit', '/alpha/{alphacode}'],
  ['a list of texts', '/callingcode/{callingcode}'],
  ['the code of what the parameter is called after', '/currency/{currency}'],
  ['the beginning of a name', '/lang/{lang}'],
])('a value of a path is taken from a response: %s', async (_, path) => {
  const paths = { ...read('/all'), ...read(path) };
  const report = await runCheckOf(
    { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths },
    { target },
  );
  expect(report.verdict).toBe('holds');
});

test('bare texts of lists are values of what stands behind them, each below its own', async () => {
  const paths = {
    ...read('/services'),
    ...read('/services/{serviceName}'),
    ...read('/services/{serviceName}/instances'),
    ...read('/services/{serviceName}/instances/{instance}'),
  };
  const report = await runCheckOf(
    { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths },
    { target },
  );
  expect(report.cells.map(({ verdict }) => verdict)).toEqual(Array(4).fill('covered'));
});

test('a required value of a query is taken from a response, and numbers are varied, each in its turn', async () => {
  const codes = { '/alpha': { get: { parameters: [parameterOf('codes', 'query')], responses } } };
  const paths = { ...read('/all'), ...codes, ...read('/measure/{n}/{x}', 'integer') };
  const report = await runCheckOf(
    { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths },
    { target },
  );
  expect(report.cells.map(({ verdict }) => verdict)).toEqual(['covered', 'covered', 'covered']);
});

test('all values of a path are varied together, too; where none is good, one line names them all', async () => {
  const good = (path: string) => (url: string | URL | Request) =>
    Promise.resolve(Response.json({}, { status: new URL(String(url)).pathname === path ? 200 : 404 }));
  const check = (path: string) =>
    runCheckOf(
      { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: read('/grids/{row}/{line}', 'integer') },
      { fetch: good(path) },
    );
  const [found, lost] = [await check('/grids/2/2'), await check('/grids/2017/2018')];
  expect(found.cells[0]?.verdict).toMatch('covered');
  expect(lost.cells).toMatchObject([{ verdict: 'not reached', remedy: '--value row=V --value line=V' }]);
});

test('a 5xx to a path that names nothing is a cause, whichever of its values that is; a refusal is none', async () => {
  const paths = { ...read('/shops/{shop}/desks/{desk}') };
  const document = { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths };
  const causesOf = async (statusOf: (shop: string, desk: string) => number) => {
    const fetch = async (url: string | URL) => {
      const [, , shop = '', , desk = ''] = new URL(url).pathname.split('/');
      return Response.json({}, { status: statusOf(shop, desk) });
    };
    const values = { shop: 'mine', desk: '4' };
    const report = await runCheckOf(document, { target: 'http://127.0.0.1:1', fetch, values, settle: 0 });
    return report.causes.map(({ title }) => title);
  };
  expect(await causesOf((shop) => (shop === 'mine' ? 200 : 500))).toEqual([
    'GET /shops/{shop}/desks/{desk} answers 500 to a valid request',
  ]);
  expect(await causesOf((shop, desk) => (shop === 'mine' && desk === '4' ? 200 : 400))).toEqual([]);
});
