import { expect, test } from 'vitest';
import type { Operation } from './operation.ts';
import { compileRoutes } from './routes.ts';

const PATHS = [
  '/things',
  '/things/{id}',
  '/things/mine',
  '/things/{id}/parts',
  '/{kind}/new/parts',
  '/files/{name}.json',
  '/spans/{from}..{to}',
  '/a+b/{x}',
  '/käse brot',
  '/käse brot/{x}',
  '/100%25',
  '/a%20b/{x}',
  '/acts:undo/{x}',
  '/jobs/{name}',
  '/jobs/{name}:stop',
];
const endpoints = PATHS.flatMap((path) =>
  (['GET', 'POST'] as const).map((method) => ({ operation: { path, method } as Operation })),
);
endpoints.push({ operation: { path: '/things/{thing}/parts', method: 'GET' } as Operation });
endpoints.push({ operation: { path: '/things/{thing}/parts', method: 'PUT' } as Operation });
const find = compileRoutes('/v1', endpoints);

test.each<[string, { path: string; values?: Record<string, string> } | undefined]>([
  ['/v1/things', { path: '/things' }],
  ['/v1/things/7', { path: '/things/{id}', values: { id: '7' } }],
  ['/v1/things/mine', { path: '/things/mine' }],
  ['/v1/jobs/7', { path: '/jobs/{name}', values: { name: '7' } }],
  ['/v1/jobs/7:stop', { path: '/jobs/{name}:stop', values: { name: '7' } }],
  ['/v1/things/7/parts', { path: '/things/{id}/parts', values: { id: '7', thing: '7' } }],
  ['/v1/things/new/parts', { path: '/things/{id}/parts', values: { id: 'new', thing: 'new' } }],
  ['/v1/others/new/parts', { path: '/{kind}/new/parts', values: { kind: 'others' } }],
  ['/v1/files/a.json', { path: '/files/{name}.json', values: { name: 'a' } }],
  ['/v1/files/a.jsonx', undefined],
  ['/v1/files/axjson', undefined],
  ['/v1/spans/1..2', { path: '/spans/{from}..{to}', values: { from: '1', to: '2' } }],
  ['/v1/a+b/1', { path: '/a+b/{x}', values: { x: '1' } }],
  ['/v1/aab/1', undefined],
  ['/v1/things/a%2Fb', { path: '/things/{id}', values: { id: 'a%2Fb' } }],
  ['/v1/things/%E4%BD%A0', { path: '/things/{id}', values: { id: '你' } }],
  ['/v1/%74hings', { path: '/things' }],
  ['/v1/%74hings/%37', { path: '/things/{id}', values: { id: '7' } }],
  ['/v1%2Fthings', undefined],
  ['/v1/things%2F7', undefined],
  ['/v1/things/a%2cb,%25c', { path: '/things/{id}', values: { id: 'a%2Cb,%25c' } }],
  ['/v1/things/%e9', { path: '/things/{id}', values: { id: '%e9' } }],
  ['/v1/k%C3%A4se%20brot', { path: '/käse brot' }],
  ['/v1/k%c3%a4se%20brot/%C3%A4', { path: '/käse brot/{x}', values: { x: 'ä' } }],
  ['/v1/käse brot/1', { path: '/käse brot/{x}', values: { x: '1' } }],
  ['/v1/100%25', { path: '/100%25' }],
  ['/v1/a%20b/1', { path: '/a%20b/{x}', values: { x: '1' } }],
  ['/v1/a%2Bb/1', { path: '/a+b/{x}', values: { x: '1' } }],
  ['/v1/acts%3aundo/1', { path: '/acts:undo/{x}', values: { x: '1' } }],
  ['/v1/files/a%2Ejson', { path: '/files/{name}.json', values: { name: 'a' } }],
  ['/v1/things/%zz', { path: '/things/{id}', values: { id: '%zz' } }],
  ['/v1/things/', undefined],
  ['/v1/things//parts', undefined],
  ['/v1/Things', undefined],
  ['/things', undefined],
  ['/v1', undefined],
  ['/v1/things/7/parts/', undefined],
])('%s', (path, want) => {
  const found = find(path);
  expect(found && { path: found.methods.get('POST')?.operation.path, values: found.path }).toEqual(
    want && { path: want.path, values: want.values ?? {} },
  );
});

test('templates that differ in names only are one path: each method has its own operation', () => {
  const methods = find('/v1/things/7/parts')?.methods;
  const paths = ['POST', 'PUT'].map((method) => methods?.get(method)?.operation.path);
  expect(paths).toEqual(['/things/{id}/parts', '/things/{thing}/parts']);
});
