import { expect, test } from 'vitest';
import { compileContract } from '../contract.ts';
import { readDocument } from '../document/create-document.ts';

const text = { type: 'string' };
const takes = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });
const done = { responses: { 200: { description: '' } } };
const made = { responses: { 201: { description: '' } } };
const VINE = { type: 'object', required: ['grape'], properties: { grape: text, password: text } };
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'number' } }];
const ITEM = {
  parameters: id,
  get: done,
  patch: { ...takes({ ...VINE, required: [] }), ...done },
  delete: done,
};

async function resourcesOf(paths: object, presumeResponses = true) {
  const document = readDocument(
    { openapi: '3.0.3', info: { title: 't', version: '1' }, paths },
    'vines.json',
  );
  const { resources } = await compileContract(document, { presumeResponses });
  return resources.map(({ path, actions, id: identity, shape }) => ({
    path,
    actions: Object.keys(actions).sort(),
    id: identity && `${identity.property}: ${identity.shape.mainType}`,
    hidden: [...shape.properties].flatMap(([name, member]) => (member.writeOnly ? [name] : [])),
  }));
}

const VINES = {
  path: '/vines',
  actions: ['create', 'list', 'read', 'remove', 'update'],
  id: 'id: integer',
  hidden: ['password'],
};

test.each<[title: string, given: object, want: object[]]>([
  [
    'at its own path',
    { '/vines': { get: done, post: { ...takes(VINE), ...made } }, '/vines/{id}': ITEM },
    [VINES],
  ],
  [
    'with an id of its own',
    {
      '/vines': {
        get: done,
        post: { ...takes({ properties: { ...VINE.properties, vineId: text } }), ...made },
      },
      '/vines/{id}': ITEM,
    },
    [{ ...VINES, id: 'vineId: string' }],
  ],
  [
    'by a verb in a path',
    { '/vines': { get: done }, '/vines/add': { post: { ...takes(VINE), ...made } }, '/vines/{id}': ITEM },
    [VINES],
  ],
  [
    'that of a change does, where POST takes other members',
    {
      '/vines': { get: done, post: { ...takes({ type: 'object', properties: { page: text } }), ...done } },
      '/vines/{id}': ITEM,
    },
    [VINES],
  ],
  [
    'not where the document describes a response',
    {
      '/vines': {
        get: { responses: { 200: { description: '', content: { 'text/csv': {} } } } },
        post: { ...takes(VINE), ...made },
      },
      '/vines/{id}': ITEM,
    },
    [],
  ],
  ['not without items', { '/vines': { get: done, post: { ...takes(VINE), ...made } } }, []],
])('the body of a create serves as the record: %s', async (_, given, want) => {
  expect(await resourcesOf(given)).toEqual(want);
});

test('nothing is presumed for who judges', async () => {
  const paths = { '/vines': { get: done, post: { ...takes(VINE), ...made } }, '/vines/{id}': ITEM };
  expect(await resourcesOf(paths, false)).toEqual([]);
});
