import { describe, expect, test } from 'vitest';
import { FOREIGN, requestText } from '../../mock/testing/foreign.ts';
import { exchange } from '../../quality/testing/attack.ts';
import { attack, OK } from './testing/attacked-proxy.ts';

const ADMIN_REQUESTS = [
  'GET /__admin/',
  'GET /__admin/contract',
  'GET /__admin/findings',
  'GET /__admin/requests',
  'DELETE /__admin/requests',
  'GET /__admin/report',
  'GET /__admin/source',
  'GET /__admin/events',
  'GET http://127.0.0.1/__admin/findings',
];

describe.each(FOREIGN)('%s', (_, headers) => {
  test('sees nothing of /__admin, and changes nothing', async () => {
    const { port, proxy, heads, client } = await attack(() => OK);
    client.send('GET /elsewhere HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until((text) => text.endsWith('ok'));
    for (const line of ADMIN_REQUESTS) {
      const { status, headers: sent, body } = await exchange(port, requestText(line, headers));
      // Two hosts, or none that can be read, are no request at all.
      expect([400, 403, 404]).toContain(status);
      expect(body.toString()).not.toContain('/elsewhere');
      expect(sent.get('access-control-allow-origin') ?? '').not.toMatch(/evil|null|\*/);
    }
    expect(heads).toHaveLength(1);
    expect(await (await fetch(`${proxy.adminUrl}/requests`)).json()).toHaveLength(1);
  });
});

test('beyond loopback nobody may, without a token; with one, those who have it', async () => {
  const open = await attack(() => OK, { host: '0.0.0.0' });
  for (const line of ADMIN_REQUESTS.slice(1, -1))
    expect((await exchange(open.port, requestText(line, ['Host: 127.0.0.1']))).status).toBe(403);
  const guarded = await attack(() => OK, { host: '0.0.0.0', adminToken: 'the-token' });
  const ask = async (...headers: string[]) =>
    (await exchange(guarded.port, requestText('GET /__admin/findings', ['Host: proxy.example', ...headers])))
      .status;
  expect(await ask()).toBe(401);
  expect(await ask('Authorization: Bearer the-toke')).toBe(401);
  expect(await ask('Authorization: Bearer the-token, Bearer the-token')).toBe(401);
  expect(await ask('Authorization: Basic the-token')).toBe(401);
  expect(await ask('Authorization: Bearer the-token')).toBe(200);
});

test.each([
  '/__admin%2ffindings',
  '/%5f_admin/findings',
  '//__admin/findings',
  '/./__admin/findings',
  '/a/../__admin/findings',
  '/__ADMIN/findings',
  '/__admin;a/findings',
  '/__adminx',
])('%s is a path of the target', async (path) => {
  const { client, firstLines } = await attack(() => OK);
  client.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await client.until((text) => text.endsWith('ok'));
  expect(firstLines()).toEqual([`GET ${path} HTTP/1.1`]);
});

test('the pages of the console stay in no frame of others, and the source shows lines of the document only', async () => {
  const { proxy, port } = await attack(() => OK);
  const page = await fetch(`${proxy.adminUrl}/`);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none';.*frame-ancestors 'none'/);
  for (const file of ['/etc/passwd', '../../package.json', 'file:///etc/passwd', '%00', '__proto__']) {
    const source = await fetch(`${proxy.adminUrl}/source?uri=${encodeURIComponent(file)}&line=1`);
    expect([400, 404]).toContain(source.status);
    expect(await source.text()).not.toMatch(/root:|devDependencies/);
  }
  for (const path of [
    'console/../proxy/index.ts',
    'console/..%2f..%2fpackage.json',
    'console/__proto__',
    'library/..',
  ])
    expect((await exchange(port, requestText(`GET /__admin/${path}`, ['Host: localhost']))).status).toBe(404);
});

/** Where clients put what nobody else may see. */
const KEY = 'S3cret-0123456789';

test('credentials are in no finding, report, list of requests or notice', async () => {
  const notices: string[] = [];
  const list = JSON.stringify([{ id: 1, article: 7, password: KEY }]);
  const { client, proxy } = await attack(
    (head, socket) => {
      if (head.startsWith('GET /broken')) return void socket.destroy();
      const lines = `Content-Type: application/json\r\nSet-Cookie: sid=${KEY}\r\nLocation: /a?token=${KEY}`;
      return `HTTP/1.1 200 OK\r\n${lines}\r\nContent-Length: ${list.length}\r\n\r\n${list}`;
    },
    { notice: (text) => void notices.push(text) },
  );
  const headers = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nCookie: sid=${KEY}\r\nX-Api-Key: ${KEY}`;
  for (const path of [
    '/orders',
    `/orders?api_key=${KEY}`,
    `/orders/1?access_token=${KEY}`,
    `/unknown?password=${KEY}`,
  ]) {
    client.send(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    const before = client.received().length;
    await client.until((text) => text.length > before && text.endsWith(list));
  }
  client.send(`GET /broken?token=${KEY} HTTP/1.1\r\n${headers}\r\n\r\n`);
  await client.ended;
  await expect.poll(() => notices).toHaveLength(1);
  const admin = async (path: string) => (await fetch(`${proxy.adminUrl}/${path}`)).text();
  const [findings, requests, report] = await Promise.all(['findings', 'requests', 'report'].map(admin));
  expect(JSON.parse(findings as string).findings.length).toBeGreaterThan(0);
  expect(JSON.parse(requests as string)).toHaveLength(5);
  for (const text of [findings, requests, report, JSON.stringify(proxy.report()), ...notices])
    expect(text).not.toContain(KEY);
});
