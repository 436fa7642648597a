import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MockProcess, startMock } from './mock-process.ts';
import { exchange } from './wire/exchange.ts';

/** Who may steer a mock: attacked as pages of strangers, and machines of strangers, would. */
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

afterAll(async () => {
  for (const { child, ended } of Object.values(mocks)) {
    child.kill();
    await ended;
  }
});

const portOf = (name: string) => (mocks[name] as MockProcess).port;

function request(line: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${line} HTTP/1.1\r\n${[...headers, ...length].map((one) => `${one}\r\n`).join('')}\r\n${body}`;
}

const STEERING: readonly (readonly [line: string, body: string])[] = [
  ['POST /__admin/reset', ''],
  ['GET /__admin/state', ''],
  ['PUT /__admin/state', '{"records":{}}'],
  ['GET /__admin/requests', ''],
  ['DELETE /__admin/requests', ''],
  ['POST /__admin/rules', '{"status":503}'],
  ['PUT /__admin/clock', '{"now":"2031-01-01"}'],
  ['GET /__admin/events', ''],
  ['POST /~a/__admin/reset', ''],
  ['POST http://127.0.0.1/__admin/reset', ''],
];

/** Headers that only a request of a stranger's page, or through a stranger's name, has. */
const STRANGERS: readonly (readonly [name: string, headers: readonly string[]])[] = [
  ['a page elsewhere', ['Host: 127.0.0.1', 'Origin: https://evil.example']],
  ['a page without an origin of its own', ['Host: 127.0.0.1', 'Origin: null']],
  [
    'a page whose name begins like this machine',
    ['Host: localhost', 'Origin: http://localhost.evil.example'],
  ],
  ['a page whose name begins like an address', ['Host: localhost', 'Origin: http://127.0.0.1.evil.example']],
  ['a page with this machine as its user', ['Host: localhost', 'Origin: http://localhost@evil.example']],
  [
    'two origins, one of them good',
    ['Host: localhost', 'Origin: https://evil.example', 'Origin: http://localhost'],
  ],
  ['a name that points here', ['Host: evil.example:4020']],
  ['a name that points here, with a dot', ['Host: localhost.evil.example.']],
  ['a host that is none', ['Host: [']],
  ['an empty host', ['Host:']],
  ['the address of every machine', ['Host: 0.0.0.0']],
  [
    'an image or a script of a page',
    ['Host: localhost', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors'],
  ],
];

describe.each(STRANGERS)('%s', (_, headers) => {
  test.each(STEERING)('%s is forbidden, and changes nothing', async (line, body) => {
    const answer = await exchange(portOf('near'), request(line, headers, body));
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ status: 403 });
    expect(answer.headers.get('access-control-allow-credentials')).toBeUndefined();
    expect(answer.headers.get('access-control-allow-origin')).not.toMatch(/evil|null/);
    const after = await exchange(portOf('near'), `GET /v1/pets/50 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`);
    expect(after.status).toBe(200);
  });
});

test('a page of this machine may, and a person who follows a link may look', async () => {
  const own = ['Host: localhost', 'Origin: http://localhost:5173', 'Sec-Fetch-Site: cross-site'];
  expect((await exchange(portOf('near'), request('GET /__admin/requests', own))).status).toBe(200);
  const link = ['Host: localhost', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'];
  expect((await exchange(portOf('near'), request('GET /__admin/requests', link))).status).toBe(200);
});

describe('beyond this machine', () => {
  test.each(STEERING)('without a token nobody may: %s', async (line, body) => {
    const answer = await exchange(portOf('open'), request(line, ['Host: localhost'], body));
    expect(answer.status).toBe(403);
  });

  test.each(STEERING)('with a token only who knows it may: %s', async (line, body) => {
    const tokens = ['', TOKEN.slice(0, -1), `${TOKEN}x`, 'own-secret-key', TOKEN.toUpperCase()];
    for (const token of tokens) {
      const headers = ['Host: localhost', ...(token === '' ? [] : [`Authorization: Bearer ${token}`])];
      expect((await exchange(portOf('guarded'), request(line, headers, body))).status).toBe(401);
    }
    const elsewhere = ['Host: localhost', `Cookie: token=${TOKEN}`, `X-Admin-Token: ${TOKEN}`];
    expect((await exchange(portOf('guarded'), request(line, elsewhere, body))).status).toBe(401);
  });

  test('whoever knows the token may, wherever it comes from', async () => {
    const headers = ['Host: mock.example', 'Origin: https://tests.example', `Authorization: Bearer ${TOKEN}`];
    expect((await exchange(portOf('guarded'), request('GET /__admin/state', headers))).status).toBe(200);
  });

  test('of a stranger no state of 64 MiB is read', async () => {
    const head = [
      'Host: localhost',
      'Content-Type: application/json',
      'Content-Length: 2000000',
      'Expect: 100-continue',
    ];
    for (const name of ['open', 'guarded']) {
      const answer = await exchange(portOf(name), request('PUT /__admin/state', head));
      expect([401, 403]).toContain(answer.status);
    }
    const state = '{"records":{}}'.padEnd(2_000_000);
    const granted = request(
      'PUT /__admin/state',
      ['Host: localhost', `Authorization: Bearer ${TOKEN}`],
      state,
    );
    expect((await exchange(portOf('guarded'), granted)).status).toBe(204);
  });

  test.each([
    ['the built-in key', [], /^warning: 0\.0\.0\.0 can be reached.*key is the one that everybody knows/m],
    ['every key', ['--any-key'], /^warning: 0\.0\.0\.0 can be reached.*every key is accepted/m],
  ])('%s is warned of', async (_, args, want) => {
    const mock = await startMock(['--host', '0.0.0.0', ...args]);
    mock.child.kill();
    await mock.ended;
    expect(mock.output()).toMatch(want);
  });
});

test('no key and no token stands in the log, wherever a client puts it', async () => {
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
      await exchange(mock.port, request(`GET ${target}`, headers));
      await exchange(mock.port, request(`POST ${target}`, headers, JSON.stringify({ name: secret })));
    }
  const log = await exchange(
    mock.port,
    request('GET /__admin/requests', ['Host: x', `Authorization: Bearer ${TOKEN}`]),
  );
  const kept = log.body.toString();
  await expect.poll(() => mock.output()).toMatch(/POST \/\*\*\*\/\*\*\* 404/);
  for (const text of [kept, mock.output()])
    for (const secret of [...secrets, escaped]) expect(text).not.toContain(secret);
  expect(JSON.parse(kept)).toHaveLength(24);
});
