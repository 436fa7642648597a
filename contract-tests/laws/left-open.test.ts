import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadContract, type Operation, readContract } from '#spec';
import { NO_CREDENTIAL } from '../send/credentials.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import { decodeResponse } from '../send/response.ts';
import { judgeExchange, MESSAGE_ONLY } from './all-laws.ts';
import { gatherEvidence } from './evidence.ts';
import { presumedIn } from './law.ts';
import { createRecordModel } from './record-model.ts';

/** What the laws of the status say where a document is silent. */
const TARGET = {
  base: new URL('http://127.0.0.1/v1'),
  basePaths: [],
  apiKey: 'k',
  credentials: {},
  headers: [],
};
const contractOf = (file: string) => loadContract(fileURLToPath(new URL(`../../${file}`, import.meta.url)));
const contracts = {
  pets: await contractOf('spec/openapi.yaml'),
  bicycles: await contractOf('fixtures/specs/bicycles.yaml'),
  bookings: await contractOf('fixtures/specs/bookings.yaml'),
  couriers: await contractOf('fixtures/specs/couriers.yaml'),
  moorings: await contractOf('fixtures/specs/moorings.yaml'),
  runs: await readContract(runs(), 'runs.json'),
  tides: await readContract(tides(), 'tides.json'),
  signs: await readContract(signs(), 'signs.json'),
};

/** Signs of a town, whose picture is a file. */
function signs(): object {
  const forms = (...anyOf: object[]) => ({ anyOf: [...anyOf, { type: 'null' }] });
  const text = { type: 'string' };
  const properties = {
    post_id: { type: 'integer' },
    town: forms(text),
    kind: forms({ type: 'string', enum: ['stop', 'way'] }),
    data: forms({ type: 'string', format: 'jsonString' }, { type: 'object' }),
  };
  const body = (type: string, schema: object) => ({ requestBody: { content: { [type]: { schema } } } });
  const answers = (...statuses: number[]) => ({
    responses: Object.fromEntries(statuses.map((status) => [status, { description: '' }])),
  });
  const post = body('application/json', { type: 'object', properties });
  const locked = { ...answers(200), security: [{ key: [] }] };
  const securitySchemes = { key: { type: 'http', scheme: 'bearer' } };
  const item = { type: 'object', properties: { id: { type: 'integer' }, name: text } };
  const shown = { description: '', content: { 'application/json': { schema: item } } };
  const listed = {
    description: '',
    content: { 'application/json': { schema: { type: 'array', items: item } } },
  };
  const paths = {
    '/signs': { post: { operationId: 'add', ...post, ...answers(201, 400, 404) } },
    '/pictures': { post: { operationId: 'draw', ...body('application/dicom', {}), ...answers(200) } },
    '/bytes': { post: { operationId: 'store', ...body('application/octet-stream', {}), ...answers(200) } },
    '/door': { get: { operationId: 'enter', ...answers(200, 307) } },
    '/hours': { get: { operationId: 'hours', description: 'This is not authenticated.', ...locked } },
    '/vault': { get: { operationId: 'vault', description: 'Fails if not authenticated.', ...locked } },
    '/posts': { get: { operationId: 'posts', responses: { 200: listed } } },
    '/posts/{post_id}': {
      parameters: [{ name: 'post_id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'post',
        responses: { 200: shown, 404: { description: '' } },
      },
    },
    '/towns': { get: { operationId: 'towns', responses: { 200: listed } } },
    '/towns/{town_id}': {
      parameters: [{ name: 'town_id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'town', responses: { 200: shown, 404: { description: '' } } },
    },
  };
  return { openapi: '3.1.0', info: { title: 'Signs', version: '1' }, paths, components: { securitySchemes } };
}

/** Runs, whose lines are followed where the service can. */
function runs(): object {
  const id = { type: 'string', format: 'uuid' };
  const responses = Object.fromEntries([200, 404].map((status) => [status, { description: '' }]));
  const run = { description: '', content: { 'application/json': { schema: { properties: { id } } } } };
  const get = { responses: { ...responses, 200: run } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: id }];
  const follow = { operationId: 'follow', responses: { ...responses, 501: { description: '' } } };
  const paths = {
    '/runs': { get: { responses } },
    '/runs/{id}': { parameters, get },
    '/runs/{id}/lines': { parameters, get: follow },
  };
  return { openapi: '3.1.0', info: { title: 'Runs', version: '1' }, paths };
}

/** Tides, selected by objects, whose form in a query nothing says, or as an example shows. */
function tides(): object {
  const station = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } };
  const parameters = [
    { name: 'stations', in: 'query', schema: { type: 'array', items: station } },
    { name: 'height', in: 'query', schema: { type: 'integer' } },
    { name: 'fields', in: 'query', schema: { type: 'string' }, example: 'height' },
  ];
  const responses = { 200: { description: '' }, 400: { description: '' } };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const text = { type: 'string' };
  const one = { $ref: '#/components/schemas/Harbour' };
  const Harbour = { type: 'object', properties: { id: text, name: text } };
  const harbour = { 200: { description: '', ...json(one) } };
  const harbours = { 200: { description: '', ...json({ type: 'array', items: one }) } };
  const berth = { oneOf: [text, { $ref: '#/components/schemas/Harbour' }] };
  const add = json({ type: 'object', properties: { harbour_id: text, berth, note: text } });
  const list = { operationId: 'list', parameters, responses };
  const read = { operationId: 'read', parameters, responses: { 200: { description: '' } } };
  const named = { operationId: 'add', requestBody: add, responses: { 201: { description: '' } } };
  const ids = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const paths = {
    '/tides': { get: list, post: named },
    '/tide': { get: read },
    '/harbours': { get: { responses: harbours } },
    '/harbours/{id}': { parameters: ids, get: { responses: harbour } },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Tides', version: '1' },
    paths,
    components: { schemas: { Harbour } },
  };
}

