import { expect, test } from 'vitest';
import { essenceOf, isJsonType, mediaTypeFor, sentType } from './media-type.ts';
import { contractOf, documentOf } from './testing/contract-of.ts';

test.each([
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/problem+json', true],
  ['application/vnd.api.v1+json;a=b', true],
  ['text/json', true],
  ['application/jsonl', false],
  ['application/json-seq', false],
  ['application/xml', false],
  ['text/html; x=application/json', false],
  ['', false],
])('%j is JSON: %j', (type, want) => {
  expect(isJsonType(type)).toBe(want);
});

test('the essence has no parameters, upper case or white space', () => {
  expect(essenceOf(' Text/HTML ; charset=x')).toBe('text/html');
});

async function contentOf(content: object) {
  const get = { responses: { 200: { description: 'Done', content } } };
  const contract = await contractOf({ 'a.json': documentOf({ '/a': { get } }) });
  return contract.operations[0]?.responses[0]?.content ?? [];
}

test.each([
  ['application/json', 'application/json; charset=utf-8'],
  ['text/csv', 'text/*'],
  ['image/png', '*/*'],
  ['', '*/*'],
])('%j is described by %j', async (type, want) => {
  const content = await contentOf({ '*/*': {}, 'text/*': {}, 'application/json; charset=utf-8': {} });
  expect(mediaTypeFor(content, type)?.type).toBe(want);
});

test.each([
  ['application/vnd.pet+xml', 'application/*+xml'],
  ['application/vnd.pet+json', 'application/*+json'],
  ['application/xml', undefined],
  ['image/svg+xml', undefined],
])('%j is described by %j, where a document has suffixes', async (type, want) => {
  const content = await contentOf({ 'application/*+json': {}, 'application/*+xml': {} });
  expect(mediaTypeFor(content, type)?.type).toBe(want);
});

test('what is sent for a suffix is described by it', async () => {
  const content = await contentOf({ 'application/*+json': {}, 'application/*+xml': {} });
  for (const media of content) expect(mediaTypeFor(content, sentType(media))).toBe(media);
});

test('a type that is not documented', async () => {
  expect(
    mediaTypeFor(await contentOf({ 'application/json': {} }), 'application/problem+json'),
  ).toBeUndefined();
});

test('examples by name; a single one is called example', async () => {
  const [json, text] = await contentOf({
    'application/json': { examples: { a: { value: null }, b: { externalValue: 'x' }, c: { value: 1 } } },
    'text/plain': { example: 'hello' },
  });
  expect([...(json?.examples ?? [])]).toEqual([
    ['a', null],
    ['c', 1],
  ]);
  expect([...(text?.examples ?? [])]).toEqual([['example', 'hello']]);
});
