import { describe, expect, test } from 'vitest';
import { isRecord } from '../json/json-value.ts';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import type { Resource } from './resource.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object, status = 200) => ({
  responses: { [status]: { description: 'Done', ...json(schema) } },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const query = (name: string, type = 'string') => ({ name, in: 'query', schema: { type } });

const SCHEMAS = {
  NewDog: { type: 'object', properties: { name: { type: 'string' }, ownerId: { type: 'integer' } } },
  Dog: {
    allOf: [ref('NewDog'), { type: 'object', properties: { id: { type: 'integer', readOnly: true } } }],
  },
  Tagged: { type: 'object', properties: { slug: { type: 'string' }, name: { type: 'string' } } },
  Page: {
    type: 'object',
    properties: {
      items: { type: 'array', items: ref('Dog') },
      total: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
  Slot: {
    type: 'object',
    properties: { id: { type: 'string' }, start: { type: 'integer' }, size: { type: 'string' } },
  },
  File: { type: 'object', properties: { bytes: { type: 'array', items: { type: 'integer' } } } },
  Choice: { oneOf: [ref('Dog'), ref('Tagged')], discriminator: { propertyName: 'kind' } },
};

const NOTES = { type: 'array', items: { type: 'object', properties: { text: {} } } };

const list = (parameters: object[] = []) => ({
  parameters,
  ...answers({ type: 'array', items: ref('Dog') }),
});
const create = { requestBody: json(ref('NewDog')), ...answers(ref('Dog'), 201) };
const read = answers(ref('Dog'));
const gone = { responses: { 204: { description: 'Gone' } } };

/** A resource in a line: path, actions, id, and what else is there. */
function inWords({ path, actions, id, list: form, parents }: Resource): string {
  const parts = [`${path}: ${Object.keys(actions).sort().join(' ')}`, `id ${id?.property ?? '-'}`];
  if (form?.member) parts.push(`in ${form.member}`);
  if (form && form.filters.length > 0)
    parts.push(`by ${form.filters.map(({ property }) => property).join(' ')}`);
  for (const { members } of form?.parts ?? []) parts.push(`by parts of ${members.join(' ')}`);
  for (const role of ['pageSize', 'offset', 'page'] as const) {
    const parameter = form?.[role];
    if (parameter) parts.push(`${role} ${parameter.name}`);
  }
  for (const { parameter, property } of parents) parts.push(`of ${parameter} (${property ?? '-'})`);
  return parts.join(', ');
}

const CASES: [name: string, { given: Record<string, object>; want: string[] }][] = [
  [
    'all six actions',
    {
      given: {
        '/dogs': { get: list(), post: create },
        '/dogs/{dogId}': { get: read, put: create, patch: create, delete: gone },
      },
      want: ['/dogs: create list read remove replace update, id id'],
    },
  ],
  [
    'a member with the name of the parameter that is a list is no id',
    {
      given: {
        '/files': { get: answers({ type: 'array', items: ref('File') }) },
        '/files/{bytes}': { get: answers(ref('File')) },
      },
      want: ['/files: list read, id -'],
    },
  ],
  ['a list alone', { given: { '/dogs': { get: list() } }, want: ['/dogs: list, id id'] }],
  ['no way to read is no resource', { given: { '/dogs': { post: create } }, want: [] }],
  ['a single record is no collection', { given: { '/me': { get: read } }, want: [] }],
  ['an answer without a body', { given: { '/dogs': { get: gone } }, want: [] }],
  [
    'filters are parameters named like members, page parameters by their names',
    {
      given: {
        '/dogs': {
          get: list([
            query('name'),
            query('limit', 'integer'),
            query('offset', 'integer'),
            query('sort'),
            query('size'),
          ]),
        },
      },
      want: ['/dogs: list, id id, by parts of name, pageSize limit, offset offset'],
    },
  ],
  [
    'a parameter has one role: a member of its name and type wins over a name for pages',
    {
      given: {
        '/slots': {
          get: {
            parameters: [query('start', 'integer'), query('size', 'integer'), query('count', 'integer')],
            ...answers({ type: 'array', items: ref('Slot') }),
          },
        },
      },
      want: ['/slots: list, id id, by start, pageSize size'],
    },
  ],
  [
    'pages by number',
    {
      given: { '/dogs': { get: list([query('page', 'integer'), query('per_page', 'integer')]) } },
      want: ['/dogs: list, id id, pageSize per_page, page page'],
    },
  ],
  [
    'a list wrapped in a record',
    {
      given: { '/dogs': { get: answers(ref('Page')) }, '/dogs/{id}': { get: read } },
      want: ['/dogs: list read, id id, in items'],
    },
  ],
  [
    'an id named like the path parameter',
    { given: { '/tags/{slug}': { get: answers(ref('Tagged')) } }, want: ['/tags: read, id slug'] },
  ],
  [
    'no id at all, but pages',
    {
      given: { '/notes': { get: { parameters: [query('limit', 'integer')], ...answers(NOTES) } } },
      want: ['/notes: list, id -, pageSize limit'],
    },
  ],
  [
    'a list of what has no id, and that nothing selects, is computed',
    { given: { '/statistics': { get: answers(NOTES) } }, want: [] },
  ],
  [
    'a collection below another one',
    {
      given: {
        '/owners/{ownerId}/dogs': { get: list(), post: create },
        '/owners/{ownerId}/dogs/{dogId}': { get: read },
      },
      want: ['/owners/{ownerId}/dogs: create list read, id id, of ownerId (ownerId)'],
    },
  ],
  [
    'a path that ends in a parameter and returns a list',
    {
      given: {
        '/repos/{owner}': { get: answers({ type: 'array', items: ref('Tagged') }) },
        '/repos/{owner}/{slug}': { get: answers(ref('Tagged')) },
      },
      want: ['/repos/{owner}: list read, id slug, of owner (-)'],
    },
  ],
  [
    'records of several kinds',
    {
      given: {
        '/any': { get: answers({ type: 'array', items: ref('Choice') }) },
        '/any/{slug}': { get: answers(ref('Choice')) },
      },
      want: ['/any: list read, id slug'],
    },
  ],
];

/** Describes the path parameters, which the cases leave out to be readable. */
function withParameters(paths: Record<string, object>): object {
  const described = Object.entries(paths).map(([path, item]) => {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    }));
    return [path, { parameters, ...item }];
  });
  return Object.fromEntries(described);
}

