import { expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { ancestorsOf } from './ancestors.ts';
import { familiesOf, namedInBody, ownersOf } from './families.ts';

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

async function resourcesIn(paths: Record<string, object>, schemas: object = {}) {
  const described = Object.entries(paths).map(([path, item]) => {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'integer' } },
    }));
    return [path, { parameters, ...item }];
  });
  const document = documentOf(Object.fromEntries(described), {
    components: { schemas: { ...SCHEMAS, ...schemas } },
  });
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

test('the ancestors of a path are found whatever its parameters are called', async () => {
  const resources = await resourcesIn({ ...OWNERS, ...PETS });
  const named = (path: string) => ancestorsOf(resources, path).map(({ parent }) => parent.path);
  expect(named('/owners/{whatever}/pets/{pet}')).toEqual(['/owners']);
  expect(named('/owners/{ownerId}')).toEqual([]);
  // The name of another member says which one is meant.
  expect(named('/owners/{name}/pets')).toEqual([]);
});

test('records are owned where a path is their only address', async () => {
  const owners = async (paths: Record<string, object>) => {
    const resources = await resourcesIn(paths);
    const nested = resources.filter(({ parents }) => parents.length > 0);
    return nested.map((resource) => ownersOf(resources, resource).map(({ parent }) => parent.path));
  };
  expect(await owners({ ...OWNERS, ...BELOW })).toEqual([['/owners']]);
  expect(await owners({ ...OWNERS, ...PETS, ...BELOW })).toEqual([[]]);
  expect(await owners({ ...OWNERS, ...BELOW, '/found': list('Pet') })).toEqual([[]]);
});

test('what is said of parents counts: which collection, which member, and whether they own', async () => {
  const pet = (parents: object) => ({ Pet: { ...SCHEMAS.Pet, 'x-paddock': { parents } } });
  const paths = { ...OWNERS, ...PETS, '/found/{by}/pets': { ...list('Pet'), ...post('Pet') } };
  const below = async (said: object) => {
    const resources = await resourcesIn(paths, pet(said));
    const found = resources.find((one) => one.path === '/pets');
    const { kin = [] } = (found && familiesOf(resources).get(found)) ?? {};
    return kin.map((one) => [one.parent.path, one.parameter, one.property, one.isOwned, one.certainty]);
  };
  const { by } = { by: { of: '/owners', member: 'ownerId', owned: true } };
  expect(await below({ by })).toEqual([['/owners', 'by', 'ownerId', true, 'promised']]);
  expect(await below({})).toEqual([['/owners', undefined, 'ownerId', false, 'presumed']]);
  const owners = async (said: object) => {
    const resources = await resourcesIn({ ...OWNERS, ...BELOW, '/found': list('Pet') }, pet(said));
    const nested = resources.find(({ parents }) => parents.length > 0);
    return nested && ownersOf(resources, nested).map(({ parent }) => parent.path);
  };
  expect([await owners({}), await owners({ id: { owned: true } })]).toEqual([[], ['/owners']]);
});

test.each<[string, Record<string, object>, object, string | undefined]>([
  ['a 409 beside records that name it', PETS, {}, 'presumed'],
  ['what is said', PETS, { keptBy: ['/pets'] }, 'promised'],
  ['a 409 beside records that go with it', BELOW, {}, undefined],
])('a record is kept by others through %s', async (_, paths, said, certainty) => {
  const conflict = { description: 'The owner still has pets.' };
  const remove = { responses: { 204: { description: 'Gone' }, 409: conflict } };
  const resources = await resourcesIn(
    { ...OWNERS, ...paths, '/owners/{ownerId}': { ...one('Owner'), delete: remove } },
    { Owner: { ...SCHEMAS.Owner, 'x-paddock': said } },
  );
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

test('a member shows the records that x-paddock says, also where clients send it and its schema is another', async () => {
  const saying = { 'x-paddock': { members: { things: { shows: '/pets' } } } };
  const schemas = {
    Owner: object({ id: integer, name: text, things: many('Toy') }, saying),
    Pet: object({ id: integer, name: text, owner: ref('Owner') }),
  };
  const paths = { ...OWNERS, '/pets': { ...list('Pet'), ...post('Pet') }, '/pets/{id}': one('Pet') };
  const resources = await resourcesIn(paths, schemas);
  const [owners] = resources;
  const shown = owners && familiesOf(resources).get(owners)?.embedded;
  expect(shown?.map(({ property, child }) => [property, child.path])).toEqual([['things', '/pets']]);
});
