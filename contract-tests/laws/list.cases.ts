import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

type Query = Readonly<Record<string, unknown>>;

const pet = (id: number, more: object = {}) => ({ id, name: 'Hazel', categoryId: 3, ...more });
const pets = (count: number) => Array.from({ length: count }, (_, index) => pet(index + 1));
const list = (query: Query, body: unknown) => ask('listPets', { query }, 200, body);
const SOLD = pet(1, { status: 'sold' });
const NEW = pet(2, { status: 'available' });
const ODD = pet(3);
const all = (...records: object[]) => list({ limit: 100 }, records);
const sold = (...records: object[]) => list({ limit: 100, status: 'sold' }, records);
const LIBRARY = '11111111-1111-4111-8111-111111111111';

const LOT = { id: 1, title: 'Lamp', price: 3, closes_at: '2030-01-01T00:00:00Z' };
const lotsOf = (seller: object | undefined) =>
  ask('listLots', { query: { seller: 'Ann' } }, 200, [{ ...LOT, ...(seller && { seller }) }]);

export const LIST_CASES: LawTable = {
  'page-size': [
    ['as many as asked for', { given: [list({ limit: 2 }, pets(2))], want: HOLDS }],
    ['fewer', { given: [list({ limit: 2 }, pets(1))], want: HOLDS }],
    ['more', { given: [list({ limit: 2 }, pets(3))], want: ['page-size: 3 records | at most 2 (limit)'] }],
    [
      'more, in the member of a page that holds the records',
      {
        given: [
          ask('list_articles', { query: { page_size: 1 } }, 200, {
            total_count: 2,
            page_number: 1,
            page_size: 1,
            articles: [1, 2].map((article_no) => ({
              article_no,
              label: 'a',
              unit: 'piece',
              price: 1,
              barcode: null,
              stock: 0,
            })),
          }),
        ],
        want: ['page-size: 2 records | at most 1 (page_size)'],
      },
    ],
    ['an invalid page size and the greatest page', { given: [list({ limit: 101 }, pets(100))], want: HOLDS }],
    [
      'an invalid page size and more than the greatest page',
      { given: [list({ limit: 0 }, pets(101))], want: ['page-size: 101 records | at most 100 (limit)'] },
    ],
    ['no page size sent', { given: [list({}, pets(2))], want: 'not judged' }],
    ['a list without a page size', { given: [ask('listLibraries', {}, 200, [])], want: 'not judged' }],
    [
      'a refused list',
      {
        given: [ask('listPets', { query: { limit: 0 } }, 400, { code: 'a', message: 'b', status: 400 })],
        want: 'not judged',
      },
    ],
    [
      'a list without a credential',
      {
        given: [
          ask('listPets', { query: { limit: 1 }, refused: { headers: [], query: [] } }, 401, {
            code: 'a',
            message: 'b',
            status: 401,
          }),
        ],
        want: 'not judged',
      },
    ],
  ],
  'page-default': [
    [
      'equally many with and without the default',
      { given: [list({ limit: 20 }, pets(20)), list({}, pets(20))], want: HOLDS },
    ],
    ['no list before it', { given: [list({}, pets(3))], want: HOLDS }],
    [
      'fewer than with the default',
      {
        given: [list({ limit: 20 }, pets(20)), list({}, pets(10))],
        want: ['page-default: 10 records without limit, 20 with limit=20 | equally many (default 20)'],
      },
    ],
    [
      'more than the default',
      {
        given: [list({}, pets(21))],
        want: ['page-default: 21 records without limit | at most 20 (the default)'],
      },
    ],
    [
      'fewer than with another page size',
      { given: [list({ limit: 100 }, pets(9)), list({}, pets(3))], want: HOLDS },
    ],
    [
      'fewer than with the default and another filter',
      { given: [list({ limit: 20 }, pets(9)), list({ status: 'sold' }, [SOLD])], want: HOLDS },
    ],
    ['the page size sent', { given: [list({ limit: 20 }, pets(3))], want: 'not judged' }],
    ['a list without a page size', { given: [ask('listLibraries', {}, 200, [])], want: 'not judged' }],
  ],
  filter: [
    ['the member of what a record shows', { given: [lotsOf({ name: 'Ann', town: 'Ulm' })], want: HOLDS }],
    [
      'another one',
      {
        given: [lotsOf({ name: 'Ben', town: 'Ann' })],
        want: [
          `filter: a record whose seller is {"name":"Ben","town":"Ann"}: ${JSON.stringify({ ...LOT, seller: { name: 'Ben', town: 'Ann' } })} | only records whose name of seller is "Ann"`,
        ],
      },
    ],
    ['a list that does not show it', { given: [lotsOf(undefined)], want: HOLDS }],
    [
      'a read-only member that was sent, and ignored',
      {
        given: [
          ask('addShelf', { body: { label: 'A', state: 'full' } }, 201, { id: 1, label: 'A', state: 'free' }),
          ask('listShelves', { query: { limit: 100, state: 'full' } }, 200, []),
        ],
        want: HOLDS,
      },
    ],
    ['only records that match', { given: [list({ status: 'sold' }, [SOLD])], want: HOLDS }],
    [
      'a record with another value, and one without any',
      {
        given: [list({ status: 'sold' }, [SOLD, NEW, ODD])],
        want: [
          'filter: a record whose status is "available": {"id":2,"name":"Hazel","categoryId":3,"status":"available"} | only records whose status is "sold"',
        ],
      },
    ],
    [
      'a boolean',
      {
        given: [
          ask('findGauges', { query: { active: true } }, 200, [
            { id: 1, harbour: 'a', latitude: 0, longitude: 0, active: false },
          ]),
        ],
        want: [
          'filter: a record whose active is false: {"id":1,"harbour":"a","latitude":0,"longitude":0,"active":false} | only records whose active is true',
        ],
      },
    ],
    [
      'a part of a text that is not enumerated, in another case',
      { given: [ask('listTools', { query: { name: 'saw' } }, 200, [{ id: 1, name: 'Saws' }])], want: HOLDS },
    ],
    [
      'another text',
      {
        given: [ask('listTools', { query: { name: 'saw' } }, 200, [{ id: 1, name: 'Plane' }])],
        want: [
          'filter: a record whose name is "Plane": {"id":1,"name":"Plane"} | only records whose name is "saw"',
        ],
      },
    ],
    [
      'a member with several values, one of which is asked for',
      {
        given: [ask('listTools', { query: { tags: ['b'] } }, 200, [{ id: 1, tags: ['a', 'b'] }])],
        want: HOLDS,
      },
    ],
    [
      'a filtered list between two complete ones with all that they show',
      { given: [all(SOLD, NEW), sold(SOLD), all(SOLD, NEW)], want: HOLDS },
    ],
    [
      'a filtered list between two complete ones without a record that both show',
      {
        given: [all(SOLD, NEW), sold(), all(SOLD, NEW)],
        want: [
          'filter: a list of 0, shorter than asked for, without {"id":1,"name":"Hazel","categoryId":3,"status":"sold"} | every record that matches',
        ],
      },
    ],
    [
      'a record that was made or removed between the two complete lists',
      { given: [all(NEW), sold(), all(SOLD, NEW)], want: HOLDS },
    ],
    [
      'a record that was changed between the two complete lists',
      { given: [all(SOLD), sold(), all({ ...SOLD, name: 'Quill' })], want: HOLDS },
    ],
    [
      "the run's own record is missing in a complete filtered list",
      {
        given: [
          ask('createPet', { body: { name: 'Hazel', categoryId: 3, status: 'sold' } }, 201, SOLD),
          sold(),
        ],
        want: [
          'filter: a complete list of 0 without id 1: {"name":"Hazel","categoryId":3,"status":"sold"} | every record that matches',
        ],
      },
    ],
    [
      'two values, of which any or all may be meant',
      { given: [ask('listTools', { query: { tags: ['a', 'b'] } }, 200, [{ id: 1 }])], want: 'not judged' },
    ],
    ['an invalid value that is taken', { given: [list({ status: 'lost' }, [NEW])], want: 'not judged' }],
    ['no filter', { given: [list({}, [NEW])], want: 'not judged' }],
  ],
  'complete-list': [
    [
      'complete lists with all that a filtered one shows',
      { given: [all(SOLD), sold(SOLD), all(SOLD)], want: HOLDS },
    ],
    [
      'a record that others may have created and removed between the complete lists',
      { given: [all(NEW), sold(SOLD), all(NEW)], want: HOLDS },
    ],
    [
      'a known record in a filtered list, and in none of the complete ones around it',
      {
        given: [sold(SOLD), all(NEW), sold(SOLD), all(NEW)],
        want: [
          'complete-list: a list of 1, shorter than asked for, without {"id":1,"name":"Hazel","categoryId":3,"status":"sold"} | every record that matches',
        ],
      },
    ],
    [
      'lists that are as long as asked for',
      { given: [list({ limit: 1 }, [NEW]), sold(SOLD), list({ limit: 1 }, [NEW])], want: HOLDS },
    ],
    [
      "a short list with a small page size lacks one of the run's own records",
      {
        given: [
          ask('createPet', { body: { name: 'Hazel', categoryId: 3 } }, 201, ODD),
          list({ limit: 2 }, [NEW]),
        ],
        want: [
          'complete-list: a complete list of 1 without id 3: {"name":"Hazel","categoryId":3} | every record that matches',
        ],
      },
    ],
    [
      "a full page without one of the run's own records",
      {
        given: [
          ask('createPet', { body: { name: 'Hazel', categoryId: 3 } }, 201, ODD),
          list({ limit: 1 }, [NEW]),
        ],
        want: HOLDS,
      },
    ],
    [
      'a list that a default filters',
      {
        given: [
          ask(
            'addTool',
            { body: { name: 'a', kind: 'plane' } },
            201,
            { id: 1, name: 'a', kind: 'plane' },
            { 'X-Count': '1' },
          ),
          ask('listTools', {}, 200, []),
        ],
        want: HOLDS,
      },
    ],
    [
      'a list that may have further pages behind a cursor',
      {
        given: [
          ask('addJob', { body: { task: 'a' } }, 202, { id: 1 }),
          ask('listJobs', {}, 200, { jobs: [], next: 'b' }),
        ],
        want: HOLDS,
      },
    ],
    [
      'a later page',
      {
        given: [
          ask('installGauge', { body: { harbour: 'a', latitude: 0, longitude: 0, active: true } }, 201, {
            id: 1,
            harbour: 'a',
            latitude: 0,
            longitude: 0,
            active: true,
          }),
          ask('findGauges', { query: { take: 200, skip: 1 } }, 200, []),
        ],
        want: HOLDS,
      },
    ],
  ],
  'distinct-ids': [
    ['a list with different ids', { given: [list({}, [SOLD, NEW])], want: HOLDS }],
    [
      'a list with one id twice',
      { given: [list({}, [SOLD, pet(1)])], want: ['distinct-ids: id 1 twice | another id for each record'] },
    ],
    [
      'a list with no id twice, which the schema judges',
      {
        given: [
          list(
            {},
            [SOLD, pet(1)].map((one) => ({ ...one, id: null })),
          ),
        ],
        want: [0, 1].map((row) => `schema: [${row}].id is null | [${row}].id must be an integer`),
      },
    ],
    [
      'a list without ids, which the schema judges',
      { given: [ask('listTools', {}, 200, [{ id: 1 }, { id: 2 }])], want: HOLDS },
    ],
    [
      'a created record with an id of its own',
      {
        given: [list({}, [SOLD]), ask('createPet', { body: { name: 'Hazel', categoryId: 3 } }, 201, ODD)],
        want: HOLDS,
      },
    ],
    [
      'a created record with the id of a listed one',
      {
        given: [list({}, [SOLD]), ask('createPet', { body: { name: 'Hazel', categoryId: 3 } }, 201, pet(1))],
        want: ['distinct-ids: id 1 twice | another id for each record'],
      },
    ],
    [
      'an id that may be given out again, since records can be removed',
      {
        given: [
          ask('getLibrary', { path: { libraryId: LIBRARY } }, 200, { id: LIBRARY, name: 'Nyborg' }),
          ask('openLibrary', { body: { name: 'Odense' } }, 201, { id: LIBRARY, name: 'Odense' }),
        ],
        want: HOLDS,
      },
    ],
    ['a read', { given: [ask('getPet', { path: { petId: 1 } }, 200, SOLD)], want: 'not judged' }],
    [
      'a refused create',
      {
        given: [ask('createPet', { body: {} }, 400, { code: 'a', message: 'b', status: 400 })],
        want: 'not judged',
      },
    ],
  ],
};
