import type { Resource } from '#spec';
import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask, contractWith } from '../testing/steps.ts';

const PET = { id: 7, name: 'Hazel', categoryId: 3 };
const read = (body: unknown) => ask('getPet', { path: { petId: 7 } }, 200, body);
const list = (...records: unknown[]) => ask('listPets', { query: { limit: 100 } }, 200, records);
const create = (body: unknown, got: unknown) => ask('createPet', { body }, 201, got);
const UNLIKELY = 4_503_599_627_370_001;
const tool = (more: object) => ask('getTool', { path: { id: 1 } }, 200, { id: 1, name: 'Saw', ...more });
const tools = (more: object) => ask('listTools', {}, 200, [{ id: 1, name: 'Saw', ...more }]);

const MOMENT = '2031-05-07T11:13:17Z';
/** A list with a bid of another client and the run's own. */
const bids = (others: string, own: string) => [
  ask('addBid', { body: { amount: 3, placed_at: MOMENT } }, 201, { id: 7, amount: 3 }),
  ask('listBids', {}, 200, [
    { id: 6, amount: 2, ...(others && { placed_at: others }) },
    { id: 7, amount: 3, ...(own && { placed_at: own }) },
  ]),
];

const LAMP = { label: 'Lamp', unit: 'piece', price: 3, barcode: null };
const addArticle = (Location: string) => [
  ask(
    'add_article',
    { body: LAMP },
    201,
    { article_no: 7, stock: 0, ...LAMP },
    { Location, 'X-Request-Id': '12345678' },
  ),
];

const crates = contractWith('readCrate').resources.find(({ path }) => path === '/crates') as Resource;
const crateAt = (id: number, status: number, body: unknown) =>
  ask('readCrate', { path: { crateId: id }, located: { id, resource: crates } }, status, body);

