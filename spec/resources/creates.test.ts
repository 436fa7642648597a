import { describe, expect, test } from 'vitest';
import { contractOf } from '../testing/contract-of.ts';
import { bodyPath, recordPath } from './record-schema.ts';

const text = { type: 'string' };
const RECORD = { type: 'object', required: ['note'], properties: { id: text, note: text } };
const as = (schema: object, more: object = {}) => ({
  description: '',
  content: { 'application/json': { schema } },
  ...more,
});
const takes = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });
const body = { type: 'object', properties: { note: text } };
const ref = { $ref: '#/components/schemas/Record' };

interface Given {
  readonly create?: string;
  readonly item?: string;
  readonly created?: object;
  readonly links?: object;
}

async function resourcesOf({ create = '/silences', item = '/silence/{silenceId}', created, links }: Given) {
  const [, name = ''] = /\{(.+)\}/.exec(item) ?? [];
  const answer = created ? as(created, { ...(links && { links }) }) : { description: '' };
  const { resources } = await contractOf({
    'api.json': {
      openapi: '3.1.1',
      info: { title: 'Silences', version: '1' },
      paths: {
        [create]: {
          get: { responses: { 200: as({ type: 'array', items: ref }) } },
          post: { ...takes(body), responses: { 201: answer } },
        },
        [item]: {
          parameters: [{ name, in: 'path', required: true, schema: text }],
          get: { operationId: 'getOne', responses: { 200: as(ref) } },
          delete: { responses: { 204: { description: '' } } },
        },
      },
      components: { schemas: { Record: RECORD } },
    },
  });
  return resources.map(({ path, actions, further }) => {
    const beside = further.map(({ role, certainty }) => `${certainty} ${role}`);
    return `${path}: ${[...Object.keys(actions), ...beside].toSorted().join(' ')}`;
  });
}

const named = { type: 'object', properties: { silenceID: text } };

const AT_ITS_PATH = '/silence: create list read remove';
const ELSEWHERE = '/silence: promised create promised view read remove';

describe('a create at another path than the items belongs to them', () => {
  test.each<[string, Given, want: string]>([
    ['by its name, and a response that names the parameter', { created: named }, AT_ITS_PATH],
    ['by its name, and the record in the response', { created: ref }, AT_ITS_PATH],
    ['by its name alone, where the response is empty', {}, AT_ITS_PATH],
    ['by the record in the response', { create: '/rules', created: ref }, ELSEWHERE],
    [
      'by a link',
      {
        create: '/rules',
        created: { type: 'object', properties: { key: text } },
        links: { one: { operationId: 'getOne', parameters: { silenceId: '$response.body#/key' } } },
      },
      ELSEWHERE,
    ],
  ])('%s', async (_, given, want) => {
    expect(await resourcesOf(given)).toEqual([want]);
  });
});

describe('an id that no schema names', () => {
  async function resourceOf(record: object, item = '/buckets/{id}') {
    const [, name = ''] = /\{(.+)\}/.exec(item) ?? [];
    const wrapped = { type: 'object', properties: { data: record, permissions: { type: 'object' } } };
    const { resources } = await contractOf({
      'api.json': {
        openapi: '3.1.1',
        info: { title: 'Buckets', version: '1' },
        paths: {
          '/buckets': { post: { ...takes(wrapped), responses: { 201: as(wrapped) } } },
          [item]: {
            parameters: [{ name, in: 'path', required: true, schema: text }],
            get: { responses: { 200: as(wrapped) } },
          },
        },
      },
    });
    const [resource] = resources;
    const create = resource?.actions.create;
    const places = resource && create ? [recordPath(resource, create), bodyPath(resource, create)] : [];
    return { id: resource?.id && [resource.id.property, resource.id.parameter, resource.id.sign], places };
  }

  test('is the path parameter, and the record is in the envelope', async () => {
    expect(await resourceOf({ type: 'object', properties: { note: text } })).toEqual({
      id: ['id', 'id', 'undeclared'],
      places: [['data'], ['data']],
    });
  });

  test('may have the name of the record before it', async () => {
    expect((await resourceOf({ type: 'object' }, '/buckets/{bucket_id}')).id).toEqual([
      'id',
      'bucket_id',
      'undeclared',
    ]);
  });

  test.each([
    ['that is none by its name', { type: 'object', properties: { note: text } }, '/buckets/{slug}'],
  ])('is not guessed %s', async (_, record, item) => {
    expect((await resourceOf(record, item)).id).toBeUndefined();
  });
});

test.each([
  ['refunds', 'promised'],
  ['refund', 'presumed'],
])('a POST of 200 at /charges/{charge}/%s is a create of a refund: %s', async (name, certainty) => {
  const list = as({ type: 'array', items: ref });
  const parameters = (one: string) => [{ name: one, in: 'path', required: true, schema: text }];
  const { resources } = await contractOf({
    'api.json': {
      openapi: '3.1.1',
      info: { title: 'Charges', version: '1' },
      paths: {
        '/refunds': { get: { responses: { 200: list } } },
        '/refunds/{refund}': { parameters: parameters('refund'), get: { responses: { 200: as(ref) } } },
        [`/charges/{charge}/${name}`]: {
          parameters: parameters('charge'),
          post: { ...takes(body), responses: { 200: as(ref) } },
        },
      },
      components: { schemas: { Record: RECORD } },
    },
  });
  expect(resources.flatMap(({ further }) => further)).toMatchObject([{ role: 'create', certainty }]);
});

test.each([
  ['nothing else makes it', {}, undefined, 'create'],
  [
    'a POST to the collection does',
    { post: { ...takes(body), responses: { 201: as(ref) } } },
    undefined,
    'update',
  ],
  ['it has a body, and nothing else changes the record', {}, body, 'update'],
])('a POST at the path of a record that is removed there: %s', async (_, more, sent, role) => {
  const { resources } = await contractOf({
    'api.json': {
      openapi: '3.1.1',
      info: { title: 'Tags', version: '1' },
      paths: {
        '/tags': { get: { responses: { 200: as({ type: 'array', items: ref }) } }, ...more },
        '/tags/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
          get: { responses: { 200: as(ref) } },
          post: { ...(sent && takes(sent)), responses: { 200: { description: 'Done' } } },
          delete: { responses: { 204: { description: 'Gone' } } },
        },
      },
      components: { schemas: { Record: RECORD } },
    },
  });
  expect(resources.flatMap(({ further }) => further)).toMatchObject([{ role, certainty: 'presumed' }]);
});
