import { expect, test } from 'vitest';
import { readContract, stringifyJson } from '#spec';
import type { Consumer } from './consumer.ts';
import { toPact } from './to-pact.ts';

/** The package's own declarations import each other without an extension, which TypeScript does not find. */
interface Comparing {
  readonly Comparator: new (
    openapi: object,
  ) => {
    compare(pact: object): AsyncIterable<Readonly<Record<'type' | 'code' | 'message', string>>>;
  };
}
const library: unknown = await import('@pactflow/openapi-pact-comparator');
const { Comparator } = library as Comparing;

const document = {
  openapi: '3.0.3',
  info: { title: 'Boats', version: '1' },
  paths: {
    '/boats': {
      get: {
        operationId: 'listBoats',
        parameters: [
          { name: 'kinds', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
        ],
        security: [{ token: [] }],
        responses: {
          200: {
            description: '',
            headers: { 'X-Total': { schema: { type: 'integer' } } },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['items'],
                  properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Boat' } } },
                },
              },
            },
          },
          401: { description: '' },
        },
      },
    },
    '/boats/{id}': {
      put: {
        operationId: 'replaceBoat',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name', 'password'],
                properties: { name: { type: 'string' }, password: { type: 'string', minLength: 8 } },
              },
            },
          },
        },
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Boat' } } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Boat: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'string' },
          name: { type: 'string' },
          note: { type: 'string' },
          'hull-no': { type: 'integer' },
        },
      },
    },
  },
};

const used: Consumer = {
  consumer: 'web',
  operations: {
    'GET /boats': {
      query: { kinds: { values: [] } },
      responses: {
        200: {
          reads: ['/items/-/name', '/items/-/hull-no', 'x-total'],
          request: { query: { kinds: ['a b', 'c'], limit: 9007199254740993n } },
        },
        401: {},
      },
    },
    'PUT /boats/{boatId}': {
      responses: { 200: { reads: [''], request: { path: { boatId: 'a/b' }, body: { name: 'Gull' } } } },
    },
    'GET /gone': { responses: { 200: {} } },
  },
};

test('an interaction for each operation and status, which a reader of Pact files finds in the document', async () => {
  const contract = await readContract(document, 'boats.yaml');
  const { pact, interactions, leftOut } = toPact(used, contract);
  expect({ interactions, leftOut }).toEqual({
    interactions: 3,
    leftOut: ['GET /gone: the document does not have it'],
  });
  const text = stringifyJson(pact);
  expect(text).toContain('"limit":["9007199254740993"]');
  const read = JSON.parse(text);
  expect(read.interactions).toMatchObject([
    {
      request: {
        method: 'GET',
        path: '/boats',
        query: { kinds: ['a b', 'c'] },
        headers: { Authorization: 'Bearer credential' },
      },
      response: {
        status: 200,
        headers: { 'x-total': expect.any(String) },
        body: { items: [{ name: expect.any(String), 'hull-no': expect.any(Number) }] },
        matchingRules: {
          header: { 'x-total': { matchers: [{ match: 'type' }], combine: 'AND' } },
          body: { '$.items': expect.anything(), "$.items[*]['hull-no']": expect.anything() },
        },
      },
    },
    { request: { method: 'GET', path: '/boats' }, response: { status: 401 } },
    {
      providerStates: [{ name: 'replaceBoat is answered with 200', params: { id: 'a/b' } }],
      request: {
        path: '/boats/a%2Fb',
        headers: { 'Content-Type': 'application/json' },
        body: { name: 'Gull', password: expect.stringMatching(/^.{8,}$/) },
      },
      response: { status: 200, body: { id: expect.any(String), name: expect.any(String) } },
    },
  ]);
  expect(read.interactions[1].request).not.toHaveProperty('headers');
  // What is read as a whole has no member that may be missing.
  expect(read.interactions[2].response.body).not.toHaveProperty('note');
  expect(await problemsOf(document, read)).toEqual([]);
});

test('the same reader finds what another document breaks', async () => {
  const { pact } = toPact(used, await readContract(document, 'boats.yaml'));
  const next = structuredClone(document) as typeof document & Record<string, never>;
  delete (next.components.schemas.Boat.properties as Partial<Record<string, object>>).name;
  next.paths['/boats'].get.parameters.length = 1;
  const problems = await problemsOf(next, JSON.parse(stringifyJson(pact)));
  expect(problems.length).toBeGreaterThan(0);
});

test('a request that is not known whole is left out, and a member that was not sent stays away', async () => {
  const contract = await readContract(document, 'boats.yaml');
  const responses = { 200: {} };
  const { interactions, leftOut } = toPact(
    { consumer: 'web', operations: { 'PUT /boats/{id}': { responses } } },
    contract,
  );
  expect(interactions).toBe(0);
  expect(leftOut).toEqual(['PUT /boats/{id} 200: the file has no "request" that got it']);
  const invalid = { 200: { request: { path: { id: 'a' }, body: { password: 'x' } } } };
  const { pact } = toPact(
    { consumer: 'web', operations: { 'PUT /boats/{id}': { responses: invalid } } },
    contract,
  );
  expect(JSON.parse(stringifyJson(pact)).interactions[0].request.body).toEqual({ password: 'x' });
});

async function problemsOf(openapi: object, pact: object): Promise<string[]> {
  const problems: string[] = [];
  for await (const one of new Comparator(structuredClone(openapi)).compare(pact))
    if (one.type === 'error') problems.push(`${one.code}: ${one.message}`);
  return problems;
}
