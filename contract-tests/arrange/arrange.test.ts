import { describe, expect, test } from 'vitest';
import { bodyMedia, type Operation, type Resource, readContract, Shape } from '#spec';
import { recordToRace } from '../cases/races/history.ts';
import { play } from '../cases/sequences/sequences.ts';
import { markMember } from '../laws/mark.ts';
import { Trial } from '../run/trial.ts';
import { requiredQuery } from '../send/plan-request.ts';
import { FateUnknown, type WireRequest } from '../send/wire.ts';
import { LIBRARIES, PETS } from '../testing/describe-family.ts';
import { inMemoryRun, type RunOptions } from '../testing/drive-cases.ts';
import { makeBody } from './body.ts';
import { madeUpPath, unknownId } from './made-up.ts';
import { referringIn } from './named-records.ts';
import { jsonPatch } from './record-members.ts';
import { detachedInput, ordinaryInput, readById } from './requests.ts';
import { createRecord, ownId, pathOf, targetRecords, tryCreate } from './target.ts';

function arranged(operationId: string, options: RunOptions = {}) {
  const { run, requests, client, marks } = inMemoryRun(operationId, options);
  const operation = run.plan.contract.operations.find(({ id }) => id === operationId) as Operation;
  const resource = run.plan.contract.resources.find(({ actions }) =>
    Object.values(actions).includes(operation),
  ) as Resource;
  const trial = new Trial(run, { id: 'the/case', operation, status: 200 }, { place: [0], client, marks });
  return { run, requests, operation, resource, trial };
}

const TEXT = { type: 'string' };
const LIBRARY = '11111111-1111-4111-8111-111111111111';
/** The id of a record that the service has made. */
const own = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const REFUSED = { status: 503, headers: [], body: Buffer.from(''), cut: false, ms: 1 };

