import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { guessedParameters } from './path-values.ts';

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
