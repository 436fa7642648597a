import { expect, test } from 'vitest';
import type { Operation, ReferenceModel } from './model.ts';
import { parametersOf, requestOf } from './request.ts';

const model = {
  root: { components: { parameters: { shared: { name: 'id', in: 'path' } } } },
} as unknown as ReferenceModel;

const array = { type: 'array', items: { type: 'string' } };
const object = { type: 'object' };

/** The URL of a request with one parameter. */
function urlWith(parameter: object, text: string, path = '/a'): string {
  const operation = { method: 'GET', path, security: [], written: { parameters: [parameter] }, item: {} };
  const parameters = parametersOf(model, operation as unknown as Operation);
  const [first] = parameters;
  const draft = { parameters: { [first?.key ?? '']: text }, body: '', type: '', credential: -1 };
  return requestOf(model, operation as unknown as Operation, parameters, draft, '', 'k').url;
}

/** OpenAPI 3.1 §4.8.12.4: the examples of its table. */
const STYLES: readonly (readonly [title: string, parameter: object, text: string, url: string])[] = [
  ['form', { in: 'query', schema: array }, 'blue, black', '/a?color=blue&color=black'],
  [
    'form, not exploded',
    { in: 'query', explode: false, schema: array },
    '["blue","black"]',
    '/a?color=blue%2Cblack',
  ],
  ['form of an object', { in: 'query', schema: object }, '{"R":100,"G":200}', '/a?R=100&G=200'],
  [
    'pipeDelimited',
    { in: 'query', style: 'pipeDelimited', schema: array },
    'blue,black',
    '/a?color=blue%7Cblack',
  ],
  ['deepObject', { in: 'query', style: 'deepObject', schema: object }, '{"R":100}', '/a?color%5BR%5D=100'],
  ['a text with a comma', { in: 'query', schema: { type: 'string' } }, 'a,b', '/a?color=a%2Cb'],
  [
    'JSON in a query',
    { in: 'query', content: { 'application/json': { schema: object } } },
    '{"a":1}',
    '/a?color=%7B%22a%22%3A1%7D',
  ],
  [
    'an integer beyond 2^53',
    { in: 'query', schema: object },
    '{"n":9007199254740993}',
    '/a?n=9007199254740993',
  ],
];

for (const [title, parameter, text, url] of STYLES)
  test(`query: ${title}`, () => expect(urlWith({ name: 'color', ...parameter }, text)).toBe(url));

const PATHS: readonly (readonly [title: string, parameter: object, text: string, url: string])[] = [
  ['simple', { schema: array }, 'blue,black', '/a/blue,black'],
  ['simple with a slash', { schema: { type: 'string' } }, 'a/b', '/a/a%2Fb'],
  ['label', { style: 'label', explode: true, schema: array }, 'blue,black', '/a/.blue.black'],
  ['matrix', { style: 'matrix', schema: array }, 'blue,black', '/a/;color=blue,black'],
  [
    'matrix, exploded',
    { style: 'matrix', explode: true, schema: array },
    'blue,black',
    '/a/;color=blue;color=black',
  ],
];

for (const [title, parameter, text, url] of PATHS)
  test(`path: ${title}`, () =>
    expect(urlWith({ name: 'color', in: 'path', ...parameter }, text, '/a/{color}')).toBe(url));

test('a parameter of the operation replaces that of its path, and references are followed', () => {
  const operation = {
    written: { parameters: [{ name: 'x', in: 'query', required: true }] },
    item: { parameters: [{ name: 'x', in: 'query' }, { $ref: '#/components/parameters/shared' }] },
  } as unknown as Operation;
  const found = parametersOf(model, operation).map(({ key, required }) => [key, required]);
  expect(found).toEqual([
    ['query.x', true],
    ['path.id', true],
  ]);
});

test('each credential of an alternative is sent where it belongs', () => {
  const security = [
    [
      { scheme: 'a', kind: 'apiKey', in: 'query', name: 'key' },
      { scheme: 'b', kind: 'apiKey', in: 'header', name: 'X-Key' },
      { scheme: 'c', kind: 'apiKey', in: 'cookie', name: 'crumb' },
    ],
  ];
  const operation = { method: 'GET', path: '/a', security, written: {}, item: {} } as unknown as Operation;
  const draft = { parameters: {}, body: '', type: '', credential: 0 };
  expect(requestOf(model, operation, [], draft, '/v1', 'k')).toEqual({
    ...{
      method: 'GET',
      url: '/v1/a?key=k',
      headers: [['X-Key', 'k']],
      cookies: [['crumb', 'k']],
      body: undefined,
    },
  });
});
