import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseJson } from '#spec';
import { ask, fixture, SHIPPED, serve } from '../testing/serve.ts';

const GOOD = { name: 'Rex', categoryId: 9_007_199_254_740_993n };
const at = (path: string) => `http://localhost/__admin/${path}`;

describe('state', () => {
  test.each([SHIPPED, fixture('libraries.yaml'), fixture('tide-gauges.yaml'), fixture('warehouse.yaml')])(
    'a snapshot of %s is restored to the byte, and the next ids are the same',
    async (document) => {
      const mock = await serve(document, { apiKeys: 'any' });
      const taken = (await ask(mock, `GET ${at('state')}`)).text;
      const other = mock.session('other');
      const put = await ask(mock, `PUT ${at('state?session=other')}`, taken);
      expect({ status: put.status, text: put.text }).toEqual({ status: 204, text: '' });
      expect((await ask(mock, `GET ${at('state?session=other')}`)).text).toBe(taken);
      await mock.restore(await other.state());
      expect((await ask(mock, `GET ${at('state')}`)).text).toBe(taken);
    },
  );

  test('integers are exact, ids go on where they were, and reset goes back to the seeds', async () => {
    const mock = await serve(SHIPPED);
    for (let n = 0; n < 2; n++) await ask(mock, 'POST /pets', GOOD);
    const taken = (await ask(mock, `GET ${at('state')}`)).text;
    expect(taken).toContain('"categoryId":9007199254740993}');
    await mock.reset();
    expect((await ask(mock, 'GET /pets/52')).status).toBe(404);
    await ask(mock, `PUT ${at('state')}`, taken);
    expect((await ask(mock, 'GET /pets/52')).text).toContain('"categoryId":9007199254740993}');
    expect((await ask(mock, 'POST /pets', GOOD)).body.id).toBe(53);
    await ask(mock, `POST ${at('reset')}`);
    expect((await ask(mock, 'POST /pets', GOOD)).body.id).toBe(51);
  });

  test('YAML, records without ids, ids that a client could not have, and what is not named is seeded', async () => {
    const mock = await serve(fixture('libraries.yaml'), { apiKeys: 'any' });
    const before = await mock.state();
    const [path = ''] = Object.keys(before.records);
    const [record] = before.records[path] as Record<string, unknown>[];
    const put = await ask(
      mock,
      `PUT ${at('state')}`,
      `# by hand\nrecords:\n  ${path}:\n    - ${JSON.stringify(record)}\n`,
    );
    expect(put.text).toBe('');
    const after = await mock.state();
    expect(after.records[path]).toEqual([record]);
    const others = Object.keys(before.records).filter((name) => name !== path);
    for (const name of others) expect(after.records[name]).toEqual(before.records[name]);
  });

  test('a new record comes after all others, as far as doubles count', async () => {
    const mock = await serve(SHIPPED);
    const ids = ['7000', '9223372036854775807', '12'];
    const records = ids.map((id) => `{"id":${id},"name":"A","categoryId":1}`);
    await ask(mock, `PUT ${at('state')}`, `{"records":{"/pets":[${records},{"name":"B","categoryId":2}]}}`);
    const listed = (await ask(mock, 'GET /pets')).text;
    expect([...listed.matchAll(/"id":(\d+)/g)].map(([, id]) => id)).toEqual([
      '12',
      '7000',
      '7001',
      '9223372036854775807',
    ]);
    expect((await ask(mock, 'POST /pets', { name: 'C', categoryId: 3 })).body.id).toBe(7002);
  });

  test.each<[name: string, text: string, want: RegExp]>([
    ['a broken text', '{"records":', /line \d+:\d+: /],
    ['no state', '[]', /line 1:1: a state must be an object with "records"/],
    ['another member', '{"records":{},"extra":1}', /line 1:15: "extra" is no member of a state/],
    [
      'no such collection',
      '{"records":{"/cats":[]}}',
      /line 1:13: the document has no collection at \/cats; there are \/pets/,
    ],
    ['no list', 'records:\n  /pets: 7', /line 2:3: \/pets must be a list/],
    ['no record', 'records:\n  /pets:\n    - 7', /line 3:7: a record must be an object/],
    [
      'all that breaks the schema, each once',
      'records:\n  /pets:\n    - id: 1\n      name: 7\n',
      /line 3:7: categoryId is required; line 4:7: name must be a string$/,
    ],
    [
      'a member that would be lost',
      '{"records":{"/pets":[\n{"id":1,"name":"A","categoryId":1,"nmae":"B"}]}}',
      /line 2:35: the document has no member "nmae" here/,
    ],
    [
      'an id twice',
      '{"records":{"/pets":[{"id":1,"name":"A","categoryId":1},\n{"id":1,"name":"B","categoryId":1}]}}',
      /line 2:1: there is another record with the id 1/,
    ],
    [
      'an id past the greatest',
      '{"records":{"/pets":[{"id":9223372036854775808,"name":"A","categoryId":1}]}}',
      /int64/,
    ],
  ])('%s is refused with its place, and nothing changes', async (_, text, want) => {
    const mock = await serve(SHIPPED);
    const before = await mock.state();
    const { status, headers, body } = await ask(mock, `PUT ${at('state')}`, text);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 400, type: 'application/json' });
    expect(body.message).toMatch(want);
    expect(await mock.state()).toEqual(before);
  });
});

