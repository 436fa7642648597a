import { describe, expect, test } from 'vitest';
import { observeTraffic, type Sent } from '../../contract-tests/testing/traffic.ts';

const sloop = { name: 'Gull', kind: 'dinghy' };
const gull = { id: 'a1', ...sloop };
const problem = { title: 'no' };
const create: Sent = { request: 'POST /boats', body: sloop, status: 201, json: gull };
const read: Sent = { request: 'GET /boats/a1', status: 200, json: gull };
const notFound: Sent = { request: 'GET /boats/a1', status: 404, json: problem };
const list = (...boats: object[]): Sent => ({ request: 'GET /boats', status: 200, json: boats });
const remove: Sent = { request: 'DELETE /boats/a1', status: 204 };
const later = (sent: Sent): Sent => ({ ...sent, at: 10_000 });

/** Laws of findings, and of what may be one. */
async function judge(traffic: readonly Sent[], exclusive: boolean) {
  const observer = await observeTraffic(traffic, { exclusive, wholeHeaders: true });
  const { notices } = observer.report();
  return {
    findings: observer.findings.map(({ law }) => law),
    suspicions: notices.filter(({ text }) => text.includes('unless')).map(({ text }) => text.split(':')[0]),
  };
}

describe('traffic of a correct service has no finding, whoever sends it', () => {
  test.for<[string, readonly Sent[]]>([
    ['a key has expired', [create, { ...read, key: 'old-0123456789', status: 401, json: problem }]],
    ['a key is not enough, and 403 is not documented', [{ ...read, status: 403, json: problem }]],
    ['a key has expired, and the body is invalid', [{ ...create, body: {}, status: 401, json: problem }]],
    [
      'an invalid body for a record that is gone',
      [{ request: 'PUT /boats/b2', body: {}, status: 404, json: problem }],
    ],
    ['a gateway refuses what is too much', [{ ...read, status: 429, page: 'slow down' }]],
    [
      'a gateway cannot reach it',
      [
        { ...read, status: 502, page: '<h1>Bad Gateway</h1>' },
        { ...read, status: 503 },
      ],
    ],
    [
      'a gateway upgrades to https',
      [
        {
          request: 'GET http://boats.example/v1/boats',
          status: 301,
          answer: { location: 'https://boats.example/v1/boats' },
        },
      ],
    ],
    [
      'the client has it already',
      [{ ...read, headers: { 'If-None-Match': '"1"' }, status: 304, json: undefined }],
    ],
    ['a part was asked for', [{ ...list(), headers: { Range: 'bytes=0-4' }, status: 206, page: '[{"id' }]],
    [
      'some members were asked for',
      [
        create,
        later({
          request: 'GET /boats/a1?fields=name',
          status: 200,
          json: { id: 'a1', name: 'Gull', kind: 'dinghy' },
        }),
      ],
    ],
    ['an alias stands for an id', [{ ...read, request: 'GET /boats/mine' }]],
    ['a value stands for all', [{ ...list(gull), request: 'GET /boats?kind=all' }]],
    ['an empty parameter stands for none', [{ ...list(gull), request: 'GET /boats?limit=' }]],
    [
      'an instant in another spelling',
      [
        {
          ...create,
          body: { ...sloop, built: '2030-01-01T01:00:00+01:00' },
          json: { ...gull, built: '2030-01-01T00:00:00Z' },
        },
      ],
    ],
    [
      'a client repeats a create',
      [
        { ...create, headers: { 'Idempotency-Key': '1' } },
        { ...create, headers: { 'Idempotency-Key': '1' } },
      ],
    ],
    ['a try without effect', [{ ...create, request: 'POST /boats?dry_run=1' }, later(notFound)]],
    [
      'no response came to a change',
      [
        create,
        { request: 'PUT /boats/a1', body: { ...sloop, name: 'Auk' }, status: 504 },
        later({ ...read, json: { ...gull, name: 'Auk' } }),
      ],
    ],
    ['no response came', [{ ...create, status: 0 }, later(notFound)]],
    ['another one sees only its own records', [create, later({ ...list(), key: 'bob-0123456789' })]],
    [
      'another language',
      [create, later({ ...read, headers: { 'Accept-Language': 'da' }, json: { ...gull, name: 'Måge' } })],
    ],
    ['a record that has expired', [create, { ...notFound, at: 100_000 }]],
    [
      'an action changes a record',
      [
        create,
        { request: 'POST /boats/a1/launch', status: 204 },
        later({ ...read, json: { ...gull, note: 'afloat', name: 'Gull II' } }),
      ],
    ],
    [
      'something undocumented changes a record',
      [
        create,
        { request: 'POST /admin/rename', status: 200 },
        later({ ...read, json: { ...gull, name: 'Tern' } }),
      ],
    ],
    [
      'a record made anew after its removal',
      [create, remove, { request: 'PUT /boats/a1', body: sloop, status: 200, json: gull }, later(read)],
    ],
    [
      'a removal that is to come',
      [create, { ...remove, status: 202 }, later(read)].filter((one) => one.status !== 202),
    ],
    [
      'two changes at the same time',
      [
        create,
        {
          at: 5000,
          request: 'PUT /boats/a1',
          body: { ...sloop, name: 'Auk' },
          status: 200,
          json: { ...gull, name: 'Auk' },
          took: 100,
        },
        {
          at: 5010,
          request: 'PUT /boats/a1',
          body: { ...sloop, name: 'Eider' },
          status: 200,
          json: { ...gull, name: 'Auk' },
          took: 100,
        },
        later({ ...read, json: { ...gull, name: 'Auk' } }),
      ],
    ],
    [
      'a list while a record is created',
      [
        { ...create, at: 100, took: 500 },
        { ...list(), at: 120 },
      ],
    ],
    [
      'a replica that lags',
      [{ ...create, at: 0 }, { ...notFound, at: 100 }, { ...list(), at: 300 }, later(read)],
    ],
    [
      'a page of another origin',
      [read, { request: 'GET https://cdn.example/boats', status: 200, page: '<p>' }],
    ],
    ['no credential, refused', [{ ...read, key: null, status: 401, json: problem }]],
  ])('%s', async ([, traffic]) => {
    expect((await judge(traffic, true)).findings).toEqual([]);
    expect((await judge(traffic, false)).findings).toEqual([]);
  });
});

