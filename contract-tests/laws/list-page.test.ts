import { expect, test } from 'vitest';
import { ask, judge, type Step } from '../testing/steps.ts';

const pets = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: 'Hazel', categoryId: 3 }));
const list = (query: Readonly<Record<string, unknown>>, count: number) =>
  ask('listPets', { query }, 200, pets(count));
const gauges = (query: Readonly<Record<string, unknown>>) => ask('findGauges', { query }, 200, []);
const tools = (query: Readonly<Record<string, unknown>>) => ask('listTools', { query }, 200, []);
const page = (body: unknown) => ask('list_articles', { query: { page_size: 5 } }, 200, body);

interface Want {
  records: number;
  limit: number | undefined;
  filters: unknown[];
  complete: boolean;
}

test.each<[title: string, row: { given: Step; want: Want | undefined }]>([
  [
    'shorter than the page size',
    { given: list({ limit: 2 }, 1), want: { records: 1, limit: 2, filters: [], complete: true } },
  ],
  [
    'as long as the page size',
    { given: list({ limit: 2 }, 2), want: { records: 2, limit: 2, filters: [], complete: false } },
  ],
  [
    'shorter than the default',
    { given: list({}, 1), want: { records: 1, limit: 20, filters: [], complete: true } },
  ],
  [
    'an invalid page size',
    { given: list({ limit: 0 }, 1), want: { records: 1, limit: undefined, filters: [], complete: false } },
  ],
  [
    'a filter',
    {
      given: list({ limit: 9, status: 'sold' }, 0),
      want: { records: 0, limit: 9, filters: ['sold'], complete: true },
    },
  ],
  [
    'an invalid filter',
    {
      given: list({ limit: 9, status: 'lost' }, 0),
      want: { records: 0, limit: 9, filters: [], complete: false },
    },
  ],
  [
    'an undocumented parameter',
    {
      given: list({ limit: 9, sort: 'name' }, 0),
      want: { records: 0, limit: 9, filters: [], complete: false },
    },
  ],
  [
    'a body',
    {
      given: ask('listPets', { query: { limit: 9 }, body: { colour: 'red' } }, 200, []),
      want: { records: 0, limit: 9, filters: [], complete: false },
    },
  ],
  [
    'an offset',
    { given: gauges({ take: 9, skip: 1 }), want: { records: 0, limit: 9, filters: [], complete: false } },
  ],
  [
    'a boolean filter',
    {
      given: gauges({ take: 9, active: false }),
      want: { records: 0, limit: 9, filters: [false], complete: true },
    },
  ],
  [
    'a filter that has a default, not sent',
    { given: tools({}), want: { records: 0, limit: undefined, filters: [], complete: false } },
  ],
  [
    'a filter that has a default, sent',
    {
      given: tools({ kind: 'saw' }),
      want: { records: 0, limit: undefined, filters: ['saw'], complete: true },
    },
  ],
  [
    'one value of a list',
    {
      given: tools({ kind: 'saw', tags: ['a'] }),
      want: { records: 0, limit: undefined, filters: ['saw', 'a'], complete: true },
    },
  ],
  [
    'several values',
    {
      given: tools({ kind: 'saw', tags: ['a', 'b'] }),
      want: { records: 0, limit: undefined, filters: ['saw'], complete: false },
    },
  ],
  [
    'no page size, no parameters',
    {
      given: ask('listLibraries', {}, 200, []),
      want: { records: 0, limit: undefined, filters: [], complete: true },
    },
  ],
  [
    'a cursor',
    {
      given: ask('listJobs', {}, 200, { jobs: [] }),
      want: { records: 0, limit: undefined, filters: [], complete: false },
    },
  ],
  [
    'shorter than the page size, with a page after it',
    {
      given: ask('listTrees', { query: { limit: 9 } }, 200, {
        trees: [{}],
        pagination: { next_cursor: 'a', has_more: true },
      }),
      want: { records: 1, limit: 9, filters: [], complete: false },
    },
  ],
  [
    'a word for the page size',
    {
      given: ask('listPickers', { query: { per_page: 'all' } }, 200, [{}]),
      want: { records: 1, limit: undefined, filters: [], complete: false },
    },
  ],
  [
    'records in a member',
    { given: page({ articles: [{}, {}] }), want: { records: 2, limit: 5, filters: [], complete: true } },
  ],
  [
    'a member that is missing',
    { given: page({}), want: { records: 0, limit: 5, filters: [], complete: true } },
  ],
  [
    'items that are no objects',
    { given: page({ articles: [1, null, {}] }), want: { records: 1, limit: 5, filters: [], complete: true } },
  ],
  ['a refusal', { given: ask('listPets', {}, 500, {}), want: undefined }],
  [
    'a success without the credential',
    { given: ask('listPets', { refused: { headers: [], query: [] } }, 200, []), want: undefined },
  ],
  ['a read', { given: ask('getPet', { path: { petId: 1 } }, 200, {}), want: undefined }],
])('%s', (_, { given, want }) => {
  const read = judge([given]).last?.page;
  expect(
    read && {
      records: read.records.length,
      limit: read.size?.limit,
      filters: read.filters.map(({ value }) => value),
      complete: read.complete,
    },
  ).toEqual(want);
});
