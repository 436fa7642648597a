import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { contractWith } from '../testing/steps.ts';
import { invalidStatuses, ownerOf, roleOf, successStatuses } from './operation-role.ts';

test.each<
  [
    id: string,
    want: { action: string | undefined; path: string | undefined; success: number[]; invalid: number[] },
  ]
>([
  ['listPets', { action: 'list', path: '/pets', success: [200], invalid: [] }],
  ['createPet', { action: 'create', path: '/pets', success: [201], invalid: [400] }],
  ['acquireBook', { action: 'create', path: '/libraries/{libraryId}/books', success: [201], invalid: [422] }],
  ['amendBook', { action: 'update', path: '/libraries/{libraryId}/books', success: [200], invalid: [422] }],
  ['discardBook', { action: 'remove', path: '/libraries/{libraryId}/books', success: [204], invalid: [] }],
  ['replaceTool', { action: 'replace', path: '/tools', success: [200, 201], invalid: [400, 422] }],
  ['countTools', { action: undefined, path: undefined, success: [200], invalid: [] }],
])('%s', (id, want) => {
  const contract = contractWith(id);
  const operation = contract.operations.find((one) => one.id === id);
  if (!operation) throw new Error(id);
  const role = roleOf(contract, operation);
  expect({ action: role?.action, path: role?.resource.path }).toEqual({
    action: want.action,
    path: want.path,
  });
  expect(successStatuses(operation)).toEqual(want.success);
  expect(invalidStatuses(operation)).toEqual(want.invalid);
});

test.each([
  ['libraryId', '/libraries'],
  ['bookId', '/libraries/{libraryId}/books'],
  ['shelfId', undefined],
])('{%s} names a record of %s', (name, path) => {
  const contract = contractWith('amendBook');
  const [book] = contract.operations.filter((one) => one.path.endsWith('/{bookId}'));
  if (!book) throw new Error('there is no book');
  expect(ownerOf(contract, book, name)?.path).toBe(path);
});

test('a parameter names a record by its place in the path, under whatever name', () => {
  const contract = contractWith('amendBook');
  const [books] = contract.operations.filter((one) => one.path.endsWith('/books'));
  if (!books) throw new Error('there are no books');
  const renamed = { ...books, path: books.path.replace('{libraryId}', '{id}') };
  expect(ownerOf(contract, renamed, 'id')?.path).toBe('/libraries');
  expect(ownerOf(contract, { ...renamed, path: '/shops/{id}/books' }, 'id')).toBeUndefined();
});

test('a parameter that is one of a few names no record, where it bears the name of another member', async () => {
  const text = { type: 'string' };
  const record = { type: 'object', required: ['id'], properties: { id: text, scope: text } };
  const get = (schema: object) => ({
    responses: { 200: { description: 'It', content: { 'application/json': { schema } } } },
  });
  const named = (name: string, schema: object) => ({ name, in: 'path', required: true, schema });
  const below = (scope: object) => ({ parameters: [named('scope', scope)], get: get({ type: 'object' }) });
  const paths = {
    '/templates': { get: get({ type: 'array', items: record }) },
    '/templates/{id}': { parameters: [named('id', text)], get: get(record) },
    '/templates/{scope}/schema': below({ ...text, enum: ['global', 'local'] }),
    '/templates/{scope}/newest': below(text),
  };
  const contract = await readContract(
    { openapi: '3.1.1', info: { title: '', version: '' }, paths },
    'a.json',
  );
  const owners = contract.operations.map((one) => [one.path, ownerOf(contract, one, 'scope')?.path]);
  expect(Object.fromEntries(owners)).toMatchObject({
    '/templates/{scope}/schema': undefined,
    '/templates/{scope}/newest': '/templates',
  });
});
