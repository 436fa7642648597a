import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Contract, loadContract } from './contract.ts';
import { placeOf } from './document/spot.ts';
import { contractOf, documentOf, problemsOf, schemaInUse } from './testing/contract-of.ts';

const ok = { 200: { description: 'Done' } };

const NULLABLE = { type: 'string', nullable: true };
const REFERENCE = { $ref: '#/components/schemas/Text', maxLength: 1, nullable: true };
const FLAGGED = { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false };

const VERSIONS: [name: string, openapi: string, schema: object, fits: unknown[], breaks: unknown[]][] = [
  ['nullable widens the type in 3.0', '3.0.3', NULLABLE, ['x', null], [1]],
  ['nullable means nothing in 3.1', '3.1.0', NULLABLE, ['x'], [1, null]],
  ['nullable without a type means nothing', '3.0.3', { nullable: true, enum: ['a'] }, ['a'], [null]],
  ['what stands beside a $ref is ignored in 3.0', '3.0.3', REFERENCE, ['x', 'xx'], [1, null]],
  ['what stands beside a $ref counts in 3.1', '3.1.0', REFERENCE, ['x'], ['xx', null]],
  ['an excluded bound is a flag in 3.0', '3.0.3', FLAGGED, [1.5, 2], [1, 3]],
  ['an excluded bound is a number in 3.1', '3.1.0', { exclusiveMinimum: 1 }, [1.5], [1]],
  ['several types in 3.1', '3.1.0', { type: ['integer', 'null'] }, [1, null], ['x', 1.5]],
];

describe('a schema follows its version of OpenAPI', () => {
  test.each(VERSIONS)('%s', async (_name, openapi, schema, fits, breaks) => {
    const { validate } = await schemaInUse(schema, { openapi, others: { Text: { type: 'string' } } });
    expect(fits.filter((value) => validate(value).length > 0)).toEqual([]);
    expect(breaks.filter((value) => validate(value).length === 0)).toEqual([]);
  });
});

test('readOnly members count in answers only, writeOnly members in requests only', async () => {
  const secret = { type: 'string', writeOnly: true };
  const schema = {
    allOf: [{ required: ['id', 'secret', 'name'] }, { $ref: '#/components/schemas/Record' }],
    unknown: 1,
  };
  const Record = {
    properties: { id: { type: 'integer', readOnly: true }, secret, name: { type: 'string' } },
    additionalProperties: false,
  };
  const request = await schemaInUse(schema, { others: { Record } });
  const response = await schemaInUse(schema, { others: { Record }, direction: 'response' });
  expect(request.validate({ secret: 's', name: 'n' })).toEqual([]);
  expect(request.validate({ id: 'ignored', secret: 's', name: 'n' })).toEqual([]);
  expect(request.validate({ id: 1, name: 'n' }).map(({ pointer }) => pointer)).toEqual(['/secret']);
  expect(response.validate({ id: 1, name: 'n' })).toEqual([]);
  expect(response.validate({ secret: 5, name: 'n' }).map(({ pointer }) => pointer)).toEqual(['/id']);
});

test("an operation's parameters override the path's, and its security the document's", async () => {
  const parameter = (type: string, place = 'query') => ({ name: 'q', in: place, schema: { type } });
  const bearer = { type: 'http', scheme: 'Bearer' };
  const contract = await contractOf({
    'a.json': documentOf(
      {
        '/a': {
          parameters: [parameter('string'), parameter('string', 'header')],
          get: { parameters: [{ $ref: '#/components/parameters/q' }], responses: ok },
          post: { security: [], responses: ok },
          put: { security: [{}, { key: [], bearer: [] }], responses: ok },
        },
      },
      {
        security: [{ bearer: [] }],
        components: {
          parameters: { q: parameter('integer') },
          securitySchemes: { bearer, key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
        },
      },
    ),
  });
  const [get, put, post] = contract.operations;
  expect(get?.parameters.map(({ in: place, shape }) => [place, shape.mainType])).toEqual([
    ['query', 'integer'],
    ['header', 'string'],
  ]);
  expect(get?.security.map((each) => each.map(({ kind, name }) => [kind, name]))).toEqual([
    [['bearer', 'authorization']],
  ]);
  expect(post?.security).toEqual([]);
  expect(put?.security.map((each) => each.map(({ name }) => name))).toEqual([[], ['x-key', 'authorization']]);
});

const SERVERS: [name: string, servers: unknown[] | undefined, want: [url: string, basePath: string]][] = [
  ['none', undefined, ['/', '']],
  ['a URL', [{ url: 'https://example.com/v1/' }, { url: '/other' }], ['https://example.com/v1/', '/v1']],
  ['a path', [{ url: '/api/v2' }], ['/api/v2', '/api/v2']],
  [
    'variables',
    [
      {
        url: '{scheme}://{host}:{port}/{base}',
        variables: {
          ...{ scheme: { default: 'https', enum: ['http', 'https'] }, host: { default: 'example.com' } },
          ...{ port: { default: '8443' }, base: { default: 'v3' } },
        },
      },
    ],
    ['https://example.com:8443/v3', '/v3'],
  ],
];

test.each(SERVERS)('the first server gives the base path: %s', async (_name, servers, [url, basePath]) => {
  const contract = await contractOf({
    'a.json': documentOf({ '/a': { get: { responses: ok } } }, { servers }),
  });
  expect(contract.servers[0]?.url).toBe(url);
  expect(contract.basePath).toBe(basePath);
});

const FILES = {
  'openapi.yaml': [
    'openapi: 3.1.1',
    'info: {title: In parts, version: "1"}',
    'paths:',
    '  /things: {$ref: "paths.json#/~1things"}',
    '',
  ].join('\n'),
  'paths.json': {
    '/things': {
      get: {
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { $ref: 'schemas.yaml#/Things' } } },
          },
        },
      },
    },
  },
  'schemas.yaml': [
    'Things: {type: array, items: {$ref: "#/Thing"}}',
    'Thing:',
    '  type: object',
    '  properties:',
    '    name: {type: string, default: {$ref: no-reference.yaml}, examples: [{$ref: nor-this.yaml}]}',
    '    parent: {$ref: "schemas.yaml#/Thing"}',
    '',
  ].join('\n'),
};

