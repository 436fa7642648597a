import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

type Data = Readonly<Record<string, unknown>>;

const NO_KEY = { refused: { headers: [], query: [] } };
const error = (status: number) => ({ code: 'a', message: 'b', status });
const fault = { error_code: 'a', detail: 'b' };
const problem = (status: number) => ({ title: 'a', status });

const BODY = { name: 'Hazel', categoryId: 3 };
const PET = { id: 7, ...BODY };
const create = (body: Data = BODY, got: unknown = { id: 7, ...body }) => ask('createPet', { body }, 201, got);
const read = (body: unknown = PET, status = 200) => ask('getPet', { path: { petId: 7 } }, status, body);
const list = (records: readonly unknown[], limit = 100) =>
  ask('listPets', { query: { limit } }, 200, records);

const NORTH = { code: 'north-1', levels: 3 };
const putShelf = (sent: Data, got: Data) =>
  ask('putShelf', { path: { code: 'north-1' }, body: { ...NORTH, ...sent } }, 200, { ...NORTH, ...got });

const MARKED = { name: 'paddock-x-1n', categoryId: 3 };

const INPUT = { label: 'Nut', unit: 'piece', price: 1, barcode: null };
const article = (no: number, more: Data = {}) => ({ article_no: no, ...INPUT, stock: 0, ...more });
const HEADERS = { Location: '/articles/7', 'X-Request-Id': 'abcdefgh' };
const add = (no: number, more: Data = {}) =>
  ask('add_article', { body: { ...INPUT, ...more } }, 201, article(no, more), HEADERS);
const look = (no: number, more: Data = {}) =>
  ask('get_article', { path: { article_no: no } }, 200, article(no, more));
const replace = (no: number, body: Data, got: Data) =>
  ask('replace_article', { path: { article_no: no }, body }, 200, got);
const drop = (no: number) => ask('drop_article', { path: { article_no: no } }, 204);
const dropped = (no: number) => ask('get_article', { path: { article_no: no } }, 404, fault);
const page = (...articles: Data[]) =>
  ask('list_articles', { query: { page_size: 50 } }, 200, {
    total_count: articles.length,
    page_number: 1,
    page_size: 50,
    articles,
  });

const LIBRARY = '11111111-1111-4111-8111-111111111111';
const OTHER = '33333333-3333-4333-8333-333333333333';
const PATH = { libraryId: LIBRARY, bookId: '22222222-2222-4222-8222-222222222222' };
const BOOK = { id: PATH.bookId, title: 'Tides', language: 'da', pages: 90 };
const acquire = (libraryId = LIBRARY) => {
  const { id: _, ...body } = BOOK;
  return ask('acquireBook', { path: { libraryId }, body }, 201, BOOK);
};
const book = (more: Data = {}) => ask('getBook', { path: PATH }, 200, { ...BOOK, ...more });
const amend = (body: Data, got: Data) => ask('amendBook', { path: PATH, body }, 200, got);

const TOOL = { id: 1, name: 'Saw', kind: 'saw', note: 'blunt' };
const addTool = (body: Data, got: Data = { id: 1, ...body }) =>
  ask('addTool', { body }, 201, got, { 'X-Count': '1' });

const SHELF = { label: 'A', state: 'free' };
const addShelf = (body: Data, got: Data = SHELF) => ask('addShelf', { body }, 201, { id: 1, ...got });
const getShelf = (got: Data) => ask('getShelf', { path: { id: 1 } }, 200, { id: 1, ...got });
const replaceShelf = (body: Data, got: Data) =>
  ask('replaceShelf', { path: { id: 1 }, body }, 200, { id: 1, ...got });
const amendShelf = (body: Data, got: Data) =>
  ask('amendShelf', { path: { id: 1 }, body }, 200, { id: 1, ...got });

