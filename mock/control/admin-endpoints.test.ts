import { describe, expect, test } from 'vitest';
import { parseJson } from '#spec';
import { ask, SHIPPED, serve } from '../testing/serve.ts';

const _GOOD = { name: 'Rex', categoryId: 9_007_199_254_740_993n };
const at = (path: string) => `http://localhost/__admin/${path}`;

describe('rules and clock', () => {
  test('made, shown, met and removed one by one or all', async () => {
    const mock = await serve(SHIPPED);
    const rule = { operation: 'listPets', times: 3, status: 503, delay: '0-1' };
    const made = await ask(mock, `POST ${at('answers')}`, rule);
    expect({ status: made.status, location: made.headers.get('location'), body: made.body }).toEqual({
      status: 201,
      location: '/__admin/answers/1',
      body: { ...rule, id: 1, used: 0 },
    });
    expect((await ask(mock, 'GET /pets')).status).toBe(503);
    expect((await ask(mock, `GET ${at('answers')}`)).body).toEqual([{ ...rule, id: 1, used: 1 }]);
    expect((await ask(mock, `GET ${at('answers?session=other')}`)).body).toEqual([]);
    expect((await ask(mock, `DELETE ${at('answers/1')}`)).status).toBe(204);
    expect((await ask(mock, `DELETE ${at('answers/1')}`)).status).toBe(404);
    await ask(mock, `POST ${at('answers')}`, { drop: true });
    await ask(mock, `DELETE ${at('answers')}`);
    expect((await ask(mock, 'GET /pets')).status).toBe(200);
  });

  test('latency is set while the mock runs, for one session, and reset goes back to that of the start', async () => {
    const mock = await serve(SHIPPED, { latency: 1 });
    const put = (latency: unknown) => ask(mock, `PUT ${at('latency?session=a')}`, { latency });
    const shown = async () => (await ask(mock, `GET ${at('latency?session=a')}`)).body;
    expect(await shown()).toEqual({ latency: 1 });
    expect((await put('40-50')).body).toEqual({ latency: '40-50' });
    const session = mock.session('a');
    const begun = performance.now();
    expect((await ask(mock, `GET ${session.url}/pets`)).status).toBe(200);
    // Timers may fire a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(38);
    expect((await put(0)).body).toEqual({ latency: 0 });
    expect([session.latency(), mock.latency()]).toEqual([
      { low: 0, high: 0 },
      { low: 1, high: 1 },
    ]);
    await session.setLatency({ low: 2, high: 3 });
    expect(await shown()).toEqual({ latency: '2-3' });
    await session.reset();
    expect(await shown()).toEqual({ latency: 1 });
    for (const latency of [-1, '9-1', 600_001, null, 'slow']) expect((await put(latency)).status).toBe(400);
    expect(() => session.setLatency(Number.NaN)).toThrow(/latency must be milliseconds from 0 to 600000/);
  });

  test('the sunset date: before it all is well, from its first moment on 410, and Date says so', async () => {
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
    // Clients without a key learn nothing; other operations and sessions continue.
    expect((await ask(mock, 'GET /pets/1', undefined, { authorization: '' })).status).toBe(401);
    expect((await ask(mock, 'GET /pets')).status).toBe(200);
    expect((await ask(mock, `GET ${mock.session('a').url}/pets/1`)).status).toBe(200);
    expect((await set(null)).body).toEqual({ now: '2026-01-01T00:00:01.000Z', given: false });
    const back = await ask(mock, 'GET /pets/1');
    expect({ status: back.status, date: back.headers.get('date') }).toEqual({ status: 200, date: null });
  });

  test('without a clock no operation is removed', async () => {
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
    if (typeof now === 'string')
      await expect(serve(SHIPPED, { now })).rejects.toThrow(/option now must be a date/);
  });
});

test('events report requests, rules, clock and resets of one session, until the reader goes', async () => {
  const mock = await serve(SHIPPED);
  const session = mock.session('a');
  const response = await mock.fetch(at('events?session=a'));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await ask(mock, 'GET /pets');
  await ask(mock, `GET ${session.url}/pets?limit=0`);
  await ask(mock, `POST ${at('answers?session=a')}`, { drop: true });
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
  ['GET state/x/y', undefined, 404, /No such path: /],
  ['GET toString', undefined, 404, /No such path: /],
  ['POST state', '{}', 405, /only GET, PUT, HEAD, OPTIONS/],
  ['PATCH answers/', '{}', 405, /only DELETE, GET, POST, HEAD, OPTIONS|only GET, POST, DELETE/],
  ['POST answers', '', 400, /The body must be JSON/],
  ['POST answers', '{', 400, /The body must be JSON/],
  ['POST answers', '{"example":"x"}', 400, /has no example "x"/],
  ['POST rules', '{}', 404, /\/__admin\/rules is \/__admin\/answers now/],
  ['PUT scenarios/down', '', 404, /\/__admin\/scenarios is \/__admin\/answers\/scenarios now/],
  ['PUT clock', 'null', 400, /now must be a date/],
  ['GET state?session=a%20b', undefined, 400, /A session's name must have/],
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