describe('what another client may have done is no finding, unless there is none', () => {
  test.for<[string, string, readonly Sent[]]>([
    ['a created record is not read', 'created-can-be-read', [create, later(notFound)]],
    [
      'a created record is read with another value',
      'created-can-be-read',
      [create, later({ ...read, json: { ...gull, name: 'Tern' } })],
    ],
    [
      'a created record is not listed',
      'created-is-listed',
      [create, later({ ...list(), request: 'GET /boats?limit=50' })],
    ],
    [
      'a created record is listed with another value',
      'created-is-listed',
      [create, later(list({ ...gull, kind: 'yawl' }))],
    ],
    ['a removed record is read', 'removed-is-gone', [create, remove, later(read)]],
    ['a removed record is listed', 'removed-is-gone', [create, remove, later(list(gull))]],
    [
      'a list and a read differ',
      'list-and-read-agree',
      [{ ...list(gull), at: 5000 }, later({ ...read, json: { ...gull, name: 'Tern' } })],
    ],
    [
      'a refused change has changed the record',
      'refused-changes-nothing',
      [
        create,
        { ...read, at: 4000 },
        { request: 'PUT /boats/a1', body: {}, status: 400, json: problem },
        later({ ...read, json: { ...gull, note: 'x' } }),
      ],
    ],
    [
      'a replaced record keeps what was not sent',
      'replaced-is-replaced',
      [
        { ...create, body: { ...sloop, note: 'old' }, json: { ...gull, note: 'old' } },
        { ...read, at: 4000, json: { ...gull, note: 'old' } },
        { at: 5000, request: 'PUT /boats/a1', body: sloop, status: 200, json: { ...gull, note: 'old' } },
      ],
    ],
  ])('%s', async ([, law, traffic]) => {
    expect((await judge(traffic, true)).findings).toContain(law);
    expect(await judge(traffic, false)).toEqual({ findings: [], suspicions: expect.arrayContaining([law]) });
  });
});

