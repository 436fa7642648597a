import { expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';
import { discriminatedValues } from './discriminated-values.ts';
import { sample } from './sample.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const others = {
  Car: { required: ['kind', 'seats'], properties: { kind: { type: 'string' }, seats: { type: 'integer' } } },
  Van: {
    required: ['kind', 'volume'],
    properties: { kind: { type: 'string' }, volume: { type: 'integer' } },
  },
};
const vehicle = (discriminator: object) => ({ oneOf: [ref('Car'), ref('Van')], discriminator });

const DISCRIMINATORS: [name: string, { given: object; want: [unknown, string | undefined][] }][] = [
  [
    'the name of a component',
    {
      given: { propertyName: 'kind' },
      want: [
        ['Car', '/oneOf/0'],
        ['Van', '/oneOf/1'],
        ['car', undefined],
      ],
    },
  ],
  [
    'mapped references and names',
    {
      given: { propertyName: 'kind', mapping: { car: '#/components/schemas/Car', van: 'Van' } },
      want: [
        ['car', '/oneOf/0'],
        ['van', '/oneOf/1'],
        ['Car', undefined],
        [1, undefined],
      ],
    },
  ],
];

test.each(DISCRIMINATORS)('a discriminator names a branch by %s', async (_name, { given, want }) => {
  const { shape } = await schemaInUse(
    { type: 'object', properties: { list: { type: 'array', items: vehicle(given) } } },
    { others },
  );
  for (const [kind, branch] of want) {
    const [found] = discriminatedValues(shape, { list: [{ kind, seats: 2 }] });
    const path = found && `/${found.branch.path.slice(-2).join('/')}`;
    expect([kind, path]).toEqual([kind, branch]);
    if (found) expect(found).toMatchObject({ pointer: '/list/0', property: 'kind' });
  }
});

test('a sample of a branch has the value that names it', async () => {
  const mapping = { car: ref('Car').$ref, van: ref('Van').$ref };
  const { shape } = await schemaInUse(vehicle({ propertyName: 'kind', mapping }), { others });
  const samples = Array.from({ length: 20 }, (_, index) => sample(shape, { key: `${index}` }));
  for (const made of samples as { kind: string }[])
    expect(made).toHaveProperty(made.kind === 'car' ? 'seats' : 'volume');
  expect(new Set((samples as { kind: string }[]).map(({ kind }) => kind))).toEqual(new Set(['car', 'van']));
});