describe('--fixture', () => {
  const inFile = async (name: string, text: string) => {
    const file = join(await mkdtemp(join(tmpdir(), 'fixture-')), name);
    await writeFile(file, text);
    return file;
  };

  test('seed files are what sessions begin with, and go back to; the later file counts', async () => {
    const early = await inFile('early.yaml', 'records:\n  /pets:\n    - {name: Early, categoryId: 1}\n');
    const late = await inFile('late.json', '{"records":{"/pets":[{"id":30,"name":"Late","categoryId":2}]}}');
    const mock = await serve(SHIPPED, { fixtures: [early, late] });
    for (const { url } of [mock, mock.session('a')]) {
      expect((await ask(mock, `POST ${url}/pets`, { name: 'New', categoryId: 3 })).body.id).toBe(31);
      const listed = await ask(mock, `GET ${url}/pets`);
      expect(listed.body.map(({ name }: { name: string }) => name)).toEqual(['Late', 'New']);
    }
    await mock.reset();
    expect((await ask(mock, 'GET /pets')).body).toEqual([{ id: 30, name: 'Late', categoryId: 2 }]);
  });

  test('a state that was taken is a seed file', async () => {
    const first = await serve(SHIPPED, { count: 3 });
    await ask(first, 'POST /pets', GOOD);
    const file = await inFile('state.json', (await ask(first, `GET ${at('state')}`)).text);
    const second = await serve(SHIPPED, { fixtures: [file] });
    expect(await second.state()).toEqual(await first.state());
  });

  test('one that does not fit stops the start, with file and line', async () => {
    const file = await inFile('broken.yaml', 'records:\n  /pets:\n    - {id: 1, name: 2, categoryId: 1}\n');
    await expect(serve(SHIPPED, { fixtures: [file] })).rejects.toThrow(
      /broken\.yaml:3:15: name must be a string/,
    );
  });
});

