import { describe, expect, test } from 'vitest';
import { documentOf, problemsOf, schemaInUse } from '../testing/contract-of.ts';
import { externalReferences } from './find-references.ts';

const S = '#/components/schemas';

/** The expected message for a document whose only body has this schema, with the further schemas `others`. */
const CASES: [name: string, { schema: unknown; others?: object; want: [at: string, message: RegExp][] }][] = [
  [
    'a missing target',
    {
      schema: { $ref: `${S}/Nobody` },
      want: [
        [
          '$ref',
          /^the \$ref "#\/components\/schemas\/Nobody" leads nowhere: there is no "Nobody" in #\/components\/schemas; add it or/,
        ],
      ],
    },
  ],
  [
    'a missing file',
    {
      schema: { $ref: 'missing.yaml#/X' },
      want: [
        [
          '$ref',
          /leads nowhere: cannot read .*missing\.yaml: there is no such file; add the file or correct the \$ref$/,
        ],
      ],
    },
  ],
  [
    'a scheme that cannot be read',
    {
      schema: { $ref: 'urn:example:x' },
      want: [
        ['$ref', /leads nowhere: cannot read urn:example:x: only files and http\(s\) URLs can be read; /],
      ],
    },
  ],
  ['no URL', { schema: { $ref: 'http://[' }, want: [['$ref', /^the \$ref "http:\/\/\[" is no URL$/]] }],
  [
    'an anchor that is nowhere',
    {
      schema: { $ref: '#here' },
      want: [
        [
          '$ref',
          /^the \$ref "#here" is no JSON Pointer \(#\/\.\.\.\), and no schema has an \$anchor of that name$/,
        ],
      ],
    },
  ],
  ['a bad escape', { schema: { $ref: '#/%zz' }, want: [['$ref', /"#\/%zz" is no JSON Pointer/]] }],
  [
    'circular references',
    {
      schema: { $ref: `${S}/A` },
      others: { A: { $ref: `${S}/B` }, B: { $ref: `${S}/A` } },
      want: [
        ['$ref', /"#\/components\/schemas\/A" leads back to itself$/],
        ['$ref', /"#\/components\/schemas\/B" leads back to itself$/],
      ],
    },
  ],
  [
    'a schema that contains itself',
    {
      schema: { $ref: `${S}/Base` },
      others: { Base: { oneOf: [{ $ref: `${S}/Derived` }] }, Derived: { allOf: [{ $ref: `${S}/Base` }] } },
      want: [['oneOf', /^this leads back to a schema that contains it, without end; it is ignored$/]],
    },
  ],
  [
    'a dynamic reference that leads nowhere',
    {
      schema: { $dynamicRef: '#node' },
      want: [['$dynamicRef', /^"\$dynamicRef" leads nowhere; it is ignored$/]],
    },
  ],
  [
    'a pointer from the root of the file, below an $id',
    {
      schema: { $id: 'https://example.com/x', items: { $ref: `${S}/A` } },
      others: { A: {} },
      want: [['items', /leads nowhere below the "\$id" https:\/\/example.com\/x; it is read from the root/]],
    },
  ],
];

describe('a reference that does not resolve', () => {
  test.each(CASES)('%s', async (_name, { schema, others = {}, want }) => {
    const body = { content: { 'application/json': { schema } } };
    const document = documentOf(
      { '/a': { post: { requestBody: body, responses: {} } } },
      { components: { schemas: others } },
    );
    const text = JSON.stringify(document, undefined, 1);
    const problems = await problemsOf({ 'a.json': text });
    const met = problems.map(({ line, message }) => [keyIn(text, line), message]);
    expect(met).toEqual(want.map(([key, message]) => [key, expect.stringMatching(message)]));
  });
});

/** The key of the member in a line. */
function keyIn(text: string, line: number): string | undefined {
  return /"([^"]+)":/.exec(text.split('\n')[line - 1] ?? '')?.[1];
}

test('a problem in another file has the source position there', async () => {
  const operation = { responses: { 200: { $ref: 'parts.yaml#/ok' } } };
  const parts = 'ok:\n  description: Done\n  content:\n    application/json:\n      schema: {type: strin}\n';
  const [problem] = await problemsOf({
    'a.json': documentOf({ '/a': { get: operation } }),
    'parts.yaml': parts,
  });
  expect(problem).toMatchObject({ uri: 'parts.yaml', line: 5, column: 16 });
});

test('an anchor names the schema that has it', async () => {
  const { validate } = await schemaInUse(
    { properties: { a: { $ref: '#whole' }, b: { $ref: '#node' } } },
    {
      others: { Whole: { $anchor: 'whole', type: 'integer' }, Node: { $dynamicAnchor: 'node', minimum: 3 } },
    },
  );
  expect(validate({ a: 'x', b: 1 }).map(({ pointer, keyword }) => [pointer, keyword])).toEqual([
    ['/a', 'type'],
    ['/b', 'minimum'],
  ]);
});

test('a pointer may lead through a reference, with a warning', async () => {
  const { validate, contract } = await schemaInUse(
    { $ref: `${S}/Alias/properties/a` },
    { others: { Alias: { $ref: `${S}/Thing` }, Thing: { properties: { a: { type: 'integer' } } } } },
  );
  expect(validate('x')).toHaveLength(1);
  expect(contract.warnings).toMatchObject([
    { message: `the $ref "${S}/Alias/properties/a" leads through another $ref, which is followed` },
  ]);
});

test('references that lead through each other are refused', async () => {
  const others = { A: { $ref: `${S}/B/x` }, B: { $ref: `${S}/A/x` } };
  await expect(schemaInUse({ $ref: `${S}/A/y` }, { others })).rejects.toThrow();
});

const $ref = 'other.yaml';

test.each<[name: string, file: object]>([
  ['a response that is called default', { get: { responses: { default: { $ref } } } }],
  ['a property that is called value', { properties: { value: { $ref } } }],
  ['a property that is called properties', { properties: { properties: { items: { $ref } } } }],
  ['a header that is called const', { headers: { const: { $ref } } }],
  ['an example that is called example', { examples: { example: { $ref } } }],
  ['an item', { allOf: [{ $ref }] }],
])('a reference is found in %s', (_, file) => {
  expect([...externalReferences(file)].map(({ ref }) => ref)).toEqual([$ref]);
});

test.each<[name: string, file: object]>([
  ['a default', { properties: { a: { default: { $ref } } } }],
  [
    'the default of a property that is called properties',
    { properties: { properties: { default: { $ref } } } },
  ],
  ['an example of a response', { content: { 'a/b': { examples: { first: { value: { $ref } } } } } }],
  ['the examples of a schema', { examples: [{ $ref }] }],
  ['an enumeration', { enum: [{ $ref }] }],
  ['a reference to the file itself', { $ref: '#/a' }],
])('what is data is no reference: %s', (_, file) => {
  expect([...externalReferences(file)]).toEqual([]);
});