/** `exclusive`, without replicas: only that requests overlap, or are not what they seem, speaks for the service. */
describe('what another request may have changed meanwhile is no evidence', () => {
  const auk = { ...gull, name: 'Auk' };
  const tender = { ...gull, id: 'b2', note: 'a1' };
  const replace: Sent = {
    request: 'PUT /boats/a1',
    body: { ...sloop, name: 'Auk' },
    status: 200,
    json: auk,
    at: 5000,
    took: 500,
  };
  test.for<[string, readonly Sent[]]>([
    [
      'a record refers to one that is just being removed',
      [
        create,
        { ...create, body: { ...sloop, note: 'a1' }, json: tender },
        { ...remove, at: 5000, took: 500 },
        { at: 5100, request: 'GET /boats/b2', status: 200, json: { ...gull, id: 'b2' } },
      ],
    ],
    [
      'a record is created while one of its id is removed',
      [
        { ...create, at: 2900, took: 300 },
        { ...remove, at: 3000, took: 100 },
        { ...notFound, at: 4000 },
      ],
    ],
    [
      'a record is changed by an alias',
      [create, { ...replace, request: 'PUT /boats/mine' }, { ...read, at: 6000, json: auk }],
    ],
    [
      'a record is just being changed by an alias',
      [create, { ...replace, request: 'PUT /boats/mine' }, { ...read, at: 5100, json: auk }],
    ],
    [
      'a record is just being changed at another origin',
      [
        create,
        { ...replace, request: 'PUT http://localhost:5173/v1/boats/a1' },
        { ...read, at: 5100, json: auk },
      ],
    ],
    [
      'something undocumented at another origin changes it',
      [
        { ...list(), request: 'GET http://localhost:5173/v1/boats' },
        create,
        { at: 5000, request: 'POST http://localhost:5173/v1/rename', status: 200, took: 500 },
        { ...read, at: 5100, json: auk },
      ],
    ],
    [
      'an exchange of a file is not in its order',
      [
        create,
        replace,
        { ...list(gull), at: 4000, request: 'GET /boats?limit=5' },
        { ...list(gull), at: 5100 },
        { ...read, at: 5600, json: auk },
      ],
    ],
    [
      'more exchanges are under way than there is room for',
      [
        create,
        ...Array.from({ length: 300 }, (): Sent => ({ ...list(gull), at: 4000, took: 60_000 })),
        replace,
        { ...list(gull), at: 5100 },
        { ...read, at: 5600, json: auk },
      ],
    ],
  ])('%s', async ([, traffic]) => {
    for (const exclusive of [true, false]) {
      const observer = await observeTraffic(traffic, { exclusive, settle: 0, wholeHeaders: true });
      expect(observer.findings.map(({ law }) => law)).toEqual([]);
      expect(observer.report().notices.filter(({ text }) => text.includes('unless'))).toEqual([]);
    }
  });
});

describe('one exchange shows a finding, whoever sent it', () => {
  test.for<[string, string, Sent]>([
    ['an undocumented status', 'status', { ...read, status: 418, json: problem }],
    ['a body against the schema', 'schema', { ...read, json: { ...gull, kind: 'submarine' } }],
    ['a page', 'content-type', { ...read, json: undefined, page: '<h1>' }],
    [
      'broken JSON',
      'whole-json',
      { ...read, json: undefined, page: '{', answer: { 'content-type': 'application/json' } },
    ],
    ['an invalid body is taken', 'invalid-refused', { ...create, body: { name: 'Gull' } }],
    ['an invalid parameter is taken', 'invalid-refused', { ...list(), request: 'GET /boats?limit=many' }],
    ['no credential is asked for', 'unauthorised-first', { ...read, key: null }],
    [
      'more than asked for',
      'page-size',
      { ...list(gull, { ...gull, id: 'a2' }), request: 'GET /boats?limit=1' },
    ],
    ['one id twice', 'distinct-ids', list(gull, gull)],
    [
      'another value than filtered by',
      'filter',
      { ...list(gull, { ...gull, id: 'a2', kind: 'yawl' }), request: 'GET /boats?kind=yawl' },
    ],
    ['another value than sent', 'created-equals-sent', { ...create, json: { ...gull, name: 'Tern' } }],
    [
      'an id of another form',
      'unknown-id',
      { ...read, request: 'GET /boats/A-1', json: { ...gull, id: 'a1' } },
    ],
  ])('%s', async ([, law, sent]) => {
    // An answer of the service before it, so that it is known to be there.
    expect((await judge([list(), sent], false)).findings).toContain(law);
  });

  test('an id is another one than that of the path, once it is known to be an id', async () => {
    const other = { ...read, json: { ...gull, id: 'b2' } };
    expect((await judge([list(gull), other], false)).findings).toEqual(['path-id']);
  });
});

