import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadContract } from './contract.ts';
import { type Operation, pathForm } from './operation.ts';
import { compileRoutes, withAnySlash } from './routes.ts';
import { naiveTemplate } from './testing/naive-routes.ts';

const at =
  (basePath: string) =>
  ({ operation: { path } }: { operation: Operation }) => ({ path, basePaths: [basePath] });

const PATHS = [
  '/things',
  '/things/{id}',
  '/things/mine',
  '/things/{id}/parts',
  '/{kind}/new/parts',
  '/files/{name}.json',
  '/spans/{from}..{to}',
  '/pairs/{one}{other}',
  '/pairs/{id}',
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
const find = compileRoutes(endpoints, at('/v1'));

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
  ['/v1/pairs/7', { path: '/pairs/{id}', values: { id: '7' } }],
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

test.each<[string, { base: string; path: string; methods: string[] } | undefined]>([
  ['/v1/things', { base: '/v1', path: '/things', methods: ['GET'] }],
  ['/v2/things', { base: '/v2', path: '/things', methods: ['GET'] }],
  ['/things', { base: '', path: '/things', methods: ['GET'] }],
  ['/v1/v2/things', { base: '/v1', path: '/v2/things', methods: ['PUT'] }],
  ['/v2/files', { base: '/v2', path: '/files', methods: ['POST'] }],
  ['/k%c3%a4se/files', { base: '/k%C3%A4se', path: '/files', methods: ['POST'] }],
  ['/v1/files', undefined],
  ['/v11/things', undefined],
])('%s is found below the longest base path that has it', (path, want) => {
  const places = [
    { path: '/things', method: 'GET', basePaths: ['/v1', '/v2', ''] },
    { path: '/v2/things', method: 'PUT', basePaths: ['/v1'] },
    { path: '/files', method: 'POST', basePaths: ['/v2', '/k%C3%A4se'] },
  ].map((operation) => ({ operation: operation as unknown as Operation }));
  const found = compileRoutes(places)(path);
  const [first] = found?.methods.values() ?? [];
  expect(
    found && { base: found.basePath, path: first?.operation.path, methods: [...found.methods.keys()] },
  ).toEqual(want);
});

test('of several base paths that one is taken whose path has the method', () => {
  const operations = [
    { path: '/a', method: 'GET', basePaths: ['/v1'] },
    { path: '/v1/a', method: 'PUT', basePaths: [''] },
  ].map((operation) => ({ operation: operation as unknown as Operation }));
  const route = compileRoutes(operations);
  expect(['GET', 'PUT', 'POST'].map((method) => route('/v1/a', method)?.basePath)).toEqual([
    '/v1',
    '',
    '/v1',
  ]);
});

test.each([
  ['/pets/', '/pets', 'left out'],
  ['/owners', '/owners/', 'added'],
  ['/owners/', '/owners/', undefined],
  ['/both', '/both', undefined],
  ['/both/', '/both/', undefined],
  ['/pets/7/', '/pets/{id}', 'left out'],
  ['/pets//', undefined, undefined],
  ['/', undefined, undefined],
])('with any slash %s is %s', (path, want, slash) => {
  const paths = ['/pets', '/owners/', '/both', '/both/', '/pets/{id}'];
  const operations = paths.map((one) => ({ operation: { path: one, method: 'GET' } as Operation }));
  const found = withAnySlash(compileRoutes(operations, at('')))(path);
  expect([found?.methods.get('GET')?.operation.path, found?.slash]).toEqual([want, slash]);
});

test('templates that differ in names only are one path: each method has its own operation', () => {
  const methods = find('/v1/things/7/parts')?.methods;
  const paths = ['POST', 'PUT'].map((method) => methods?.get(method)?.operation.path);
  expect(paths).toEqual(['/things/{id}/parts', '/things/{thing}/parts']);
});

describe('each document of fixtures/specs has the same routes as a search of all templates', () => {
  const folder = new URL('../fixtures/specs/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

  test.each([...files, '../../spec/openapi.yaml'])('%s', async (file) => {
    const { operations } = await loadContract(fileURLToPath(new URL(file, folder)));
    const templates = [...new Map(operations.map(({ path }) => [pathForm(path), path])).values()];
    const route = compileRoutes(
      templates.map((path) => ({ operation: { path, method: 'GET' } as Operation })),
      at(''),
    );
    const paths = templates.flatMap((template) => pathsLike(template, templates));
    const found = paths.map((path) => [path, route(path)?.methods.get('GET')?.operation.path]);
    expect(found).toEqual(paths.map((path) => [path, naiveTemplate(templates, path)]));
    const reached = new Set(found.map(([, template]) => template));
    expect(templates.filter((template) => !reached.has(template))).toEqual([]);
  });

  test('and so have templates of all forms', () => {
    const pieces = ['a', 'b', 'ab', '{}', '{}.{}', 'a{}', '{}a', '{}:a', 'a{}b'];
    const all = pieces.flatMap((one) => pieces.flatMap((two) => [`/${one}/${two}`, `/${one}/${two}/b`]));
    const templates = all.map((path) => path.replaceAll('{}', () => '{x}'));
    // Half of the templates, so that a branch that matches at first often fails later.
    for (const offset of [0, 1, 2]) {
      const some = templates.filter((_, index) => (index * 7 + offset) % 3 !== 0);
      const route = compileRoutes(
        some.map((path) => ({ operation: { path, method: 'GET' } as Operation })),
        at(''),
      );
      const texts = ['a', 'b', 'ab', 'aab', 'a.b', 'b:a', 'x', 'aba'];
      const paths = texts.flatMap((one) => texts.flatMap((two) => [`/${one}/${two}`, `/${one}/${two}/b`]));
      const found = paths.map((path) => [path, route(path)?.methods.get('GET')?.operation.path]);
      expect(found).toEqual(paths.map((path) => [path, naiveTemplate(some, path)]));
    }
  });
});

/** Paths of a template with values of all kinds, and similar paths that do not match. */
function pathsLike(template: string, templates: readonly string[]): string[] {
  const values = [
    '7',
    'a.b',
    '1..2',
    'x:stop',
    'new',
    '~-_',
    ...templates.flatMap((path) => path.split('/')),
  ];
  const texts = [...new Set(values)].filter((text) => text !== '' && !text.includes('{'));
  return texts.flatMap((text, index) => {
    const other = texts[(index + 1) % texts.length] as string;
    let turn = 0;
    const path = template.replace(/\{[^}]+\}/g, () => (turn++ % 2 === 0 ? text : other));
    const segments = path.split('/');
    const changed = segments.with(1 + (index % (segments.length - 1)), text).join('/');
    return [path, changed, `${path}/`, `${path}/${text}`, segments.slice(0, -1).join('/'), `/${text}${path}`];
  });
}
