import { expect, test } from 'vitest';
import {
  findNamed,
  foldedName,
  idStem,
  namesIdOf,
  sameName,
  singular,
  singularName,
  wordsOf,
} from './names.ts';

test.each([
  ['camel case with an acronym', 'productSKUCode', 'product sku code'],
  ['acronyms in the plural', 'SKUs ofUserIDs', 'skus of user ids'],
  ['brackets, dots and dashes', 'page[max-size].perHTTPServer', 'page max size per http server'],
  ['digits stay with the word before', 'oauth2Client_line1 ISO8601Date', 'oauth2 client line1 iso8601 date'],
  ['other letters', 'StraßeÜberPlatz-日本 Cafe\u0301', 'straße über platz 日本 cafe\u0301'],
  ['nothing', '$_[]', ''],
])('splits %s', (_, given, want) => expect(wordsOf(given).join(' ')).toBe(want));

test.each([
  ['categories', 'category'],
  ['ties', 'tie'],
  ['addresses', 'address'],
  ['statuses', 'status'],
  ['status', 'status'],
  ['houses', 'house'],
  ['cases', 'case'],
  ['boxes', 'box'],
  ['sizes', 'size'],
  ['branches', 'branch'],
  ['aliases', 'alias'],
  ['analysis', 'analysis'],
  ['class', 'class'],
  ['people', 'person'],
  ['Children', 'child'],
  ['news', 'news'],
  ['ids', 'id'],
  ['s', 's'],
])('%s in the singular is %s', (given, want) => expect(singular(given)).toBe(want));

test('the last word alone is put in the singular', () => {
  expect(singularName('sales-people')).toBe('salesperson');
  expect(singularName('news_items')).toBe('newsitem');
});

test('one name is found exactly first, and else where there is no choice', () => {
  expect(foldedName('Connect-App_Sid')).toBe('connectappsid');
  expect(sameName('$', '_')).toBe(false);
  expect(findNamed(['userId', 'user_id'], 'user_id')).toBe('user_id');
  expect(findNamed(['userId', 'name'], 'user_id')).toBe('userId');
  expect(findNamed(['userId', 'user-id'], 'user_id')).toBeUndefined();
});

test.each([
  ['category_id', 'category'],
  ['categoryIDs', 'category'],
  ['category-uuids', 'category'],
  ['orderLineId', 'orderline'],
  ['android_id', 'android'],
  ['paid', undefined],
  ['android', undefined],
  ['id', undefined],
])('%s is the id of %s', (given, want) => expect(idStem(given)).toBe(want));

test('the id of a known noun needs no border between its words', () => {
  expect(namesIdOf('petid', 'pet')).toBe(true);
  expect(namesIdOf('pet_uuid', 'pet')).toBe(true);
  expect(namesIdOf('petals', 'pet')).toBe(false);
});