test('exported traffic without credentials is no evidence that none was sent', async () => {
  const observer = await observeTraffic([{ ...read, key: null }]);
  expect(observer.findings).toEqual([]);
});

test('what is not known whole is judged by its head', async () => {
  const observer = await observeTraffic([
    { ...read, cut: true, json: { id: 1 } },
    { ...create, body: undefined, bodyMissing: true },
    { ...read, cut: true, status: 418 },
  ]);
  expect(observer.findings.map(({ law }) => law)).toEqual(['status']);
  expect(observer.traffic).toMatchObject({ exchanges: 3, judged: 3, bodiesMissing: 3 });
});

test('exchanges that are not judged are counted by reason', async () => {
  const observer = await observeTraffic(
    [
      read,
      { request: 'GET https://cdn.example/logo.png', status: 200, page: '' },
      { request: 'GET /harbours', status: 404 },
      { request: 'PATCH /boats/a1', status: 405 },
      { request: 'POST /piers', status: 500 },
      { ...read, status: 0 },
      { ...read, status: 503 },
      { ...read, status: 404, json: problem },
    ],
    { only: '!getBoat/404' },
  );
  expect(observer.traffic).toMatchObject({
    exchanges: 8,
    judged: 1,
    elsewhere: 0,
    unknownPaths: 2,
    unknownMethods: 1,
    unread: 1,
    withoutResponse: 1,
    byGateway: 1,
    leftOut: 1,
  });
  const { exitCode, reason } = observer.report();
  expect({ exitCode, reason }).toEqual({
    exitCode: 4,
    reason: expect.stringMatching(
      /^1 request to operations that are left out, such as POST \/piers: it cannot/,
    ),
  });
});

test('what is not sampled is not judged, and excuses what it may have changed', async () => {
  const auk = later({ ...read, json: { ...gull, name: 'Auk' } });
  expect((await judge([create, auk], true)).findings).toEqual(['created-can-be-read']);
  const change: Sent = { request: 'PUT /boats/a1', body: { ...sloop, name: 'Auk' }, status: 200, json: {} };
  const skipped = await observeTraffic([create, { ...change, isSkipped: true }, auk], { exclusive: true });
  expect(skipped.findings).toEqual([]);
  expect(skipped.traffic).toMatchObject({ exchanges: 3, judged: 2, notSampled: 1 });
  const { verdict, reason } = skipped.report();
  expect([verdict, reason]).toEqual(['holds', 'Of 3 exchanges, 2 were judged and 1 left out by sampling.']);
});

test('an origin that never answers as the service does is left out', async () => {
  const page: Sent = { request: 'GET http://localhost:5173/boats', status: 200, page: '<!doctype html>' };
  const alone = await observeTraffic([page]);
  expect(alone.report()).toMatchObject({ verdict: 'no verdict', exitCode: 3, traffic: { foreign: 1 } });
  const beside = await observeTraffic([page, read]);
  expect(beside.report()).toMatchObject({ verdict: 'holds', target: 'https://boats.example/v1' });
});

test('what an origin answered before it is known to be the service counts once it is', async () => {
  const broken: Sent = { ...read, json: undefined, page: '<h1>' };
  const observer = await observeTraffic([broken, read]);
  expect(observer.findings.map(({ law }) => law)).toEqual(['content-type']);
});