async function resourcesOf(paths: Record<string, object>): Promise<readonly Resource[]> {
  const document = documentOf(withParameters(paths), { components: { schemas: SCHEMAS } });
  return (await contractOf({ 'a.json': document })).resources;
}

describe('resources are inferred from paths, methods and schemas', () => {
  test.each(CASES)('%s', async (_name, { given, want }) => {
    expect((await resourcesOf(given)).map(inWords)).toEqual(want);
  });
});

test('a link takes precedence over names as evidence for the id', async () => {
  const links = { read: { operationId: 'readDog', parameters: { dog: '$response.body#/name' } } };
  const [resource] = await resourcesOf({
    '/dogs': {
      get: list(),
      post: { ...create, responses: { 201: { description: 'Made', ...json(ref('Dog')), links } } },
    },
    '/dogs/{dog}': { get: { operationId: 'readDog', ...read } },
  });
  expect(resource?.id).toMatchObject({ property: 'name', parameter: 'dog' });
  expect(isRecord(resource?.id?.because.value) && resource.id.because.value.operationId).toBe('readDog');
});

test.each([
  ['Changes the dog.', 'update'],
  ['Replaces the whole dog: what the body lacks is removed.', 'replace'],
  ['It does not replace the whole dog.', 'update'],
])('a PUT whose body requires nothing: %s', async (description, action) => {
  const [resource] = await resourcesOf({
    '/dogs': { get: list() },
    '/dogs/{id}': { get: read, put: { requestBody: json(ref('NewDog')), ...read, description } },
  });
  expect(Object.keys(resource?.actions ?? {})).toEqual(['list', 'read', action]);
});