type Place = `${keyof typeof contracts}/${string}`;

/** The laws that a response with a page of HTML, or with this JSON body, breaks. */
function judge(place: Place, input: RequestInput, status: number, json?: unknown) {
  const [name, id] = place.split('/') as [keyof typeof contracts, string];
  const contract = contracts[name];
  const operation = contract.operations.find((one) => one.id === id) as Operation;
  const type = json === undefined ? 'text/html' : 'application/json';
  const body = Buffer.from(json === undefined ? '<h1>no</h1>' : JSON.stringify(json));
  const response = decodeResponse({ status, headers: [['Content-Type', type]], body, cut: false, ms: 1 });
  const request = planRequest(TARGET, operation, input);
  const exchange = { operation, input, request, response };
  const evidence = gatherEvidence(exchange, { contract, model: createRecordModel(), earlier: [] });
  return judgeExchange(evidence, MESSAGE_ONLY).map(({ breach }) => breach);
}

const laws = (...given: Parameters<typeof judge>) => judge(...given).map(({ law }) => law);

const PET = '{"name":"Rex","categoryId":1}';
const plain: RequestInput = { rawBody: PET, contentType: 'text/plain' };
const ERROR = { code: 'x', message: 'x', status: 415 };
const accept = (type: string): RequestInput => ({ headers: [['Accept', type]] });
const stand: RequestInput = { body: { street: 'A', places: 1 } };
const invalid: RequestInput = { body: { street: 'A' } };
const long = { rawBody: `{"street":"${'x'.repeat(70_000)}","places":1}` };