test('traffic to other paths has no verdict, and says which paths there are', async () => {
  const observer = await observeTraffic([
    { request: 'GET http://localhost:5173/api/boats', status: 200, json: [] },
  ]);
  const { verdict, reason } = observer.report();
  expect(verdict).toBe('no verdict');
  expect(reason).toContain('GET http://localhost:5173/api/boats');
  expect(reason).toContain('/v1/boats');
  expect(reason).toContain('--base-url');
});

test('only requests below the base URLs are judged', async () => {
  const traffic = [read, { ...read, request: 'GET http://localhost:5173/api/boats/a1', json: { id: 1 } }];
  const observer = await observeTraffic(traffic, { baseUrls: ['http://localhost:5173/api'] });
  expect(observer.traffic).toMatchObject({ judged: 1, elsewhere: 1 });
  expect(observer.report()).toMatchObject({ verdict: 'broken', target: 'http://localhost:5173/api' });
});

test('cells that were not reached gate only if they are to', async () => {
  const [open, strict] = [await observeTraffic([read]), await observeTraffic([read], { strict: ['cells'] })];
  expect(open.report()).toMatchObject({ verdict: 'holds', exitCode: 0 });
  expect(strict.report()).toMatchObject({ verdict: 'incomplete', exitCode: 4 });
  const cells = open.report().cells.filter(({ verdict }) => verdict === 'covered');
  expect(cells.map(({ operationId, status }) => `${operationId} ${status}`)).toEqual(['getBoat 200']);
});

test('a finding is reported once, with how often it was seen', async () => {
  const broken = { ...read, json: { ...gull, kind: 'submarine' } };
  const observer = await observeTraffic([broken, broken, broken]);
  expect(observer.findings).toMatchObject([{ law: 'schema', times: 3, caseId: 'getBoat/200/traffic' }]);
});

describe('an exchange that is the same as an earlier one', () => {
  test('is held against records that have changed since', async () => {
    const before = await judge([create, later(list(gull)), { ...remove, at: 20_000 }], true);
    expect(before).toEqual({ findings: [], suspicions: [] });
    const again = { ...list(gull), at: 40_000 };
    const { findings } = await judge([create, later(list(gull)), { ...remove, at: 20_000 }, again], true);
    expect(findings).toEqual(['removed-is-gone']);
  });

  test('another credential, query or status makes another one', async () => {
    const traffic = [read, { ...read, key: 'other-0123456789' }, { ...read, status: 404 as const }];
    const { findings } = await judge(traffic, false);
    expect(findings).toEqual(['schema']);
  });
});

test('memory is bounded: old findings and records make room', async () => {
  const boats = Array.from({ length: 3000 }, (_, index) => ({ ...gull, id: `b${index}` }));
  const traffic = boats.map((boat): Sent => ({ ...create, json: boat }));
  const observer = await observeTraffic([...traffic, list(...boats.slice(-10))], { exclusive: true });
  expect(observer.findings).toEqual([]);
  expect(observer.traffic.judged).toBe(3001);
});

test('what is masked stands in no part of a report', async () => {
  const other = { name: 'Ann Bonny', kind: 'dinghy', note: '4711' };
  const traffic: Sent[] = [
    {
      ...create,
      body: other,
      headers: { 'X-Captain': 'Kidd' },
      json: { ...other, id: 17, crew: { size: 3 } },
    },
    {
      ...read,
      request: 'GET /boats?kind=Bonny',
      json: [
        { ...other, id: 'a1', kind: 'frigate' },
        { id: 'x', name: 8 },
      ],
    },
  ];
  const shown = async (mask: string[]) => JSON.stringify((await observeTraffic(traffic, { mask })).report());
  const plain = await shown([]);
  for (const value of ['Ann Bonny', '4711', 'frigate', 'Kidd', 'kind=Bonny', '"size":3'])
    expect(plain.replaceAll('\\"', '"')).toContain(value);
  const masked = await shown(['name', '/note', 'kind', 'x-captain', '/crew']);
  expect(masked.replaceAll('\\"', '"')).not.toMatch(/Ann|Bonny|4711|frigate|Kidd|"size":3/);
  expect(JSON.parse(masked).findings.map(({ law, at }: never) => [law, at])).toEqual(
    JSON.parse(plain).findings.map(({ law, at }: never) => [law, at]),
  );
});
