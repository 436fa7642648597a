import { describe, expect, test } from 'vitest';
import { contractOf } from '../testing/contract-of.ts';
import { readOrder } from './order.ts';
import { compareOrdered, filteredValues, isWithin } from './selection.ts';

const RECORD = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    price: { type: 'number' },
    status: { type: 'string', enum: ['open', 'done'] },
    created_at: { type: 'string', format: 'date-time' },
    owner: { type: 'string' },
    petKind: { type: 'string' },
    archived: { type: 'boolean', description: 'Whether it is archived' },
    shop_id: { type: 'string', format: 'uuid' },
    maker: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

/** The list of a document whose operation has these query parameters. */
const listWith = (...parameters: object[]) => listOf({}, ...parameters);

async function listOf({ record = RECORD, ...operation }: { record?: object }, ...parameters: object[]) {
  const contract = await contractOf({
    'openapi.json': {
      openapi: '3.1.1',
      info: { title: 'Things', version: '1' },
      paths: {
        '/things': {
          get: {
            operationId: 'listThings',
            ...operation,
            parameters: parameters.map((one) => ({ in: 'query', schema: { type: 'string' }, ...one })),
            responses: {
              200: {
                description: 'The things',
                content: { 'application/json': { schema: { type: 'array', items: record } } },
              },
            },
          },
        },
      },
    },
  });
  return contract.resources[0]?.list;
}

/** The certainty of what filters, or `undefined`: nothing does. */
const filterOf = async (parameter: object, operation = {}) =>
  (await listOf(operation, parameter))?.filters[0];

const word = (name: string, ...values: string[]) => ({ name, schema: { type: 'string', enum: values } });
const said = (name: string, description: string, schema: object = { type: 'string' }) => ({
  name,
  description,
  schema,
});

describe('a filter by a member', () => {
  const status = (description: string, ...values: string[]) => ({
    ...said('status', description, { type: 'string', ...(values.length > 0 && { enum: values }) }),
  });
  const owner = (description: string) => said('owner', description);

  test.each<[what: string, parameter: object]>([
    ['the enumeration of the member', status('', 'open', 'done')],
    ['a part of it', status('Defaults to open.', 'open')],
    ['a flag', said('archived', '', { type: 'boolean' })],
    ['an id', said('shop_id', '', { type: 'string', format: 'uuid' })],
    ['the id in an object', said('maker_id', '', { type: 'integer' })],
    ['words', status('Only things with this status.')],
    ['words behind the name', owner('Owner to filter by')],
    ['another notation', said('pet_kind', 'Filter by pet kind.')],
    ['one of a list', said('tag', 'Only things whose tags contain this tag.')],
    ['a given value', owner('Restricts the list to things of the given owner')],
    ['the member of an object', said('maker', 'Filter by maker (name)')],
  ])('is promised by its name and %s', async (_, parameter) => {
    expect(await filterOf(parameter)).toMatchObject({ certainty: 'promised' });
  });

  test.each([[{ summary: 'Find things by owner' }], [{ description: 'All, or only those of this owner.' }]])(
    'or by the words of its operation: %o',
    async (operation) => {
      expect((await filterOf(owner(''), operation))?.certainty).toBe('promised');
    },
  );

  test('is only presumed of a text that an operation searches', async () => {
    const found = await filterOf(owner('Filter by owner'), { summary: 'Search things by owner' });
    expect(found?.certainty).toBe('presumed');
  });

  test.each<[parameter: object]>([
    [owner('')],
    [owner('Only for admins.')],
    [owner('The owner, which starts with this text.')],
    [owner('Filter by owner, case-insensitive.')],
    [owner('May be used to filter by owner.')],
    [owner('Only for things that have no owner: with this owner as a hint.')],
    [said('pet_kind', 'Which template is shown, e.g. that of the pet kind')],
    [status('Things at least in this status', 'open', 'done')],
    [said('archived', 'Whether to include archived things', { type: 'boolean' })],
    [said('archived', 'Return archived things.', { type: 'boolean' })],
    [said('archived', 'Prefer archived things.', { type: 'boolean' })],
    [status('Things with this status come first', 'open', 'done')],
    [status('Things that do not have this status', 'open', 'done')],
    [status('', 'open', 'done', 'all')],
  ])('is only presumed by %o', async (parameter) => {
    expect((await filterOf(parameter))?.certainty).toBe('presumed');
  });

  test.each([
    [said('name', ''), 'name'],
    [owner('Only things whose owner contains this owner.'), 'owner'],
    [owner('Search by owner'), 'owner'],
  ])('finds texts by a part of what they are called, and where it is said: %o', async (parameter, member) => {
    const { filters, parts } = (await listOf({}, parameter)) ?? {};
    expect([filters, parts]).toMatchObject([[], [{ members: [member], certainty: 'presumed' }]]);
  });

  test('has what an object is called, or its id', async () => {
    const found = await filterOf({ name: 'maker' });
    expect(found).toMatchObject({ property: 'maker', inner: undefined, certainty: 'presumed' });
    const maker = { id: 3, name: 'Ada', size: 7 };
    expect(filteredValues({ maker }, { property: 'maker', inner: undefined })).toEqual([3, 'Ada']);
  });

  test.each([
    'This is not a filter: it selects the status that is shown first.',
    'Has no effect any more.',
    'Not yet implemented',
    'The status. Is ignored for archived things.',
  ])('is taken back by words: %s', async (description) => {
    expect(await filterOf(status(description, 'open', 'done'))).toBeUndefined();
  });

  test.each([
    ['maker', false],
    ['tags', false],
    ['archived', true],
  ])('is no yes or no of what is composed: %s', async (name, isFilter) => {
    expect((await filterOf({ name, schema: { type: 'boolean' } })) !== undefined).toBe(isFilter);
  });

  test('is no size of a page, and no number of another member', async () => {
    const size = { name: 'size', schema: { type: 'integer' } };
    expect(await filterOf(size)).toBeUndefined();
  });
});

