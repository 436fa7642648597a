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
  readonly tags?: readonly string[];
  readonly links?: object;
}

async function resourcesOf({
  create = '/silences',
  item = '/silence/{silenceId}',
  created,
  tags = [],
  links,
}: Given) {
  const [, name = ''] = /\{(.+)\}/.exec(item) ?? [];
  const answer = created ? as(created, { ...(links && { links }) }) : { description: '' };
  const { resources } = await contractOf({
    'api.json': {
      openapi: '3.1.1',
      info: { title: 'Silences', version: '1' },
      paths: {
        [create]: {
          get: { responses: { 200: as({ type: 'array', items: ref }) } },
          post: { tags, ...takes(body), responses: { 201: answer } },
        },
        [item]: {
          parameters: [{ name, in: 'path', required: true, schema: text }],
          get: { operationId: 'getOne', tags, responses: { 200: as(ref) } },
          delete: { responses: { 204: { description: '' } } },
        },
      },
      components: { schemas: { Record: RECORD } },
    },
  });
  return resources.map(({ path, actions }) => `${path}: ${Object.keys(actions).toSorted().join(' ')}`);
}

const named = { type: 'object', properties: { silenceID: text } };

describe('a create at another path than the items belongs to them', () => {
  test.each<[string, Given]>([
    ['by its name, and a response that names the parameter', { created: named }],
    ['by its name, and the record in the response', { created: ref }],
    ['by its name alone, where the response is empty', {}],
    [
      'by its tag, and a response that names the parameter',
      { create: '/rules', tags: ['silence'], created: named },
    ],
    [
      'by a link',
      {
        create: '/rules',
        created: { type: 'object', properties: { key: text } },
        links: { one: { operationId: 'getOne', parameters: { silenceId: '$response.body#/key' } } },
      },
    ],
  ])('%s', async (_, given) => {
    expect(await resourcesOf(given)).toEqual(['/silence: create list read remove']);
  });

  test.each<[string, Given]>([
    [
      'a tag alone',
      { create: '/rules', tags: ['silence'], created: { type: 'object', properties: { key: text } } },
    ],
    ['a name of something else', { create: '/rules', created: named }],
  ])('not by %s', async (_, given) => {
    expect((await resourcesOf(given))[0]).not.toContain('create');
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
    [
      'of a schema that allows no further members',
      { type: 'object', properties: { note: text }, additionalProperties: false },
      '/buckets/{id}',
    ],
    ['that is none by its name', { type: 'object', properties: { note: text } }, '/buckets/{slug}'],
  ])('is not guessed %s', async (_, record, item) => {
    expect((await resourceOf(record, item)).id).toBeUndefined();
  });
});
