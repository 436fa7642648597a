import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { guessedParameters, guessedQuery } from './path-values.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const named = (...names: string[]) => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties };
};
const one = (schema: object) => ({ responses: { 200: { description: 'It', ...json(schema) } } });
const many = (schema: object) => one({ type: 'array', items: schema });
const [ROOM, GRANT, ZONE] = [named('roomId', 'title'), named('who', 'right'), named('zone', 'title')];

/** Rooms can be made; grants and zones cannot, and each grant is below a room. */
const PATHS = {
  '/rooms': { get: many(ROOM), post: { requestBody: json(ROOM), ...one(ROOM) } },
  '/rooms/{roomId}': { get: one(ROOM), patch: { requestBody: json(ROOM), ...one(ROOM) } },
  '/rooms/{roomId}/grants': { get: many(GRANT) },
  '/rooms/{roomId}/grants/{who}': {
    get: one(GRANT),
    post: { requestBody: json(GRANT), ...one(GRANT) },
  },
  '/zones': { get: many(ZONE) },
  '/zones/{zone}': { get: one(ZONE), patch: { requestBody: json(ZONE), ...one(ZONE) } },
  '/colours/{colour}': { get: one(named('name')) },
};

test.each([
  ['GET /rooms/{roomId}/grants/{who}', {}, []],
  ['POST /rooms/{roomId}/grants/{who}', {}, ['who']],
  ['POST /rooms/{roomId}/grants/{who}', { who: 'ann' }, []],
  ['PATCH /rooms/{roomId}', {}, []],
  ['PATCH /zones/{zone}', {}, []],
  ['GET /colours/{colour}', {}, ['colour']],
])(
  'of the values in the path of %s, where %j is given, these are guessed: %j',
  async (line, values, want) => {
    const parameters = (path: string) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        ...{ name, in: 'path', required: true },
        schema: { type: 'string' },
      }));
    const paths = Object.fromEntries(
      Object.entries(PATHS).map(([path, item]) => [path, { parameters: parameters(path), ...item }]),
    );
    const document = { openapi: '3.1.1', info: { title: 'Rooms', version: '1' }, paths };
    const contract = await readContract(document, 'rooms.json');
    const operation = contract.operations.find(({ method, path }) => `${method} ${path}` === line);
    expect(operation && guessedParameters(contract, { values, prepares: new Set() }, operation)).toEqual(
      want,
    );
  },
);

test('a required number of a query is guessed if it is called as a record of a collection is', async () => {
  const query = (name: string, schema: object, required = true) => ({ name, in: 'query', required, schema });
  const integer = { type: 'integer' };
  const parameters = [
    ...[query('room', integer), query('room_id', { ...integer, format: 'int64' }), query('text', {})],
    ...[query('rooms', integer, false), query('size', integer), query('zone', { enum: [1, 2] })],
  ];
  const room = { type: 'object', properties: { id: integer, title: { type: 'string' } } };
  const path = [{ name: 'id', in: 'path', required: true, schema: integer }];
  const paths = {
    '/rooms': { get: many(room) },
    '/rooms/{id}': { parameters: path, get: one(room) },
    '/plans': { parameters, get: many(named('title')) },
  };
  const document = { openapi: '3.1.1', info: { title: 'Rooms', version: '1' }, paths };
  const contract = await readContract(document, 'rooms.json');
  const plans = contract.operations.find((operation) => operation.path === '/plans');
  const found = plans && guessedQuery(contract, plans, { values: {} });
  expect(found?.map(({ name }) => name)).toEqual(['room', 'room_id']);
});
