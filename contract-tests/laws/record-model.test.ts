import { describe, expect, test } from 'vitest';
import type { Resource } from '#spec';
import { ask, contractWith, judge, type Step } from '../testing/steps.ts';
import { type Maker, type OwnRecord, SHARED } from './operation-role.ts';

type Data = Readonly<Record<string, unknown>>;

const resourceOf = (operationId: string) => {
  const { resources } = contractWith(operationId);
  return resources.find(({ actions }) =>
    Object.values(actions).some(({ id }) => id === operationId),
  ) as Resource;
};

const NO_KEY = { refused: { headers: [], query: [] } };
const fault = { error_code: 'a', detail: 'b' };
const INPUT = { label: 'Nut', unit: 'piece', price: 1, barcode: null };
const HEADERS = { Location: '/articles/7', 'X-Request-Id': 'abcdefgh' };
const article = (no: number, more: Data = {}) => ({ article_no: no, ...INPUT, stock: 0, ...more });
const add = (no: number) => ask('add_article', { body: INPUT }, 201, article(no), HEADERS);
const look = (no: number, more: Data = {}) =>
  ask('get_article', { path: { article_no: no } }, 200, article(no, more));
const replace = (no: number, status: number, more: object = {}) =>
  ask(
    'replace_article',
    { path: { article_no: no }, body: INPUT, ...more },
    status,
    status < 300 ? article(no) : fault,
  );
const drop = (no: number, status = 204) =>
  ask('drop_article', { path: { article_no: no } }, status, status < 300 ? undefined : fault);

const LIBRARY = '11111111-1111-4111-8111-111111111111';
const OTHER = '33333333-3333-4333-8333-333333333333';
const BOOK = { id: LIBRARY, title: 'Tides', language: 'da' };
const open = (id: string) => ask('openLibrary', { body: { name: 'Nyborg' } }, 201, { id, name: 'Nyborg' });
const acquire = (libraryId: string) =>
  ask('acquireBook', { path: { libraryId }, body: { title: 'Tides', language: 'da' } }, 201, BOOK);

/** `7: replaced, seen, listed`: what is known of a record. */
const inWords = ({ id, parents, last, seen, listed, removed }: OwnRecord) =>
  `${[...Object.values(parents), id].join('/')}: ${[last, seen && 'seen', listed && 'listed', removed && 'removed'].filter(Boolean).join(', ')}`;

test.each<[title: string, row: { given: Step[]; want: string[] }]>([
  ['created', { given: [add(7)], want: ['7: created'] }],
  ['read', { given: [add(7), look(7)], want: ['7: other requests, seen'] }],
  [
    'listed',
    {
      given: [
        add(7),
        ask('list_articles', {}, 200, {
          total_count: 1,
          page_number: 1,
          page_size: 10,
          articles: [article(7)],
        }),
      ],
      want: ['7: created, listed'],
    },
  ],
  ['replaced', { given: [add(7), look(7), replace(7, 200)], want: ['7: replaced'] }],
  ['removed', { given: [add(7), look(7), drop(7)], want: ['7: other requests, seen, removed'] }],
  [
    'a change that was refused',
    { given: [add(7), look(7), replace(7, 409)], want: ['7: change refused, seen'] },
  ],
  [
    'a change that was refused, of a record not read before',
    { given: [add(7), replace(7, 409)], want: ['7: created'] },
  ],
  ['a change with a 5xx', { given: [add(7), look(7), replace(7, 500)], want: [] }],
  [
    'a change that was carried out without a credential',
    { given: [add(7), look(7), replace(7, 200, NO_KEY)], want: [] },
  ],
  [
    'an invalid change that was carried out',
    { given: [add(7), look(7), replace(7, 200, { body: {} })], want: [] },
  ],
  [
    'a neighbour changed',
    {
      given: [add(7), look(7), add(8), drop(8)],
      want: ['7: neighbour changed, seen', '8: created, removed'],
    },
  ],
  [
    'a neighbour created',
    { given: [add(7), look(7), add(8)], want: ['7: other requests, seen', '8: created'] },
  ],
  ["records that are not the run's own", { given: [look(7), replace(8, 200), drop(9)], want: [] }],
  [
    'a create without an id',
    { given: [ask('createPet', { body: { name: 'a', categoryId: 1 } }, 201, {})], want: [] },
  ],
  [
    'an invalid body that was taken',
    { given: [ask('createPet', { body: { name: 'a' } }, 201, { id: 7, name: 'a' })], want: [] },
  ],
  [
    'one id below two parents',
    {
      given: [acquire(LIBRARY), acquire(OTHER)],
      want: [`${LIBRARY}/${LIBRARY}: created`, `${OTHER}/${LIBRARY}: created`],
    },
  ],
  [
    'records below one that was removed',
    {
      given: [
        open(LIBRARY),
        open(OTHER),
        acquire(LIBRARY),
        acquire(OTHER),
        ask('closeLibrary', { path: { libraryId: LIBRARY } }, 204),
      ],
      want: [`${OTHER}: created`, `${OTHER}/${LIBRARY}: created`, `${LIBRARY}: created, removed`],
    },
  ],
])('%s', (_, { given, want }) => {
  expect(judge(given).model.records.map(inWords)).toEqual(want);
});

