import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../json/exact-json.ts';
import { schemaInUse } from '../testing/contract-of.ts';
import { type BrokenValue, breakEachKeyword, breakOneKeyword } from './break-each-keyword.ts';
import { sample } from './sample.ts';

const S = '#/components/schemas';

const CASES: [name: string, { schema: object; valid: unknown; want: string[] }][] = [
  [
    'required members and types',
    {
      schema: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'boolean' }, b: { type: ['array', 'null'] } },
      },
      valid: { a: true, b: [] },
      want: [
        ...['string', 'integer', 'number', 'boolean', 'array'].map(
          (type) => `the body of type ${type}: type`,
        ),
        'the body null: type',
        'without a: /a required',
        ...['string', 'integer', 'number', 'object', 'array'].map((type) => `a of type ${type}: /a type`),
        'a null: /a type',
        ...['string', 'integer', 'number', 'boolean', 'object'].map((type) => `b of type ${type}: /b type`),
      ],
    },
  ],
  [
    'bounds, by one',
    {
      schema: { minimum: 1, maximum: 9007199254740991 },
      valid: 5,
      want: [
        'the body below the least value: minimum 0',
        'the body above the greatest value: maximum 9007199254740992',
      ],
    },
  ],
  [
    'excluded bounds',
    {
      schema: { exclusiveMinimum: 0.5, exclusiveMaximum: 2 },
      valid: 1,
      want: [
        'the body below the least value: exclusiveMinimum 0.5',
        'the body above the greatest value: exclusiveMaximum 2',
      ],
    },
  ],
  [
    'formats of integers',
    {
      schema: { format: 'int64' },
      valid: 1,
      want: [
        'the body below the least value: format -9223372036854775809',
        'the body above the greatest value: format 9223372036854775808',
      ],
    },
  ],
  [
    'multiples',
    { schema: { multipleOf: 0.05 }, valid: 1, want: ['the body between two multiples: multipleOf 1.025'] },
  ],
  [
    'enumerations',
    {
      schema: { properties: { a: { enum: ['x', 'X'] }, b: { enum: [1, 2] }, c: { const: true } } },
      valid: { a: 'x', b: 1, c: true },
      want: [
        'a outside its enumeration: /a enum',
        'b outside its enumeration: /b enum',
        'c the other of true and false: /c const',
      ],
    },
  ],
  [
    'texts',
    {
      schema: { minLength: 2, maxLength: 3, pattern: '^[a-c]*$' },
      valid: 'ab',
      want: [
        'the body too short: minLength "a"',
        'the body too long: maxLength "abab"',
        'the body off its pattern: pattern "ab\\u0001"',
      ],
    },
  ],
  [
    'formats of texts',
    {
      schema: { format: 'date' },
      valid: '2024-02-29',
      want: ['the body off its format: format "not of this format"'],
    },
  ],
  [
    'lists and their items',
    {
      schema: { minItems: 1, maxItems: 2, uniqueItems: true, items: { maximum: 5 } },
      valid: [1],
      want: [
        'the body with too few items: minItems []',
        'the body with an item twice: uniqueItems [1,1]',
        '0 above the greatest value: /0 maximum [6]',
      ],
    },
  ],
  [
    'lists of distinct items of a pattern',
    {
      schema: { minItems: 2, maxItems: 3, uniqueItems: true, items: { pattern: '^T-[0-9]{4}$' } },
      valid: ['T-0001', 'T-0002', 'T-0003'],
      want: [
        'the body with too few items: minItems ["T-0001"]',
        'the body with too many items: maxItems ["T-0001","T-0002","T-0003","T-5195"]',
        'the body with an item twice: uniqueItems ["T-0001","T-0001","T-0002"]',
        '0 off its pattern: /0 pattern ["\\u0001","T-0002","T-0003"]',
      ],
    },
  ],
  [
    'empty lists of a pattern',
    {
      schema: { maxItems: 2, items: { pattern: '^T-[0-9]{2}$' } },
      valid: [],
      want: ['the body with too many items: maxItems ["T-39","T-39","T-39"]'],
    },
  ],
  [
    'lists whose enumeration has too few distinct items',
    {
      schema: { minItems: 1, maxItems: 2, uniqueItems: true, items: { enum: ['a', 'b'] } },
      valid: ['a'],
      want: [
        'the body with too few items: minItems []',
        'the body with an item twice: uniqueItems ["a","a"]',
        '0 outside its enumeration: /0 enum ["a-x"]',
        '0 in another case: /0 enum ["A"]',
      ],
    },
  ],
  [
    'items by position',
    {
      schema: { prefixItems: [{ maximum: 1 }, { maximum: 2 }], items: { maximum: 3 } },
      valid: [1, 2, 3, 3],
      want: [
        '0 above the greatest value: /0 maximum [2,2,3,3]',
        '1 above the greatest value: /1 maximum [1,3,3,3]',
        '2 above the greatest value: /2 maximum [1,2,4,3]',
      ],
    },
  ],
  [
    'numbers of members, and their names',
    {
      schema: { minProperties: 2, maxProperties: 2, propertyNames: { pattern: '^[a-z_0-9]*$' } },
      valid: { b: 1, a: 1 },
      want: [
        'the body with a member of another name: propertyNames {"b":1,"Unknown Member":1}',
        'the body with too few members: minProperties {"b":1}',
        'the body with too many members: maxProperties {"b":1,"a":1,"unknown_0":"x"}',
      ],
    },
  ],
  [
    'members that need others',
    {
      schema: { dependentRequired: { a: ['b'] }, propertyNames: { pattern: '^[a-z]*$' } },
      valid: { a: 1, b: 1 },
      want: [
        'the body with a and without b: dependentRequired {"a":1}',
        'the body with a member of another name: propertyNames {"a":1,"b":1,"unknown_member":1}',
      ],
    },
  ],
  [
    'members that each need the same one',
    {
      schema: { dependentRequired: { a: ['c'], b: ['c'] } },
      valid: { a: 1, b: 1, c: 1 },
      want: [
        'the body with a and without c: dependentRequired {"a":1}',
        'the body with b and without c: dependentRequired {"b":1}',
      ],
    },
  ],
  [
    'names by patterns, and the values of these',
    {
      schema: { patternProperties: { '^[a-z_]+$': { maxLength: 2 } }, additionalProperties: false },
      valid: { a: 'b' },
      want: [
        'the body with a member too many: additionalProperties {"a":"b","Unknown Member":"b"}',
        'a too long: /a maxLength {"a":"bbb"}',
      ],
    },
  ],
  [
    'items behind the last one',
    {
      schema: { prefixItems: [{}, {}], items: false },
      valid: [1, 2],
      want: ['the body with an item too many: false [1,2,2]'],
    },
  ],
  [
    'an item that must be contained',
    {
      schema: { contains: { const: 'a' } },
      valid: ['b', 'a'],
      want: ['the body without what it must contain: contains ["b"]'],
    },
  ],
  [
    'conditions',
    {
      schema: {
        if: { required: ['a'], properties: { a: { const: 'x' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword
        then: { required: ['b'] },
        else: { required: ['c'] },
        dependentSchemas: { d: { required: ['e'] } },
      },
      valid: { a: 'y', c: 1 },
      want: [
        'the body under its condition without b: required {"a":"x","c":1}',
        'the body without its condition without c: required {"a":"y"}',
        'the body with d without e: required',
      ],
    },
  ],
  [
    'branches that the value is not of',
    {
      schema: {
        properties: {
          at: {
            oneOf: [
              { required: ['x'], properties: { x: true }, additionalProperties: false },
              { required: ['y'], properties: { y: true }, additionalProperties: false },
            ],
          },
        },
      },
      valid: { at: { x: 1 } },
      want: [
        'at in form 2 the body with a member too many: /at oneOf {"at":{"y":{},"unknown_member":{}}}',
        'at in form 2 without y: /at oneOf {"at":{}}',
        'at with a member too many: /at oneOf',
        'without at.x: /at/x oneOf',
      ],
    },
  ],
  [
    'members that no property names',
    {
      schema: { additionalProperties: { format: 'date' } },
      valid: {},
      want: ['unknown_member off its format: /unknown_member format {"unknown_member":"not of this format"}'],
    },
  ],
  [
    'the branch that a value is of',
    {
      schema: {
        oneOf: [
          { required: ['kind', 'size'], properties: { kind: { const: 'a' }, size: { maximum: 3 } } },
          { required: ['kind', 'name'], properties: { kind: { const: 'b' }, name: { maxLength: 2 } } },
        ],
      },
      valid: { kind: 'b', name: 'xy' },
      want: [
        'kind in another case: /kind oneOf {"kind":"B","name":"xy"}',
        'kind outside its enumeration: /kind oneOf {"kind":"b-x","name":"xy"}',
        'name too long: /name maxLength {"kind":"b","name":"xyx"}',
        'without kind: /kind oneOf {"name":"xy"}',
        'without name: /name required {"kind":"b"}',
      ],
    },
  ],
  [
    'closed records',
    {
      schema: { properties: { a: {} }, additionalProperties: false },
      valid: { a: 1 },
      want: ['the body with a member too many: additionalProperties {"a":1,"unknown_member":1}'],
    },
  ],
  [
    'names with slashes, and names that begin alike',
    {
      schema: { required: ['a/b', 'a'], properties: { 'a/b': {}, a: {}, ab: {} } },
      valid: { 'a/b': 1, a: 1, ab: 1 },
      want: ['without a/b: /a~1b required', 'without a: /a required'],
    },
  ],
  [
    'readOnly members are left alone',
    {
      schema: { required: ['id'], properties: { id: { type: 'integer', readOnly: true } } },
      valid: { id: 1 },
      want: [],
    },
  ],
];

describe('breakEachKeyword breaks one keyword at a time', () => {
  test.each(CASES)('%s', async (_name, { schema, valid, want }) => {
    const { shape, validate } = await schemaInUse(parseJson(stringifyJson(schema)));
    const shown = breakEachKeyword(shape, valid, validate).map(({ title, pointer, keyword, value }) => {
      const line = `${title}: ${pointer} ${keyword}`.replace(':  ', ': ');
      return want.includes(line) ? line : `${line} ${stringifyJson(value)}`;
    });
    expect(shown.sort()).toEqual([...want].sort());
  });
});

/** Each node refers to all others, so that the number of paths is exponential. */
const NODES = ['A', 'B', 'C', 'D', 'E'];
const REFERENCES = NODES.map((name) => [
  `by${name}`,
  { type: 'object', additionalProperties: { type: 'array', minItems: 1, items: { $ref: `${S}/${name}` } } },
]);
const NODE = { type: 'object', properties: { size: { type: 'integer' }, ...Object.fromEntries(REFERENCES) } };
const GRAPH = Object.fromEntries(NODES.map((name) => [name, { ...NODE }]));

describe('schemas that contain themselves', () => {
  test('each member of each schema is broken, and not on each path', async () => {
    const { shape, validate } = await schemaInUse({ $ref: `${S}/A` }, { others: GRAPH });
    const broken = breakEachKeyword(shape, sample(shape, { key: 'graph' }), validate);
    const sizes = broken.filter(({ title }) => title.endsWith('size of type string'));
    expect(new Set(sizes.map(({ at }) => `${at.line}:${at.column}`)).size).toBe(NODES.length);
    expect(broken.length).toBeLessThan(5000);
  });

  test('a map of itself', async () => {
    const tree = { type: 'object', additionalProperties: { $ref: `${S}/Tree` } };
    const { shape, validate } = await schemaInUse({ $ref: `${S}/Tree` }, { others: { Tree: tree } });
    const titles = breakEachKeyword(shape, {}, validate).map(({ title }) => title);
    expect(titles).toContain('the body of type string');
  });
});

describe('breakOneKeyword makes one of these', () => {
  const schema = {
    required: ['name'],
    properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', minimum: 0 } },
  };
  const valid = { name: 'Rex', age: 3 };

  test('each of them for some number', async () => {
    const { shape, validate } = await schemaInUse(schema);
    const one = (number: number) =>
      breakOneKeyword(shape, valid, validate, { number, accepts: () => true })?.title;
    const all = breakEachKeyword(shape, valid, validate).map(({ title }) => title);
    const made = new Set(Array.from({ length: 100 }, (_, number) => one(number)));
    expect([...made].sort()).toEqual([...all].sort());
  });

  test('of those that are accepted', async () => {
    const { shape, validate } = await schemaInUse(schema);
    const accepts = ({ keyword }: BrokenValue) => keyword === 'minimum';
    for (const number of [0, 1, 2, 3, 4])
      expect(breakOneKeyword(shape, valid, validate, { number, accepts })?.pointer).toBe('/age');
    expect(breakOneKeyword(shape, valid, validate, { number: 0, accepts: () => false })).toBeUndefined();
  });
});

const PROPERTIES = fc.dictionary(
  fc.string(),
  fc.constantFrom<object>(
    { type: 'string', minLength: 1, maxLength: 40 },
    { type: 'integer', minimum: 1, maximum: 100 },
    { type: 'integer', format: 'int64' },
    { type: 'string', enum: ['a', 'b'] },
    { type: ['boolean', 'null'] },
    { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 1, maxItems: 3 },
    { type: 'object', required: ['x'], properties: { x: { type: 'string', format: 'uuid' } } },
    { type: 'number', multipleOf: 0.5 },
  ),
);

test('each broken value breaks its keyword at its pointer, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(PROPERTIES, fc.string(), async (properties, key) => {
      const { shape, validate } = await schemaInUse({
        ...{ type: 'object', properties, required: Object.keys(properties) },
      });
      const valid = sample(shape, { key });
      const before = stringifyJson(valid);
      const broken = breakEachKeyword(shape, valid, validate);
      // At least: another type for the body and for each member, and each member missing.
      expect(broken.length).toBeGreaterThan(Object.keys(properties).length * 2);
      for (const { value, pointer, keyword, at } of broken) {
        const violations = validate(value);
        expect(violations.map((violation) => violation.pointer)).toEqual(violations.map(() => pointer));
        expect(violations).toContainEqual(expect.objectContaining({ keyword, at }));
      }
      expect(new Set(broken.map(({ title }) => title)).size).toBe(broken.length);
      expect(stringifyJson(valid)).toBe(before);
    }),
    { numRuns: 60 },
  );
});
