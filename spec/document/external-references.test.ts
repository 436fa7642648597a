import { expect, test } from 'vitest';
import { externalReferences } from './create-document.ts';

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
