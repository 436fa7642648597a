import { expect, test } from 'vitest';
import { compileRequestReader, readContract } from '#spec';
import { observeTraffic, type Sent } from '../../contract-tests/testing/traffic.ts';
import { MOST_VALUES, type UsedOperation } from './consumer.ts';
import { createUses, type Uses } from './uses.ts';

/** By method and path. */
function shown({ operations }: Uses): Readonly<Record<string, UsedOperation>> {
  return Object.fromEntries([...operations].map(([{ method, path }, used]) => [`${method} ${path}`, used]));
}

async function usesOf(traffic: readonly Sent[]) {
  const uses = createUses();
  await observeTraffic(traffic, { onUse: uses.note });
  return shown(uses);
}

const list = (query = '', status = 200): Sent => ({ request: `GET /boats${query}`, status, json: [] });
const add = (body: unknown, more: Partial<Sent> = {}): Sent => ({
  request: 'POST /boats',
  body,
  status: 201,
  json: { id: '1', name: 'Gull', kind: 'yawl' },
  ...more,
});

test('operations by method and path of the document, with values and statuses', async () => {
  const operations = await usesOf([
    list('?limit=20'),
    list(),
    { request: 'GET /boats/1', status: 200, json: { id: '1', name: 'Gull', kind: 'yawl' } },
    { request: 'GET /boats/none', status: 404, json: { title: 'none' } },
  ]);
  expect(operations).toEqual({
    'GET /boats': {
      query: { limit: { values: [20], sometimes: true } },
      unnamed: ['header authorization'],
      statuses: [200],
    },
    'GET /boats/{id}': {
      path: { id: { values: ['1', 'none'] } },
      unnamed: ['header authorization'],
      statuses: [200, 404],
    },
  });
});

test('a default is not sent, and what no operation of the service has is not used', async () => {
  const operations = await usesOf([list('?kind=yawl'), { request: 'GET /nothing', status: 404 }]);
  expect(Object.keys(operations)).toEqual(['GET /boats']);
  expect(operations['GET /boats']?.query).toEqual({ kind: { values: ['yawl'] } });
});

test('parameters that the document does not name, without their values', async () => {
  const operations = await usesOf([list('?kind=yawl&page=2')]);
  expect(operations['GET /boats']).toEqual({
    query: { kind: { values: ['yawl'] } },
    unnamed: ['query page', 'header authorization'],
    statuses: [200],
  });
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
  expect(shown(uses)['GET /boats']?.query).toEqual({
    kinds: { others: ['array'] },
    'kinds/-': { values: ['a', 'b'] },
    near: { others: ['object'] },
    'near/city': { values: ['Rome'] },
    'near/token': { others: ['string'] },
  });
  expect(JSON.stringify(shown(uses))).not.toContain('t-1234');
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
