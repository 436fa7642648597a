import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

const error = (status: number) => ({ code: 'a', message: 'b', status });
const NO_KEY = { refused: { headers: [], query: [] } };
const OTHER_SCHEME = { ...NO_KEY, otherScheme: 'staff' };
const PET = { id: 7, name: 'Hazel', categoryId: 3 };
const BODY = { name: 'Hazel', categoryId: 3 };
const LIBRARY = { id: '11111111-1111-4111-8111-111111111111', name: 'Nyborg' };
const BOOK = { title: 'Tides', language: 'da' };
const BOOK_PATH = { libraryId: LIBRARY.id, bookId: LIBRARY.id };
const madeUp = (id: number, chosenId = false) =>
  ask('getPet', { path: { petId: id }, unknownId: true, ...(chosenId && { chosenId }) }, 200, { ...PET, id });

const SHELF = { path: { code: 'north-1' }, body: { code: 'north-1', levels: 3 } };

export const STATUS_CASES: LawTable = {
  status: [
    [
      'the expected status',
      { given: [ask('listPets', { expected: { status: 200 } }, 200, [])], want: HOLDS },
    ],
    [
      'another documented status than the expected one',
      {
        given: [
          ask('listPets', {}, 200, [{ id: 1, ...BODY }]),
          ask('createPet', { body: BODY, expected: { status: 201 } }, 400, error(400)),
        ],
        want: ['status: 400: {"code":"a","message":"b","status":400} | 201'],
      },
    ],
    [
      'the documented refusal of an id that no record has shown',
      {
        given: [ask('createPet', { body: BODY, expected: { status: 201 } }, 400, error(400))],
        want: HOLDS,
      },
    ],
    [
      'another refusal of an id that no record has shown',
      {
        given: [ask('createPet', { body: BODY, expected: { status: 201 } }, 500, error(500))],
        want: ['status: 500: {"code":"a","message":"b","status":500} | 201'],
      },
    ],
    [
      'a refusal of a body that the document forbids, whatever was expected',
      {
        given: [ask('createPet', { body: { name: 3 }, expected: { status: 201 } }, 400, error(400))],
        want: 'not judged',
      },
    ],
    [
      'another documented success than the expected one',
      {
        given: [ask('replaceTool', { path: { id: 1 }, body: { name: 'a' }, expected: { status: 200 } }, 201)],
        want: HOLDS,
      },
    ],
    [
      'a PUT where nothing was',
      { given: [ask('putShelf', { ...SHELF, creates: true }, 201, SHELF.body)], want: HOLDS },
    ],
    [
      'a PUT where nothing was, answered as if something were there',
      {
        given: [ask('putShelf', { ...SHELF, creates: true }, 200, SHELF.body)],
        want: ['status: 200: {"code":"north-1","levels":3} | 201'],
      },
    ],
    [
      'a PUT of what was just made, answered as if it were new',
      {
        given: [ask('putShelf', { ...SHELF, creates: false }, 201, SHELF.body)],
        want: ['status: 201: {"code":"north-1","levels":3} | 200'],
      },
    ],
    [
      'a PUT that replaces, or makes what somebody has removed',
      { given: [ask('putShelf', SHELF, 201, SHELF.body)], want: HOLDS },
    ],
    [
      'a 4xx where one is as right',
      {
        given: [ask('createPet', { body: BODY, expected: { status: 201, or4xx: true } }, 409, error(409))],
        want: HOLDS,
      },
    ],
    [
      'a 5xx where a 4xx is as right',
      {
        given: [ask('createPet', { body: BODY, expected: { status: 201, or4xx: true } }, 500, error(500))],
        want: ['status: 500: {"code":"a","message":"b","status":500} | 201 or a 4xx such as 400'],
      },
    ],
    [
      'a refusal that `default` describes and nobody expects',
      { given: [ask('listPets', {}, 409, error(409))], want: HOLDS },
    ],
    [
      'a fault, which `default` describes and does not permit',
      {
        given: [ask('listPets', {}, 500, error(500))],
        want: [
          'status: 500: {"code":"a","message":"b","status":500} | no 5xx to a valid request, unless it is documented by name',
        ],
      },
    ],
    [
      'what the service cannot do, under `default`',
      { given: [ask('listPets', {}, 501, error(501))], want: HOLDS },
    ],
    [
      'a status that is not documented, without a default',
      {
        given: [ask('getTool', { path: { id: 1 } }, 302, undefined, { Location: '/x' })],
        want: ['status: 302 to /x | one of 200, 400, 404'],
      },
    ],
    [
      'an undocumented status of HTTP itself',
      { given: [ask('getTool', { path: { id: 1 } }, 429)], want: 'not judged' },
    ],
    [
      'a status of HTTP itself that the request gave no cause for',
      { given: [ask('getTool', { path: { id: 1 } }, 414)], want: ['status: 414 | one of 200, 400, 404'] },
    ],
    [
      'an undocumented 404 for an id that may name nothing',
      { given: [ask('getJob', { path: { id: 4 } }, 404)], want: 'not judged' },
    ],
    [
      'an undocumented 404 for a record that was only accepted',
      {
        given: [
          ask('addJob', { body: { task: 'a' } }, 202, { id: 4 }),
          ask('getJob', { path: { id: 4 } }, 404),
        ],
        want: 'not judged',
      },
    ],
    [
      'an undocumented 4xx for an invalid body, where the document has no status for it',
      { given: [ask('addTool', { body: {} }, 409)], want: 'not judged' },
    ],
    [
      'an undocumented 422 for a valid request that may be refused, where 400 is for invalid ones',
      {
        given: [ask('createPet', { body: BODY, expected: { status: 201, or4xx: true } }, 422, error(422))],
        want: HOLDS,
      },
    ],
    [
      'an undocumented 4xx for a valid body',
      {
        given: [ask('addTool', { body: { name: 'a' } }, 409)],
        want: ['presumed status: 409 | one of 201'],
      },
    ],
    [
      'an undocumented 409 to a create with a text that anybody may have sent',
      {
        given: [ask('addTool', { body: { name: 'a' }, expected: { status: 201 } }, 409)],
        want: ['presumed status: 409 | one of 201'],
      },
    ],
    [
      'a 404 for an id that no record has shown',
      { given: [ask('createPet', { body: BODY, expected: { status: 201 } }, 404, error(404))], want: HOLDS },
    ],
    [
      'an undocumented 4xx for an invalid body, where the document has a status for it',
      {
        given: [ask('replaceTool', { path: { id: 1 }, rawBody: '{' }, 409)],
        want: ['presumed status: 409 | one of 200, 201, 400, 404, 422'],
      },
    ],
    [
      'an undocumented 401 without a credential',
      { given: [ask('addJob', { ...NO_KEY, body: { task: 'a' } }, 401)], want: 'not judged' },
    ],
    [
      'the first breach of a status is the only one',
      {
        given: [ask('listPets', { ...NO_KEY, expected: { status: 200 } }, 403, error(403))],
        want: ['unauthorised-first: 403: {"code":"a","message":"b","status":403} | 401'],
      },
    ],
  ],
  'credentials-apart': [
    ['401', { given: [ask('listPets', OTHER_SCHEME, 401, error(401))], want: HOLDS }],
    ['403', { given: [ask('listPets', OTHER_SCHEME, 403, error(403))], want: HOLDS }],
    [
      'a success',
      {
        given: [ask('listPets', OTHER_SCHEME, 200, [])],
        want: [
          'credentials-apart: 200: [] to a credential of staff | 401 or 403: the operation lists bearer',
        ],
      },
    ],
    ["the run's own key", { given: [ask('listPets', {}, 200, [])], want: 'not judged' }],
  ],
  'unauthorised-first': [
    ['401', { given: [ask('listPets', NO_KEY, 401, error(401))], want: HOLDS }],
    ['a success', { given: [ask('listPets', NO_KEY, 200, [])], want: ['unauthorised-first: 200: [] | 401'] }],
    [
      '400 for an invalid body',
      {
        given: [ask('createPet', { ...NO_KEY, body: {} }, 400, error(400))],
        want: ['unauthorised-first: 400: {"code":"a","message":"b","status":400} | 401'],
      },
    ],
    [
      '404 for an unknown id',
      {
        given: [ask('getPet', { ...NO_KEY, path: { petId: 4 }, unknownId: true }, 404, error(404))],
        want: ['unauthorised-first: 404: {"code":"a","message":"b","status":404} | 401'],
      },
    ],
    ["the run's own key", { given: [ask('listPets', {}, 200, [])], want: 'not judged' }],
    ['an operation that needs no key', { given: [ask('listTools', NO_KEY, 200, [])], want: 'not judged' }],
    [
      'a success of an operation that does not document 401',
      {
        given: [ask('addJob', { ...NO_KEY, body: { task: 'a' } }, 202, { id: 1 })],
        want: ['unauthorised-first: 202: {"id":1} | a 4xx'],
      },
    ],
    [
      '403 of an operation that does not document 401',
      { given: [ask('addJob', { ...NO_KEY, body: { task: 'a' } }, 403)], want: HOLDS },
    ],
  ],
  'invalid-refused': [
    ['the documented 400', { given: [ask('createPet', { body: {} }, 400, error(400))], want: HOLDS }],
    [
      'a success for a body without a required member',
      {
        given: [ask('createPet', { body: { name: 'Hazel' } }, 201, PET)],
        want: [
          'invalid-refused: 201: {"id":7,"name":"Hazel","categoryId":3} | 400, since body.categoryId is required ("required", spec/openapi.yaml)',
        ],
      },
    ],
    [
      'another 4xx than the documented one',
      {
        given: [ask('createPet', { body: [] }, 422, error(422))],
        want: [
          'invalid-refused: 422: {"code":"a","message":"b","status":422} | 400, since body must be an object ("type", spec/openapi.yaml)',
        ],
      },
    ],
    [
      'the documented 422',
      { given: [ask('openLibrary', { body: {} }, 422, { title: 'a', status: 422 })], want: HOLDS },
    ],
    [
      '422 where the document has 400 as well',
      { given: [ask('replaceTool', { path: { id: 1 }, body: {} }, 422)], want: HOLDS },
    ],
    [
      'a record that the run has removed',
      {
        given: [
          ask('openLibrary', { body: { name: 'Nyborg' } }, 201, LIBRARY),
          ask('acquireBook', { path: { libraryId: LIBRARY.id }, body: BOOK }, 201, {
            ...BOOK,
            id: LIBRARY.id,
          }),
          ask('discardBook', { path: BOOK_PATH }, 204),
          ask('replaceBook', { path: BOOK_PATH, body: {} }, 404, { title: 'a', status: 404 }),
        ],
        want: 'not judged',
      },
    ],
    [
      "an invalid body for the run's own record that is not found",
      {
        given: [
          ask('acquireBook', { path: { libraryId: LIBRARY.id }, body: BOOK }, 201, {
            ...BOOK,
            id: LIBRARY.id,
          }),
          ask('replaceBook', { path: BOOK_PATH, body: { title: 'Ebb' } }, 404, { title: 'a', status: 404 }),
        ],
        want: [
          'invalid-refused: 404: {"title":"a","status":404} | 422, since body.language is required ("required", fixtures/specs/libraries.yaml)',
        ],
      },
    ],
    [
      'broken JSON with any 4xx',
      { given: [ask('createPet', { rawBody: '{' }, 422, error(422))], want: HOLDS },
    ],
    [
      'broken JSON with a success',
      {
        given: [ask('createPet', { rawBody: '{' }, 201, PET)],
        want: [
          'invalid-refused: 201: {"id":7,"name":"Hazel","categoryId":3} | a 4xx such as 400, since the body must be JSON',
        ],
      },
    ],
    [
      'an invalid query value where the document has a status for it',
      {
        given: [
          ask('findGauges', { query: { take: 0 } }, 400, { errorCode: 'a', reason: 'b', httpStatus: 400 }),
        ],
        want: HOLDS,
      },
    ],
    [
      'an invalid query value that is taken where the document has a status for it',
      {
        given: [ask('findGauges', { query: { take: 0 } }, 200, [])],
        want: [
          'invalid-refused: 200: [] | 400, since take must be at least 1 ("minimum", fixtures/specs/tide-gauges.yaml)',
        ],
      },
    ],
    [
      'a success for an invalid body where the document names no refusal',
      { given: [ask('addTool', { body: {} }, 201, { name: 'a' }, { 'X-Count': '1' })], want: 'not judged' },
    ],
    [
      'a 5xx for an invalid body where the document names no refusal',
      {
        given: [ask('addTool', { body: {} }, 500)],
        want: [
          'invalid-refused: 500 | a 4xx, since body.name is required ("required", contract-tests/testing/workshop.yaml)',
        ],
      },
    ],
    ['a valid body', { given: [ask('createPet', { body: BODY }, 201, PET)], want: 'not judged' }],
    [
      'an invalid body without a credential',
      { given: [ask('createPet', { ...NO_KEY, body: {} }, 401, error(401))], want: 'not judged' },
    ],
    [
      "an invalid body for a record that is not the run's own and is not found",
      {
        given: [
          ask('replace_article', { path: { article_no: 4 }, body: [] }, 404, {
            error_code: 'a',
            detail: 'b',
          }),
        ],
        want: 'not judged',
      },
    ],
    [
      'an invalid query value where the document has no status for it',
      { given: [ask('listPets', { query: { limit: 0 } }, 400, error(400))], want: 'not judged' },
    ],
  ],
  'invalid-tolerated': [
    ['a 4xx', { given: [ask('listPets', { query: { limit: 0 } }, 422, error(422))], want: HOLDS }],
    [
      'a 5xx',
      {
        given: [ask('listPets', { query: { status: 'lost' } }, 500, error(500))],
        want: ['invalid-tolerated: 500: {"code":"a","message":"b","status":500} | a 4xx'],
      },
    ],
    [
      'another media type with any 4xx',
      {
        given: [ask('createPet', { rawBody: 'a', contentType: 'text/plain' }, 415, error(415))],
        want: 'not judged',
      },
    ],
    [
      'another media type that is taken',
      {
        given: [ask('createPet', { rawBody: 'a', contentType: 'text/plain' }, 201, PET)],
        want: 'not judged',
      },
    ],
    [
      'another media type with a 5xx',
      {
        given: [ask('createPet', { rawBody: 'a', contentType: 'text/plain' }, 500, error(500))],
        want: [
          'invalid-tolerated: 500: {"code":"a","message":"b","status":500} | a success or any 4xx to a body of another media type',
        ],
      },
    ],
    ['a success', { given: [ask('listPets', { query: { limit: 'a' } }, 200, [])], want: 'not judged' }],
    [
      'without a credential',
      { given: [ask('listPets', { ...NO_KEY, query: { limit: 0 } }, 401, error(401))], want: 'not judged' },
    ],
  ],
  'unknown-id': [
    [
      '404',
      { given: [ask('getPet', { path: { petId: 4 }, unknownId: true }, 404, error(404))], want: HOLDS },
    ],
    [
      '400 for an id of the documented form',
      {
        given: [ask('getPet', { path: { petId: 4 }, unknownId: true }, 400, error(400))],
        want: ['unknown-id: 400: {"code":"a","message":"b","status":400} | 404'],
      },
    ],
    [
      '400 for an id of which the run looks whether it is free',
      {
        given: [ask('getPet', { path: { petId: 4 }, unknownId: true, chosenId: true }, 400, error(400))],
        want: 'not judged',
      },
    ],
    [
      'a 5xx for an id of which the run looks whether it is free',
      {
        given: [ask('getPet', { path: { petId: 4 }, unknownId: true, chosenId: true }, 500, error(500))],
        want: ['unknown-id: 500: {"code":"a","message":"b","status":500} | 404'],
      },
    ],
    ['a record that has just this id', { given: [madeUp(4)], want: HOLDS }],
    [
      'a record with another id',
      {
        given: [ask('getPet', { path: { petId: 4 }, unknownId: true }, 200, PET)],
        want: [
          'unknown-id: 200: {"id":7,"name":"Hazel","categoryId":3} | 404',
          'path-id: id 7 | id 4, as in the path',
        ],
      },
    ],
    [
      'a record for each of five made-up ids',
      {
        given: [1, 2, 3, 4, 5].map((id) => madeUp(id)),
        want: ['unknown-id: a record for each of 5 made-up ids | 404'],
      },
    ],
    [
      'a record for each of five ids that are chosen for a new one',
      { given: [1, 2, 3, 4, 5].map((id) => madeUp(id, true)), want: HOLDS },
    ],
    [
      '404 for an id that is no integer',
      { given: [ask('getPet', { path: { petId: 'paddock' } }, 404, error(404))], want: HOLDS },
    ],
    [
      '400 for an id that is no integer',
      { given: [ask('getPet', { path: { petId: 'paddock' } }, 400, error(400))], want: HOLDS },
    ],
    [
      'a record for an id that is no integer',
      {
        given: [ask('getPet', { path: { petId: '7abc' } }, 200, PET)],
        want: [
          'unknown-id: 200: {"id":7,"name":"Hazel","categoryId":3} | 404 or 400, since petId must be an integer',
          'path-id: id 7 | id "7abc", as in the path',
        ],
      },
    ],
    [
      'a 5xx for an id beyond its format',
      {
        given: [ask('getPet', { path: { petId: '9223372036854775808' } }, 500, error(500))],
        want: [
          'unknown-id: 500: {"code":"a","message":"b","status":500} | 404 or 400, since petId must fit the format int64',
        ],
      },
    ],
    ['an existing id', { given: [ask('getPet', { path: { petId: 7 } }, 200, PET)], want: 'not judged' }],
    [
      'without a credential',
      {
        given: [ask('getPet', { ...NO_KEY, path: { petId: 4 }, unknownId: true }, 401, error(401))],
        want: 'not judged',
      },
    ],
  ],
};
