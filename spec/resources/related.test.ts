import { describe, expect, test } from 'vitest';
import type { Contract } from '../contract.ts';
import { contractOf, documentOf } from '../testing/contract-of.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object, status = 200) => ({
  responses: { [status]: { description: 'Done', ...json(schema) } },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const many = (name: string) => ({ type: 'array', items: ref(name) });
const member = (type: string) => ({ type });

const SCHEMAS = {
  Pet: {
    type: 'object',
    properties: { id: member('integer'), name: member('string'), ownerId: member('integer') },
  },
  Toy: { type: 'object', properties: { id: member('integer'), colour: member('string') } },
  PetWithToys: {
    allOf: [ref('Pet'), { type: 'object', properties: { toys: many('Toy') } }],
  },
  Brief: { type: 'object', properties: { id: member('integer'), name: member('string') } },
  Settings: { type: 'object', properties: { open: member('boolean') } },
};

const list = answers(many('Pet'));
const read = answers(ref('Pet'));
const send = (schema: object, status = 201) => ({
  requestBody: json(schema),
  ...answers(ref('Pet'), status),
});
const gone = { responses: { 204: { description: 'Gone' } } };

/** What each operation does, in words: `GET /pets: list of /pets`. */
function inWords({ operations, resources, singletons }: Contract): string[] {
  return operations.flatMap((operation) => {
    const name = `${operation.method} ${operation.path}`;
    const roles = resources.flatMap(({ path, actions, further }) => [
      ...Object.entries(actions).flatMap(([action, one]) =>
        one === operation ? `${action} of ${path}` : [],
      ),
      ...further.flatMap((one) =>
        one.operation === operation ? `${one.role} of ${path} (${one.certainty})` : [],
      ),
    ]);
    const single = singletons.flatMap(({ path, actions, further }) => [
      ...Object.entries(actions).flatMap(([action, one]) =>
        one === operation ? `${action} ${path} itself` : [],
      ),
      ...further.flatMap((one) => (one.operation === operation ? `${one.role} on ${path} itself` : [])),
    ]);
    return `${name}: ${[...roles, ...single].join(', ') || 'none'}`;
  });
}

async function rolesIn(paths: Record<string, object>): Promise<string[]> {
  const described = Object.entries(paths).map(([path, item]) => {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'integer' } },
    }));
    return [path, { parameters, ...item }];
  });
  const document = documentOf(Object.fromEntries(described), { components: { schemas: SCHEMAS } });
  return inWords(await contractOf({ 'a.json': document }));
}