export const OWN_RECORD_CASES: LawTable = {
  'created-equals-sent': [
    [
      'members that are read-only in the body, or that it does not describe, in any depth',
      {
        given: [
          addShelf(
            { label: 'A', state: 'full', owner: 'Ann', slots: [{ no: 1, inUse: true, width: 3 }] },
            { ...SHELF, slots: [{ no: 1, inUse: false }] },
          ),
        ],
        want: HOLDS,
      },
    ],
    [
      'a member of a nested record beside a read-only one',
      {
        given: [addShelf({ label: 'A', slots: [{ no: 1, inUse: true }] }, { ...SHELF, slots: [{ no: 2 }] })],
        want: ['created-equals-sent: slots [{"no":2}] | slots [{"no":1}], as it was sent'],
      },
    ],
    [
      'as it was sent, with members that the service adds',
      { given: [create(BODY, { ...PET, status: 'sold', age: 1 })], want: HOLDS },
    ],
    [
      'a member with another value, and one that is missing',
      {
        given: [
          ask('createPet', { body: { ...BODY, status: 'sold' } }, 201, {
            id: 7,
            name: 'hazel',
            categoryId: 3,
          }),
        ],
        want: [
          'created-equals-sent: name "hazel" | name "Hazel", as it was sent',
          'created-equals-sent: status missing | status "sold", as it was sent',
        ],
      },
    ],
    [
      'a write-only member that is not returned',
      { given: [addTool({ name: 'Saw', pin: '1' }, { id: 1, name: 'Saw' })], want: HOLDS },
    ],
    [
      'an undocumented member that is not stored',
      { given: [create({ ...BODY, colour: 'grey' }, PET)], want: HOLDS },
    ],
    [
      'a read-only member that was sent',
      { given: [ask('addJob', { body: { task: 'a', id: 5 } }, 202, { id: 1 })], want: HOLDS },
    ],
    [
      'a response that has a schema of its own, and is not the record',
      { given: [ask('addJob', { body: { task: 'a' } }, 202, { id: 1, accepted: true })], want: HOLDS },
    ],
    [
      'an invalid body that is taken',
      {
        given: [ask('createPet', { rawBody: 'a', contentType: 'text/plain' }, 400, error(400))],
        want: 'not judged',
      },
    ],
    ['a refusal', { given: [ask('createPet', { body: BODY }, 409, error(409))], want: 'not judged' }],
  ],
  'exact-integers': [
    ['an integer beyond 2^53', { given: [create({ ...BODY, categoryId: 9007199254740993n })], want: HOLDS }],
    [
      'the next double of an integer beyond 2^53',
      {
        given: [
          create({ ...BODY, categoryId: 9007199254740993n }, { ...PET, categoryId: 9007199254740992n }),
        ],
        want: ['exact-integers: categoryId 9007199254740992 | categoryId 9007199254740993, as it was sent'],
      },
    ],
  ],
  'created-can-be-read': [
    ['as it was sent', { given: [create(), read()], want: HOLDS }],
    [
      'not found',
      {
        given: [create(), read(error(404), 404)],
        want: ['created-can-be-read: 404 for id 7, which was made and not removed | the record'],
      },
    ],
    [
      'another value',
      {
        given: [create(), read({ ...PET, name: 'Quill' })],
        want: ['created-can-be-read: name "Quill" | name "Hazel", as it was sent'],
      },
    ],
    [
      'not found after a replacement',
      {
        given: [add(7), replace(7, INPUT, article(7)), dropped(7)],
        want: ['created-can-be-read: 404 for article_no 7, which was made and not removed | the record'],
      },
    ],
    ["a record that is not the run's own", { given: [read(error(404), 404)], want: 'not judged' }],
    [
      'a read with an invalid query value, which is refused',
      {
        given: [addTool(TOOL), ask('getTool', { path: { id: 1 }, query: { lang: 'xx' } }, 400)],
        want: 'not judged',
      },
    ],
    [
      'a record below one that was removed',
      {
        given: [
          ask('openLibrary', { body: { name: 'Nyborg' } }, 201, { id: LIBRARY, name: 'Nyborg' }),
          acquire(),
          ask('closeLibrary', { path: { libraryId: LIBRARY } }, 204),
          ask('getBook', { path: PATH }, 404, problem(404)),
        ],
        want: 'not judged',
      },
    ],
    [
      'a read without a credential',
      {
        given: [create(), ask('getPet', { ...NO_KEY, path: { petId: 7 } }, 401, error(401))],
        want: 'not judged',
      },
    ],
    [
      'a record of the same id below another parent',
      { given: [acquire(OTHER), ask('getBook', { path: PATH }, 404, problem(404))], want: 'not judged' },
    ],
    ['a removed record', { given: [add(7), drop(7), dropped(7)], want: 'not judged' }],
  ],
  'created-is-listed': [
    ['in a complete list', { given: [create(), list([PET])], want: HOLDS }],
    [
      'missing in a complete list',
      {
        given: [create(), list([])],
        want: [
          'created-is-listed: a complete list of 0 without id 7: {"name":"Hazel","categoryId":3} | every record that matches',
        ],
      },
    ],
    [
      'listed with another value',
      {
        given: [create(), list([{ ...PET, categoryId: 4 }])],
        want: ['created-is-listed: categoryId 4 | categoryId 3, as it was sent'],
      },
    ],
    ['missing in a page that is full', { given: [create(), list([{ ...PET, id: 1 }], 1)], want: HOLDS }],
    [
      'missing in a list below another parent',
      { given: [acquire(OTHER), ask('listBooks', { path: { libraryId: LIBRARY } }, 200, [])], want: HOLDS },
    ],
    [
      'missing in a list of another value',
      { given: [create(), ask('listPets', { query: { limit: 100, status: 'sold' } }, 200, [])], want: HOLDS },
    ],
    ['missing after it has been removed', { given: [add(7), drop(7), page()], want: HOLDS }],
    [
      'a list with a schema of its own that shows less of a record',
      {
        given: [addTool(TOOL), ask('listTools', { query: { kind: 'saw' } }, 200, [{ id: 1, name: 'Saw' }])],
        want: [],
      },
    ],
    [
      'a list with a schema of its own that shows another value',
      {
        given: [
          addTool(TOOL),
          ask('listTools', { query: { kind: 'saw' } }, 200, [{ id: 1, name: 'saw', kind: 'saw' }]),
        ],
        want: ['created-is-listed: name "saw" | name "Saw", as it was sent'],
      },
    ],
    [
      'a write-only member',
      {
        given: [
          addTool({ name: 'Saw', kind: 'saw', pin: '1' }, { id: 1, name: 'Saw', kind: 'saw' }),
          ask('listTools', {}, 200, [{ id: 1, name: 'Saw', kind: 'saw' }]),
        ],
        want: HOLDS,
      },
    ],
    ['a read', { given: [create(), read()], want: 'not judged' }],
  ],
  'created-once': [
    ['one record for a create', { given: [create(MARKED), list([{ id: 7, ...MARKED }])], want: HOLDS }],
    [
      'two records for one create',
      {
        given: [create(MARKED), list([7, 8].map((id) => ({ id, ...MARKED })))],
        want: ['created-once: the records 7, 8, all with name "paddock-x-1n" | one record for one create'],
      },
    ],
    [
      'another record for one create, read by its id',
      {
        given: [create(MARKED), ask('getPet', { path: { petId: 8 } }, 200, { id: 8, ...MARKED })],
        want: ['created-once: the records 7, 8, all with name "paddock-x-1n" | one record for one create'],
      },
    ],
    [
      'the record for one create, read without its id',
      {
        given: [create(MARKED), ask('getPet', { path: { petId: 7 } }, 200, MARKED)],
        want: ['schema: id is missing | id is required', 'path-id: id missing | id 7, as in the path'],
      },
    ],
    [
      'two records for two creates with one text',
      {
        given: [
          create(MARKED),
          create(MARKED, { id: 8, ...MARKED }),
          list([7, 8].map((id) => ({ id, ...MARKED }))),
        ],
        want: HOLDS,
      },
    ],
    [
      'a record of another resource with the same text',
      {
        given: [
          addTool({ name: 'paddock-x-1n' }),
          ask('addJob', { body: { task: 'a' } }, 202, { id: 4 }),
          ask('listJobs', {}, 200, {
            jobs: [4, 5].map((id) => ({ id, task: 'a', toolName: 'paddock-x-1n' })),
          }),
        ],
        want: HOLDS,
      },
    ],
    ["texts that are not the run's own", { given: [create(), list([PET, { ...PET, id: 8 }])], want: HOLDS }],
    ['an empty list', { given: [list([])], want: 'not judged' }],
  ],
  'earlier-records-stay': [
    ['unchanged', { given: [create(), read(), read()], want: HOLDS }],
    [
      'gone',
      {
        given: [create(), read(), read(error(404), 404)],
        want: ['earlier-records-stay: 404 for id 7, which was made and not removed | the record'],
      },
    ],
    [
      'changed',
      {
        given: [create(), read(), read({ ...PET, name: 'Quill' })],
        want: ['earlier-records-stay: name "Quill" | name "Hazel", as it was sent'],
      },
    ],
    [
      'in one complete list, and not in the next',
      {
        given: [create(), list([PET]), list([])],
        want: [
          'earlier-records-stay: a complete list of 0 without id 7: {"name":"Hazel","categoryId":3} | every record that matches',
        ],
      },
    ],
    [
      'a deviation that has been told is not told again',
      {
        given: [create(), read({ ...PET, name: 'Quill' }), read({ ...PET, name: 'Quill' })],
        want: ['created-can-be-read: name "Quill" | name "Hazel", as it was sent'],
      },
    ],
    ['read for the first time', { given: [create(), read()], want: 'not judged' }],
  ],
  'refused-leaves-nothing': [
    [
      'a list without the refused record',
      { given: [ask('createPet', { ...NO_KEY, body: MARKED }, 401, error(401)), list([PET])], want: HOLDS },
    ],
    [
      'the refused record in a list',
      {
        given: [ask('createPet', { ...NO_KEY, body: MARKED }, 401, error(401)), list([{ id: 7, ...MARKED }])],
        want: [
          'refused-leaves-nothing: {"id":7,"name":"paddock-x-1n","categoryId":3}, which a refused request was to create | no record of a refused request',
        ],
      },
    ],
    [
      'the refused record, read by its id',
      {
        given: [
          ask('createPet', { body: { name: 'paddock-x-1n' } }, 400, error(400)),
          read({ id: 7, ...MARKED }),
        ],
        want: [
          'refused-leaves-nothing: {"id":7,"name":"paddock-x-1n","categoryId":3}, which a refused request was to create | no record of a refused request',
        ],
      },
    ],
    [
      'a text of a refused create and of one that was carried out',
      {
        given: [
          ask('createPet', { body: MARKED }, 409, error(409)),
          create(MARKED),
          list([{ id: 7, ...MARKED }]),
        ],
        want: HOLDS,
      },
    ],
    [
      'a 5xx, after which a record may be there',
      {
        given: [ask('createPet', { body: MARKED }, 503, error(503)), list([{ id: 7, ...MARKED }])],
        want: HOLDS,
      },
    ],
    ['an empty list', { given: [list([])], want: 'not judged' }],
  ],
  'replaced-is-replaced': [
    [
      'the key of another record in the body of a PUT by key',
      {
        given: [
          ask('replaceRule', { path: { rule: 'size' }, body: { type: 'form', config: 'a' } }, 200, {
            type: 'size',
            config: 'a',
          }),
        ],
        want: HOLDS,
      },
    ],
    [
      'a member that is named after the path of a PUT that creates',
      { given: [putShelf({ note: 'south-1' }, { note: 'north-1' })], want: HOLDS },
    ],
    [
      'a member that is named otherwise',
      {
        given: [putShelf({ note: 'south-1' }, { note: 'east-1' })],
        want: ['replaced-is-replaced: note "east-1" | note "south-1", as it was sent'],
      },
    ],
    [
      'what the body of a replacement does not describe',
      {
        given: [
          addShelf({ label: 'A' }),
          getShelf({ ...SHELF, owner: 'Ann' }),
          replaceShelf({ label: 'B' }, { label: 'B', state: 'free', owner: 'Ann' }),
          getShelf({ label: 'B', state: 'free', owner: 'Ann' }),
        ],
        want: HOLDS,
      },
    ],
    [
      'as it was sent',
      {
        given: [add(7), replace(7, { ...INPUT, price: 2 }, article(7, { price: 2 })), look(7, { price: 2 })],
        want: HOLDS,
      },
    ],
    [
      'a default in place of a member that was left out',
      {
        given: [add(7, { stock: 5 }), look(7, { stock: 5 }), replace(7, INPUT, article(7)), look(7)],
        want: HOLDS,
      },
    ],
    [
      'the old value',
      {
        given: [add(7), replace(7, { ...INPUT, price: 2 }, article(7)), look(7)],
        want: [
          'replaced-is-replaced: price 1 | price 2, as it was sent',
          'replaced-is-replaced: price 1 | price 2, as it was sent',
        ],
      },
    ],
    [
      'a member that was left out and kept',
      {
        given: [
          add(7, { weight_g: 5 }),
          look(7, { weight_g: 5 }),
          replace(7, INPUT, article(7)),
          look(7, { weight_g: 5 }),
        ],
        want: [
          'replaced-is-replaced: weight_g 5, as before | no weight_g, which the body that replaced the record leaves out',
        ],
      },
    ],
    [
      'a member that the service fills in, and no client has given',
      {
        given: [
          add(7),
          look(7, { weight_g: 5 }),
          replace(7, INPUT, article(7, { weight_g: 5 })),
          look(7, { weight_g: 5 }),
        ],
        want: HOLDS,
      },
    ],
    [
      'a replacement that is refused',
      {
        given: [add(7), ask('replace_article', { path: { article_no: 7 }, body: [] }, 400, fault)],
        want: 'not judged',
      },
    ],
    [
      'a response that does not show the record',
      {
        given: [addTool(TOOL), ask('replaceTool', { path: { id: 1 }, body: { name: 'Plane' } }, 200)],
        want: 'not judged',
      },
    ],
  ],
  'merged-is-merged': [
    [
      'what the body of an update does not describe, and the service takes',
      {
        given: [
          addShelf({ label: 'A', note: 'a' }, { ...SHELF, note: 'a' }),
          getShelf({ ...SHELF, note: 'a' }),
          amendShelf({ label: 'A', note: 'b' }, { ...SHELF, note: 'b' }),
          getShelf({ ...SHELF, note: 'b' }),
        ],
        want: HOLDS,
      },
    ],
    [
      'what the body of an update does not describe, and the service ignores',
      {
        given: [
          addShelf({ label: 'A', note: 'a' }, { ...SHELF, note: 'a' }),
          amendShelf({ label: 'A', note: 'b' }, { ...SHELF, note: 'a' }),
          getShelf({ ...SHELF, note: 'a' }),
        ],
        want: HOLDS,
      },
    ],
    [
      'what was sent and the other members',
      {
        given: [acquire(), book(), amend({ pages: 91 }, { ...BOOK, pages: 91 }), book({ pages: 91 })],
        want: HOLDS,
      },
    ],
    [
      'the old value',
      {
        given: [acquire(), book(), amend({ pages: 91 }, { ...BOOK, pages: 91 }), book()],
        want: ['merged-is-merged: pages 90 | pages 91, as it was sent'],
      },
    ],
    [
      'another member lost, in the response and in a read',
      {
        given: [
          acquire(),
          book(),
          amend({ title: 'Ebb' }, { id: BOOK.id, title: 'Ebb', language: 'da' }),
          book({ title: 'Ebb', pages: 1 }),
        ],
        want: [
          'merged-is-merged: pages missing | pages 90, as before',
          'merged-is-merged: pages 1 | pages 90, as it was sent',
          'merged-is-merged: pages 1 | pages 90, as before',
        ],
      },
    ],
    [
      'a member that null takes away',
      {
        given: [
          acquire(),
          book(),
          amend({ pages: null }, { id: BOOK.id, title: 'Tides', language: 'da' }),
          ask('getBook', { path: PATH }, 200, { id: BOOK.id, title: 'Tides', language: 'da' }),
        ],
        want: HOLDS,
      },
    ],
    [
      'a change that is refused',
      {
        given: [acquire(), ask('amendBook', { path: PATH, body: {} }, 422, problem(422))],
        want: 'not judged',
      },
    ],
    [
      "a change of a record that is not the run's own",
      { given: [amend({ pages: 91 }, { ...BOOK, pages: 91 })], want: HOLDS },
    ],
  ],
  'removed-is-gone': [
    ['not found', { given: [add(7), drop(7), dropped(7)], want: HOLDS }],
    [
      'read by its id',
      {
        given: [add(7), drop(7), look(7)],
        want: [
          'removed-is-gone: {"article_no":7,"label":"Nut","unit":"piece","price":1,"barcode":null,"stock":0}, read by its id | nothing of a record that was removed',
        ],
      },
    ],
    [
      'in a list',
      {
        given: [add(7), drop(7), page(article(7))],
        want: [
          'removed-is-gone: {"article_no":7,"label":"Nut","unit":"piece","price":1,"barcode":null,"stock":0}, in the list | nothing of a record that was removed',
        ],
      },
    ],
    [
      'changed after it was removed',
      {
        given: [add(7), drop(7), replace(7, INPUT, article(7))],
        want: ['removed-is-gone: 200 | nothing of a record that was removed'],
      },
    ],
    [
      'removed again, where the document has no 404',
      {
        given: [addTool(TOOL), ...[1, 2].map(() => ask('dropTool', { path: { id: 1 } }, 204))],
        want: 'not judged',
      },
    ],
    [
      'a removal that was refused',
      {
        given: [add(7), ask('drop_article', { ...NO_KEY, path: { article_no: 7 } }, 401, fault), look(7)],
        want: 'not judged',
      },
    ],
    ["a record that is not the run's own", { given: [drop(7), look(7)], want: 'not judged' }],
  ],
  'neighbours-untouched': [
    [
      'unchanged after a change of another record',
      {
        given: [
          add(7),
          look(7),
          add(8),
          replace(8, { ...INPUT, price: 2 }, article(8, { price: 2 })),
          look(7),
        ],
        want: HOLDS,
      },
    ],
    [
      'changed with another record',
      {
        given: [
          add(7),
          look(7),
          add(8),
          replace(8, { ...INPUT, price: 2 }, article(8, { price: 2 })),
          look(7, { price: 2 }),
        ],
        want: ['neighbours-untouched: price 2 | price 1, as it was sent'],
      },
    ],
    [
      'a member that the service had added is changed with another record',
      {
        given: [add(7), look(7), add(8), drop(8), look(7, { stock: 9 })],
        want: ['neighbours-untouched: stock 9 | stock 0, as before'],
      },
    ],
    [
      'removed with another record',
      {
        given: [add(7), look(7), add(8), drop(8), dropped(7)],
        want: ['neighbours-untouched: 404 for article_no 7, which was made and not removed | the record'],
      },
    ],
    [
      'a list with a schema of its own that shows less of a record',
      {
        given: [
          addTool(TOOL),
          ask('getTool', { path: { id: 1 } }, 200, TOOL),
          addTool(TOOL, { ...TOOL, id: 2 }),
          ask('dropTool', { path: { id: 2 } }, 204),
          ask('listTools', { query: { kind: 'saw' } }, 200, [{ id: 1, name: 'Saw' }]),
        ],
        want: 'not judged',
      },
    ],
    [
      'a change that was refused',
      {
        given: [
          add(7),
          look(7),
          add(8),
          ask('replace_article', { path: { article_no: 8 }, body: [] }, 400, fault),
          look(7),
        ],
        want: 'not judged',
      },
    ],
    ['not read before the change', { given: [add(7), add(8), drop(8), look(7)], want: 'not judged' }],
  ],
  'refused-changes-nothing': [
    [
      'unchanged',
      {
        given: [
          add(7),
          look(7),
          ask('replace_article', { path: { article_no: 7 }, body: [] }, 400, fault),
          look(7),
        ],
        want: HOLDS,
      },
    ],
    [
      'changed by a refused body',
      {
        given: [
          add(7),
          look(7),
          ask('replace_article', { path: { article_no: 7 }, body: [] }, 400, fault),
          look(7, { price: 2, stock: 3 }),
        ],
        want: [
          'refused-changes-nothing: price 2 | price 1, as it was sent',
          'refused-changes-nothing: stock 3 | stock 0, as before',
        ],
      },
    ],
    [
      'removed without a credential',
      {
        given: [
          add(7),
          look(7),
          ask('drop_article', { ...NO_KEY, path: { article_no: 7 } }, 401, fault),
          dropped(7),
        ],
        want: ['refused-changes-nothing: 404 for article_no 7, which was made and not removed | the record'],
      },
    ],
    [
      'a 5xx, after which nothing is promised',
      {
        given: [
          add(7),
          look(7),
          ask('replace_article', { path: { article_no: 7 }, body: INPUT }, 503, fault),
          look(7, { price: 2 }),
        ],
        want: 'not judged',
      },
    ],
    [
      'a change that was carried out',
      { given: [add(7), look(7), replace(7, INPUT, article(7)), look(7)], want: 'not judged' },
    ],
  ],
};
