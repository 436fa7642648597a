import { describe, expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { issuedKeysOf } from './issued-keys.ts';
import { countsIn, type Tally, talliesOf } from './tallies.ts';
import { initialState } from './transitions.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object, status = 200) => ({ [status]: { description: 'Done', ...json(schema) } });
const get = (schema: object, more: object = {}) => ({ get: { responses: answers(schema), ...more } });
const number = { type: 'integer' };
const object = (properties: object) => ({ type: 'object', properties });
const STATES = ['open', 'paid'];
const ORDER = object({
  ...{ id: number, status: { type: 'string', enum: STATES }, price: { type: 'number' } },
  ...{ item_count: number, note_count: { ...number, description: 'The number of approved notes.' } },
});
const child = (name: string) => ({
  [`/orders/{order_id}/${name}`]: {
    parameters: [{ name: 'order_id', in: 'path', required: true, schema: number }],
    ...get({ type: 'array', items: object({ id: number, text: { type: 'string' } }) }),
  },
});

const documentContract = (paths: object, more: object = {}) =>
  contractOf({ 'openapi.json': documentOf(paths, more) });

/** What a summary at a path is of `/orders`. */
async function readAt(path: string, summary: object, more: object = {}) {
  const order = { parameters: [{ name: 'order_id', in: 'path', required: true, schema: number }] };
  const contract = await documentContract({
    '/orders': get({ type: 'array', items: ORDER }),
    '/orders/{order_id}': { ...order, ...get(ORDER) },
    ...{ ...child('items'), ...child('notes') },
    [path]: get(summary, more),
  });
  const operation = contract.operations.find((one) => one.path === path);
  return { contract, tallies: operation ? talliesOf(operation, contract) : [] };
}
const inWords = ({ path, of, sum, by, where, certainty }: Tally) =>
  [path.join('.'), of.path, sum ?? by ?? where?.join('=') ?? 'all', certainty].join(' ');

describe('what a summary counts and adds up', () => {
  const by = { type: 'object', additionalProperties: number, propertyNames: { enum: STATES } };
  test.each<[string, object, string[]]>([
    [
      'by its names alone',
      { count: number, price: { type: 'number' } },
      ['count /orders all presumed', 'price /orders price presumed'],
    ],
    [
      'by names and words',
      { total_orders: { ...number, description: 'The number of orders.' } },
      ['total_orders /orders all promised'],
    ],
    ['each state', { by_status: by }, ['by_status /orders status promised']],
    ['one state', { paid: number }, ['paid /orders status=paid promised']],
    [
      'a sum',
      { total_price: { type: 'number', description: 'The sum of prices.' } },
      ['total_price /orders price promised'],
    ],
    [
      'within an object',
      { data: object({ count: number, open: number }) },
      ['data.count /orders all presumed', 'data.open /orders status=open promised'],
    ],
    [
      'what it may count of others',
      { count: { ...number, description: 'Orders of the last week.' }, average_price: number },
      [],
    ],
  ])('%s', async (_, members, want) => {
    const { tallies } = await readAt('/orders/summary', object(members));
    expect(tallies.map(inWords).toSorted()).toEqual(want);
  });

  test('not where a query says of which', async () => {
    const parameters = [{ name: 'days', in: 'query', schema: { ...number, default: 7 } }];
    expect((await readAt('/orders/stats', object({ count: number }), { parameters })).tallies).toEqual([]);
  });

  test('of all collections by their names', async () => {
    const { tallies } = await readAt('/stats', object({ order_count: number, users: number }));
    expect(tallies.map(inWords)).toEqual(['order_count /orders all presumed']);
  });

  test('as x-paddock says', async () => {
    const said = { 'x-paddock': { tallies: { sold: { of: '/orders', where: { status: 'paid' } } } } };
    expect((await readAt('/dashboard', object({ sold: number }), said)).tallies.map(inWords)).toEqual([
      'sold /orders status=paid promised',
    ]);
  });
});

test('a record counts what is listed below it, unless only some of that is meant', async () => {
  const { resources } = (await readAt('/x', object({}))).contract;
  const orders = resources.find(({ path }) => path === '/orders');
  expect(orders && countsIn(orders, resources).map(inWords)).toEqual([
    'item_count /orders/{order_id}/items all promised',
  ]);
});

const post = (sent: object, made: object, description: string) => ({
  post: { description, requestBody: json(sent), responses: answers(made, 201) },
});
const one = (name: string) => [{ name, in: 'path', required: true, schema: number }];

test.each<[string, string, boolean]>([
  ['api-keys', 'Requests with it get 401 once it is revoked.', true],
  ['access-tokens', '', true],
  ['webhook-endpoints', 'It is shown once.', false],
  ['ssh-keys', '', false],
])('/%s hands out credentials: %s %s', async (path, description, wanted) => {
  const key = object({ id: number, name: { type: 'string' } });
  const made = object({ id: number, name: { type: 'string' }, secret: { type: 'string' } });
  const contract = await documentContract(
    {
      [`/${path}`]: post(object({ name: { type: 'string' } }), made, description),
      [`/${path}/{id}`]: { parameters: one('id'), ...get(key) },
    },
    { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }, security: [{ key: [] }] },
  );
  const issued = issuedKeysOf(contract);
  expect(issued.map(({ certainty }) => certainty)).toEqual(
    wanted ? [description === '' ? 'presumed' : 'promised'] : [],
  );
});

test.each<[string, unknown]>([
  ['A new order is `open`.', 'open'],
  ['New orders are open unless they are paid at once.', undefined],
  ['An order may be open.', undefined],
])('%s', async (description, state) => {
  const contract = await documentContract({
    '/orders': post(object({ price: number }), ORDER, description),
    '/orders/{order_id}': { parameters: one('order_id'), ...get(ORDER) },
  });
  const [orders] = contract.resources;
  expect(orders && initialState(orders)?.state).toBe(state);
});