const CASES: [name: string, given: Record<string, object>, want: string[]][] = [
  [
    'verbs in paths: what shows no record is presumed',
    {
      '/pets': { get: list },
      '/pets/{id}': { get: read },
      '/pets/add': { post: send(ref('Pet')) },
      '/pets/edit/{id}': { put: send(ref('Pet'), 200) },
      '/pets/delete/{petId}': { delete: gone },
    },
    [
      'GET /pets: list of /pets',
      'GET /pets/{id}: read of /pets',
      'POST /pets/add: create of /pets',
      'PUT /pets/edit/{id}: update of /pets',
      'DELETE /pets/delete/{petId}: remove of /pets (presumed)',
    ],
  ],
  [
    'a POST with the same records in an object as the list at its path is a search, and no create',
    {
      '/pets': {
        get: answers({ type: 'object', properties: { data: many('Pet') } }),
        post: {
          requestBody: json(ref('Brief')),
          ...answers({ type: 'object', properties: { data: many('Pet') } }),
        },
      },
      '/pets/{id}': { get: read },
    },
    ['GET /pets: list of /pets', 'POST /pets: view of /pets (promised)', 'GET /pets/{id}: read of /pets'],
  ],
  [
    'a POST that sends records, one or several, and gets them in an object as the list does, is a create',
    {
      '/pets': {
        get: answers({ type: 'object', properties: { data: many('Pet') } }),
        post: {
          requestBody: json({ oneOf: [many('Pet'), ref('Pet')] }),
          ...answers({ type: 'object', properties: { data: many('Pet') } }),
        },
      },
      '/pets/{id}': { get: read },
    },
    ['GET /pets: list of /pets', 'POST /pets: create of /pets', 'GET /pets/{id}: read of /pets'],
  ],
  [
    'a POST that sends nothing of a record, and gets those of its path, is no create',
    {
      '/pets': {
        post: {
          requestBody: json({
            type: 'object',
            properties: { wanted: { type: 'array', items: member('string') } },
          }),
          ...answers({ type: 'object', properties: { pets: many('Pet') } }),
        },
      },
      '/pets/{id}': { get: read },
    },
    ['POST /pets: view of /pets (promised)', 'GET /pets/{id}: read of /pets'],
  ],
  [
    'a POST that sends a record, and gets all of its path, is a create',
    {
      '/pets': {
        post: {
          requestBody: json({ type: 'object', properties: { name: member('string') } }),
          ...answers({ type: 'object', properties: { pets: many('Pet') } }),
        },
      },
      '/pets/{id}': { get: read },
    },
    ['POST /pets: create of /pets', 'GET /pets/{id}: read of /pets'],
  ],
  [
    'a POST to one record changes it, where nothing else does, and else does something to it',
    {
      '/pets': { get: list },
      '/pets/{id}': { get: read, post: send(ref('Brief'), 200) },
      '/toys': { get: answers(many('Toy')) },
      '/toys/{id}': {
        get: answers(ref('Toy')),
        patch: { requestBody: json(ref('Toy')), ...answers(ref('Toy')) },
        post: { requestBody: json(ref('Brief')), ...answers(ref('Toy')) },
      },
    },
    [
      'GET /pets: list of /pets',
      'GET /pets/{id}: read of /pets',
      'POST /pets/{id}: update of /pets (presumed)',
      'GET /toys: list of /toys',
      'GET /toys/{id}: read of /toys',
      'PATCH /toys/{id}: update of /toys',
      'POST /toys/{id}: action of /toys (presumed)',
    ],
  ],
  [
    'the name of a collection is no verb',
    { '/tv/show/{id}': { get: read }, '/tv/show/{id}/toys': { get: answers(many('Toy')) } },
    ['GET /tv/show/{id}: read of /tv/show', 'GET /tv/show/{id}/toys: list of /tv/show/{id}/toys'],
  ],
  [
    'a PUT on a collection creates where 201 is its only success',
    { '/pets': { get: list, put: send(ref('Pet')) }, '/pets/{id}': { get: read } },
    ['GET /pets: list of /pets', 'PUT /pets: create of /pets', 'GET /pets/{id}: read of /pets'],
  ],
  [
    'a list on another path is a view',
    { '/pets/{id}': { get: read }, '/pets/findByName': { get: list } },
    ['GET /pets/{id}: read of /pets', 'GET /pets/findByName: view of /pets (promised)'],
  ],
  [
    'a POST creates where the records of another path are listed, and nowhere else that ends in a parameter',
    {
      '/pets/{ownerId}': { post: send(ref('Pet')), get: list },
      '/pets/{ownerId}/p/{petId}': { get: read, delete: gone },
      '/toys/{toyId}': { post: send(ref('Pet')) },
    },
    [
      'POST /pets/{ownerId}: create of /pets/{ownerId}/p (promised)',
      'GET /pets/{ownerId}: view of /pets/{ownerId}/p (promised)',
      'GET /pets/{ownerId}/p/{petId}: read of /pets/{ownerId}/p',
      'DELETE /pets/{ownerId}/p/{petId}: remove of /pets/{ownerId}/p',
      'POST /toys/{toyId}: none',
    ],
  ],
  [
    'a response that only says what was done is that of no record',
    {
      '/codes/{codeId}': { get: answers(ref('Settings')) },
      '/pets/{id}/toys': {
        get: answers(many('Toy')),
        post: { requestBody: json(ref('Toy')), ...answers(ref('Settings'), 201) },
      },
      '/pets/{id}/toys/{toyId}': { delete: gone },
    },
    [
      'GET /codes/{codeId}: read of /codes',
      'GET /pets/{id}/toys: list of /pets/{id}/toys',
      'POST /pets/{id}/toys: create of /pets/{id}/toys',
      'DELETE /pets/{id}/toys/{toyId}: remove of /pets/{id}/toys',
    ],
  ],
  [
    'a list below another record is a view, unless records are read below it too',
    {
      '/pets': { get: list },
      '/pets/{id}': { get: read },
      '/owners/{ownerId}/pets': { get: list },
      '/shops/{shopId}/pets': { get: list },
      '/shops/{shopId}/pets/{id}': { get: read },
    },
    [
      'GET /pets: list of /pets',
      'GET /pets/{id}: read of /pets',
      'GET /owners/{ownerId}/pets: view of /pets (promised)',
      'GET /shops/{shopId}/pets: list of /shops/{shopId}/pets',
      'GET /shops/{shopId}/pets/{id}: read of /shops/{shopId}/pets',
    ],
  ],
  [
    'a list of the same name with fewer members is a view, one of another name is not',
    {
      '/pets/{id}': { get: read },
      '/owners/{ownerId}/pets': { get: answers(many('Brief')) },
      '/owners/{ownerId}/friends': { get: answers(many('Brief')) },
    },
    [
      'GET /pets/{id}: read of /pets',
      'GET /owners/{ownerId}/pets: view of /pets (promised)',
      'GET /owners/{ownerId}/friends: list of /owners/{ownerId}/friends',
    ],
  ],
  [
    'singular and plural paths are one collection',
    {
      '/pet': { post: send(ref('Pet')), put: send(ref('Pet'), 200) },
      '/pets/{id}': { get: read, post: send(ref('Pet'), 200), delete: gone },
    },
    [
      'PUT /pet: update of /pets (promised)',
      'POST /pet: create of /pets',
      'GET /pets/{id}: read of /pets',
      'POST /pets/{id}: update of /pets (presumed)',
      'DELETE /pets/{id}: remove of /pets',
    ],
  ],
  [
    'many at once',
    {
      '/pets': {
        get: list,
        post: send(ref('Pet')),
        patch: { requestBody: json(many('Pet')), ...list },
        delete: gone,
      },
      '/pets/bulk': { post: { requestBody: json(many('Pet')), ...gone } },
      '/pets/names': { post: { requestBody: json({ type: 'array', items: member('string') }), ...gone } },
    },
    [
      'GET /pets: list of /pets',
      'POST /pets: create of /pets',
      'DELETE /pets: removeMany of /pets (presumed)',
      'PATCH /pets: updateMany of /pets (presumed)',
      'POST /pets/bulk: createMany of /pets (promised)',
      'POST /pets/names: none',
    ],
  ],
  [
    'a POST that is called a removal of all makes nothing, one of a name that is no verb does',
    {
      '/pets': { get: list },
      '/pets/delete-all': { post: send(ref('Pet'), 200) },
      '/pets/remove': { post: send(ref('Pet'), 200) },
      '/pets/adopted-list': { post: send(ref('Pet')) },
    },
    [
      'GET /pets: list of /pets',
      'POST /pets/delete-all: removeMany of /pets (presumed)',
      'POST /pets/remove: remove of /pets (presumed)',
      'POST /pets/adopted-list: create of /pets (presumed)',
    ],
  ],
  [
    'a PUT of some of the members of one record behind other words changes it',
    {
      '/pets': { get: list, post: send(ref('Pet')) },
      '/pets/{petId}': { get: read },
      '/pets/by-keeper/{petId}': { put: send(ref('Pet'), 200) },
      '/pets/of-keeper/{keeperId}': { patch: send(ref('Pet'), 200) },
    },
    [
      'GET /pets: list of /pets',
      'POST /pets: create of /pets',
      'GET /pets/{petId}: read of /pets',
      'PUT /pets/by-keeper/{petId}: update of /pets (presumed)',
      'PATCH /pets/of-keeper/{keeperId}: none',
    ],
  ],
  [
    'one record by the id in the body, which has a list of its own',
    {
      '/box': { put: { requestBody: json(ref('PetWithToys')), ...answers(ref('PetWithToys')) } },
      '/box/{id}': { get: answers(ref('PetWithToys')) },
    },
    ['GET /box/{id}: read of /box', 'PUT /box: update of /box (promised)'],
  ],
  [
    'a POST with the response of the list is a search',
    {
      '/pets': { get: list, post: { requestBody: json({ type: 'object' }), ...answers(many('Pet')) } },
      '/toys': {
        get: answers({ type: 'object', properties: { data: many('Toy') } }),
        post: { requestBody: json(ref('Toy')), ...answers(ref('Toy'), 201) },
      },
    },
    [
      'GET /pets: list of /pets',
      'POST /pets: view of /pets (promised)',
      'GET /toys: list of /toys',
      'POST /toys: create of /toys',
    ],
  ],
  [
    'actions on a record, and what is read below it',
    {
      '/pets/{id}': { get: read },
      '/pets/{id}/feed': { post: gone },
      '/pets/{id}/weight': { get: answers(member('number')) },
    },
    [
      'GET /pets/{id}: read of /pets',
      'POST /pets/{id}/feed: action of /pets (presumed)',
      'GET /pets/{id}/weight: none',
    ],
  ],
  [
    'a segment behind an item that a GET reads is no action',
    {
      '/pets/{id}': { get: read },
      '/pets/{id}/weight': { get: answers(member('number')), put: send(ref('Settings'), 200) },
    },
    ['GET /pets/{id}: read of /pets', 'GET /pets/{id}/weight: none', 'PUT /pets/{id}/weight: none'],
  ],
  [
    'a PUT merges, unless a PATCH is beside it, or its body is whole, or it makes the record',
    {
      '/pets/{id}': { get: read, put: send(ref('Pet'), 200) },
      '/dogs/{id}': { get: read, put: send(ref('Pet'), 200), patch: send(ref('Pet'), 200) },
      '/cats/{id}': {
        get: read,
        put: send({ allOf: [ref('Pet')], required: ['name', 'ownerId'] }, 200),
      },
      '/hens/{id}': {
        get: read,
        put: {
          ...send(ref('Pet')),
          responses: { ...list.responses, ...gone.responses, 201: { description: 'Made' } },
        },
      },
    },
    [
      'GET /pets/{id}: read of /pets',
      'PUT /pets/{id}: update of /pets',
      'GET /dogs/{id}: read of /dogs',
      'PUT /dogs/{id}: replace of /dogs',
      'PATCH /dogs/{id}: update of /dogs',
      'GET /cats/{id}: read of /cats',
      'PUT /cats/{id}: replace of /cats',
      'GET /hens/{id}: read of /hens',
      'PUT /hens/{id}: replace of /hens',
    ],
  ],
  [
    'records without an id of their own',
    {
      '/pets/{id}': { get: read },
      '/favourite': { get: read },
      '/health': { get: answers({ type: 'object', properties: { up: member('boolean') } }) },
      '/settings': { get: answers(ref('Settings')), put: send(ref('Settings'), 200) },
      '/pets/{id}/settings': { get: answers(ref('Settings')), patch: send(ref('Settings'), 200) },
    },
    [
      'GET /pets/{id}: read of /pets',
      'GET /favourite: read /favourite itself',
      'GET /health: none',
      'GET /settings: read /settings itself',
      'PUT /settings: replace /settings itself',
      'GET /pets/{id}/settings: read /pets/{id}/settings itself',
      'PATCH /pets/{id}/settings: update /pets/{id}/settings itself',
    ],
  ],
  [
    'a suffix for the format',
    {
      '/pets.json': { get: list, post: send(ref('Pet')) },
      '/pets/{id}.json': { get: read, post: send(ref('Pet')) },
    },
    [
      'GET /pets.json: list of /pets',
      'POST /pets.json: create of /pets',
      'GET /pets/{id}.json: read of /pets',
      'POST /pets/{id}.json: update of /pets (presumed)',
    ],
  ],
  [
    'a record with a list in it is not a list',
    {
      '/toybox': { get: answers(ref('PetWithToys')), put: send(ref('PetWithToys'), 200) },
      '/pets/{id}': { get: read },
    },
    [
      'GET /toybox: read /toybox itself',
      'PUT /toybox: replace /toybox itself',
      'GET /pets/{id}: read of /pets',
    ],
  ],
  [
    'a record with an id and a list in it is one that others are put into',
    {
      '/pets/{id}': { get: read },
      '/toys': { get: answers(many('Toy')) },
      '/toys/{id}': { get: answers(ref('Toy')) },
      '/toybox': { get: answers(ref('PetWithToys')) },
      '/toybox/add-toy/{id}': { post: answers(ref('PetWithToys')) },
      '/toybox/shake': { post: gone },
      '/pets/{id}/like': {
        get: answers({
          type: 'object',
          properties: { id: member('integer'), offset: member('integer'), toys: many('Toy') },
        }),
      },
      '/shelves/{shelf}/toys': { get: answers(ref('PetWithToys')) },
    },
    [
      'GET /pets/{id}: read of /pets',
      'GET /toys: list of /toys',
      'GET /toys/{id}: read of /toys',
      'GET /toybox: read /toybox itself',
      'POST /toybox/add-toy/{id}: action on /toybox itself',
      'POST /toybox/shake: none',
      'GET /pets/{id}/like: view of /toys (promised)',
      'GET /shelves/{shelf}/toys: view of /toys (promised)',
    ],
  ],
  [
    'what an extension says comes first',
    {
      '/pets': { get: list },
      '/pets/{id}': { get: read, post: { ...send(ref('Pet')), 'x-paddock': { update: true } } },
      '/archive': {
        get: { ...answers(many('Toy')), 'x-paddock': { view: 'pets' } },
      },
      '/toys': { get: { ...answers(many('Toy')), 'x-paddock': { none: true } } },
      '/owners/{ownerId}/pets': { 'x-paddock': { none: true }, get: list },
      '/health': { get: { ...answers(ref('Settings')), 'x-paddock': { singleton: true } } },
      '/find': { get: { ...answers(many('Toy')), 'x-paddock': { of: '/boxes' } } },
    },
    [
      'GET /pets: list of /pets',
      'GET /pets/{id}: read of /pets',
      'POST /pets/{id}: update of /pets',
      'GET /archive: view of /pets (promised)',
      'GET /toys: none',
      'GET /owners/{ownerId}/pets: none',
      'GET /health: read /health itself',
      'GET /find: list of /boxes',
    ],
  ],
  [
    'what is made and removed at its own path is a collection, whoever else shows such records',
    {
      '/hooks': { get: list, post: send(ref('Brief')) },
      '/hooks/{id}': { delete: gone },
      '/boxes/{boxId}/pets': { get: list },
      '/boxes/{boxId}/pets/{id}': { get: read },
    },
    [
      'GET /hooks: list of /hooks',
      'POST /hooks: create of /hooks',
      'DELETE /hooks/{id}: remove of /hooks',
      'GET /boxes/{boxId}/pets: list of /boxes/{boxId}/pets',
      'GET /boxes/{boxId}/pets/{id}: read of /boxes/{boxId}/pets',
    ],
  ],
  [
    'what removes one of those that a path with an id lists removes no others',
    {
      '/pets': { get: list },
      '/pets/{id}': { get: read, delete: gone },
      '/boxes/{boxId}/pets': { get: list, delete: gone },
      '/toys': { get: answers(many('Toy')), post: { requestBody: json(ref('Toy')), ...answers(ref('Toy')) } },
      '/toys/{toyId}': { get: answers(many('Toy')), delete: gone },
    },
    [
      'GET /pets: list of /pets',
      'GET /pets/{id}: read of /pets',
      'DELETE /pets/{id}: remove of /pets',
      'GET /boxes/{boxId}/pets: view of /pets (promised)',
      'DELETE /boxes/{boxId}/pets: none',
      'GET /toys: list of /toys',
      'POST /toys: create of /toys',
      'GET /toys/{toyId}: read of /toys',
      'DELETE /toys/{toyId}: remove of /toys',
    ],
  ],
  [
    'what is made below others, and read by its name alone, is one collection',
    {
      '/pets/{id}': { get: read },
      '/boxes/{boxId}/pets': { get: list, post: send(ref('Brief')) },
      '/boxes/{boxId}/pets/{id}': { delete: gone },
    },
    [
      'GET /pets/{id}: read of /pets',
      'GET /boxes/{boxId}/pets: view of /pets (promised)',
      'POST /boxes/{boxId}/pets: create of /pets (promised)',
      'DELETE /boxes/{boxId}/pets/{id}: remove of /pets (presumed)',
    ],
  ],
];

