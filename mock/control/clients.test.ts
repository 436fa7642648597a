import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../../quality/testing/attack.ts';
import { type MockProcess, startMock } from '../../quality/testing/paddock.ts';
import { FOREIGN, requestText } from '../testing/foreign.ts';

/** Access to `/__admin`: attacks from foreign origins, with rebound host names, and by unauthenticated clients. */
const TOKEN = 'the-admin-token';
const KEY = 'Authorization: Bearer paddock-dev-key\r\n';
const mocks: Record<string, MockProcess> = {};

beforeAll(async () => {
  [mocks.near, mocks.open, mocks.guarded] = await Promise.all([
    startMock(['--api-key', 'own-secret-key', '--api-key', 'paddock-dev-key']),
    startMock(['--host', '0.0.0.0']),
    startMock(['--host', '0.0.0.0', '--admin-token', TOKEN, '--api-key', 'own-secret-key']),
  ]);
});

afterAll(() => Promise.all(Object.values(mocks).map(({ stop }) => stop())));

const portOf = (name: string) => (mocks[name] as MockProcess).port;

const ADMIN_REQUESTS: readonly (readonly [line: string, body: string])[] = [
  ['POST /__admin/reset', ''],
  ['GET /__admin/state', ''],
  ['PUT /__admin/state', '{"records":{}}'],
  ['GET /__admin/requests', ''],
  ['DELETE /__admin/requests', ''],
  ['POST /__admin/answers', '{"status":503}'],
  ['PUT /__admin/clock', '{"now":"2031-01-01"}'],
  ['GET /__admin/events', ''],
  ['POST /~a/__admin/reset', ''],
  ['POST http://127.0.0.1/__admin/reset', ''],
];

describe.each(FOREIGN)('%s', (_, headers) => {
  test.each(ADMIN_REQUESTS)('%s is forbidden, and changes nothing', async (line, body) => {
    const response = await exchange(portOf('near'), requestText(line, headers, body));
    // RFC 9112 §3.2: an invalid host is refused before access is checked.
    const status = headers.includes('Host: [') ? 400 : 403;
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body.toString())).toMatchObject({ status });
    expect(response.headers.get('access-control-allow-credentials')).toBeUndefined();
    expect(response.headers.get('access-control-allow-origin')).not.toMatch(/evil|null/);
    const after = await exchange(portOf('near'), `GET /v1/pets/48 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`);
    expect(after.status).toBe(200);
  });
});

test('a loopback origin may, and a navigation from another site may read', async () => {
  const own = ['Host: localhost', 'Origin: http://localhost:5173', 'Sec-Fetch-Site: cross-site'];
  expect((await exchange(portOf('near'), requestText('GET /__admin/requests', own))).status).toBe(200);
  const link = ['Host: localhost', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'];
  expect((await exchange(portOf('near'), requestText('GET /__admin/requests', link))).status).toBe(200);
});

describe('bound beyond loopback', () => {
  test.each(ADMIN_REQUESTS)('without a token every client is refused: %s', async (line, body) => {
    const response = await exchange(portOf('open'), requestText(line, ['Host: localhost'], body));
    expect(response.status).toBe(403);
  });

  test.each(ADMIN_REQUESTS)('with a token every client without it is refused: %s', async (line, body) => {
    const tokens = ['', TOKEN.slice(0, -1), `${TOKEN}x`, 'own-secret-key', TOKEN.toUpperCase()];
    for (const token of tokens) {
      const headers = ['Host: localhost', ...(token === '' ? [] : [`Authorization: Bearer ${token}`])];
      expect((await exchange(portOf('guarded'), requestText(line, headers, body))).status).toBe(401);
    }
    const otherHeaders = ['Host: localhost', `Cookie: token=${TOKEN}`, `X-Admin-Token: ${TOKEN}`];
    expect((await exchange(portOf('guarded'), requestText(line, otherHeaders, body))).status).toBe(401);
  });

  test('a client with the token may, whatever its origin', async () => {
    const headers = ['Host: mock.example', 'Origin: https://tests.example', `Authorization: Bearer ${TOKEN}`];
    expect((await exchange(portOf('guarded'), requestText('GET /__admin/state', headers))).status).toBe(200);
  });

  test('the body of an unauthenticated client is not read', async () => {
    const head = [
      'Host: localhost',
      'Content-Type: application/json',
      'Content-Length: 2000000',
      'Expect: 100-continue',
    ];
    for (const name of ['open', 'guarded']) {
      const response = await exchange(portOf(name), requestText('PUT /__admin/state', head));
      expect([401, 403]).toContain(response.status);
    }
    const state = '{"records":{}}'.padEnd(2_000_000);
    const granted = requestText(
      'PUT /__admin/state',
      ['Host: localhost', `Authorization: Bearer ${TOKEN}`],
      state,
    );
    expect((await exchange(portOf('guarded'), granted)).status).toBe(204);
  });

  test.each([
    ['the built-in key', [], /^warning: 0\.0\.0\.0 can be reached.*key is the public development key/m],
    ['every key', ['--any-key'], /^warning: 0\.0\.0\.0 can be reached.*every key is accepted/m],
  ])('%s gives a warning', async (_, args, want) => {
    const mock = await startMock(['--host', '0.0.0.0', ...args]);
    await mock.stop();
    expect(mock.output().err).toMatch(want);
  });
});

test('no key or token is in the log, wherever a client puts it', async () => {
  const secrets = ['own-secret-key', TOKEN];
  const mock = mocks.guarded as MockProcess;
  const escaped = [...'own-secret-key'].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
  for (const secret of [...secrets, escaped])
    for (const target of [
      `/v1/pets?api_key=${secret}`,
      `/v1/pets/${secret}`,
      `/v1/pets?limit=${secret}`,
      `/${secret}/${secret}`,
    ]) {
      const headers = ['Host: localhost', 'Authorization: Bearer own-secret-key', `X-Other: ${secret}`];
      await exchange(mock.port, requestText(`GET ${target}`, headers));
      await exchange(mock.port, requestText(`POST ${target}`, headers, JSON.stringify({ name: secret })));
    }
  const log = await exchange(
    mock.port,
    requestText('GET /__admin/requests', ['Host: x', `Authorization: Bearer ${TOKEN}`]),
  );
  const kept = log.body.toString();
  await expect.poll(() => mock.output().out).toMatch(/POST \/\*\*\*\/\*\*\* 404/);
  for (const text of [kept, mock.output().all])
    for (const secret of [...secrets, escaped]) expect(text).not.toContain(secret);
  expect(JSON.parse(kept)).toHaveLength(24);
});
