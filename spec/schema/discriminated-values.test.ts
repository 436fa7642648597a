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
  [
    'no name, or another one, where the document says which',
    {
      given: { propertyName: 'kind', mapping: { car: 'Car' }, defaultMapping: 'Van' },
      want: [
        ['car', '/oneOf/0'],
        ['tram', '/oneOf/1'],
        [undefined, '/oneOf/1'],
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

test.each([
  ['Car', {}],
  ['car', { car: 'https://a.example/car' }],
  ['car', { car: '#/components/schemas/Car' }],
])('a branch that is referred to by its $id has the name %s', async (kind, mapping) => {
  const branches = [{ $ref: 'https://a.example/car' }, ref('Van')];
  const { shape } = await schemaInUse(
    { oneOf: branches, discriminator: { propertyName: 'kind', mapping } },
    { others: { ...others, Car: { ...others.Car, $id: 'https://a.example/car' } } },
  );
  const [found] = discriminatedValues(shape, { kind, seats: 2 });
  expect(found?.branch.path.slice(-2)).toEqual(['oneOf', '0']);
});

test('a sample of a branch has the value that names it', async () => {
  const mapping = { car: ref('Car').$ref, van: ref('Van').$ref };
  const { shape } = await schemaInUse(vehicle({ propertyName: 'kind', mapping }), { others });
  const samples = Array.from({ length: 20 }, (_, index) => sample(shape, { key: `${index}` }));
  for (const made of samples as { kind: string }[])
    expect(made).toHaveProperty(made.kind === 'car' ? 'seats' : 'volume');
  expect(new Set((samples as { kind: string }[]).map(({ kind }) => kind))).toEqual(new Set(['car', 'van']));
});

const text = { type: 'string' };
const vehicles = (base: object, kind: object = text) => ({
  Vehicle: { type: 'object', required: ['kind'], properties: { kind }, ...base },
  Car: { allOf: [ref('Vehicle'), { required: ['seats'], properties: { seats: { type: 'integer' } } }] },
  Van: { allOf: [ref('Vehicle'), { required: ['volume'], properties: { volume: { type: 'integer' } } }] },
  Camper: { allOf: [ref('Van'), { required: ['beds'], properties: { beds: { type: 'integer' } } }] },
  Bike: { required: ['kind'], properties: { kind: text, gears: { type: 'integer' } } },
  Bus: { required: ['seats'], properties: { kind: text, seats: { type: 'integer' } } },
  Boat: { required: ['kind', 'draught'], properties: { kind: text, draught: { type: 'integer' } } },
  Tree: { oneOf: [ref('Leaf'), ref('Fork')], discriminator: { propertyName: 'kind' } },
  Leaf: { type: 'object', required: ['kind'], properties: { kind: { enum: ['Leaf'] } } },
  Fork: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['Fork'] }, left: ref('Tree'), right: ref('Tree') },
  },
});
const named = { discriminator: { propertyName: 'kind' } };
const mapped = {
  discriminator: { propertyName: 'kind', mapping: { car: '#/components/schemas/Car', van: 'Van' } },
};
const choice = (keyword: string) => ({ [keyword]: [ref('Bike'), ref('Boat')], ...named });

interface Row {
  base?: object;
  kind?: object;
  schema: object;
  value: unknown;
  want: string[];
}

