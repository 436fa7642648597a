import { expect, test } from 'vitest';
import { readContract } from '../contract.ts';
import { meaningOf } from './meaning-of.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const boat = { $ref: '#/components/schemas/Boat' };
const ok = { description: 'Done.', ...json(boat) };

interface Sentences {
  /** A query parameter of the list. */
  readonly query?: readonly [name: string, sentence: string, schema?: object];
  readonly member?: readonly [name: string, sentence: string, schema?: object];
  readonly aroundList?: readonly [name: string, sentence: string];
  readonly create?: string;
  readonly conflict?: string;
  readonly replace?: string;
  readonly remove?: string;
}

async function promisedBy(said: Sentences): Promise<string[]> {
  const parameter = ([name, description, schema = text]: NonNullable<Sentences['query']>) => ({
    ...{ name, in: 'query', description, schema },
  });
  const [around = 'note', sum] = said.aroundList ?? [];
  const [member = 'remark', sentence, schema = text] = said.member ?? [];
  const page = {
    type: 'object',
    properties: { boats: { type: 'array', items: boat }, [around]: { ...number, description: sum } },
  };
  const body = { requestBody: json(boat) };
  const responses = { 200: { description: 'Boats.', ...json(page) } };
  const id = { parameters: [{ name: 'id', in: 'path', required: true, schema: number }] };
  const paths = {
    '/boats': {
      get: { parameters: said.query ? [parameter(said.query)] : [], responses },
      post: {
        ...{ description: said.create, ...body },
        responses: { 201: ok, 409: { description: said.conflict ?? 'Refused.' } },
      },
    },
    '/boats/{id}': {
      get: { ...id, responses: { 200: ok } },
      put: { ...id, ...body, description: said.replace, responses: { 200: ok } },
      delete: {
        ...id,
        description: said.remove,
        responses: { 204: { description: 'Gone.' }, 409: { description: 'No.' } },
      },
    },
    '/boats/{id}/guests': {
      get: {
        ...id,
        responses: {
          200: {
            description: 'Guests.',
            ...json({ type: 'array', items: { $ref: '#/components/schemas/Guest' } }),
          },
        },
      },
    },
  };
  const properties = {
    ...{ id: { type: 'integer', readOnly: true }, name: text, owner: text, price: { type: 'number' } },
    ...{ built: { type: 'string', format: 'date' }, harbour: text, sail: number },
    [member]: { ...schema, description: sentence },
  };
  const schemas = {
    Boat: { type: 'object', properties },
    Guest: { type: 'object', properties: { id: number, name: text } },
  };
  const contract = await readContract(
    { openapi: '3.1.0', info: { title: 'Boats', version: '1' }, paths, components: { schemas } },
    'boats.json',
  );
  const { bases } = meaningOf(contract);
  return [...bases].flatMap(([fact, { certainty }]) => (certainty === 'promised' ? [fact] : []));
}

const plain = await promisedBy({});

test('a sentence that states the relation does', async () => {
  expect(await promisedBy({ query: ['name', 'Filters by name.'] })).toContain(
    '/operations/GET ~1boats/query/name',
  );
});

test.each<Sentences>([
  { query: ['name', 'Only boats whose name begins with this.'] },
  { query: ['owner', 'Only for harbour masters.'] },
  { query: ['built_from', 'The material that the hull is built from.'] },
  { query: ['q', 'Quarter of the year, for the statistics.'] },
  { query: ['sort', 'The sort of boat: a yacht, a barge.'] },
  { query: ['size', 'Size of the sail in square metres.', number] },
  { query: ['page', 'The page of the paper chart that the boat is drawn on.', number] },
  { query: ['harbour', 'The harbour whose time zone dates are shown in.'] },
  { aroundList: ['total', 'Sum of all prices.'] },
  { conflict: 'A request for this boat already exists in the queue.' },
  { conflict: 'The harbour has no place left.' },
  { create: 'Creates a boat with a unique look, if the harbour has a place.' },
  { replace: 'Creates or updates the entry of the boat in the search engine.' },
  { remove: 'Cannot be undone while guests sleep.' },
  { member: ['hull', 'A unique number painted on every hull of the series.'] },
  { member: ['state', 'The federal state that the boat was made in.'] },
  { member: ['place', 'The place that the boat has won in its last race.', number] },
])('an innocent sentence promises nothing: %j', async (said) => {
  expect((await promisedBy(said)).filter((fact) => !plain.includes(fact))).toEqual([]);
});
