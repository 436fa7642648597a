import { expect, test } from 'vitest';
import { compileContract } from '../contract.ts';
import { readDocument } from '../document/create-document.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const takes = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });
const done = { responses: { 200: { description: '' } } };
const failed = { responses: { 401: { description: '' } } };
const other = { responses: { default: { description: 'An error' } } };
const made = { responses: { 201: { description: '' } } };
const VINE = { type: 'object', required: ['grape'], properties: { grape: text, password: text } };
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'number' } }];
const ITEM = {
  parameters: id,
  get: done,
  patch: { ...takes({ ...VINE, required: [] }), ...done },
  delete: done,
};

async function contractOf(paths: object, presumeResponses = true) {
  const document = readDocument(
    { openapi: '3.0.3', info: { title: 't', version: '1' }, paths },
    'vines.json',
  );
  return compileContract(document, { presumeResponses });
}

async function resourcesOf(paths: object, presumeResponses = true) {
  const { resources } = await contractOf(paths, presumeResponses);
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

/** What frameworks write of responses whose type they do not know. */
const any = (schema?: object) => ({
  responses: { 200: { description: '', content: { 'application/json': schema ? { schema } : {} } } },
});

const shown = (example: unknown) => ({
  responses: { 200: { description: '', content: { 'application/json': { example } } } },
});

test.each<[title: string, given: object, want: object[]]>([
  [
    'at its own path',
    { '/vines': { get: done, post: { ...takes(VINE), ...made } }, '/vines/{id}': ITEM },
    [VINES],
  ],
  [
    'where errors alone are described',
    {
      '/vines': { get: failed, post: { ...takes(VINE), ...failed } },
      '/vines/{id}': { parameters: id, get: failed, patch: { ...takes(VINE), ...failed }, delete: failed },
    },
    [VINES],
  ],
  [
    'where a default alone is described, which may be an error',
    {
      '/vines': { get: other, post: { ...takes(VINE), ...other } },
      '/vines/{id}': { parameters: id, get: other, patch: { ...takes(VINE), ...other }, delete: other },
    },
    [VINES],
  ],
  [
    'with responses of any JSON',
    {
      '/vines': {
        get: any({ type: 'array', items: {} }),
        post: { ...takes(VINE), ...any({ type: 'object', title: 'Response' }) },
      },
      '/vines/{id}': { ...ITEM, get: any(), delete: any({ additionalProperties: true, type: 'object' }) },
    },
    [VINES],
  ],
  [
    'with examples and no schema',
    {
      '/vines': { get: shown([{ id: 1, grape: 'Riesling' }]), post: { ...takes(VINE), ...any() } },
      '/vines/{id}': { parameters: id, get: shown({ id: 1, grape: 'Riesling' }), delete: done },
    },
    [{ ...VINES, actions: ['create', 'list', 'read', 'remove'], hidden: [] }],
  ],
  [
    'with verbs in all paths',
    {
      '/vines/get-vine-list': { get: done },
      '/vines/createVine': { post: { ...takes(VINE), ...made } },
      '/vines/getVineById/{id}': { parameters: id, get: done },
      '/vines/getVinesByPlotId/{plotId}': { parameters: [{ ...id[0], name: 'plotId' }], get: done },
    },
    [{ ...VINES, actions: ['create', 'list', 'read'] }],
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

const { get: _, ...WRITES } = ITEM;

/** What each operation does: `POST /vines: create`. */
async function rolesOf(paths: object, presumeResponses = true): Promise<string[]> {
  const { operations, resources } = await contractOf(paths, presumeResponses);
  return operations.map((operation) => {
    const roles = resources.flatMap(({ actions, further }) => [
      ...Object.entries(actions).flatMap(([action, one]) => (one === operation ? action : [])),
      ...further.flatMap((one) => (one.operation === operation ? one.role : [])),
    ]);
    return `${operation.method} ${operation.path}: ${roles.join() || 'none'}`;
  });
}

const PRESUMED_ROLES: [title: string, given: object, want: string[]][] = [
  [
    'of what is created and changed, and nothing reads',
    { '/vines/register': { post: { ...takes(VINE), ...made } }, '/vines/{id}': WRITES },
    ['POST /vines/register: create', 'PATCH /vines/{id}: update', 'DELETE /vines/{id}: remove'],
  ],
  [
    'of a collection without any body: what is sent is the record',
    {
      '/vines': { get: done, post: made },
      '/vines/{id}': { parameters: id, get: done, put: done, delete: done },
    },
    [
      'GET /vines: list',
      'POST /vines: create',
      'GET /vines/{id}: read',
      'PUT /vines/{id}: replace',
      'DELETE /vines/{id}: remove',
    ],
  ],
  [
    'of what has another name than the collection above, and of downloads',
    {
      '/uploads': { get: done, post: made },
      '/uploads/addVine': { post: { ...takes(VINE), ...made } },
      '/uploads/{id}': { parameters: id, get: done, delete: done },
      '/uploads/download/{id}': { parameters: id, get: done },
    },
    [
      'GET /uploads: list',
      'POST /uploads: create',
      'POST /uploads/addVine: create',
      'GET /uploads/{id}: read',
      'DELETE /uploads/{id}: remove',
      'GET /uploads/download/{id}: action',
    ],
  ],
  [
    'not of what another collection has',
    {
      '/vines': { get: done, post: { ...takes(VINE), ...made } },
      '/vines/{id}': ITEM,
      '/growers': { get: done },
      '/growers/{id}': { parameters: id, get: done, delete: done },
      '/growers/addVine': { post: { ...takes(VINE), ...made } },
    },
    [],
  ],
];

test.each(PRESUMED_ROLES)('roles are presumed %s', async (_title, given, want) => {
  const roles = await rolesOf(given);
  if (want.length > 0) expect(roles.sort()).toEqual([...want].sort());
  else expect(roles).toContain('POST /growers/addVine: none');
});

test.each(PRESUMED_ROLES)('none is presumed %s for who judges', async (_title, given) => {
  expect((await rolesOf(given, false)).filter((role) => !role.endsWith(': none'))).toEqual([]);
});

test('what is created and removed is a collection, where its response is described', async () => {
  const answer = {
    content: { 'application/json': { schema: { type: 'object', properties: { id: number } } } },
  };
  const paths = {
    '/vines': { post: { ...takes(VINE), responses: { 201: { description: '', ...answer } } } },
    '/vines/{id}': { parameters: id, delete: done },
  };
  expect(await rolesOf(paths, false)).toEqual(['POST /vines: create', 'DELETE /vines/{id}: remove']);
});

test('nothing is presumed for who judges', async () => {
  const paths = { '/vines': { get: done, post: { ...takes(VINE), ...made } }, '/vines/{id}': ITEM };
  expect(await resourcesOf(paths, false)).toEqual([]);
});

test('what a list holds is what one of them is read as, where that response is not described', async () => {
  const schema = { type: 'array', items: { type: 'object', properties: { id: number, grape: text } } };
  const list = { responses: { 200: { description: '', content: { 'application/json': { schema } } } } };
  const paths = { '/vines': { get: list }, '/vines/{id}': { parameters: id, get: done, delete: done } };
  const readIn = ({ operations }: Awaited<ReturnType<typeof contractOf>>) =>
    operations.find(({ id: own }) => own === 'GET /vines/{id}')?.responses[0]?.content;
  const [presumed] = readIn(await contractOf(paths)) ?? [];
  expect([...(presumed?.shape?.properties.keys() ?? [])]).toEqual(['id', 'grape']);
  expect(readIn(await contractOf(paths, false))).toEqual([]);
});
