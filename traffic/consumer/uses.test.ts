import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileMask, compileRequestReader, readContract } from '#spec';
import { observeTraffic, type Sent } from '../../contract-tests/testing/traffic.ts';
import { MOST_VALUES, mergeOperations } from './consumer.ts';
import { addToConsumer, parseConsumer } from './consumer-file.ts';
import { createUses } from './uses.ts';

async function usesOf(traffic: readonly Sent[], mask: readonly string[] = []) {
  const uses = createUses(compileMask(mask));
  await observeTraffic(traffic, { onUse: uses.note });
  return uses.operations;
}

const list = (query = '', status = 200): Sent => ({ request: `GET /boats${query}`, status, json: [] });
const add = (body: unknown, more: Partial<Sent> = {}): Sent => ({
  request: 'POST /boats',
  body,
  status: 201,
  json: { id: '1', name: 'Gull', kind: 'yawl' },
  ...more,
});

test('operations by method and path of the document, with values, statuses and a request for each', async () => {
  const operations = await usesOf([
    list('?limit=20'),
    list(),
    { request: 'GET /boats/1', status: 200, json: { id: '1', name: 'Gull', kind: 'yawl' } },
    { request: 'GET /boats/none', status: 404, json: { title: 'none' } },
  ]);
  expect(operations).toEqual({
    'GET /boats': {
      query: { limit: { values: [20], sometimes: true } },
      responses: { 200: { request: { query: { limit: 20 } } } },
    },
    'GET /boats/{id}': {
      path: { id: { values: ['1', 'none'] } },
      responses: { 200: { request: { path: { id: '1' } } }, 404: { request: { path: { id: 'none' } } } },
    },
  });
});

test('what is masked is in no value, of parameters and of bodies', async () => {
  const traffic = [list('?kind=yawl'), add({ name: 'Gull', kind: 'yawl', colour: 'red' })];
  const operations = await usesOf(traffic, ['kind', '/name']);
  expect(operations['GET /boats']?.query).toEqual({ kind: { others: ['string'] } });
  expect(operations['POST /boats']?.body).toMatchObject({
    '/name': { others: ['string'] },
    '/kind': { others: ['string'] },
  });
  expect(JSON.stringify(operations)).not.toMatch(/yawl|Gull/);
});

test('a default is not sent, and what no operation of the service has is not used', async () => {
  const operations = await usesOf([list('?kind=yawl'), { request: 'GET /nothing', status: 404 }]);
  expect(Object.keys(operations)).toEqual(['GET /boats']);
  expect(operations['GET /boats']?.query).toEqual({ kind: { values: ['yawl'] } });
});

test('members of bodies by pointer: which are missing at times, and those without a name together', async () => {
  const operations = await usesOf([
    add({ name: 'Gull', kind: 'yawl', note: null, colour: 'red' }),
    add({ name: 'Tern', kind: 'dinghy' }),
  ]);
  expect(operations['POST /boats']).toMatchObject({
    types: ['application/json'],
    body: {
      '': { others: ['object'] },
      '/name': { values: ['Gull', 'Tern'] },
      '/kind': { values: ['yawl', 'dinghy'] },
      '/note': { values: [null], sometimes: true },
      '/*': { values: ['red'] },
    },
  });
});

test('items of lists in parameters, and members of objects, by themselves', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' }, token: { type: 'string' } } };
  const parameters = [
    { name: 'kinds', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    { name: 'near', in: 'query', style: 'deepObject', schema },
  ];
  const responses = { 200: { description: '' } };
  const contract = await readContract(
    {
      openapi: '3.1.0',
      info: { title: 'Boats', version: '1' },
      paths: { '/boats': { get: { parameters, responses } } },
    },
    'boats.yaml',
  );
  const [operation] = contract.operations as [(typeof contract.operations)[number]];
  const url = new URL('https://boats.example/boats?kinds=a&kinds=b&near[city]=Rome&near[token]=t-1234');
  const query = url.search.slice(1);
  const read = compileRequestReader(
    operation,
    contract.validators,
  )({
    ...{ path: {}, query, headers: {}, body: undefined },
  });
  const uses = createUses();
  uses.note({ operation, read, wire: { url, headers: [] }, bodyMissing: false, status: 200 });
  expect(uses.operations['GET /boats']?.query).toEqual({
    kinds: { others: ['array'] },
    'kinds/-': { values: ['a', 'b'] },
    near: { others: ['object'] },
    'near/city': { values: ['Rome'] },
    'near/token': { others: ['string'] },
  });
  expect(JSON.stringify(uses.operations)).not.toContain('t-1234');
});

test('of many values, and of long ones, the type', async () => {
  const many = Array.from({ length: MOST_VALUES + 5 }, (_, index) => list(`?kind=k${index}`));
  const operations = await usesOf([...many, list(`?kind=${'x'.repeat(200)}`)]);
  const { values, others } = operations['GET /boats']?.query?.kind ?? {};
  expect(values).toHaveLength(MOST_VALUES);
  expect(others).toEqual(['string']);
});

