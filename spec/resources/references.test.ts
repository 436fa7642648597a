import { expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { memberShape } from './record-schema.ts';
import { collectionNamed, expandableMembers, idsBeside, referencesOf } from './references.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const uuid = { type: 'string', format: 'uuid' };
const integer = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const collection = (path: string, name: string, type: object) => ({
  [path]: { get: { responses: { 200: { description: '', ...json({ type: 'array', items: ref(name) }) } } } },
  [`${path}/{id}`]: {
    parameters: [{ name: 'id', in: 'path', required: true, schema: type }],
    get: { responses: { 200: { description: '', ...json(ref(name)) } } },
  },
});

/** The collections of people, pages, users, and notes with these members. */
async function resourcesWith(members: object) {
  const { resources } = await contractOf({
    'openapi.json': documentOf(
      {
        ...collection('/people', 'Person', uuid),
        ...collection('/pages', 'Page', integer),
        ...collection('/users', 'User', integer),
        ...collection('/notes', 'Note', integer),
      },
      {
        components: {
          schemas: {
            Person: object({ id: uuid, code: text, name: text }),
            Page: object({ id: integer, uuid, title: text }),
            User: object({ id: integer, name: text }),
            Note: object({ id: integer, ...members }),
          },
        },
      },
    ),
  });
  const note = resources.find(({ path }) => path === '/notes');
  return { resources, shape: note?.shape as NonNullable<typeof note>['shape'] };
}

test.each<[string, object, string[]]>([
  [
    'an id with the name of its records',
    { personId: uuid, page_id: integer },
    ['personId: /people (name)', 'page_id: /pages (name)'],
  ],
  ['ids of several', { page_ids: { type: 'array', items: integer } }, ['page_ids: /pages (name)']],
  ['an id that may be null', { page_id: { anyOf: [integer, { type: 'null' }] } }, ['page_id: /pages (name)']],
  ['a name written as one word', { pageid: integer }, ['pageid: /pages (name)']],
  ['no other type, format or choice', { person_id: integer, page_id: { type: 'integer', enum: [1] } }, []],
  ['no word that ends so by chance', { paid: integer, rage: integer }, []],
  [
    'a text of the format of their ids, called as one of them',
    { person: uuid },
    ['person: /people (name, schema)'],
  ],
  ['a number called as one of them', { page: integer }, ['page: /pages (name)']],
  ['an object with the schema of the records', { editor: ref('Person') }, ['editor: /people (schema)']],
  ['an object with their name', { page: object({ id: integer }) }, ['page: /pages (name)']],
  [
    'an id beside such an object',
    { editor: ref('Person'), editor_id: uuid },
    ['editor: /people (schema)', 'editor_id: /people (name, schema)'],
  ],
  ['a number that refers to one of them', { page_ref: integer }, ['page_ref: /pages (name)']],
  ['no text that refers to something', { page_reference: text }, []],
  [
    'a user, by what the user does',
    { author: object({ id: integer }), assignee_id: integer, created_by: integer },
    ['author: /users (name)', 'assignee_id: /users (name)', 'created_by: /users (name)'],
  ],
  ['an id with words before their noun', { home_page_id: integer }, ['home_page_id: /pages (name)']],
  ['no user by a text, or without the id', { created_by: text, author: object({ name: text }) }, []],
  ['another word for a user as no second sign', { author: ref('User') }, ['author: /users (schema)']],
])('%s', async (_, members, want) => {
  const { resources, shape } = await resourcesWith(members);
  const found = referencesOf(shape, resources);
  expect(found.map(({ property, to, signs }) => `${property}: ${to.path} (${signs?.join(', ')})`)).toEqual(
    want,
  );
});

test('a member that may hold an id or the record itself names one of its collection', async () => {
  const { resources, shape } = await resourcesWith({
    writer: { oneOf: [uuid, ref('Person')] },
    readers: { type: 'array', items: { anyOf: [uuid, ref('Person')] } },
    cover: { oneOf: [text, object({ id: integer })] },
    page: { oneOf: [object({ title: text }), ref('Page')] },
  });
  const found = expandableMembers(shape, resources).map(({ property, to }) => `${property}: ${to.path}`);
  expect(found).toEqual(['writer: /people', 'readers: /people']);
});

test('an id is that of the object beside it, and ids those of the objects', async () => {
  const tags = { type: 'array', items: object({ id: integer }) };
  const { shape } = await resourcesWith({
    ...{ buyer: object({ id: uuid }), buyer_id: uuid, tags, tag_ids: { type: 'array', items: integer } },
    ...{ size: object({ width: integer }), size_id: integer },
  });
  expect(idsBeside(shape)).toEqual([
    { property: 'buyer_id', beside: 'buyer', id: 'id' },
    { property: 'tag_ids', beside: 'tags', id: 'id' },
  ]);
  expect(memberShape(shape, 'size_id')).toBeDefined();
});

test('a name is that of ids of a collection', async () => {
  const { resources } = await resourcesWith({});
  expect(
    ['personId', 'pageid', 'tax_id', 'paid'].map((name) => collectionNamed(resources, name)?.path),
  ).toEqual(['/people', '/pages', undefined, undefined]);
});
