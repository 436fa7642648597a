import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type Contract, loadContract } from './contract.ts';
import { placeOf } from './document/spot.ts';
import { contractOf, documentOf, schemaInUse } from './testing/contract-of.ts';

const ok = { 200: { description: 'Done' } };

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
])('the error names what cannot be read: %s', async (location, want) => {
  await expect(loadContract(location)).rejects.toThrow(want);
});

test('an anchor may have any number of aliases', async () => {
  const paths = Array.from({ length: 300 }, (_, index) => `  /p${index}: {get: {responses: *ok}}`);
  const text = ['openapi: 3.1.1', 'x-ok: &ok {"200": {description: Done}}', 'paths:', ...paths, ''].join(
    '\n',
  );
  const contract = await contractOf({ 'a.yaml': `\ufeff${text}` });
  expect(contract.operations).toHaveLength(300);
});

test('merge keys are applied, and unquoted statuses are statuses', async () => {
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

test('the document is deeply frozen', async () => {
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

test('OpenAPI 3.2 is read, and what is not supported of it is a warning', async () => {
  const fixture = new URL('../fixtures/documents/seeds-3.2.yaml', import.meta.url);
  const contract = await loadContract(fileURLToPath(fixture));
  expect(contract.operations.map(({ id, method }) => [id, method])).toEqual([
    ['listSeeds', 'GET'],
    ['findSeeds', 'QUERY'],
  ]);
  const [found] = contract.operations[1]?.responses ?? [];
  expect([...(found?.content[0]?.shape?.required.keys() ?? [])]).toEqual(['name']);
  expect(contract.warnings.map(({ line, message }) => [line, message])).toEqual([
    [23, '"additionalOperations" are not supported; they are ignored'],
    [11, '"querystring" is not supported, in which the parameter "all" is; it is ignored'],
  ]);
});

test('QUERY is no method before OpenAPI 3.2', async () => {
  const item = { get: { responses: {} }, query: { responses: {} } };
  const { operations } = await contractOf({ 'a.json': documentOf({ '/a': item }) });
  expect(operations.map(({ method }) => method)).toEqual(['GET']);
});

test('a document of webhooks alone has no operation, and says so', async () => {
  const post = { requestBody: { content: {} }, responses: {} };
  const { operations, resources, warnings } = await contractOf({
    'a.json': { openapi: '3.1.1', info: { title: 'A', version: '1' }, webhooks: { paid: { post } } },
  });
  expect([operations, resources]).toEqual([[], []]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'the document describes no operation under "paths"',
  ]);
});

test('a response that ends with its headers has no content, and a warning says so', async () => {
  const responses = { 204: { description: 'Gone', content: { 'application/json': { schema: {} } } } };
  const { operations, warnings } = await contractOf({
    'a.json': documentOf({ '/a': { delete: { responses } } }),
  });
  expect(operations[0]?.responses[0]?.content).toEqual([]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'a response with the status 204 has no content; what is documented is ignored',
  ]);
});

test.each(['3.0', '"3.0"', '3.1', '3.2'])('version %s is read with a warning', async (version) => {
  const lines = [`openapi: ${version}`, 'paths: {/a: {get: {parameters: [{name: a, in: query,'];
  const text = `${lines.join('\n')}\n  schema: {type: string, nullable: true}}], responses: {}}}}\n`;
  const { warnings, operations } = await contractOf({ 'a.yaml': text });
  expect(warnings).toMatchObject([{ line: 1, message: expect.stringContaining('it is read as 3.') }]);
  expect(operations[0]?.parameters[0]?.shape.nullable).toBe(version.includes('3.0'));
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