export const RECORD_CASES: LawTable = {
  location: [
    ['the record, by its path', { given: addArticle('/v1/articles/7'), want: HOLDS }],
    [
      'another record',
      {
        given: addArticle('/v1/articles/8'),
        want: ['location: Location: /v1/articles/8 for article_no 7 | the URL of the created record'],
      },
    ],
    [
      'what stands at the Location of another path, which is the record',
      { given: [crateAt(7, 200, { crateId: 7, content: 'a' })], want: HOLDS },
    ],
    [
      'another record there',
      {
        given: [crateAt(7, 200, { crateId: 8, content: 'a' })],
        want: [
          'path-id: crateId 8 | crateId 7, as in the path',
          'location: crateId 8 | the record 7 that was created, whose Location it is',
        ],
      },
    ],
    [
      'nothing there',
      {
        given: [crateAt(7, 404, { message: 'none' })],
        want: ['location: 404: {"message":"none"} | the record 7 that was created, whose Location it is'],
      },
    ],
    [
      'a URL elsewhere, which may lead to the record, too',
      { given: addArticle('/tasks/8'), want: 'not judged' },
    ],
    [
      'a header that the document does not name',
      { given: [ask('createPet', { body: PET }, 201, PET, { Location: '/v1/pets/8' })], want: 'not judged' },
    ],
  ],
  'path-id': [
    [
      'a file, whose content is JSON',
      {
        given: [
          ask(
            'getDrawing',
            { path: { id: 7 } },
            200,
            { title: 'Oak' },
            { 'Content-Type': 'application/json' },
          ),
        ],
        want: 'not judged',
      },
    ],
    ['the id of the path', { given: [read(PET)], want: HOLDS }],
    [
      'an id beyond 2^53',
      {
        given: [ask('getPet', { path: { petId: 2n ** 60n + 1n } }, 200, { ...PET, id: 2n ** 60n + 1n })],
        want: HOLDS,
      },
    ],
    [
      'the next double of an id beyond 2^53',
      {
        given: [
          ask('getPet', { path: { petId: 9007199254740993n } }, 200, { ...PET, id: 9007199254740992n }),
        ],
        want: ['path-id: id 9007199254740992 | id 9007199254740993, as in the path'],
      },
    ],
    ['another id', { given: [read({ ...PET, id: 8 })], want: ['path-id: id 8 | id 7, as in the path'] }],
    ['a body that is no object, which the schema judges', { given: [tools({})], want: 'not judged' }],
    ['a list', { given: [list(PET)], want: 'not judged' }],
  ],
  'list-and-read-agree': [
    ['the same record in both', { given: [list(PET), read(PET)], want: HOLDS }],
    [
      'members in another order, and an undocumented one',
      { given: [list(PET), read({ seen: 1, categoryId: 3, name: 'Hazel', id: 7 })], want: HOLDS },
    ],
    [
      'another value by id',
      {
        given: [list(PET), read({ ...PET, name: 'Quill' })],
        want: ['list-and-read-agree: name "Hazel" in the list, "Quill" by id | one record, the same in both'],
      },
    ],
    [
      'a time that is left, a moment later',
      { given: [list({ ...PET, name: '1h7m42.5s' }), read({ ...PET, name: '1h7m41.25s' })], want: HOLDS },
    ],
    [
      'another time that is left',
      {
        given: [list({ ...PET, name: '1h7m42s' }), read({ ...PET, name: '2h7m42s' })],
        want: [
          'list-and-read-agree: name "1h7m42s" in the list, "2h7m42s" by id | one record, the same in both',
        ],
      },
    ],
    [
      'a member that no record of the list shows: it is hidden there',
      { given: [list(PET, { ...PET, id: 8 }), read({ ...PET, status: 'sold' })], want: HOLDS },
    ],
    [
      'a member that is null in all records of the list, which has no details',
      { given: [tools({ note: null }), tool({ note: 'a' })], want: HOLDS },
    ],
    [
      'a member that only the read shows, with one schema for both, and the list of another record',
      {
        given: [list(PET, { ...PET, id: 8, status: 'sold' }), read({ ...PET, status: 'sold' })],
        want: [
          'list-and-read-agree: status missing in the list, "sold" by id | one record, the same in both',
        ],
      },
    ],
    [
      'a list that shows less, with a schema of its own',
      { given: [tools({}), tool({ kind: 'saw', note: 'a' })], want: HOLDS },
    ],
    [
      'a list with a schema of its own that shows another value',
      {
        given: [tools({ kind: 'plane' }), tool({ kind: 'saw' })],
        want: ['list-and-read-agree: kind "plane" in the list, "saw" by id | one record, the same in both'],
      },
    ],
    [
      'a member that the service keeps itself',
      {
        given: [
          ask('listGates', {}, 200, [{ id: 1, name: 'North', passed: 4 }]),
          ask('getGate', { path: { id: 1 } }, 200, { id: 1, name: 'North', passed: 5 }),
        ],
        want: HOLDS,
      },
    ],
    [
      'another request in between',
      { given: [list(PET), list(), read({ ...PET, name: 'Quill' })], want: 'not judged' },
    ],
    ['a record that the list does not show', { given: [list(), read(PET)], want: 'not judged' }],
    [
      'a record that is gone since',
      {
        given: [
          list(PET),
          ask('getPet', { path: { petId: 7 } }, 404, { code: 'a', message: 'b', status: 404 }),
        ],
        want: HOLDS,
      },
    ],
  ],
  'read-only-ignored': [
    [
      'an id of its own',
      { given: [create({ name: 'Hazel', categoryId: 3, id: UNLIKELY }, PET)], want: HOLDS },
    ],
    [
      "the client's id",
      {
        given: [create({ name: 'Hazel', categoryId: 3, id: UNLIKELY }, { ...PET, id: UNLIKELY })],
        want: ['read-only-ignored: id 4503599627370001, as the client sent it | id is read-only'],
      },
    ],
    [
      "the client's value of what the schema of the request has without it",
      {
        given: [
          ask('addShelf', { body: { label: 'A', room: UNLIKELY } }, 201, {
            id: 1,
            label: 'A',
            room: UNLIKELY,
          }),
        ],
        want: HOLDS,
      },
    ],
    [
      "the client's id, which the service may well have come to by itself",
      { given: [create({ name: 'Hazel', categoryId: 3, id: 7 }, PET)], want: HOLDS },
    ],
    [
      'a refusal',
      {
        given: [
          ask('createPet', { body: { name: 'Hazel', categoryId: 3, id: UNLIKELY } }, 400, {
            code: 'a',
            message: 'b',
            status: 400,
          }),
        ],
        want: 'not judged',
      },
    ],
    ['a read', { given: [read(PET)], want: 'not judged' }],
    ['what was sent, in the record of somebody else', { given: bids(MOMENT, ''), want: HOLDS }],
    [
      'what was sent, in the record that was made',
      {
        given: bids('', MOMENT),
        want: [`read-only-ignored: placed_at "${MOMENT}", as the client sent it | placed_at is read-only`],
      },
    ],
  ],
};