describe('roles across paths', () => {
  test.each(CASES)('%s', async (_name, given, want) => {
    expect((await rolesIn(given)).sort()).toEqual([...want].sort());
  });
});

test.each([['/pets/of/{name}', 'name']])(
  'a path parameter of a view filters by the member that it names: %s',
  async (path, property) => {
    const [, parameter] = /\{(.+)\}/.exec(path) ?? [];
    const pet = { type: 'object', properties: { id: {}, name: member('string'), owner: member('integer') } };
    const described = (name = 'id') => [{ name, in: 'path', required: true, schema: member('string') }];
    const Pet = { components: { schemas: { Pet: pet } } };
    const paths = {
      '/pets/{id}': { parameters: described(), get: read },
      [path]: { parameters: described(parameter), get: list },
    };
    const { resources } = await contractOf({ 'a.json': documentOf(paths, Pet) });
    const [view] = resources.flatMap(({ further }) => further);
    expect(view).toMatchObject({ role: 'view', parents: [{ parameter, property }] });
  },
);

test.each<[name: string, item: object, message: RegExp]>([
  ['an unknown key', { ...list, 'x-paddock': { lst: true } }, /"x-paddock.lst" is no key .* mean "list"\?/],
  [
    'two roles',
    { ...list, 'x-paddock': { list: true, view: true } },
    /says two things at once: list and view/,
  ],
  [
    'a collection that is no text',
    { ...list, 'x-paddock': { list: 7 } },
    /"x-paddock.list" must be a collection, `true`, not 7/,
  ],
  ['an extension of before', { ...list, 'x-paddock-resource': '/toys' }, /no longer read; write "x-paddock"/],
  ['a list without a body', { ...gone, 'x-paddock': { list: true } }, /holds no array of objects/],
  ['a view without a body', { ...gone, 'x-paddock': { view: '/toys' } }, /holds no array of objects/],
  [
    'a collection that nothing reads',
    { ...list, 'x-paddock': { view: '/cats' } },
    /\/cats has no operation that lists or reads/,
  ],
  ['no collection above', { ...list, 'x-paddock': { view: true } }, /name one, as in x-paddock/],
  ['a record that nothing names', { ...read, 'x-paddock': { read: '/toys' } }, /has the id of one/],
])('%s is a problem with its place', async (_name, get, message) => {
  const given = documentOf(
    { '/toys': { get: answers(many('Toy')) }, '/it': { get } },
    { components: { schemas: SCHEMAS } },
  );
  const error = await contractOf({ 'a.json': given }).catch((caught) => caught);
  expect(error.problems).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
  expect(error.problems[0].line).toBeGreaterThan(0);
});