describe('path values', () => {
  test.each<
    [
      string,
      {
        given: { operation: string; options?: RunOptions; known?: object };
        want: { path: object; requests: string[] };
      },
    ]
  >([
    [
      'are those of a record that the target has',
      {
        given: { operation: 'getPet', options: { records: PETS } },
        want: { path: { petId: 1 }, requests: ['GET /pets?limit=100'] },
      },
    ],
    [
      'are those of a record that the run makes where there is none',
      {
        given: { operation: 'getPet' },
        want: {
          path: { petId: 101 },
          requests: [
            'GET /pets?limit=100',
            expect.stringMatching(/^POST \/pets \{"name":"MARK-1"/) as unknown as string,
          ],
        },
      },
    ],
    [
      'are given by the user',
      {
        given: { operation: 'getPet', options: { values: { petId: '9007199254740993' } } },
        want: { path: { petId: 9007199254740993n }, requests: [] },
      },
    ],
    [
      'are known to the caller',
      { given: { operation: 'getPet', known: { petId: 5 } }, want: { path: { petId: 5 }, requests: [] } },
    ],
    [
      'of a nested record: its parent first',
      {
        given: { operation: 'getBook', options: { records: LIBRARIES } },
        want: {
          path: { libraryId: LIBRARY, bookId: LIBRARY },
          requests: ['GET /libraries', 'GET /libraries/ID-111111111111/books?first=500'],
        },
      },
    ],
    [
      'of a nested record that the run makes where there is none: its parent is the one that it was made below',
      {
        given: { operation: 'getBook', options: { records: { '/libraries': LIBRARIES['/libraries'] } } },
        want: {
          path: { libraryId: own(101), bookId: own(102) },
          requests: [
            'GET /libraries',
            'GET /libraries/ID-111111111111/books?first=500',
            'POST /libraries {"name":"MARK-1","seats":190}',
            'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          ],
        },
      },
    ],
    [
      'of a nested record, for a run that may not write',
      {
        given: { operation: 'getBook', options: { records: LIBRARIES, writes: false } },
        want: {
          path: { libraryId: LIBRARY, bookId: LIBRARY },
          requests: ['GET /libraries', 'GET /libraries/ID-111111111111/books?first=500'],
        },
      },
    ],
    [
      "of a create: its parent is the run's own",
      {
        given: { operation: 'acquireBook', options: { records: LIBRARIES } },
        want: {
          path: { libraryId: own(101) },
          requests: ['GET /libraries', 'POST /libraries {"name":"MARK-1","seats":190}'],
        },
      },
    ],
    [
      'that belong to no resource are made from their schema',
      {
        given: { operation: 'getReport', known: { year: 2001 } },
        want: {
          path: { year: 2001, name: expect.stringMatching(/^[a-c]{3}$/) },
          requests: [expect.stringMatching(/^GET \/reports\/2001\/[a-c]{3}\?/)],
        },
      },
    ],
  ])('%s', async (_, { given: { operation: id, options, known }, want }) => {
    const { trial, operation, requests } = arranged(id, options);
    expect(await pathOf(trial, operation, { ...known })).toEqual(want.path);
    expect(requests).toEqual(want.requests);
  });
});

describe('what a case looks at', () => {
  /** The library in whose books a trial looks for something. */
  const libraryOf = async (trial: Trial, list: Operation) => (await pathOf(trial, list)).libraryId;

  test("is below the run's own parent once it has written there, in its parts as well", async () => {
    const { trial, operation: list, resource } = arranged('listBooks', { records: LIBRARIES });
    expect(await libraryOf(trial, list)).toBe(LIBRARY);
    await trial.together([
      (part) => createRecord(part, resource),
      async (part) => expect(await libraryOf(part, list)).toBe(LIBRARY),
    ]);
    expect(await libraryOf(trial, list)).toBe(own(101));
    await trial.together([async (part) => expect(await libraryOf(part, list)).toBe(own(101))]);
  });

  test("is below the run's own parent in the end, where other cases have left several records", async () => {
    const { trial, operation, resource, run } = arranged('listBooks', { records: LIBRARIES });
    await createRecord(trial, resource);
    const subject = { id: 'the/last', operation, status: 200 };
    const place = { place: [1], client: trial.client };
    expect(await libraryOf(new Trial(run, subject, place), operation)).toBe(LIBRARY);
    const last = () => new Trial(run, { ...subject, looksBack: true }, place);
    expect(await libraryOf(last(), operation)).toBe(LIBRARY);
    await createRecord(trial, resource);
    expect(await libraryOf(last(), operation)).toBe(own(101));
  });

  test('is where a sequence makes its records, from its first request on', async () => {
    const { trial, resource, requests } = arranged('listBooks', { records: LIBRARIES });
    const step = { action: 'list', how: 'ordinary', record: -1, salt: 1 } as const;
    await play(trial, resource, [step]);
    expect(requests.at(-1)).toBe('GET /libraries/ID-101/books');
  });
});

describe('records of the target', () => {
  test('are those that the run has not made', async () => {
    const { trial, resource } = arranged('listPets', { records: PETS });
    const { id } = await tryCreate(trial, resource);
    expect(id).toBeDefined();
    expect((await targetRecords(trial, resource)).map((record) => record.id)).not.toContain(id);
  });

  test('are asked for once', async () => {
    const { trial, resource, requests } = arranged('listPets', { records: PETS });
    expect(await targetRecords(trial, resource)).toEqual(PETS['/pets']);
    expect(await targetRecords(trial, resource)).toHaveLength(2);
    expect(requests).toEqual(['GET /pets?limit=100']);
  });

  test('are asked for again where the list was not to be had', async () => {
    let broken = true;
    const { trial, resource } = arranged('listPets', {
      records: PETS,
      respond: (request, service) => (broken ? REFUSED : service.respond(request)),
    });
    await expect(targetRecords(trial, resource)).rejects.toThrow('the list of /pets answers 503');
    broken = false;
    expect(await targetRecords(trial, resource)).toHaveLength(2);
  });

  test('made for several cases are made once, and are not taken away after the first of them', async () => {
    const { trial, resource, run } = arranged('listPets');
    expect(await ownId(trial, resource)).toBe(101);
    expect(await ownId(trial, resource)).toBe(101);
    expect(run.log.ledger.records.map(run.log.ledger.isNeeded)).toEqual([true]);
  });
});

describe('a create', () => {
  test.each<[string, { given: RunOptions; want: string }]>([
    ['is not sent where the run may not write', { given: { writes: false }, want: '--read-only' }],
    [
      'is not sent when no room is left',
      { given: { maxCreates: 0 }, want: '--max-creates 0 leaves no room for it' },
    ],
    [
      'that is needed and refused ends the case',
      { given: { respond: () => REFUSED, values: { categoryId: '1' } }, want: 'answers 503' },
    ],
  ])('%s', async (_, { given, want }) => {
    const { trial, resource } = arranged('createPet', given);
    await expect(createRecord(trial, resource)).rejects.toThrow(want);
  });

  test('whose fate is unknown is sent again with a new mark, and stands in the ledger', async () => {
    const broken = new Set([1]);
    let creates = 0;
    const { trial, resource, run, requests } = arranged('createPet', {
      respond(request: WireRequest, service) {
        if (request.method === 'POST') creates += 1;
        if (request.method === 'POST' && broken.has(creates))
          throw new FateUnknown('the connection was closed');
        return service.respond(request);
      },
    });
    const { id, mark } = await tryCreate(trial, resource);
    expect({ id, mark }).toEqual({ id: 101, mark: 'paddock-x-2n' });
    expect(requests.filter((line) => line.startsWith('POST'))).toHaveLength(2);
    expect(run.log.ledger.records.map((record) => [record.mark, record.id, record.certain])).toEqual([
      ['paddock-x-1n', undefined, false],
      ['paddock-x-2n', 101, true],
    ]);
    expect(run.session.model.createsOf(resource, 'paddock-x-1n')?.sent).toBe(1);
  });

  test('is given up after the retries', async () => {
    const { trial, resource, requests } = arranged('createPet', {
      retries: 1,
      respond(request: WireRequest, service) {
        if (request.method === 'POST') throw new FateUnknown('the connection was closed');
        return service.respond(request);
      },
    });
    await expect(tryCreate(trial, resource)).rejects.toThrow('the connection was closed');
    expect(requests.filter((line) => line.startsWith('POST'))).toHaveLength(2);
  });
});

describe('requests', () => {
  test('an ordinary change is of a record of its own, one that will be refused of a shared one', async () => {
    const { trial, operation } = arranged('replace_article');
    const idOf = async (spent: boolean) => (await ordinaryInput(trial, operation, spent)).path?.article_no;
    expect([await idOf(true), await idOf(true), await idOf(false), await idOf(false)]).toEqual([
      101, 102, 103, 103,
    ]);
  });

  test('a detached one needs no record', async () => {
    const { trial, operation, requests } = arranged('getPet');
    expect(await detachedInput(trial, operation)).toEqual({
      path: { petId: expect.any(Number) },
      madeUp: true,
    });
    expect(requests).toEqual([]);
  });

  test('nothing is read by its id where the document has no such operation', async () => {
    const { trial, resource, requests } = arranged('addJob');
    expect(await readById(trial, { ...resource, actions: {} }, 1)).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test('required query parameters have values of their schemas, or those of the user', () => {
    const query = (options: RunOptions) => {
      const { trial, operation } = arranged('getReport', options);
      return requiredQuery(operation, trial.plan.settings);
    };
    expect(query({})).toEqual({ months: 12, team: 'north' });
    expect(query({ values: { months: '3', team: 'south' } })).toEqual({ months: 3, team: 'south' });
  });

  test('made-up path values are of the documented form', () => {
    const { operation } = arranged('getReport');
    expect(madeUpPath(operation)).toEqual({
      year: expect.toSatisfy((year: number) => year >= 1000 && year <= 2030),
      name: expect.stringMatching(/^[a-c]{3}$/),
    });
  });
});

describe('a body', () => {
  test.each<
    [
      string,
      {
        given: { operation: string; values?: Record<string, string>; records?: object[]; options?: object };
        want: object;
      },
    ]
  >([
    [
      'has the mark, and the likeliest number where a member refers to something',
      {
        given: { operation: 'createPet', options: { mark: 'a' } },
        want: { name: 'a', categoryId: 1, status: 'available' },
      },
    ],
    [
      'has a value of the target for a member that refers to something',
      {
        given: {
          operation: 'createPet',
          records: [{}, { categoryId: null }, { categoryId: 8 }],
          options: { mark: 'a', optional: false },
        },
        want: { name: 'a', categoryId: 8 },
      },
    ],
    [
      'has the values of the user',
      {
        given: {
          operation: 'createPet',
          values: { categoryId: '9007199254740993' },
          records: [{ categoryId: 8 }],
          options: { mark: 'a' },
        },
        want: { name: 'a', categoryId: 9007199254740993n, status: 'available' },
      },
    ],
  ])('%s', (_, { given: { operation: id, values = {}, records = [], options = {} }, want }) => {
    const { trial, operation } = arranged(id, { values });
    expect(makeBody(trial, operation, records as Record<string, unknown>[], options)).toEqual(want);
  });

  test('has files that begin as their media type does', () => {
    const { trial, operation } = arranged('filePaper');
    expect(makeBody(trial, operation, [], {}).scan).toMatch(/^%PDF-./);
  });

  test.each<[string, object, string | undefined]>([
    ['a name', { id: TEXT, name: TEXT }, 'name'],
    ['an id of its own', { id: TEXT }, 'id'],
    ['no id of another record', { owner_id: TEXT, currency: { enum: ['EUR'] } }, undefined],
  ])('is marked by %s', (_, properties, want) => {
    const { operation } = arranged('createPet');
    const shape = new Shape([{ ...operation.spot, value: { type: 'object', properties } }]);
    expect(markMember(shape)).toBe(want);
  });

  test('that cannot be valid is not sent', () => {
    const { trial, operation } = arranged('createPet', { values: { categoryId: '"a"' } });
    expect(() => makeBody(trial, operation, [], {})).toThrow(
      'no valid body could be made: categoryId must be an integer',
    );
  });

  test.each<[string, boolean]>([
    ['categoryId', true],
    ['owner_ids', true],
    ['id', true],
    ['name', false],
    ['petid', true],
    ['idle', false],
    ['status', false],
  ])('%s refers to something: %s', (name, want) => {
    const shape = {
      mainType: name === 'owner_ids' ? 'string' : 'integer',
      values: undefined,
    } as unknown as Shape;
    const { run, operation } = arranged('createPet');
    expect(referringIn(run.plan.contract, operation)(name, shape)).toBe(want);
  });
});

test.each<[string, { given: string; want: (id: unknown) => boolean }]>([
  [
    'an integer is large, and exact as a double',
    { given: 'getPet', want: (id) => Number.isSafeInteger(id) && (id as number) > 2 ** 50 },
  ],
  [
    'an int32 stays below its greatest value',
    { given: 'get_article', want: (id) => (id as number) < 2 ** 31 && (id as number) >= 2 ** 29 },
  ],
  ['a text has the documented form', { given: 'getLevel', want: (id) => /^L\d{6}$/.test(String(id)) }],
])('an unknown id: %s', (_, { given, want }) => {
  const shape = arranged(given).operation.parameters.find((one) => one.in === 'path')?.shape as Shape;
  expect(want(unknownId(shape, 'a'))).toBe(true);
  expect(unknownId(shape, 'a')).toBe(unknownId(shape, 'a'));
  expect(unknownId(shape, 'a')).not.toBe(unknownId(shape, 'b'));
});

test('of requests at once no order of what is a set is expected', async () => {
  const { trial, resource } = arranged('addVehicle');
  const { members } = await recordToRace(trial, resource);
  expect(members).toContain('label');
  expect(members).not.toContain('tags');
});

test.each([
  ['PATCH takes is a JSON Patch', 'patch', [{ op: 'add', path: '/name', value: 'MARK' }]],
  ['PUT takes is none', 'put', undefined],
])('a list of operations as JSON that a %s', async (_, method, want) => {
  const client = { type: 'object', properties: { id: { ...TEXT, readOnly: true }, name: TEXT } };
  const step = { type: 'object', required: ['op', 'path'], properties: { op: TEXT, path: TEXT, value: {} } };
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const shown = { 200: { description: '', ...content(client) } };
  const list = { 200: { description: '', ...content({ type: 'array', items: client }) } };
  const paths = {
    '/clients': { get: { responses: list }, post: { requestBody: content(client), responses: shown } },
    '/clients/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: TEXT }],
      get: { responses: shown },
      [method]: { requestBody: content({ type: 'array', items: step }), responses: shown },
    },
  };
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths };
  const contract = await readContract(document, 'clients.json');
  const operation = contract.operations.find((one) => one.method === method.toUpperCase()) as Operation;
  const media = bodyMedia(operation.body);
  expect(media && jsonPatch(contract, operation, media, 'MARK')).toEqual(want);
});
