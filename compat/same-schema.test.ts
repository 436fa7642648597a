import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Contract, loadContract, rawChild, type Spot } from '#spec';
import { candidates } from './candidates.ts';
import { changesOf } from './changes/changes-of.ts';
import { addressOf, pairOperations } from './pair.ts';
import { isSame } from './same-schema.ts';

type Schemas = Readonly<Record<string, object>>;

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const record = (properties: object) => ({ type: 'object', properties });
const folder = await mkdtemp(join(tmpdir(), 'same-schema-'));
let count = 0;

async function contractOf(schemas: Schemas): Promise<Contract> {
  const paths = Object.fromEntries(
    Object.keys(schemas).map((name) => [
      `/${name}`,
      {
        get: {
          operationId: name,
          responses: {
            200: { description: 'One.', content: { 'application/json': { schema: refTo(name) } } },
          },
        },
      },
    ]),
  );
  const file = join(folder, `${count++}.json`);
  const info = { title: 'Things', version: '1.0.0' };
  await writeFile(file, JSON.stringify({ openapi: '3.1.1', info, paths, components: { schemas } }));
  return loadContract(file);
}

async function changedIn(old: Schemas, next: Schemas, order: readonly string[]): Promise<string[]> {
  const spots = [await contractOf(old), await contractOf(next)].map(({ document: { root } }) =>
    ['components', 'schemas'].reduce<Spot | undefined>((spot, step) => spot && rawChild(spot, step), root),
  );
  return order.filter((name) => {
    const [one, other] = spots.map((spot) => spot && rawChild(spot, name));
    return !isSame(one, other);
  });
}

/** `b` differs; `a` and `b` refer to each other, `c` to `a`; `d` and `e` to nothing that differs. */
const CIRCLE = {
  a: record({ b: refTo('b'), d: refTo('d') }),
  b: record({ a: refTo('a'), n: { type: 'integer' } }),
  c: record({ a: refTo('a') }),
  d: record({ e: refTo('e') }),
  e: record({ d: refTo('d'), text: { type: 'string' } }),
};
const BROKEN = { ...CIRCLE, b: record({ a: refTo('a'), n: { type: 'string' } }) };

test.for([
  ['a', 'b', 'c', 'd', 'e'],
  ['e', 'd', 'c', 'b', 'a'],
  ['c', 'e', 'a', 'd', 'b'],
])('schemas in circles differ whichever is asked first: %s', async (order) => {
  expect(await changedIn(CIRCLE, CIRCLE, order)).toEqual([]);
  expect((await changedIn(CIRCLE, BROKEN, order)).sort()).toEqual(['a', 'b', 'c']);
});

/** Each refers to every other one, so that there are more paths through them than can be followed. */
function web(last: object): Schemas {
  const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
  const links = Object.fromEntries(names.map((name) => [name, refTo(name)]));
  return Object.fromEntries(
    names.map((name) => [name, record({ ...links, ...(name === 's39' ? { last } : {}) })]),
  );
}

test('schemas that all refer to each other are compared once', async () => {
  const [old, same, next] = [
    await contractOf(web({ type: 'string' })),
    await contractOf(web({ type: 'string' })),
    await contractOf(web({ type: 'string', deprecated: true })),
  ];
  const changesTo = (other: Contract) => {
    const address = addressOf(old, other);
    const options = { deprecationDays: 0 };
    return changesOf({ old, new: other }, pairOperations(old, other, address), options);
  };
  expect(changesTo(same)).toEqual([]);
  expect(changesTo(next).map(({ rule, subject, operations }) => [rule, subject, operations.length])).toEqual([
    ['property-deprecated', '`last` in the 200 of s0, s1, s2 and 37 more', 40],
  ]);
});

test('what differs in a schema that refers to itself is found in the end', async () => {
  const tree = (label: object) => ({
    Tree: record({ label, below: { type: 'array', items: refTo('Tree') } }),
  });
  const [old, next] = [
    await contractOf(tree({ type: 'string' })),
    await contractOf(tree({ type: 'integer' })),
  ];
  const [one, other] = [old, next].map(({ operations: [first] }) => first?.responses[0]?.content[0]?.schema);
  if (!one || !other) throw new Error('there is no schema');
  expect([...candidates([one], [other])].length).toBeGreaterThan(10);
});

test.for<readonly [string, object, object]>([
  ['an allOf of one', refTo('text'), { allOf: [refTo('text')], description: 'A text.' }],
  ['the order of what is required', { required: ['a', 'b'] }, { required: ['b', 'a'] }],
  ['a type as a list of one', { type: 'string' }, { type: ['string'] }],
  ['the order of an enum', { enum: [1, 'a', null] }, { enum: ['a', null, 1] }],
])('%s is the same, written in another way', async ([, old, next]) => {
  const text = { type: 'string' };
  expect(await changedIn({ text, value: old }, { text, value: next }, ['value'])).toEqual([]);
  expect(
    await changedIn({ text, value: old }, { text, value: { ...next, minLength: 1 } }, ['value']),
  ).toEqual(['value']);
});
