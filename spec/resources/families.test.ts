import { expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { ancestorsOf } from './ancestors.ts';
import { familiesOf, namedInBody, promisedAncestors } from './families.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object, status = 200) => ({
  responses: { [status]: { description: 'Done', ...json(schema) }, 400: { description: 'Bad' } },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const many = (name: string) => ({ type: 'array', items: ref(name) });
const integer = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

const SCHEMAS = {
  Owner: object({ id: integer, name: text, pets: { ...many('Pet'), readOnly: true } }),
  Sent: object({ name: text, pets: many('Pet') }),
  Pet: object({ id: integer, name: text, ownerId: integer }),
  Toy: object({ id: integer, colour: text }),
  Shop: object({ id: text, slug: text, ownerId: text, paid: integer }),
};

const list = (name: string) => ({ get: answers(many(name)) });
const post = (name: string, sent = name) => ({
  post: { requestBody: json(ref(sent)), ...answers(ref(name), 201) },
});
const put = (name: string) => ({ put: { requestBody: json(ref(name)), ...answers(ref(name)) } });
const one = (name: string) => ({
  get: answers(ref(name)),
  delete: { responses: { 204: { description: 'Gone' } } },
});

async function resourcesIn(paths: Record<string, object>) {
  const described = Object.entries(paths).map(([path, item]) => {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'integer' } },
    }));
    return [path, { parameters, ...item }];
  });
  const document = documentOf(Object.fromEntries(described), { components: { schemas: SCHEMAS } });
  return (await contractOf({ 'a.json': document })).resources;
}

/** All relations, in words. */
async function inWords(paths: Record<string, object>): Promise<string[]> {
  const families = familiesOf(await resourcesIn(paths));
  return [...families].flatMap(([{ path }, { sharedWith, kin, embedded }]) => [
    ...(sharedWith ? [`${path} shares ${sharedWith.path}`] : []),
    ...kin.map(({ parent, property, isOwned, certainty }) => {
      const by = property === undefined ? '' : ` by ${property}`;
      return `${path} ${isOwned ? 'only below' : 'of'} ${parent.path}${by}, ${certainty}`;
    }),
    ...embedded.map(({ property, child }) => `${path} shows ${child.path} in ${property}`),
  ]);
}

const OWNERS = { '/owners': { ...list('Owner'), ...post('Owner') }, '/owners/{ownerId}': one('Owner') };
const PETS = {
  '/pets': { ...list('Pet'), ...post('Pet') },
  '/pets/{petId}': { ...one('Pet'), ...put('Pet') },
};
const BELOW = {
  '/owners/{id}/pets': { ...list('Pet'), ...post('Pet') },
  '/owners/{id}/pets/{pet}': one('Pet'),
};

test.each<[string, Record<string, object>, string[]]>([
  [
    'a member that names another collection, and an array that shows its records',
    { ...OWNERS, ...PETS },
    ['/owners shows /pets in pets', '/pets of /owners by ownerId, presumed'],
  ],
  [
    'one collection at two paths: records are made at both',
    { ...OWNERS, ...PETS, ...BELOW },
    [
      '/owners shows /pets in pets',
      '/pets of /owners by ownerId, promised',
      '/owners/{id}/pets shares /pets',
    ],
  ],
  [
    'one collection at two paths: records are made below a parent alone',
    { ...OWNERS, ...BELOW, '/pets': list('Pet'), '/pets/{petId}': one('Pet') },
    [
      '/owners shows /pets in pets',
      '/owners/{id}/pets shares /pets',
      '/pets only below /owners by ownerId, promised',
    ],
  ],
  [
    'no other path, and parameters of other names',
    { ...OWNERS, ...BELOW },
    ['/owners shows /owners/{id}/pets in pets', '/owners/{id}/pets only below /owners by ownerId, promised'],
  ],
  [
    'three levels: the nearest parent is known, and what that belongs to',
    {
      ...OWNERS,
      ...BELOW,
      '/owners/{o}/pets/{p}/toys': { ...list('Toy'), ...post('Toy') },
      '/owners/{o}/pets/{p}/toys/{t}': one('Toy'),
    },
    [
      '/owners shows /owners/{id}/pets in pets',
      '/owners/{id}/pets only below /owners by ownerId, promised',
      '/owners/{o}/pets/{p}/toys only below /owners/{id}/pets, promised',
    ],
  ],
  [
    'an array that a request writes as records',
    { '/owners': { ...list('Owner'), ...post('Owner', 'Sent') }, '/owners/{ownerId}': one('Sent'), ...PETS },
    ['/owners shows /pets in pets', '/pets of /owners by ownerId, presumed'],
  ],
  [
    'an id of another type, and a word that ends as an id does, name nothing',
    {
      ...OWNERS,
      '/shops': { ...list('Shop'), ...post('Shop') },
      '/shops/{shopId}': one('Shop'),
      '/pas': list('Toy'),
    },
    [],
  ],
])('%s', async (_, paths, want) => {
  expect((await inWords(paths)).toSorted()).toEqual(want.toSorted());
});