describe('the values of a record', () => {
  const valuesAfter = (...steps: Step[]) => {
    const [own] = judge(steps).model.records;
    return own && { sent: own.sent, before: own.before, seen: own.seen };
  };
  const amend = (body: Data, got: Data) =>
    ask('amendBook', { path: { libraryId: LIBRARY, bookId: LIBRARY }, body }, 200, got);

  test('are those that were read, once a deviation has been told', () => {
    expect(valuesAfter(add(7), look(7, { price: 2 }))?.sent).toEqual({ ...INPUT, price: 2 });
  });

  test('are merged by an update, and null takes one away', () => {
    const { id: _, ...sent } = BOOK;
    expect(
      valuesAfter(
        acquire(LIBRARY),
        amend({ pages: 9 }, { ...BOOK, pages: 9 }),
        amend({ title: 'Ebb', pages: null }, { ...BOOK, title: 'Ebb' }),
      ),
    ).toEqual({
      sent: { ...sent, title: 'Ebb' },
      before: undefined,
      seen: undefined,
    });
  });

  test('are kept as they were before a change', () => {
    expect(valuesAfter(add(7), look(7), replace(7, 200))?.before).toEqual(article(7));
  });
});

describe('texts of creates', () => {
  const PETS = resourceOf('createPet');
  const TEXT = 'paddock-x-1n';
  const create = (status: number, body: Data = { name: TEXT, categoryId: 1 }) =>
    ask(
      'createPet',
      { body },
      status,
      status < 300 ? { id: 7, ...body } : { code: 'a', message: 'b', status },
    );

  test.each<[title: string, row: { given: Step[]; want: { sent: number; refused: boolean } | undefined }]>([
    ['a create', { given: [create(201)], want: { sent: 1, refused: false } }],
    ['a refused one', { given: [create(400, { name: TEXT })], want: { sent: 1, refused: true } }],
    [
      'a refused one, and one that was carried out',
      { given: [create(409), create(201)], want: { sent: 2, refused: false } },
    ],
    ['a 5xx', { given: [create(500)], want: { sent: 1, refused: false } }],
    [
      "a text that is not the run's own",
      { given: [create(201, { name: 'Hazel', categoryId: 1 })], want: undefined },
    ],
    [
      'a create of another resource',
      {
        given: [ask('addTool', { body: { name: TEXT } }, 201, { id: 1, name: TEXT }, { 'X-Count': '1' })],
        want: undefined,
      },
    ],
  ])('%s', (_, { given, want }) => {
    const { model } = judge(given);
    const creates = model.createsOf(PETS, TEXT);
    expect(creates && { sent: creates.sent, refused: model.wasRefused(PETS, TEXT) }).toEqual(want);
  });

  test('a create that broke off may have made a record', () => {
    const { model } = judge([]);
    model.begin({ resource: PETS, action: 'create' }, { body: { name: TEXT } }).end(false);
    expect(model.createsOf(PETS, TEXT)?.sent).toBe(1);
  });
});

test('ids are those of all records of a resource below its parents, whoever made them', () => {
  const { model } = judge([
    acquire(LIBRARY),
    ask('listBooks', { path: { libraryId: OTHER } }, 200, [{ ...BOOK, id: OTHER }]),
    look(7),
  ]);
  const ids = (operation: string, parents: Data) =>
    [LIBRARY, OTHER, '7'].filter((id) => model.idsOf(resourceOf(operation), parents).has(id));
  expect(ids('listBooks', { libraryId: LIBRARY })).toEqual([LIBRARY]);
  expect(ids('listBooks', { libraryId: OTHER })).toEqual([OTHER]);
  expect(ids('list_articles', {})).toEqual(['7']);
  expect(ids('listPets', {})).toEqual([]);
});

describe('beside other cases', () => {
  const resource = resourceOf('add_article');
  /** The create of case 1, as it is answered to it. */
  const made = () => judge([add(7)], undefined, [1]).model;

  test.each<[string, viewer: Maker, want: boolean]>([
    ['its case knows a record', [1], true],
    ['a part of its case knows it', [1, 2], true],
    ['another case does not', [2], false],
    ['a part of another case does not', [2, 1], false],
    ['who looks back knows all', undefined, true],
  ])('%s', (_, viewer, want) => {
    const view = made().begin(undefined, {}, undefined, viewer);
    expect(view.find(resource, 7, {}) !== undefined).toBe(want);
    expect(view.records).toHaveLength(want ? 1 : 0);
    expect(view.isOfOthers(resource, article(7), {})).toBe(!want);
    expect(view.isOfOthers(resource, article(8), {})).toBe(false);
  });

  test('what a list or a read of another case shows of a record leaves no trace', () => {
    const model = made();
    judge([look(7, { label: 'Bolt' }), look(7)], model, [2]);
    expect(model.records.map(inWords)).toEqual(['7: created']);
    judge([look(7)], model, undefined);
    expect(model.records.map(inWords)).toEqual(['7: created']);
    judge([look(7)], model, [1]);
    expect(model.records.map(inWords)).toEqual(['7: other requests, seen']);
  });

  test('what is wrong with the record of another case is said of that case', () => {
    const stored = look(7, { label: 17 });
    const of = (viewer: Maker) => judge([stored], made(), viewer).breaches.length;
    expect([of([1]), of([2]), of(undefined)]).toEqual([2, 0, 2]);
  });

  test('a record that cases share is known to all, and changed by none of them', () => {
    const { model } = judge([add(7)], undefined, [SHARED]);
    judge([look(7)], model, [2]);
    expect(model.records.map(inWords)).toEqual(['7: created']);
    expect(judge([look(7, { label: 'Bolt' })], model, [3]).breaches).toHaveLength(1);
  });
});
