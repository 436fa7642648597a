import { expect, test } from 'vitest';
import type { MockOptions } from '../../index.ts';
import { ask, documentOf, fixture, misfits, SHIPPED, serve, serveText } from '../../testing/serve.ts';

const integer = { type: 'integer' };

test.each<[string, string, string, string]>([
  [SHIPPED, 'getPet', 'GET /pets/1001', '{"id":1001,"name":"Hazel","categoryId":3,"status":"available"}'],
  [
    fixture('kennels.yaml'),
    'getOwner',
    'GET /owners/712',
    '{"id":712,"email":"ada@kennels.example","name":"Ada Holm","city":"Odense"}',
  ],
  [
    fixture('kennels.yaml'),
    'getDog',
    'GET /owners/712/dogs/9001',
    '{"id":9001,"owner_id":712,"name":"Rex","kind":"herding","herds":"sheep"}',
  ],
])('%s: %s of the example finds the example', async (document, operation, line, want) => {
  const mock = await serve(document);
  const answer = await ask(mock, line);
  expect(answer.text).toBe(want);
  expect(misfits(mock, operation, answer)).toEqual([]);
});

test('examples count as records, and ids go on after all of them', async () => {
  const mock = await serve(SHIPPED, { count: 4 });
  const idsOf = async () => (await ask(mock, 'GET /pets')).body.map(({ id }: { id: number }) => id);
  expect(await idsOf()).toEqual([1002, 1001, 1, 2]);
  expect((await ask(mock, 'POST /pets', { name: 'A', categoryId: 1 })).body.id).toBe(5);
  await ask(mock, 'GET /pets', undefined, { 'paddock-session': 'other' });
  await mock.reset();
  expect(await idsOf()).toEqual([1002, 1001, 1, 2]);
});

test.each<[string, Partial<MockOptions>, number[]]>([
  ['fewer than there are examples', { count: 1 }, [1002]],
  ['none', { count: 0 }, []],
])('%s', async (_, options, want) => {
  const mock = await serve(SHIPPED, options);
  expect((await ask(mock, 'GET /pets')).body.map(({ id }: { id: number }) => id)).toEqual(want);
});

interface Shown {
  readonly listed?: unknown;
  readonly read?: unknown;
  readonly named?: unknown;
  readonly parent?: unknown;
}

/** Boxes and their contents, with the given examples. */
function boxes({ listed, read, named, parent }: Shown): object {
  const record = {
    type: 'object',
    required: ['id', 'label'],
    properties: { id: integer, label: { type: 'string', maxLength: 9 }, box_id: integer },
  };
  const one = { schema: record, ...(read !== undefined && { example: read }) };
  const many = { schema: { type: 'array', items: record }, ...(listed !== undefined && { example: listed }) };
  const ok = (media: object) => ({
    responses: { 200: { description: 'Ok', content: { 'application/json': media } } },
  });
  const parameter = (name: string, example?: unknown) => ({
    ...{ name, in: 'path', required: true, schema: integer },
    ...(example !== undefined && { example }),
  });
  const box = { type: 'object', required: ['id'], properties: { id: integer } };
  const plain = { schema: { type: 'array', items: box } };
  return documentOf({
    '/boxes': { get: ok(plain) },
    '/boxes/{boxId}': { parameters: [parameter('boxId')], get: ok({ schema: box }) },
    '/boxes/{boxId}/things': { parameters: [parameter('boxId', parent)], get: ok(many) },
    '/boxes/{boxId}/things/{id}': {
      parameters: [parameter('boxId', parent), parameter('id', named)],
      get: ok(one),
    },
  });
}

const THING = { id: 70, label: 'Top' };

test.each<[string, { shown: Shown; line: string; want: unknown }]>([
  [
    'a path that names a record of a list',
    {
      shown: { listed: [THING], named: 70, parent: 30 },
      line: 'GET /boxes/30/things/70',
      want: { ...THING, box_id: 30 },
    },
  ],
  [
    'what it belongs to, of which nothing is shown',
    { shown: { listed: [THING], named: 70, parent: 30 }, line: 'GET /boxes/30', want: { id: 30 } },
  ],
  [
    'a record that says itself what it belongs to',
    {
      shown: { read: { ...THING, box_id: 31 }, named: 70, parent: 30 },
      line: 'GET /boxes/31/things/70',
      want: { ...THING, box_id: 31 },
    },
  ],
  [
    'a path that names none of them',
    { shown: { listed: [THING], named: 71, parent: 30 }, line: 'GET /boxes/30/things/70', want: undefined },
  ],
  [
    'an example that is not valid',
    {
      shown: { listed: [{ ...THING, label: 'far too long' }], named: 70, parent: 30 },
      line: 'GET /boxes/30/things/70',
      want: undefined,
    },
  ],
])('%s', async (_, { shown, line, want }) => {
  const mock = await serveText(boxes(shown), { count: 10 });
  const answer = await ask(mock, line);
  if (want === undefined) expect(answer.status).toBe(404);
  else expect(answer).toMatchObject({ status: 200, body: want });
});