describe('requests', () => {
  test('what was asked, what was wrong with it, and on which line of the document that stands', async () => {
    const mock = await serve(SHIPPED);
    await ask(mock, 'POST /pets', { status: 'gone' });
    const { body } = await ask(mock, `GET ${at('requests')}`);
    expect(body).toEqual([
      {
        number: 1,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        ms: expect.any(Number),
        method: 'POST',
        target: '/v1/pets',
        operation: 'createPet',
        status: 400,
        code: 'invalid_request',
        headers: expect.objectContaining({ authorization: '***', 'content-type': 'application/json' }),
        body: '{"status":"gone"}',
        violations: [
          { where: 'body.name', message: 'is required', at: expect.stringMatching(/openapi\.yaml:\d+$/) },
          {
            where: 'body.categoryId',
            message: 'is required',
            at: expect.stringMatching(/openapi\.yaml:\d+$/),
          },
          {
            where: 'body.status',
            message: expect.stringContaining('must be one of'),
            at: expect.any(String),
          },
        ],
      },
    ]);
  });

  test('no credential stands in it, wherever it was sent', async () => {
    const mock = await serve(fixture('tide-gauges.yaml'), { apiKeys: ['s3cret-key+'] });
    const headers = {
      'x-api-key': 's3cret-key+',
      cookie: 'id=s3cret-key+',
      'x-note': 'is s3cret-key+ right?',
    };
    for (const { method, path } of mock.operations) {
      const filled = path.replace(/\{[^}]+\}/g, '1');
      await ask(
        mock,
        `${method} ${filled}?key=s3cret-key%2B&api_key=s3cret-key%2B`,
        method === 'GET' ? undefined : '"s3cret-key+"',
        headers,
      );
    }
    const { text, body } = await ask(mock, `GET ${at('requests')}`);
    expect(body.length).toBe(mock.operations.length);
    expect(text).not.toMatch(/s3cret/);
  });

  test('calls of an operation that will be removed are marked', async () => {
    const mock = await serve(SHIPPED);
    await ask(mock, 'GET /pets/1');
    await ask(mock, 'GET /pets');
    expect(mock.requests().map(({ deprecated }) => deprecated)).toEqual([
      'deprecated, removed on 2030-12-05',
      undefined,
    ]);
  });

  test('a thousand are kept, numbered on; long bodies are not; DELETE forgets them', async () => {
    const mock = await serve(SHIPPED);
    for (let n = 0; n < 1003; n++) await ask(mock, `GET /pets/${n}`);
    await ask(mock, 'POST /pets', { name: 'x'.repeat(5000), categoryId: 1 });
    const kept = mock.requests();
    expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 5));
    expect(kept[0]?.target).toBe('/v1/pets/4');
    expect(kept.at(-1)?.body).toBe('(too long to be kept)');
    expect((await ask(mock, `DELETE ${at('requests')}`)).status).toBe(204);
    expect(mock.requests()).toEqual([]);
  });

  test('what the mock says of itself is not in it, and a path that means nothing is', async () => {
    const mock = await serve(SHIPPED);
    for (const line of [`GET ${at('health')}`, `GET ${at('nosuch')}`, 'GET /openapi.json', 'GET /nowhere'])
      await ask(mock, line);
    expect(mock.requests().map(({ target, code }) => [target, code])).toEqual([
      ['/v1/nowhere', 'no_such_path'],
    ]);
  });
});

describe('rules and clock', () => {
  test('made, shown, met and removed one by one or all', async () => {
    const mock = await serve(SHIPPED);
    const rule = { operation: 'listPets', times: 3, status: 503, delay: '0-1' };
    const made = await ask(mock, `POST ${at('rules')}`, rule);
    expect({ status: made.status, location: made.headers.get('location'), body: made.body }).toEqual({
      status: 201,
      location: '/__admin/rules/1',
      body: { ...rule, id: 1, met: 0 },
    });
    expect((await ask(mock, 'GET /pets')).status).toBe(503);
    expect((await ask(mock, `GET ${at('rules')}`)).body).toEqual([{ ...rule, id: 1, met: 1 }]);
    expect((await ask(mock, `GET ${at('rules?session=other')}`)).body).toEqual([]);
    expect((await ask(mock, `DELETE ${at('rules/1')}`)).status).toBe(204);
    expect((await ask(mock, `DELETE ${at('rules/1')}`)).status).toBe(404);
    await ask(mock, `POST ${at('rules')}`, { drop: true });
    await ask(mock, `DELETE ${at('rules')}`);
    expect((await ask(mock, 'GET /pets')).status).toBe(200);
  });

  test('the day of removal: before it all is well, from its first moment on 410, and Date says so', async () => {
    let now = Date.UTC(2026, 0, 1);
    const mock = await serve(SHIPPED, { time: () => now });
    const set = (to: unknown) => ask(mock, `PUT ${at('clock')}`, { now: to });
    expect((await ask(mock, `GET ${at('clock')}`)).body).toEqual({
      now: '2026-01-01T00:00:00.000Z',
      given: false,
    });
    expect((await set('2030-12-04T23:59:59Z')).body).toEqual({
      now: '2030-12-04T23:59:59.000Z',
      given: true,
    });
    const before = await ask(mock, 'GET /pets/1');
    expect({ status: before.status, date: before.headers.get('date') }).toEqual({
      status: 200,
      date: 'Wed, 04 Dec 2030 23:59:59 GMT',
    });
    now += 1000;
    const after = await ask(mock, 'GET /pets/1');
    expect({ status: after.status, date: after.headers.get('date'), body: after.body }).toEqual({
      status: 410,
      date: 'Thu, 05 Dec 2030 00:00:00 GMT',
      body: {
        status: 410,
        code: 'gone',
        message: 'GET /v1/pets/{petId} was removed on 2030-12-05; use GET /v1/pets instead',
      },
    });
    // Whoever has no key learns nothing; other operations and other sessions go on.
    expect((await ask(mock, 'GET /pets/1', undefined, { authorization: '' })).status).toBe(401);
    expect((await ask(mock, 'GET /pets')).status).toBe(200);
    expect((await ask(mock, `GET ${mock.session('a').url}/pets/1`)).status).toBe(200);
    expect((await set(null)).body).toEqual({ now: '2026-01-01T00:00:01.000Z', given: false });
    const back = await ask(mock, 'GET /pets/1');
    expect({ status: back.status, date: back.headers.get('date') }).toEqual({ status: 200, date: null });
  });

  test('without a clock nothing is ever gone', async () => {
    const mock = await serve(SHIPPED, { time: () => Date.UTC(2031, 0, 1) });
    expect((await ask(mock, 'GET /pets/1')).status).toBe(200);
  });

  test('a clock from the start holds in every session, and reset goes back to it', async () => {
    const mock = await serve(SHIPPED, { now: '2030-12-06' });
    mock.setClock(undefined);
    expect((await ask(mock, 'GET /pets/1')).status).toBe(200);
    await mock.reset();
    for (const { url } of [mock, mock.session('a')])
      expect((await ask(mock, `GET ${url}/pets/1`)).status).toBe(410);
  });

  test.each(['tomorrow', '2030-02-31', '2030-13-01', 7, '', undefined])('%j is no date', async (now) => {
    const mock = await serve(SHIPPED);
    expect((await ask(mock, `PUT ${at('clock')}`, { now })).status).toBe(400);
    if (typeof now === 'string') await expect(serve(SHIPPED, { now })).rejects.toThrow(/is no date/);
  });
});

