import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { type Contract, loadContract } from '../contract.ts';
import { decodeParameter } from '../decode-parameter.ts';
import { placeOf } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import { encodeParameter } from '../parameter-style.ts';
import { contractOf, problemsOf } from '../testing/contract-of.ts';

const FIXTURE = fileURLToPath(new URL('../../fixtures/documents/allotments-swagger.yaml', import.meta.url));
let text: string;
let contract: Contract;

beforeAll(async () => {
  text = await readFile(FIXTURE, 'utf8');
  contract = await loadContract(FIXTURE);
});

const operation = (id: string) => contract.operations.find((each) => each.id === id) as Operation;
const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

test('title, servers and a warning', () => {
  expect([contract.title, contract.version, contract.basePath]).toEqual(['Allotments', '1.4.0', '/api']);
  expect(contract.servers.map(({ url }) => url)).toEqual([
    'https://allotments.example/api',
    'http://allotments.example/api',
  ]);
  expect(contract.warnings).toMatchObject([
    { line: 2, message: 'this is Swagger 2.0, which is read as OpenAPI 3.0' },
    { line: 64, message: 'the discriminator "kind" of Swagger 2.0 is not enforced' },
  ]);
});

test('parameters have schemas and styles', () => {
  const shown = (id: string) =>
    operation(id).parameters.map((each) => [each.name, each.shape.mainType, each.style, each.explode]);
  expect(shown('listPlots')).toEqual([
    ['tags', 'array', 'form', true],
    ['sizes', 'array', 'pipeDelimited', false],
  ]);
  expect(shown('readPlot')).toEqual([['plotId', 'integer', 'simple', false]]);
});

test('bodies and forms are request bodies', () => {
  expect(operation('addPlot').body).toMatchObject({
    required: true,
    content: [{ type: 'application/json' }],
  });
  const [form] = operation('addPhoto').body?.content ?? [];
  expect(form?.type).toBe('multipart/form-data');
  expect([...(form?.shape?.properties ?? [])].map(([name, { mainType }]) => [name, mainType])).toEqual([
    ['photo', 'string'],
    ['caption', 'string'],
  ]);
  expect([...(form?.shape?.required.keys() ?? [])]).toEqual(['photo']);
});

test('responses have content, headers and examples', () => {
  const [ok, refused] = operation('listPlots').responses;
  expect(ok?.headers.map(({ name }) => name)).toEqual(['x-total']);
  expect([...(ok?.content[0]?.examples ?? [])]).toEqual([['example', [{ id: 1, owner: 'Kim' }]]]);
  expect([refused?.key, refused?.content[0]?.shape?.properties.has('message')]).toEqual(['default', true]);
  expect(operation('readPlot').responses[0]?.content.map(({ type }) => type)).toEqual([
    'application/vnd.plot+json',
    'text/plain',
  ]);
});

test('security schemes', () => {
  const kinds = (id: string) => operation(id).security.map((each) => each.map(({ kind }) => kind));
  expect(kinds('listPlots')).toEqual([['apiKey']]);
  expect(kinds('addPlot')).toEqual([['basic'], ['bearer']]);
});

test('values are validated by the converted schemas, and places are those of the document', () => {
  const [media] = operation('readPlot').responses[0]?.content ?? [];
  const validate = contract.validators.compile(media?.schema as never, 'response');
  expect(validate({ id: 2n ** 63n - 1n, owner: null, area: 0.5 })).toEqual([]);
  const violations = validate({ id: 2n ** 63n, owner: 1, area: 0 });
  expect(Object.fromEntries(violations.map(({ pointer, at }) => [pointer, at.line]))).toEqual({
    '/id': lineOf('id: {type: integer'),
    '/owner': lineOf('owner: {'),
    '/area': lineOf('area: {'),
  });
  const [tags] = operation('listPlots').parameters;
  expect(placeOf(tags?.spot as never).line).toBe(lineOf('tags: {name'));
  expect(placeOf(operation('addPlot').body?.spot as never).line).toBe(lineOf('- {name: plot,'));
});

test('resources are found as in OpenAPI 3', () => {
  expect(contract.resources.map(({ path, actions }) => [path, Object.keys(actions)])).toEqual([
    ['/plots', ['list', 'create', 'read']],
  ]);
});