describe('no finding', () => {
  test.for<[string, ...Parameters<typeof judge>]>([
    ['another media type, with a page and 415', 'pets/createPet', plain, 415],
    ['another media type, with 415 and the body of default', 'pets/createPet', plain, 415, ERROR],
    ['another media type, with 406', 'bicycles/addStand', plain, 406],
    ['another media type, with an undocumented 422', 'bicycles/addStand', plain, 422],
    ['no media type, with 415', 'bicycles/addStand', { ...plain, contentType: '' }, 415],
    ['broken JSON, with 415', 'bicycles/addStand', { rawBody: '{' }, 415],
    ['a type that nobody documents is asked for, with 406', 'bicycles/listStands', accept('image/png'), 406],
    [
      'a type is asked for where none is documented, with 406',
      'moorings/closeBerth',
      { path: { id: 1 }, ...accept('image/png') },
      406,
    ],
    [
      'an id that names nothing, with the documented 501',
      'runs/follow',
      { path: { id: 'b3c5223d-da0e-426f-8f2d-bd2213214e28' }, unknownId: true },
      501,
    ],
    ['chunks, with 411', 'bicycles/addStand', { ...stand, chunked: true, expected: { status: 201 } }, 411],
    ['a body, with 413', 'bicycles/addStand', stand, 413],
    ['a large invalid body, with 413', 'bicycles/addStand', long, 413],
    ['a long URL, with 414', 'bicycles/listStands', { query: { x: 'y'.repeat(3000) } }, 414],
    ['a coding, with 415', 'bicycles/addStand', { ...stand, headers: [['Content-Encoding', 'br']] }, 415],
    ['Expect, with 417', 'bicycles/addStand', { ...stand, headers: [['Expect', 'x']] }, 417],
    ['any request, with 426', 'bicycles/listStands', {}, 426],
    ['any request, with 429', 'bicycles/listStands', {}, 429],
    ['any request, with 503', 'bicycles/listStands', {}, 503],
    ['long headers, with 431', 'bicycles/listStands', { headers: [['X-Long', 'y'.repeat(5000)]] }, 431],
    ['invalid, with 400 where no error is documented', 'moorings/openBerth', invalid, 400],
    ['invalid, with 422 where no error is documented', 'moorings/openBerth', invalid, 422],
    [
      'no key, with 401 where no error is documented',
      'moorings/listBerths',
      { refused: { headers: [], query: [] } },
      401,
    ],
    [
      'no key, with 403 where no error is documented',
      'moorings/listBerths',
      { refused: { headers: [], query: [] } },
      403,
    ],
    ['nothing there, with 404 where no error is documented', 'moorings/getBerth', { path: { id: 1 } }, 404],
    ['invalid, with either of two documented statuses', 'couriers/hire', { body: {} }, 422, { error: 'x' }],
    [
      'a documented conflict',
      'bookings/book',
      { body: { room: 'tower', subject: 'x' }, expected: { status: 201 } },
      409,
      { status: 409, reason: 'x' },
    ],
    ['a documented redirect', 'signs/enter', { expected: { status: 200 } }, 307],
    ['another documented success', 'couriers/dismiss', { path: { id: 1 }, expected: { status: 202 } }, 204],
  ])('%s', ([, ...given]) => {
    expect(laws(...given)).toEqual([]);
  });
});

describe('a finding', () => {
  test.for<[string, string, ...Parameters<typeof judge>]>([
    ['another media type, with 500', 'invalid-tolerated', 'pets/createPet', plain, 500, ERROR],
    ['an unacceptable type, with 500', 'invalid-tolerated', 'pets/listPets', accept('image/png'), 500, ERROR],
    ['a documented method, with 405', 'status', 'bicycles/listStands', {}, 405],
    ['what is acceptable, with 406', 'status', 'bicycles/listStands', {}, 406],
    ['any type, with 406', 'status', 'moorings/closeBerth', { path: { id: 1 } }, 406],
    ['a length, with 411', 'status', 'bicycles/addStand', stand, 411],
    [
      'a small body that is good, with 413',
      'status',
      'bicycles/addStand',
      { ...stand, expected: { status: 201 } },
      413,
    ],
    ['a small invalid body, with 413', 'invalid-refused', 'bicycles/addStand', invalid, 413],
    ['a short URL, with 414', 'status', 'bicycles/listStands', {}, 414],
    ['the documented media type, with 415', 'status', 'bicycles/addStand', stand, 415],
    ['no Expect, with 417', 'status', 'bicycles/addStand', stand, 417],
    ['short headers, with 431', 'status', 'bicycles/listStands', {}, 431],
    ['an undocumented 418', 'status', 'bicycles/listStands', {}, 418],
    ['invalid, with 418 where no error is documented', 'status', 'moorings/openBerth', invalid, 418],
    ['invalid, with 400 where 422 is documented', 'invalid-refused', 'bookings/book', { body: {} }, 400],
    [
      'no key, with 403 where 401 is documented',
      'unauthorised-first',
      'bookings/listBookings',
      { refused: { headers: [], query: [] } },
      403,
    ],
    ['an undocumented conflict', 'status', 'bicycles/addStand', { ...stand, expected: { status: 201 } }, 409],
  ])('%s', ([, law, ...given]) => {
    expect(laws(...given)).toContain(law);
  });
});

test.for<[string, string, RequestInput, boolean]>([
  ['a text that may be null', 'signs/add', { body: { town: 'zavu' } }, true],
  ['one of the listed texts', 'signs/add', { body: { kind: 'stop' } }, false],
  ['a text of a format that nobody defines', 'signs/add', { body: { data: 'zavu' } }, true],
  ['a file of a type', 'signs/draw', { rawBody: '{}', contentType: 'application/dicom' }, true],
  ['any bytes', 'signs/store', { rawBody: '{}', contentType: 'application/octet-stream' }, false],
])('a refusal of %s may be about what only the service knows: %s', ([, place, input, isOpen]) => {
  const [breach] = judge(
    place as Place,
    { ...input, expected: { status: place === 'signs/add' ? 201 : 200 } },
    400,
  );
  expect([breach?.law, (breach?.suspects ?? []).length > 0]).toEqual(['status', isOpen]);
});

