import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { attack, attackListener, heap, OK } from './testing/attacked-proxy.ts';

const MIB = 2 ** 20;
const GET = 'GET /orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\n\r\n';

describe('what is kept of traffic', () => {
  test('in chunks of one byte is not much more than its content, while it is held back to be judged', async () => {
    const { client, answer, proxy } = await attackListener({ enforce: true });
    const before = heap();
    client.send(GET);
    await expect.poll(() => proxy.found().counts.requests).toBe(1);
    // As long as a chunk has overhead, half a million of them are 50 MB or more.
    answer('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
    const length = 500_000;
    const part = '1\r\n1\r\n'.repeat(5000);
    let sent = 0;
    const counted = proxy.found;
    for (; sent < length; sent += 5000) {
      answer(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    // It is a number of half a million digits: judged when it is whole.
    expect(counted().counts.judged).toBe(0);
    expect(heap() - before).toBeLessThan(24 * MIB);
    answer('0\r\n\r\n');
    const text = await client.until((all) => /0\r\n\r\n$|\}\n$/.test(all));
    expect(text).toMatch(/^HTTP\/1\.1 (?:502|200) /);
  });

  test('with long heads is what is shown of it', async () => {
    const { client, proxy, heads } = await attack(() => OK);
    client.send(GET);
    await client.until((text) => text.endsWith('ok'));
    const before = heap();
    for (let at = 1; at <= 200; at++) {
      client.send(
        `GET /unknown?${'a'.repeat(100_000)}${at} HTTP/1.1\r\nHost: x\r\nX: ${'b'.repeat(100_000)}\r\n\r\n`,
      );
      await client.until((text) => text.split('ok').length === at + 2);
    }
    const seen = await (await fetch(`${proxy.adminUrl}/requests`)).json();
    expect(seen).toHaveLength(201);
    heads.length = 0;
    expect(heap() - before).toBeLessThan(12 * MIB);
  });

  test('of the head of a request is no more than its bound, in however many packets it comes', async () => {
    const { client, heads } = await attack(() => OK);
    client.send('GET / HTTP/1.1\r\n');
    for (let at = 0; at < 300 && !client.socket.destroyed; at++) {
      client.send(`X-${at}: ${'a'.repeat(1000)}\r\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await client.ended).toMatch(/^HTTP\/1\.1 431 /);
    expect(heads).toEqual([]);
  });

  test('of requests that come together is what was read before the first of them waited', async () => {
    let count = 0;
    const { client } = await attack(() => (count++ < 300 ? OK : undefined));
    const requests = Buffer.from(GET.repeat(200_000));
    const before = heap();
    client.send(requests);
    await client.until((text) => text.split('ok').length > 300);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heap() - before).toBeLessThan(80 * MIB);
  });
});

const BLANKS = Buffer.alloc(200 * MIB, ' ');
const gzip = () => gzipSync(BLANKS, { level: 1 });
const brotli = () => brotliCompressSync(BLANKS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

test.each([
  ['gzip', gzip],
  ['gzip in gzip', () => gzipSync(gzip()), 'gzip, gzip'],
  ['br', brotli],
  ['gzip that is cut off', () => gzip().subarray(0, 1000), 'gzip'],
  ['no gzip', () => Buffer.from('no gzip'), 'gzip'],
  ['deflate', () => Buffer.from([0x78, 0x9c, 0xff]), 'deflate'],
  ['zstd', () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xff]), 'zstd'],
  ['constructor', () => Buffer.from('[]'), 'constructor'],
])(
  'a body that says it is compressed with %s is judged in bounded memory, and passes as it is',
  async (name, make, coding = name) => {
    const body = make();
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { client, proxy } = await attack((_, socket) => {
      socket.write(head, 'latin1');
      socket.write(body);
      return undefined;
    });
    const before = process.memoryUsage().rss;
    client.send(GET);
    await client.until((text) => text.endsWith(`\r\n\r\n${body.toString('latin1')}`));
    expect(proxy.found().counts).toMatchObject({ requests: 1, failed: 0 });
    expect(process.memoryUsage().rss - before).toBeLessThan(190 * MIB);
  },
);

test('JSON that is nested a million times is judged, and no bug', async () => {
  const body = '['.repeat(1e6);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length * 2}\r\n\r\n`;
  const { client, proxy } = await attack(() => head + body + ']'.repeat(1e6), { enforce: true });
  client.send(GET);
  expect(await client.until((text) => /\}\n$|\]$/.test(text))).toMatch(/^HTTP\/1\.1 502 /);
  expect(proxy.report().findings.length).toBeGreaterThan(0);
});

test('an exchange that there is no room to judge is no longer held back', async () => {
  const { client, answer, proxy } = await attackListener({ enforce: true });
  client.send(GET);
  await expect.poll(() => proxy.found().counts.requests).toBe(1);
  const length = 17 * MIB;
  answer(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${'1'.repeat(16.5 * MIB)}`);
  await expect.poll(() => client.received().length, { timeout: 10_000 }).toBeGreaterThan(16 * MIB);
});

test('a request body that is nested as deep as a body may be is judged, and no bug', async () => {
  const created = '{"id":1,"article":"a","state":"open"}';
  const head = `HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: ${created.length}\r\n\r\n`;
  const { client, received, answer, proxy } = await attackListener();
  const body = `{"article":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const fields = `Authorization: Bearer key\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  client.send(`POST /orders HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n${body}`);
  await expect.poll(() => received().endsWith(body)).toBe(true);
  answer(head + created);
  await client.until((text) => text.endsWith(created));
  expect(proxy.found().counts).toMatchObject({ requests: 1, judged: 1 });
});
