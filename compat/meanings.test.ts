import { expect, test } from 'vitest';
import { compared } from './testing/compared.ts';
import { answered, type DocumentPair, documentOf, json, posted } from './testing/documents.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { ...number, readOnly: true }, name: text, shelf: number },
};
const query = (name: string, schema: object, more: object = {}) => ({ name, in: 'query', schema, ...more });
const things = (...parameters: object[]) =>
  documentOf({
    '/things': {
      get: {
        parameters,
        responses: { 200: { description: 'Things.', ...json({ type: 'array', items: thing }) } },
      },
      post: {
        requestBody: { required: true, ...json(thing) },
        responses: { 201: { description: 'Stored.', ...json(thing) } },
      },
    },
  });
const shelf = query('shelf', number);

test.for([
  ['a filter', things(shelf), things()],
  ['a filter of another name', things(shelf), things(query('shelfNumber', number))],
  ['a filter that has moved', things(shelf), things({ ...shelf, in: 'header' })],
  ['an order', things(query('sort', { ...text, enum: ['name', '-name'] })), things()],
  ['a page', things(query('offset', number), query('limit', number)), things(query('limit', number))],
  ['a search', things(query('q', text)), things()],
] as const)('a parameter that has a meaning, and is gone, is one break: %s', async ([, old, next]) => {
  const { exitCode, causes, changes = [] } = await compared([old, next]);
  expect({ exitCode, causes: causes.map(({ title }) => title), proof: changes[0]?.proof }).toEqual({
    exitCode: 1,
    causes: [expect.stringContaining('meaningful parameter removed')],
    proof: 'tried',
  });
});

test('the mock of OLD does what that of NEW does not', async () => {
  const { findings } = await compared([things(shelf), things()]);
  expect(findings).toMatchObject([
    { received: expect.stringContaining('as without it'), curl: expect.stringContaining('shelf=') },
  ]);
});

test('a parameter without a meaning is a warning', async () => {
  const { exitCode, warnings } = await compared([things(query('verbose', { type: 'boolean' })), things()]);
  expect({ exitCode, warnings }).toEqual({
    exitCode: 0,
    warnings: [expect.stringContaining('parameter removed')],
  });
});

const object = { type: 'object', properties: { name: text } };
const names = (propertyNames: object) => ({ type: 'object', propertyNames });

test.for([
  ['a request that is closed', posted(object), posted({ ...object, additionalProperties: false }), 1],
  ['a response that is closed', answered(object), answered({ ...object, additionalProperties: false }), 0],
  ['others of one type', posted(object), posted({ ...object, additionalProperties: text }), 1],
  ['names of members', posted(object), posted({ ...object, propertyNames: { pattern: '^[a-z]' } }), 1],
  ['shorter names', posted(names({ maxLength: 10 })), posted(names({ maxLength: 5 })), 1],
  ['names in a response', answered(names({ enum: ['a'] })), answered(names({ enum: ['a', 'b'] })), 1],
  [
    'the member of no name',
    posted({ ...object, required: [''] }),
    posted({ ...object, required: ['name'] }),
    1,
  ],
] as const)('members that no document names are members: %s', async ([, old, next, exitCode]) => {
  const pair: DocumentPair = [old, next];
  expect((await compared(pair)).exitCode).toBe(exitCode);
});