test('a small number names a record of its own collection alone', async () => {
  const { signs: contract } = contracts;
  const model = createRecordModel();
  const ask = (id: string, input: RequestInput, status: number, json: unknown) => {
    const operation = contract.operations.find((one) => one.id === id) as Operation;
    const body = Buffer.from(JSON.stringify(json));
    const headers = [['Content-Type', 'application/json']] as const;
    const response = decodeResponse({ status, headers, body, cut: false, ms: 1 });
    const exchange = { operation, input, request: planRequest(TARGET, operation, input), response };
    const evidence = gatherEvidence(exchange, { contract, model, earlier: [] });
    model.observe(evidence, true);
    return judgeExchange(evidence, MESSAGE_ONLY).map(({ breach }) => breach.law);
  };
  const input = { body: { post_id: 1 }, expected: { status: 201 } };
  ask('towns', {}, 200, [{ id: 1, name: 'a' }]);
  expect(ask('add', input, 404, {})).toEqual([]);
  ask('posts', {}, 200, [{ id: 1, name: 'a' }]);
  expect(ask('add', input, 404, {})).toEqual(['status']);
});

test('what was documented for a refused body names no status that refuses something else', () => {
  const [breach] = judge('pets/createPet', { rawBody: '{' }, 201, {});
  expect(breach?.documented).toBe('a 4xx such as 400, since the body must be JSON');
  const [ofPath] = judge(
    'bookings/changeBooking',
    { path: { id: '018cc251-f465-7526-ae80-5a673ba61dfe' }, rawBody: '{' },
    500,
  );
  expect(ofPath?.documented).toBe('a 4xx such as 404, 409, 422, since the body must be JSON');
});

describe('worth a look, and no finding', () => {
  const AT = { uri: 'tides.json', line: 1, column: 1 };
  const presumed = (...given: Parameters<typeof judge>) =>
    judge(...given).map((breach) => [breach.law, presumedIn(breach) !== undefined]);

  test('a text is taken for a list of objects, which no style writes', () => {
    expect(presumed('tides/list', { query: { stations: 'word' } }, 200)).toEqual([['invalid-refused', true]]);
    expect(presumed('tides/list', { query: { height: 'word' } }, 200)).toEqual([['invalid-refused', false]]);
  });

  test('the examples of optional parameters are refused with an undocumented status', () => {
    const query = { fields: 'height' };
    expect(presumed('tides/read', { query, example: AT }, 400)).toEqual([['example-accepted', true]]);
    expect(presumed('tides/read', { query }, 400)).toEqual([['status', false]]);
  });

  test('an example names a record that does not exist', () => {
    const input = { body: { town: 'Odense' }, example: { ...AT, uri: 'signs.json' } };
    const refused = (message: string) => presumed('signs/add', input, 400, { message });
    expect(refused("No such town 'Odense'")).toEqual([['example-accepted', true]]);
    expect(refused("The town 'Odense' is too short")).toEqual([['example-accepted', false]]);
    expect(refused('The member town is unknown')).toEqual([['example-accepted', false]]);
    const undocumented = { body: { note: 'Odense' }, example: AT };
    expect(presumed('tides/add', undocumented, 400, { message: "No such note 'Odense'" })).toEqual([
      ['example-accepted', true],
    ]);
  });

  test('an operation lets everybody in whose description says so', () => {
    const refused = NO_CREDENTIAL;
    expect(presumed('signs/hours', { refused }, 200)).toEqual([['unauthorised-first', true]]);
    expect(presumed('signs/vault', { refused }, 200)).toEqual([['unauthorised-first', false]]);
  });

  test('what refers to a record that the run has made up is refused with an undocumented status', () => {
    expect(presumed('tides/add', { body: { harbour_id: 'made up' } }, 422)).toEqual([['status', true]]);
    expect(presumed('tides/add', { body: { berth: 'made up' } }, 422)).toEqual([['status', true]]);
    expect(presumed('tides/add', { body: { note: 'made up' } }, 422)).toEqual([['status', false]]);
    const expected = { status: 201 };
    expect(presumed('tides/add', { body: { berth: 'made up' }, expected }, 422)).toEqual([['status', true]]);
    expect(presumed('tides/add', { body: { note: 'made up' }, expected }, 422)).toEqual([['status', false]]);
  });
});