test('bodies that are not known say nothing of what is missing', async () => {
  const operations = await usesOf([
    add({ name: 'Gull', kind: 'yawl' }),
    add(undefined, { bodyMissing: true }),
  ]);
  expect(operations['POST /boats']).toMatchObject({
    unseenBodies: true,
    body: { '': { others: ['object'] } },
  });
  expect(operations['POST /boats']?.body?.['']).not.toHaveProperty('sometimes');
});

test('no secret is kept, by its name or by its form', async () => {
  const token = 'eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl';
  const operations = await usesOf([
    add(
      {
        name: 'Gull',
        kind: 'yawl',
        password: 'correct horse',
        nested: { api_key: 'k-1234567' },
        note: token,
      },
      { key: 'tok-9f8e7d6c5b4a', headers: { Cookie: 'sid=cookie-1a2b3c' } },
    ),
    list(`?kind=${token}&access_token=tok-1111`),
  ]);
  const text = JSON.stringify(operations);
  for (const secret of ['correct horse', 'k-1234567', 'tok-', 'cookie-', token])
    expect(text, secret).not.toContain(secret);
  expect(operations['POST /boats']?.body?.['/*']?.others).toContain('string');
});

test('runs add up to what one run would have seen', async () => {
  const first = [list('?limit=20'), add({ name: 'Gull', kind: 'yawl', note: 'a' })];
  const second = [list(), add({ name: 'Tern', kind: 'yawl' }), list('?kind=yawl', 400)];
  const merged = mergeOperations(await usesOf(first), await usesOf(second));
  expect(merged).toEqual(await usesOf([...first, ...second]));
  expect(mergeOperations(merged, await usesOf(second))).toEqual(merged);
});

test('a file keeps what is in it: comments, order, what the client says it reads, integers beyond 2^53', async () => {
  const before = `# by hand
consumer: web
format: 1
operations:
  GET /boats/{id}: # one
    path:
      id: { values: [9007199254740993] }
    responses:
      200: { reads: [/name] }
`;
  const operations = await usesOf([
    list(),
    { request: 'GET /boats/1', status: 200, json: { id: '1', name: 'Gull', kind: 'yawl' } },
  ]);
  const after = addToConsumer('web.yaml', before, { consumer: 'web', operations });
  expect(after).toMatch(/^# by hand\nconsumer: web\n/);
  expect(after).toContain('# one');
  expect(after).toContain("id: { values: [ 9007199254740993, '1' ] }");
  expect(parse(after).operations['GET /boats/{id}'].responses['200']).toEqual({
    reads: ['/name'],
    request: { path: { id: '1' } },
  });
  expect(Object.keys(parseConsumer('web.yaml', after).operations)).toContain('GET /boats');
  expect(addToConsumer('web.yaml', after, { consumer: 'web', operations })).toBe(after);
});

test('a file of JSON stays one', async () => {
  const seen = { consumer: 'web', operations: await usesOf([list('?limit=20')]) };
  const text = addToConsumer('web.json', undefined, seen);
  expect(JSON.parse(addToConsumer('web.json', text, seen))).toEqual({ ...seen, format: 1 });
});

const operation = (lines: string) => `consumer: web\nformat: 1\noperations:\n  GET /x:\n${lines}`;

test.for([
  ['no YAML', 'consumer: [', /bad\.yaml:/],
  ['a list', '- a', /bad\.yaml:1: the file must hold/],
  ['no name', 'format: 1\noperations: {}', /"consumer" must be the name/],
  ['another format', 'consumer: a\nformat: 2\noperations: {}', /bad\.yaml:2: "format" must be 1/],
  [
    'a word for reads',
    operation('    responses:\n      200: { read: [/a] }'),
    /bad\.yaml:6: "read" is no member/,
  ],
  ['no pointer', operation('    responses:\n      200: { reads: ["a b"] }'), /must be a JSON Pointer/],
  ['no status', operation('    responses: { ok: {} }'), /"ok" must be a status/],
  ['no type', operation('    query: { a: { others: [text] } }\n    responses: {}'), /"text" is no type/],
  ['no responses', operation('    query: {}'), /"responses" must be an object/],
  ['no operation', 'consumer: a\nformat: 1\noperations: { getX: {} }', /"getX" must be a method and a path/],
] as const)('%s is refused with its place', ([, text, message]) => {
  expect(() => parseConsumer('bad.yaml', text)).toThrow(message);
});

test('the file of another client is not written', () => {
  const text = 'consumer: app\nformat: 1\noperations: {}\n';
  expect(() => addToConsumer('app.yaml', text, { consumer: 'web', operations: {} })).toThrow(
    'it is the file of "app", and not of "web"',
  );
});