function expectParts(contract: Contract): void {
  const [operation] = contract.operations;
  const schema = operation?.responses[0]?.content[0]?.schema;
  if (!schema) throw new Error('the schema was not found');
  const [violation, ...more] = contract.validators.compile(schema, 'response')([{ parent: { name: 7 } }]);
  expect(more).toEqual([]);
  expect(violation).toMatchObject({ pointer: '/0/parent/name', keyword: 'type' });
  expect(violation?.at).toMatchObject({ line: 5, column: 12, uri: expect.stringMatching(/schemas\.yaml$/) });
}

test('a document in several files, YAML and JSON, with recursion', async () => {
  expectParts(await contractOf(FILES));
});

test('a document behind a URL, its other files beside it', async () => {
  const files: Record<string, unknown> = FILES;
  const server = createServer((request, response) => {
    const content = files[(request.url ?? '').slice(1)];
    response.statusCode = content === undefined ? 404 : 200;
    response.end(typeof content === 'string' ? content : JSON.stringify(content ?? ''));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const base = `http://127.0.0.1:${port}`;
  const contract = await loadContract(`${base}/openapi.yaml`);
  expectParts(contract);
  expect(placeOf(contract.document.root)).toEqual({ uri: `${base}/openapi.yaml`, line: 1, column: 1 });
  await expect(loadContract(`${base}/none.yaml`)).rejects.toThrow(
    `${base}/none.yaml:1:1: cannot read ${base}/none.yaml: the server answers 404`,
  );
});

test.each([
  ['no-such-file.yaml', /no-such-file\.yaml:1:1: cannot read no-such-file\.yaml: there is no such file$/],
  ['spec', /spec:1:1: cannot read spec: it is a directory$/],
])('what cannot be read is named: %s', async (location, want) => {
  await expect(loadContract(location)).rejects.toThrow(want);
});

test('an anchor may be used as often as one likes', async () => {
  const paths = Array.from({ length: 300 }, (_, index) => `  /p${index}: {get: {responses: *ok}}`);
  const text = ['openapi: 3.1.1', 'x-ok: &ok {"200": {description: Done}}', 'paths:', ...paths, ''].join(
    '\n',
  );
  const contract = await contractOf({ 'a.yaml': `\ufeff${text}` });
  expect(contract.operations).toHaveLength(300);
});

test('what is merged in counts, and unquoted statuses are statuses', async () => {
  const text = [
    'openapi: 3.0.0',
    'x-base: &base',
    '  responses: {200: {description: Done}, 4XX: {description: Refused}, default: {description: Other}}',
    'paths:',
    '  /a: {get: {<<: *base, operationId: getA}}',
    '',
  ].join('\n');
  const [operation] = (await contractOf({ 'a.yaml': text })).operations;
  expect(operation?.id).toBe('getA');
  expect(operation?.responses.map(({ key }) => key)).toEqual(['200', '4XX', 'default']);
});

test('3.1 lets an operation go without responses, 3.0 does not', async () => {
  const paths = { '/a': { get: {} } };
  const contract = await contractOf({ 'a.json': documentOf(paths) });
  expect(contract.operations.map(({ id, responses }) => [id, responses])).toEqual([['GET /a', []]]);
  expect(await problemsOf({ 'a.json': documentOf(paths, { openapi: '3.0.3' }) })).toHaveLength(1);
});

test('the document is frozen through and through', async () => {
  const contract = await contractOf({ 'a.json': documentOf({ '/a': { get: { responses: ok } } }) });
  const thawed: unknown[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if (!Object.isFrozen(value)) thawed.push(value);
    Object.values(value).forEach(visit);
  };
  visit(contract.document.root.value);
  expect(thawed).toEqual([]);
  expect(Object.isFrozen(contract)).toBe(true);
});

test('two contracts share nothing', async () => {
  const strict = await schemaInUse({ $ref: '#/components/schemas/X' }, { others: { X: { type: 'string' } } });
  const loose = await schemaInUse({ $ref: '#/components/schemas/X' }, { others: { X: {} } });
  expect(strict.validate(1)).toHaveLength(1);
  expect(loose.validate(1)).toEqual([]);
});