test('a form without media type has one by its fields; a strict reader refuses Swagger', async () => {
  const field = (type: string) => ({ name: 'a', in: 'formData', type });
  const post = (type: string) => ({ post: { parameters: [field(type)], responses: {} } });
  const document = { swagger: '2.0', paths: { '/a': post('string'), '/b': post('file') } };
  const { operations } = await contractOf({ 'a.json': document });
  expect(operations.map(({ body }) => body?.content.map(({ type }) => type))).toEqual([
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data'],
  ]);
  expect(await problemsOf({ 'a.json': document })).toHaveLength(1);
});

test('references of another file lead where they led there', async () => {
  const { operations, warnings } = await contractOf({
    'a.json': {
      swagger: '2.0',
      paths: { '/a': { $ref: 'paths.json#/a' } },
      definitions: { A: { type: 'integer' } },
    },
    'paths.json': {
      a: { get: { responses: { 200: { $ref: '#/ok' } } } },
      ok: {
        description: '',
        schema: { properties: { b: { $ref: '#/b' }, a: { $ref: 'a.json#/definitions/A' } } },
      },
      b: { type: 'string' },
    },
  });
  const { properties } = operations[0]?.responses[0]?.content[0]?.shape ?? {};
  expect([...(properties ?? [])].map(([name, { mainType }]) => [name, mainType])).toEqual([
    ['b', 'string'],
    ['a', 'integer'],
  ]);
  expect(warnings).toHaveLength(1);
});

test('what the conversion loses is a warning with its line', async () => {
  const lossy = `swagger: "2.0"
info: {title: A service, version: "1"}
paths:
  /a:
    x-own: kept
    post:
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - {name: tabs, in: query, type: array, items: {type: string}, collectionFormat: tabs}
        - {name: list, in: formData, type: array, items: {type: string}, collectionFormat: multi}
      responses: {"200": {description: Done}}
    put:
      parameters:
        - {name: body, in: body, schema: {$ref: '#/definitions/Pet'}}
        - {name: field, in: formData, type: string}
      responses: {"200": {description: Done}}
definitions:
  Pet:
    discriminator: kind
    properties: {kind: {type: string}}
`;
  const { warnings, document } = await contractOf({ 'a.yaml': lossy });
  expect(warnings.slice(1).map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '15: an operation of Swagger 2.0 has one body, and no form beside it; this is ignored',
    '9: the collectionFormat "tabs" is none here; it is read as csv',
    '19: the discriminator "kind" of Swagger 2.0 is not enforced',
  ]);
  expect(document.root.value).toMatchObject({
    paths: {
      '/a': {
        'x-own': 'kept',
        post: {
          requestBody: {
            content: {
              'application/x-www-form-urlencoded': { encoding: { list: { style: 'form', explode: true } } },
            },
          },
        },
      },
    },
  });
});

const ITEMS = { type: 'array', items: { type: 'integer' } };

test.each<[place: string, format: string | undefined, items: object, value: unknown[], texts: string[]]>([
  ['query', 'pipes', { ...ITEMS, collectionFormat: 'csv' }, [[1, 2], [3]], ['1,2%7C3']],
  ['query', 'multi', ITEMS, [[1, 2], [3]], ['1,2', '3']],
  ['query', 'tsv', { ...ITEMS, collectionFormat: 'ssv' }, [[1, 2], [3]], ['1%202%093']],
  ['query', undefined, { ...ITEMS, collectionFormat: 'pipes' }, [[1, 2], [3]], ['1%7C2,3']],
  [
    'query',
    'pipes',
    { type: 'array', items: ITEMS, collectionFormat: 'ssv' },
    [[[1, 2], [3]], [[4]]],
    ['1,2%203%7C4'],
  ],
  ['query', 'tsv', { type: 'string' }, ['a b', 'c'], ['a%20b%09c']],
  ['header', 'pipes', ITEMS, [[1, 2], [3]], ['1,2|3']],
])('a list in %s, %s, of %j', async (place, collectionFormat, items, value, texts) => {
  const described = {
    name: 'p',
    in: place,
    type: 'array',
    items,
    ...(collectionFormat && { collectionFormat }),
  };
  const get = { parameters: [described], responses: { 200: { description: 'Done' } } };
  const info = { title: 'A service', version: '1' };
  const { operations } = await contractOf({ 'a.json': { swagger: '2.0', info, paths: { '/a': { get } } } });
  const [parameter] = operations[0]?.parameters ?? [];
  expect(parameter && encodeParameter(parameter, value)).toEqual(texts);
  expect(parameter && decodeParameter(parameter, texts)).toEqual(value);
});
