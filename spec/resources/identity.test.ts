import { expect, test } from 'vitest';
import { contractOf } from '../testing/contract-of.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };

test.each<[string, { path: string; parameter?: object; members: object; want: unknown }]>([
  ['the same name', { path: '/owners/{ownerId}/dogs', members: { ownerId: integer }, want: 'ownerId' }],
  ['another spelling', { path: '/owners/{ownerId}/dogs', members: { owner_id: text }, want: 'owner_id' }],
  ['the noun of the path', { path: '/owners/{key}/dogs', members: { ownerId: integer }, want: 'ownerId' }],
  ['a plural in -ies', { path: '/companies/{c}/dogs', members: { company_id: integer }, want: 'company_id' }],
  [
    'an object of the same name without one',
    { path: '/owners/{owner}/dogs', members: { owner: { type: 'object' } }, want: undefined },
  ],
  ['the own id of the record', { path: '/owners/{id}/dogs', members: {}, want: undefined }],
  [
    'a list of ids',
    {
      path: '/owners/{ownerId}/dogs',
      members: { owner_id: { type: 'array', items: integer } },
      want: undefined,
    },
  ],
  ['another noun', { path: '/owners/{ownerId}/dogs', members: { breeder_id: integer }, want: undefined }],
])('%s', async (_, { path, parameter = integer, members, want }) => {
  const dog = {
    type: 'object',
    required: ['id'],
    properties: { id: { ...integer, readOnly: true }, ...members },
  };
  const [, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
  const content = { 'application/json': { schema: { type: 'array', items: dog } } };
  const paths = {
    [path]: {
      parameters: [{ name, in: 'path', required: true, schema: parameter }],
      get: { responses: { 200: { description: 'Dogs', content } } },
    },
  };
  const info = { title: 'Dogs', version: '1' };
  const contract = await contractOf({ 'openapi.json': { openapi: '3.1.1', info, paths } });
  const [parent] = contract.resources[0]?.parents ?? [];
  expect([parent?.property, parent?.inner].filter((one) => one !== undefined).join('.') || undefined).toBe(
    want,
  );
});

test.each<[string, { path: string; parameter?: object; members: object; want: unknown }]>([
  ['the noun of the collection', { path: '/meals', members: { mealId: integer }, want: 'mealId' }],
  [
    'the whole noun before its end',
    { path: '/menuItems', members: { itemId: integer, menu_item_id: integer }, want: 'menu_item_id' },
  ],
  ['the end of the noun', { path: '/MenuItem', members: { itemId: integer }, want: 'itemId' }],
  ['id before the noun', { path: '/meals', members: { mealId: integer, id: integer }, want: 'id' }],
  ['a text where the path has a number', { path: '/meals', members: { mealId: text }, want: undefined }],
  ['another noun', { path: '/meals', members: { cookId: integer }, want: undefined }],
  [
    'the name that the client chooses',
    { path: '/meals', parameter: { meal: text }, members: { id: uuid, name: text }, want: 'name' },
  ],
  [
    'a parameter of the form of the id',
    { path: '/meals', parameter: { meal: uuid }, members: { id: uuid, name: text }, want: 'id' },
  ],
])(
  'the id of a record in the path of one: %s',
  async (_, { path, parameter = { id: integer }, members, want }) => {
    const content = { 'application/json': { schema: { type: 'object', properties: members } } };
    const list = {
      'application/json': { schema: { type: 'array', items: { type: 'object', properties: members } } },
    };
    const [[name, schema] = ['', integer]] = Object.entries(parameter);
    const parameters = [{ name, in: 'path', required: true, schema }];
    const paths = {
      [path]: { get: { responses: { 200: { description: 'All', content: list } } } },
      [`${path}/{${name}}`]: { parameters, get: { responses: { 200: { description: 'One', content } } } },
    };
    const info = { title: 'A menu', version: '1' };
    const contract = await contractOf({ 'openapi.json': { openapi: '3.1.1', info, paths } });
    expect(contract.resources.find((one) => one.path === path)?.id?.property).toBe(want);
  },
);

test('records of a list without an id are named by their name, unless the path has a secret', async () => {
  const schema = { type: 'object', properties: { name: text, level: text } };
  const content = { 'application/json': { schema } };
  const lists = { 'application/json': { schema: { type: 'array', items: schema } } };
  const gives = (media: object) => ({ responses: { 200: { description: 'Done', content: media } } });
  const pair = (path: string, name: string) => ({
    [path]: { get: gives(lists) },
    [`${path}/{${name}}`]: {
      parameters: [{ name, in: 'path', required: true, schema: text }],
      get: gives(content),
    },
  });
  const paths = { ...pair('/loggers', 'logger'), ...pair('/tokens', 'token') };
  const info = { title: 'Names', version: '1' };
  const { resources } = await contractOf({ 'openapi.json': { openapi: '3.1.1', info, paths } });
  expect(resources.map(({ path, id }) => [path, id?.property])).toEqual([
    ['/loggers', 'name'],
    ['/tokens', undefined],
  ]);
});

test('the second of two parameters in a row is no name of what the first one names', async () => {
  const parameters = ['table_name', 'schema_name'].map((name) => ({
    ...{ name, in: 'path', required: true },
    schema: text,
  }));
  const table = { type: 'object', properties: { name: text, columns: { type: 'array', items: text } } };
  const get = {
    responses: { 200: { description: 'A table', content: { 'application/json': { schema: table } } } },
  };
  const idOf = async (path: string) => {
    const named = parameters.filter(({ name }) => path.includes(`{${name}}`));
    const paths = { [path]: { parameters: named, get } };
    const info = { title: 'Tables', version: '1' };
    const contract = await contractOf({ 'openapi.json': { openapi: '3.1.1', info, paths } });
    return contract.resources[0]?.id?.property;
  };
  expect(await idOf('/tables/{table_name}')).toBe('name');
  expect(await idOf('/tables/{table_name}/{schema_name}')).toBe(undefined);
});

test('a parameter is the only member with its named schema, unless that names another record', async () => {
  const [kind, other] = ['Kind', 'Other'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const schemas = { Kind: { type: 'string', enum: ['size', 'form'] }, Other: text };
  const idOf = async (properties: object, parameter: object) => {
    const schema = { type: 'object', properties };
    const content = { 'application/json': { schema } };
    const responses = { 200: { description: 'Done', content } };
    const parameters = [{ name: 'rule', in: 'path', required: true, schema: parameter }];
    const paths = {
      '/rules': { post: { requestBody: { content }, responses: { 204: { description: 'Done' } } } },
      '/rules/{rule}': { parameters, get: { responses } },
    };
    const info = { title: 'Rules', version: '1' };
    const document = { openapi: '3.1.1', info, paths, components: { schemas } };
    const { resources } = await contractOf({ 'openapi.json': document });
    return resources[0]?.id?.property;
  };
  expect(await idOf({ config: text, type: kind }, kind ?? {})).toBe('type');
  expect(await idOf({ config: other, type: kind }, kind ?? {})).toBe('type');
  expect(await idOf({ config: kind, type: kind }, kind ?? {})).toBe(undefined);
  expect(await idOf({ config: text, type: text }, text)).toBe(undefined);
  expect(await idOf({ config: text, ownerId: other }, other ?? {})).toBe(undefined);
});
