import { expect, test } from 'vitest';
import { contractOf } from '../testing/contract-of.ts';
import { createdIds, idMembers } from './identity.ts';
import { answerShape, recordPath, shapeAt } from './record-schema.ts';

const text = { type: 'string' };
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const object = (properties: object) => ({ type: 'object', properties });
const data = (properties: object) => object({ data: object(properties) });
const seat = { type: 'object', required: ['id'], properties: { id: text, row: text, aisle: text } };

/** Seats whose create responds with a schema of its own. */
async function seats(created: object, links: object = {}) {
  const parameters = [{ name: 'seat_id', in: 'path', required: true, schema: text }];
  const { resources } = await contractOf({
    'seats.json': {
      openapi: '3.1.0',
      info: { title: 'Seats', version: '1' },
      paths: {
        '/seats': {
          get: { responses: { 200: json({ type: 'array', items: seat }) } },
          post: {
            requestBody: json(object({ row: text })),
            responses: { 201: { ...json(created), links } },
          },
        },
        '/seats/{seat_id}': { parameters, get: { responses: { 200: json(seat) } } },
      },
    },
  });
  const resource = resources.find(({ path }) => path === '/seats');
  if (!resource?.actions.create) throw new Error('no seats');
  return { resource, create: resource.actions.create };
}

const link = (value: string) => ({
  one: { operationRef: '#/paths/~1seats~1{seat_id}/get', parameters: { seat_id: value } },
});

test.each<
  [
    string,
    { created: object; links?: object; body: unknown; headers?: Record<string, string>; want: unknown },
  ]
>([
  ['the record', { created: seat, body: { id: 'A' }, want: 'A' }],
  [
    'the record in an envelope',
    { created: data({ id: text, row: text }), body: { data: { id: 'A' } }, want: 'A' },
  ],
  ['an envelope that is not described', { created: {}, body: { seat: { id: 'A' } }, want: 'A' }],
  ['the name of the parameter', { created: object({ seatId: text }), body: { seatId: 'A' }, want: 'A' }],
  [
    'that name in an envelope',
    { created: data({ seat_id: text }), body: { data: { seat_id: 'A' } }, want: 'A' },
  ],
  [
    'a Link to a member of a member, before the id',
    {
      created: data({ number: text, id: text }),
      links: link('$response.body#/data/number'),
      body: { data: { number: 'A', id: 'B' } },
      want: 'A',
    },
  ],
  [
    'a Link to a header',
    { created: {}, links: link('$response.header.X-Seat'), body: {}, headers: { 'x-seat': 'A' }, want: 'A' },
  ],
  ['Location', { created: {}, body: undefined, headers: { location: '/v1/seats/A%2F1' }, want: 'A/1' }],
  [
    'Location elsewhere',
    { created: {}, body: undefined, headers: { location: 'https://b.example/seats/A' }, want: undefined },
  ],
  [
    'a UUID that is all of it',
    {
      created: text,
      body: '0b8f4d3e-6d1c-4f0e-9a51-6f1f5c8a2e10',
      want: '0b8f4d3e-6d1c-4f0e-9a51-6f1f5c8a2e10',
    },
  ],
  ['a word or a number that is all of it', { created: {}, body: 'created', want: undefined }],
  ['two objects with ids', { created: {}, body: { seat: { id: 'A' }, row: { id: 'B' } }, want: undefined }],
])('a response to a create shows its id by %s', async (_, { created, links, body, headers = {}, want }) => {
  const { resource, create } = await seats(created, links);
  const response = {
    path: {},
    url: 'https://a.example/v1/seats',
    body,
    header: (name: string) => headers[name],
  };
  expect([...createdIds(resource, create, response)].find((id) => id !== undefined)).toBe(want);
});

test.each<[string, object, object, string[]]>([
  ['the name of the parameter', data({ seat_id: text, row: text, aisle: text }), {}, ['seat_id']],
  ['a Link', data({ number: text, row: text, aisle: text }), link('$response.body#/data/number'), ['number']],
  ['the id itself', data({ id: text, row: text }), {}, []],
])('other members of the record that are its id, by %s', async (_, created, links, want) => {
  const { resource, create } = await seats(created, links);
  const shown = shapeAt(answerShape(create), recordPath(resource, create));
  expect(shown && idMembers(resource, create, shown)).toEqual(want);
});