describe('the order that a query asks for', () => {
  const up = (property: string) => ({ property, descending: false });
  const down = (property: string) => ({ property, descending: true });
  const open = (property: string) => ({ property, descending: undefined });

  test.each([
    ['a sign', [word('sort', 'name', '-name')], { sort: '-name' }, [down('name')]],
    ['no sign beside one', [word('sort', 'name', '-name')], { sort: 'name' }, [up('name')]],
    ['no direction at all', [word('sort', 'name', 'price')], { sort: 'name' }, [open('name')]],
    ['an ending', [word('order_by', 'name_asc', 'name_desc')], { order_by: 'name_desc' }, [down('name')]],
    ['a colon', [{ name: 'sort' }], { sort: 'price:desc' }, [down('price')]],
    ['a comma', [{ name: 'sort' }], { sort: 'price,asc' }, [up('price')]],
    ['several', [{ name: 'sort' }], { sort: '-price,name' }, [down('price'), open('name')]],
    ['another way to write', [{ name: 'sortBy' }], { sortBy: 'createdAt' }, [open('created_at')]],
    ['a shorter name', [{ name: 'sort' }], { sort: '-created' }, [down('created_at')]],
    [
      'a parameter for the direction',
      [word('sort', 'name'), word('order', 'asc', 'desc')],
      { sort: 'name', order: 'desc' },
      [down('name')],
    ],
    [
      'a description that has both in the values',
      [said('sort', 'A member and asc or desc, such as name:desc')],
      { sort: 'name:desc' },
      [down('name')],
    ],
    ['its absence', [word('sort', 'name'), word('order', 'asc', 'desc')], { sort: 'name' }, [open('name')]],
    ['no member', [{ name: 'sort' }], { sort: 'relevance' }, undefined],
    ['nothing', [{ name: 'sort' }], {}, undefined],
  ])('%s', async (_, parameters, query, want) => {
    const order = (await listWith(...parameters))?.order;
    expect(order && readOrder(order, query)).toEqual(want);
  });

  test.each([
    ['an enumeration of members', [word('sort', 'name', 'price')], 'promised', 2],
    ['an enumeration with other values', [word('sort', 'name', 'relevance')], 'presumed', 1],
    ['a name alone', [{ name: 'sort' }], 'presumed', 0],
    ['a hint', [{ ...word('sort', 'name'), description: 'A hint: the name may not count' }], 'presumed', 1],
    ['each direction', [word('sort', 'name'), word('order', 'asc', 'desc')], 'promised', 2],
  ])('%s', async (_, parameters, certainty, choices) => {
    const order = (await listWith(...parameters))?.order;
    expect([order?.certainty, order?.choices.length]).toEqual([certainty, choices]);
  });

  test('a purchase order is no order of records', async () => {
    expect((await listWith({ name: 'order', schema: { type: 'integer' } }))?.order).toBeUndefined();
  });
});

