import { describe, expect, test } from 'vitest';
import type { ListForm } from '../resources/resource.ts';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { firstPosition, longestPage, tellsEnd } from './paging.ts';

interface Given {
  /** Query parameters by name: a type, or a whole Parameter Object without name and place. */
  readonly query?: Readonly<Record<string, string | object>>;
  /** Members beside `boats`; undefined: the response is the array. */
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, object>>;
}

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const object = (properties: Readonly<Record<string, unknown>>) => ({ type: 'object', properties });

async function listOf({ query = {}, beside, headers }: Given): Promise<ListForm> {
  const boats = { type: 'array', items: object({ id: INTEGER, name: TEXT }) };
  const schema = beside ? object({ ...beside, boats }) : boats;
  const content = { 'application/json': { schema } };
  const parameters = Object.entries(query).map(([name, given]) => ({
    ...{ name, in: 'query' },
    ...(typeof given === 'string' ? { schema: { type: given } } : given),
  }));
  const get = {
    parameters,
    responses: { 200: { description: 'All', content, ...(headers && { headers }) } },
  };
  const { resources } = await contractOf({ 'a.json': documentOf({ '/boats': { get } }) });
  return resources[0]?.list as ListForm;
}

/** Each role of a parameter, and each sign of a response; `?`: a name alone suggests it. */
function inWords({ members, headers, pageSize, offset, page, cursor }: ListForm): string[] {
  const parameters = Object.entries({ pageSize, offset, page, cursor });
  const signs = [
    ...members.map((one) => ({ ...one, at: one.path.join('.') })),
    ...headers.map((one) => ({ ...one, at: one.name })),
  ];
  return [
    ...parameters.flatMap(([role, parameter]) => (parameter ? [`${role} ${parameter.name}`] : [])),
    ...signs.map(({ at, says, certainty }) => `${at}: ${says}${certainty === 'presumed' ? '?' : ''}`),
  ];
}

const NUMBERED = { page: 'integer', size: 'integer' };

test.each<[string, Given, string[]]>([
  [
    "Spring's form",
    {
      query: NUMBERED,
      beside: {
        ...{ totalElements: INTEGER, totalPages: INTEGER, number: INTEGER, size: INTEGER },
        ...{ numberOfElements: INTEGER, first: FLAG, last: FLAG, empty: FLAG, sort: object({ empty: FLAG }) },
      },
    },
    [
      ...['pageSize size', 'page page', 'totalElements: total', 'totalPages: pages?', 'number: page?'],
      ...['size: size?', 'numberOfElements: listed?', 'first: is first', 'last: is last', 'empty: is empty'],
    ],
  ],
  [
    'a cursor in an object beside the list',
    {
      query: { limit: 'integer', cursor: 'string' },
      beside: { meta: object({ next_cursor: TEXT, prev_cursor: TEXT, has_more: FLAG }) },
    },
    [
      ...['pageSize limit', 'cursor cursor', 'meta.next_cursor: next cursor'],
      ...['meta.prev_cursor: previous cursor', 'meta.has_more: has more'],
    ],
  ],
  [
    'links',
    {
      query: { offset: 'number', limit: 'number' },
      beside: { _links: object({ next: object({ href: TEXT }), prev: object({ href: TEXT }) }) },
    },
    ['pageSize limit', 'offset offset', '_links.next.href: next url', '_links.prev.href: previous url'],
  ],
  [
    'a URL by its format, its name or what it shows',
    {
      query: { cursor: 'string' },
      beside: {
        ...{ next: { ...TEXT, format: 'uri' }, previousPageUrl: TEXT, prev: { ...TEXT, example: '/boats' } },
      },
    },
    ['cursor cursor', 'next: next url', 'previousPageUrl: previous url', 'prev: previous url'],
  ],
  [
    'a text beside page numbers may be a URL',
    { query: NUMBERED, beside: { next: TEXT } },
    ['pageSize size', 'page page', 'next: next url?'],
  ],
  [
    'texts are numbers beside each other',
    { query: { page: 'string', limit: 'string' } },
    ['pageSize limit', 'page page'],
  ],
  ['one text alone may be anything', { query: { page: 'string' } }, []],
  [
    'numbers of other pages',
    { query: NUMBERED, beside: { next_page: INTEGER, current_page: INTEGER, per_page: INTEGER } },
    ['pageSize size', 'page page', 'next_page: next page', 'current_page: page?', 'per_page: size?'],
  ],
  [
    'numbers of other pages, which no parameter chooses',
    { beside: { next_page: INTEGER, previous: INTEGER } },
    ['next_page: next page?'],
  ],
  [
    'a count may be that of the page',
    { query: NUMBERED, beside: { count: INTEGER, boatsCount: INTEGER, total: INTEGER } },
    ['pageSize size', 'page page', 'count: total?', 'boatsCount: total?', 'total: total'],
  ],
  ['a total without pages may be a sum', { beside: { total: INTEGER } }, ['total: total?']],
  [
    'headers',
    {
      query: { page_token: 'string' },
      headers: {
        ...{ Link: { schema: TEXT }, 'X-Total-Count': { schema: INTEGER } },
        ...{ 'X-Next-Page-Token': { schema: TEXT }, 'X-Request-Id': { schema: TEXT } },
      },
    },
    ['cursor page_token', 'link: links', 'x-total-count: total', 'x-next-page-token: next cursor'],
  ],
  [
    'sizes of several types, and names in brackets',
    {
      query: {
        'page[number]': 'number',
        'page[size]': { schema: { oneOf: [INTEGER, { ...TEXT, enum: ['all'] }] } },
      },
    },
    ['pageSize page[size]', 'page page[number]'],
  ],
  ['a flag is no cursor', { query: { next: 'boolean' } }, []],
  ['a moment is no cursor', { query: { after: { schema: { ...TEXT, format: 'date-time' } } } }, []],
])('%s', async (_, given, want) => {
  expect(inWords(await listOf(given))).toEqual(want);
});