test('a parameter that bears the name of another member is no id', async () => {
  const resources = await resourcesIn({ ...OWNERS, '/owners/{name}/pets': list('Pet'), ...PETS });
  const named = (path: string) => ancestorsOf(resources, path).map(({ parent }) => parent.path);
  expect(named('/owners/{name}/pets')).toEqual([]);
  expect(named('/owners/{whatever}/pets/{pet}')).toEqual(['/owners']);
  expect(named('/owners/{ownerId}')).toEqual([]);
});

test('of records with another path nothing is promised that is not written', async () => {
  const promised = async (paths: Record<string, object>) => {
    const resources = await resourcesIn(paths);
    const nested = resources.filter(({ parents }) => parents.length > 0);
    return nested.map((resource) => {
      const { apart, gone } = promisedAncestors(resources, resource);
      return [apart, gone].map((all) => all.map(({ parent }) => parent.path).join());
    });
  };
  const [sole, none] = [
    ['/owners', '/owners'],
    ['', ''],
  ];
  expect(await promised({ ...OWNERS, ...BELOW })).toEqual([sole]);
  expect(await promised({ ...OWNERS, ...PETS, ...BELOW })).toEqual([none]);
  expect(await promised({ ...OWNERS, ...BELOW, '/found': list('Pet') })).toEqual([none]);
  const said = (summary: string, description: string) => ({
    ...{ ...OWNERS, ...PETS, ...BELOW },
    '/owners/{ownerId}': {
      ...one('Owner'),
      delete: { summary, responses: { 204: { description: 'Gone' } } },
    },
    '/owners/{id}/pets/{pet}': {
      get: { responses: { ...answers(ref('Pet')).responses, 404: { description } } },
    },
  });
  const written = said('Remove an owner with all of their pets', 'There is no such pet of this owner.');
  expect(await promised(written)).toEqual([sole]);
  const hedged = said('Remove an owner and, if asked, the pets', 'The pet may belong to another owner.');
  expect(await promised(hedged)).toEqual([none]);
});

test.each([
  ['The owner still has pets.', 'promised'],
  ['There are pets that belong to the owner.', 'promised'],
  ['The owner is in use.', 'presumed'],
  ['The owner has no pets.', undefined],
  ['The owner has sick pets.', undefined],
  ['Somebody else removes the owner.', undefined],
  ['The pets are hungry.', undefined],
])('%s', async (description, certainty) => {
  const remove = { responses: { 204: { description: 'Gone' }, 409: { description } } };
  const resources = await resourcesIn({
    ...{ ...OWNERS, ...BELOW },
    '/owners/{ownerId}': { ...one('Owner'), delete: remove },
  });
  const [owners] = resources;
  const held = owners ? familiesOf(resources).get(owners)?.heldBy : [];
  expect(held?.map((one) => one.certainty)).toEqual(certainty ? [certainty] : []);
});

test('a body names what must be there, unless the path says it', async () => {
  const resources = await resourcesIn({ ...OWNERS, ...PETS });
  const pets = resources.find(({ path }) => path === '/pets');
  const { create } = pets?.actions ?? {};
  const family = pets && familiesOf(resources).get(pets);
  if (!pets || !create || !family) throw new Error('there are no pets');
  const named = namedInBody(pets, family, create, new Set());
  expect([named?.status, named?.kin.map(({ property }) => property)]).toEqual([400, ['ownerId']]);
  expect(namedInBody(pets, family, create, new Set(['ownerId']))).toBeUndefined();
});
