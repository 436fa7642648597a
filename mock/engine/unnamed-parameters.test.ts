import { expect, test } from 'vitest';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from '../testing/serve.ts';

test('a query parameter that no document names is told once for each name', async () => {
  const told: string[] = [];
  const mock = await serve(SHIPPED, { notice: (text) => told.push(text) });
  for (const query of ['page=2', 'page=3&limit=1', 'limit=0&page=4&size=1', 'status=sold', '__code=401', ''])
    await ask(mock, `GET /pets?${query}`);
  await ask(mock, 'GET /pets/1?page=2');
  expect(told).toEqual([
    expect.stringMatching(
      /^the query parameter "page" is ignored: listPets has none .*\(spec\/openapi\.yaml:\d+\)$/,
    ),
    expect.stringMatching(/^the query parameter "size" is ignored/),
  ]);
});

test('credentials, members of objects and open objects are named by the document', async () => {
  const told: string[] = [];
  const notice = (text: string) => told.push(text);
  const keyed = await serve(fixture('tide-gauges.yaml'), { notice });
  await ask(keyed, 'GET /levels?take=3&token=paddock-dev-key');
  const object = (more: object) => ({ in: 'query', name: 'filter', ...more });
  const members = { type: 'object', properties: { a: { type: 'string' } } };
  const responses = { 200: { description: 'OK' } };
  const mock = await serveText(
    documentOf({
      '/deep': { get: { parameters: [object({ style: 'deepObject', schema: members })], responses } },
      '/exploded': { get: { parameters: [object({ schema: members })], responses } },
      '/open': {
        get: { parameters: [object({ schema: { ...members, additionalProperties: true } })], responses },
      },
    }),
    { notice },
  );
  for (const target of ['/deep?filter[a]=1&filter[b]=2', '/exploded?a=1', '/open?x=1&y=2'])
    await ask(mock, `GET ${target}`);
  expect(told).toEqual([]);
  await ask(mock, 'GET /exploded?b=1');
  expect(told).toEqual([expect.stringMatching(/"b" is ignored: GET \/exploded has none/)]);
});

test('whoever sends a new name each time does not fill the log', async () => {
  const told: string[] = [];
  const mock = await serve(SHIPPED, { notice: (text) => told.push(text) });
  for (let n = 0; n < 150; n++) await ask(mock, `GET /pets?${'x'.repeat(200)}${n}=1&n${n}=1`);
  expect(told).toHaveLength(101);
  expect(told.at(-1)).toBe('further query parameters that are ignored are not named');
  expect(Math.max(...told.map((text) => text.length))).toBeLessThan(200);
});