describe('the bounds of a list', () => {
  const number = { type: 'number' };
  const moment = { type: 'string', format: 'date-time' };

  test.each([
    ['min_price', said('min_price', '', number), 'price', 'least', undefined, 'presumed'],
    ['priceMax', said('priceMax', 'At most this price', number), 'price', 'most', true, 'promised'],
    [
      'createdAfter',
      said('createdAfter', 'Only those made after this moment', moment),
      'created_at',
      'least',
      undefined,
      'promised',
    ],
    [
      'created_before',
      said('created_before', 'Strictly before', moment),
      'created_at',
      'most',
      false,
      'promised',
    ],
    [
      'createdUntil',
      said('createdUntil', 'At this time or earlier', moment),
      'created_at',
      'most',
      true,
      'promised',
    ],
    [
      'createdFrom',
      said('createdFrom', 'Where it comes from', moment),
      'created_at',
      'least',
      undefined,
      'presumed',
    ],
    ['priceMin', said('priceMin', 'At most this price', number), 'price', 'least', undefined, 'presumed'],
    [
      'min_price',
      said('min_price', 'May be at least this price', number),
      'price',
      'least',
      undefined,
      'presumed',
    ],
    ['price[gte]', said('price[gte]', '', number), 'price', 'least', true, 'promised'],
    ['price__lt', said('price__lt', '', number), 'price', 'most', false, 'promised'],
  ])('%s', async (_, parameter, property, side, inclusive, certainty) => {
    const [bound] = (await listWith(parameter))?.bounds ?? [];
    expect(bound).toMatchObject({ property, side, inclusive, certainty });
  });

  test('a member that each variant of the record has', async () => {
    const variant = { type: 'object', properties: { id: { type: 'integer' }, at: moment } };
    const record = { oneOf: [variant, { ...variant, description: 'Other' }] };
    const list = await listOf({ record }, said('atFrom', 'This time or later', moment));
    expect(list?.bounds).toMatchObject([{ property: 'at', inclusive: true, certainty: 'promised' }]);
  });

  test('nothing that is said to have no effect', async () => {
    expect((await listWith(said('min_price', 'Has no effect.', number)))?.bounds).toEqual([]);
  });

  test('the properties of an object', async () => {
    const schema = { type: 'object', properties: { gte: number, lt: number } };
    const bounds = (await listWith({ name: 'price', style: 'deepObject', schema }))?.bounds;
    expect(bounds).toMatchObject([
      { property: 'price', key: 'gte', side: 'least', inclusive: true },
      { property: 'price', key: 'lt', side: 'most', inclusive: false },
    ]);
  });

  test.each(['name_from', 'price', 'status_after', 'min_size', 'format', 'total'])(
    '%s is none',
    async (name) => {
      expect((await listWith({ name, schema: number }))?.bounds).toEqual([]);
    },
  );

  test.each([
    ['least', undefined, 3, 2, true],
    ['least', undefined, 1, 2, false],
    ['least', undefined, 2, 2, undefined],
    ['least', true, 2, 2, true],
    ['most', false, 2n, 2, false],
    ['most', undefined, '2026-01-01T00:00:00Z', '2026-01-01T02:00:00+01:00', true],
    ['most', undefined, 'soon', '2026-01-01', undefined],
  ] as const)('%s, inclusive %s: %s beside %s', (side, inclusive, value, bound, want) => {
    expect(isWithin({ side, inclusive }, value, bound)).toBe(want);
  });

  test('values of two kinds have no order', () => expect(compareOrdered(3, '2026-01-01')).toBeUndefined());
});

describe('the search of a list', () => {
  test.each([
    ['a description of members', said('q', 'Search in name'), 'promised', ['name']],
    ['a name alone', { name: 'q' }, 'presumed', []],
    ['a description of none', said('search', 'Full-text search'), 'presumed', []],
    ['another comparison', said('q', 'Search by a prefix of the name'), 'presumed', []],
    ['a member of something else', said('q', 'Search by shop name'), 'presumed', []],
    [
      'what contains it',
      said('q', 'Things whose name or owner contains this text'),
      'promised',
      ['name', 'owner'],
    ],
  ])('%s', async (_, parameter, certainty, members) => {
    expect((await listWith(parameter))?.search).toMatchObject({ certainty, members });
  });
});

describe('what small teams write', () => {
  const states = { type: 'string', enum: ['open', 'done'] };
  const moment = { type: 'string', format: 'date-time' };
  const record = {
    type: 'object',
    properties: {
      ...RECORD.properties,
      startsOn: { type: 'string', format: 'date' },
      date: { type: 'string' },
    },
  };
  const spanned = {
    type: 'object',
    properties: { id: { type: 'integer' }, start_date: moment, end_date: moment },
  };

  test.each<[name: string, schema: object, want: string | undefined]>([
    ['thingStatus', { type: 'array', items: states }, 'status'],
    ['thingStatus', word('', 'open').schema, undefined],
    ['name__in', { type: 'array', items: { type: 'string' } }, 'name'],
    ['filter[owner][eq]', { type: 'string' }, 'owner'],
  ])('%s filters by %s', async (name, schema, want) => {
    expect((await filterOf({ name, schema }))?.property).toBe(want);
  });

  test.each<[name: string, members: readonly string[] | undefined]>([
    ['name__icontains', ['name']],
    ['filter[owner][like]', ['owner']],
    ['contains', undefined],
  ])('%s looks for a part of %j', async (name, members) => {
    expect((await listWith({ name }))?.parts[0]?.members).toEqual(members);
  });

  test('a search may be among the filters', async () => {
    expect((await listWith({ name: 'filter[search]' }))?.search?.parameter.name).toBe('filter[search]');
  });

  test('a text bounds what is named as a moment, and promises nothing', async () => {
    const bounds = (
      await listOf({ record }, said('date_from', 'At or after this date'), said('name_from', ''))
    )?.bounds;
    expect(bounds).toMatchObject([{ property: 'date', side: 'least', certainty: 'presumed' }]);
  });

  test('both ends beside each other are those of a time, and one alone is a value', async () => {
    const both = await listOf({ record: spanned }, { name: 'startDate' }, { name: 'endDate' });
    expect(both?.bounds.map(({ property, side }) => `${side} ${property}`)).toEqual([
      'least start_date',
      'most end_date',
    ]);
    expect(both?.filters).toEqual([]);
    expect((await listOf({ record: spanned }, { name: 'startDate' }))?.filters).toHaveLength(1);
  });
});