test('events tell of requests, rules, clock and resets of one session, until the reader goes', async () => {
  const mock = await serve(SHIPPED);
  const session = mock.session('a');
  const response = await mock.fetch(at('events?session=a'));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await ask(mock, 'GET /pets');
  await ask(mock, `GET ${session.url}/pets?limit=0`);
  await ask(mock, `POST ${at('rules?session=a')}`, { drop: true });
  await ask(mock, `PUT ${at('clock?session=a')}`, { now: '2030-01-01' });
  await session.reset();
  let text = '';
  while (!text.includes('event: reset')) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  const events = [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => [
    event,
    parseJson(data as string),
  ]);
  expect(events.map(([event]) => event)).toEqual(['request', 'rule', 'clock', 'reset']);
  expect(events[0]?.[1]).toMatchObject({
    target: '/v1/pets?limit=0',
    status: 400,
    headers: { authorization: '***' },
  });
});

test('over a socket events flow, and close ends them', async () => {
  const mock = await serve(SHIPPED, { port: 0 });
  const response = await fetch(`${mock.controlUrl}/events`);
  const text = response.text();
  await ask(mock, 'GET /pets');
  await mock.close();
  expect(await text).toMatch(/^: listening\n\nevent: request\n/);
});

test.each<[line: string, body: string | undefined, want: number, message: RegExp]>([
  ['GET nosuch', undefined, 404, /there are \/__admin\/health, .*\/__admin\/clock/],
  ['GET state/x/y', undefined, 404, /nothing at/],
  ['GET toString', undefined, 404, /nothing at/],
  ['POST state', '{}', 405, /only GET, PUT, HEAD, OPTIONS/],
  ['POST rules', '', 400, /The body must be JSON/],
  ['POST rules', '{', 400, /The body must be JSON/],
  ['POST rules', '{"status":299}', 400, /documents no status 299/],
  ['PUT clock', 'null', 400, /now must be a date/],
  ['GET state?session=a%20b', undefined, 400, /no name of a session/],
])('%s %j is refused in clear JSON', async (line, given, want, message) => {
  const [method, path = ''] = line.split(' ');
  const { status, headers, body } = await ask(await serve(SHIPPED), `${method} ${at(path)}`, given);
  expect({ status, type: headers.get('content-type') }).toEqual({ status: want, type: 'application/json' });
  expect(body).toMatchObject({
    status: want,
    code: expect.any(String),
    message: expect.stringMatching(message),
  });
});