test.each<[string, Row]>([
  ['an heir that fits', { base: named, schema: ref('Vehicle'), value: { kind: 'Car', seats: 2 }, want: [] }],
  [
    'an heir that does not',
    { base: named, schema: ref('Vehicle'), value: { kind: 'Car' }, want: ['/seats is required'] },
  ],
  [
    'an heir of an heir',
    {
      base: named,
      schema: ref('Vehicle'),
      value: { kind: 'Camper', volume: 1 },
      want: ['/beds is required'],
    },
  ],
  ['the schema itself', { base: named, schema: ref('Vehicle'), value: { kind: 'Vehicle' }, want: [] }],
  [
    'another name, where others may exist',
    { base: named, schema: ref('Vehicle'), value: { kind: 'Tram' }, want: [] },
  ],
  ['no name', { base: named, schema: ref('Vehicle'), value: {}, want: ['/kind is required'] }],
  [
    'a mapped name',
    { base: mapped, schema: ref('Vehicle'), value: { kind: 'van' }, want: ['/volume is required'] },
  ],
  [
    'a name that is not mapped',
    {
      base: mapped,
      schema: ref('Vehicle'),
      value: { kind: 'tram' },
      want: ['/kind must be one of "Vehicle", "car", "van", "Camper"'],
    },
  ],
  ...[{}, { kind: 'tram' }].map((value): [string, Row] => [
    `the schema of what has no name: ${JSON.stringify(value)}`,
    {
      schema: {
        anyOf: [ref('Bus'), ref('Leaf')],
        discriminator: { propertyName: 'kind', defaultMapping: 'Bus' },
      },
      value,
      want: ['/seats is required'],
    },
  ]),
  [
    'an heir that is asked for as another',
    { base: named, schema: ref('Van'), value: { kind: 'Car', volume: 1 }, want: ['/seats is required'] },
  ],
  [
    'in a list',
    {
      base: named,
      schema: { type: 'array', items: ref('Vehicle') },
      value: [{ kind: 'Car', seats: 1 }, { kind: 'Car' }],
      want: ['/1/seats is required'],
    },
  ],
  [
    'other names than those that the schemas enumerate',
    { base: named, kind: { enum: ['car', 'van'] }, schema: ref('Vehicle'), value: { kind: 'car' }, want: [] },
  ],
  ['anyOf, the named one fits', { schema: choice('anyOf'), value: { kind: 'Boat', draught: 1 }, want: [] }],
  [
    'anyOf, only another one fits',
    { schema: choice('anyOf'), value: { kind: 'Boat' }, want: ['/draught is required'] },
  ],
  [
    'oneOf, only another one fits',
    { schema: choice('oneOf'), value: { kind: 'Boat' }, want: ['/draught is required'] },
  ],
  [
    'oneOf, the named one fits, and another one as well',
    { schema: choice('oneOf'), value: { kind: 'Boat', draught: 1, gears: 3 }, want: [] },
  ],
  [
    'oneOf, none fits',
    { schema: choice('oneOf'), value: { kind: 'Boat', draught: 'x' }, want: ['/draught must be an integer'] },
  ],
  [
    'a value within one of the same schema',
    { schema: ref('Tree'), value: { kind: 'Fork', left: { kind: 'Leaf' } }, want: [] },
  ],
  [
    'a value within one of the same schema, of no form',
    { schema: ref('Tree'), value: { kind: 'Fork', left: 5 }, want: ['/left must be an object'] },
  ],
  [
    'two of them',
    {
      schema: ref('Tree'),
      value: { kind: 'Fork', left: 5, right: {} },
      want: ['/left must be an object', '/right/kind is required'],
    },
  ],
  [
    'oneOf, another name',
    { schema: choice('oneOf'), value: { kind: 'Tram' }, want: ['/kind must be one of "Bike", "Boat"'] },
  ],
])('%s', async (_, { base = {}, kind, schema, value, want }) => {
  for (const openapi of ['3.0.4', '3.1.1']) {
    const { validate } = await schemaInUse(schema, { others: vehicles(base, kind), openapi });
    const violations = validate(value).map(({ pointer, expected }) => `${pointer} ${expected}`);
    expect(violations).toEqual(want);
    // Violations of an earlier call must not remain.
    expect(validate(value)).toHaveLength(want.length);
  }
});

test('samples take every form, each with its name', async () => {
  const { shape, validate } = await schemaInUse(ref('Vehicle'), { others: vehicles(mapped) });
  const samples = Array.from(
    { length: 30 },
    (_, index) => sample(shape, { key: `${index}` }) as { kind: string },
  );
  for (const made of samples) expect(validate(made)).toEqual([]);
  expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(['car', 'van', 'Camper']));
  expect(shape.alternatives.every(({ alternatives }) => alternatives.length === 0)).toBe(true);
});

test('a response is held against the heir that it names', async () => {
  const { shape } = await schemaInUse({ type: 'array', items: ref('Vehicle') }, { others: vehicles(mapped) });
  const found = [...discriminatedValues(shape, [{ kind: 'car' }, { kind: 'tram' }])];
  expect(found).toMatchObject([
    { pointer: '/0', property: 'kind', branch: { path: ['components', 'schemas', 'Car'] } },
  ]);
});