test.each<[string, Given, string]>([
  ['limits', { query: { limit: { schema: { ...INTEGER, minimum: 1, maximum: 50 } } } }, 'promised'],
  ['words', { query: { top: { schema: INTEGER, description: 'How many boats are returned' } } }, 'promised'],
  ['another parameter', { query: { limit: 'integer', offset: 'integer' } }, 'promised'],
  ['a member of the response', { query: { first: 'integer' }, beside: { hasNextPage: FLAG } }, 'promised'],
  ['nothing', { query: { limit: 'integer' } }, 'presumed'],
  [
    'words of something else',
    { query: { size: { schema: INTEGER, description: 'Of the sail' } } },
    'presumed',
  ],
  ['other limits', { query: { size: { schema: { ...INTEGER, minimum: 36, maximum: 48 } } } }, 'presumed'],
  ['a switch', { query: { count: { schema: { ...INTEGER, minimum: 0, maximum: 1 } } } }, 'presumed'],
  [
    'a sum',
    { query: { size: 'integer' }, beside: { total: { ...INTEGER, description: 'Sum of all prices' } } },
    'presumed',
  ],
])('a page size beside %s', async (_, given, want) => {
  expect((await listOf(given)).bases.pageSize?.certainty).toBe(want);
});

test('a parameter without effect pages nothing', async () => {
  const limit = { schema: { ...INTEGER, maximum: 50 }, description: 'Not supported.' };
  expect((await listOf({ query: { limit } })).pageSize).toBeUndefined();
});

describe('the first page', () => {
  const page = (schema: object) => ({ schema: { ...INTEGER, ...schema } });
  test.each<[NonNullable<Given['query']>, string]>([
    [{ page: page({ default: 0 }) }, '0 promised'],
    [{ page: page({ default: 1, minimum: 0 }) }, '1 promised'],
    [{ page: page({ minimum: 1 }) }, '1 promised'],
    [{ page: page({ minimum: 0 }) }, '0 presumed'],
    [{ page: page({}) }, '1 presumed'],
    [{ offset: page({}) }, '0 promised'],
  ])('%o: %s', async (query, want) => {
    const form = await listOf({ query });
    const { value, certainty } = firstPosition((form.page ?? form.offset) as never, form);
    expect(`${value} ${certainty}`).toBe(want);
  });
});

test.each<[string, Given, boolean]>([
  ['by null', { beside: { next_cursor: { type: ['string', 'null'] } } }, true],
  ['by a flag', { beside: { next_cursor: TEXT, has_more: FLAG } }, true],
  ['in words', { beside: { next_cursor: { ...TEXT, description: 'Absent on the last page.' } } }, true],
  [
    'in words of a header',
    { headers: { Link: { description: 'There is no next link at the end of the list.' } } },
    true,
  ],
  ['not at all', { beside: { next_cursor: TEXT } }, false],
])('the end of a list is told %s', async (_, given, want) => {
  expect(tellsEnd(await listOf({ query: { cursor: 'string' }, ...given }))).toBe(want);
});

test.each([
  [100, 100],
  [9_223_372_036_854_776_000, 1000],
])('of a greatest page size of %d, %d is asked for', async (maximum, want) => {
  const { pageSize } = await listOf({ query: { limit: { schema: { ...INTEGER, maximum } } } });
  expect(longestPage({ pageSize })).toBe(want);
});
