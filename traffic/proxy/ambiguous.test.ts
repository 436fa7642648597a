import { describe, expect, test } from 'vitest';
import { attack, attackListener, OK, SMUGGLED } from './testing/attacked-proxy.ts';

// Bytes from either side that two readers may understand in two ways, and requests that would lead elsewhere.

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const LENGTH = 'Content-Length: 4\r\n';
const EMPTY = '0\r\n\r\n';

describe('a request that two readers may understand in two ways is refused, and nothing of it is executed', () => {
  test.each([
    ['a length and chunks', `${LENGTH}${CHUNKED}`, EMPTY],
    ['chunks and a length', `${CHUNKED}${LENGTH}`, EMPTY],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n', ''],
    ['two equal lengths', 'Content-Length: 0\r\nContent-Length: 0\r\n', ''],
    ['a list of lengths', 'Content-Length: 0, 5\r\n', ''],
    ['a length with a sign', 'Content-Length: +0\r\n', ''],
    ['a hexadecimal length', 'Content-Length: 0x0\r\n', ''],
    ['a length of other digits', 'Content-Length: \xd9\xa0\r\n', ''],
    ['a length beyond all numbers', `Content-Length: ${'9'.repeat(400)}\r\n`, ''],
    ['an empty length', 'Content-Length:\r\n', ''],
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n', EMPTY],
    ['a quoted coding', 'Transfer-Encoding: "chunked"\r\n', EMPTY],
    ['a coding with a parameter', 'Transfer-Encoding: chunked;q=1\r\n', EMPTY],
    ['chunked twice', 'Transfer-Encoding: chunked, chunked\r\n', EMPTY],
    ['chunked in two lines', `${CHUNKED}${CHUNKED}`, EMPTY],
    ['chunked that is not the last', 'Transfer-Encoding: chunked, identity\r\n', EMPTY],
    ['a coding after a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n', EMPTY],
    ['a coding after a no-break space', 'Transfer-Encoding: \xa0chunked\r\n', EMPTY],
    ['a coding in a folded line', 'Transfer-Encoding:\r\n chunked\r\n', EMPTY],
    ['a folded line', 'X: a\r\n\tb\r\n', ''],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n', EMPTY],
    ['a space in a name', 'Transfer Encoding: chunked\r\n', EMPTY],
    ['a line without a colon', 'Transfer-Encoding\r\n', ''],
    ['an empty name', ': chunked\r\n', EMPTY],
    ['a line feed alone', `X: a\nContent-Length: 5\r\n`, ''],
    ['a carriage return alone', `X: a\rContent-Length: 5\r\n`, ''],
    ['NUL', 'X: a\0b\r\n', ''],
    ['two hosts', 'Host: other\r\n', ''],
  ])('%s', async (_, lines, body) => {
    const { client, heads } = await attack(() => OK);
    client.send(`POST /orders HTTP/1.1\r\nHost: x\r\n${lines}\r\n${body}${SMUGGLED}`);
    expect(await client.ended).toMatch(/^HTTP\/1\.1 (?:400|501) [A-Z](?:(?!HTTP\/1)[\s\S])*$/);
    expect(heads).toEqual([]);
  });

  test.each([
    ['a size with a sign', '+0\r\n\r\n'],
    ['a size in other digits', '0x0\r\n\r\n'],
    ['a negative size', '-1\r\n\r\n'],
    ['a size beyond all numbers', 'fffffffffffffffff\r\n'],
    ['no size', '\r\n\r\n'],
    ['a size that ends with a line feed alone', '0\n\r\n'],
    ['a size that ends with a carriage return alone', '0\r\r\n\r\n'],
    ['an extension with a carriage return', '0;a=\r"\r\n\r\n'],
    ['an extension without end', `0;${'a'.repeat(20_000)}`],
    ['a chunk that is longer than its size', '1\r\nabc\r\n0\r\n\r\n'],
    ['a chunk that ends with a line feed alone', '1\r\na\n0\r\n\r\n'],
    ['a trailer that is no field', '0\r\nGET /smuggled HTTP/1.1\r\n\r\n'],
    ['a folded trailer', '0\r\nX: a\r\n b\r\n\r\n'],
    ['a trailer section without end', `0\r\n${'X: a\r\n'.repeat(5000)}`],
  ])('in its chunks: %s', async (_, body) => {
    const { client, received } = await attackListener();
    client.send(`POST /orders HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\n${body}${SMUGGLED}`);
    expect(await client.ended).toMatch(/^HTTP\/1\.1 4(?:00|31) [A-Z](?:(?!HTTP\/1)[\s\S])*$/);
    // Its head may be there: not its end, nor what would come after it.
    expect(received()).not.toMatch(/\r\n\r\n[\s\S]*(?:smuggled|\r\n\r\n)/);
  });

  test('what follows a broken chunk does not end the body, while an earlier request waits for its response', async () => {
    const { client, proxy, received, answer } = await attackListener();
    const first = 'GET /orders HTTP/1.1\r\nHost: x\r\n\r\n';
    client.send(`${first}POST /orders HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\nzz\r\n`);
    await expect.poll(() => proxy.found().counts.refused).toBe(1);
    client.send(`0\r\n\r\n${SMUGGLED}`);
    // It comes on another connection, later than those bytes.
    await (await fetch(`${proxy.adminUrl}/health`)).text();
    answer(OK);
    expect(await client.ended).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*okHTTP\/1\.1 400 /);
    expect(received()).not.toMatch(/chunked/);
    expect(proxy.found().counts).toMatchObject({ requests: 1, refused: 1, failed: 0 });
  });

  test('lines that end with a line feed alone are not waited for', async () => {
    const { client, heads } = await attack(() => OK);
    client.send('GET /orders HTTP/1.1\nHost: x\n\n');
    expect(await client.ended).toMatch(/^HTTP\/1\.1 400 /);
    expect(heads).toEqual([]);
  });
});

const GET = 'GET /orders HTTP/1.1\r\nHost: x\r\n\r\n';
const FORGED = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';

describe('a response that two readers may understand in two ways is a 502, and no client sees two', () => {
  test.each([
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 55\r\n'],
    ['a list of lengths', 'Content-Length: 0, 55\r\n'],
    ['a length with a sign', 'Content-Length: +0\r\n'],
    ['chunked twice', 'Transfer-Encoding: chunked, chunked\r\n'],
    ['chunked that is not the last', 'Transfer-Encoding: chunked, gzip\r\n'],
    ['chunked with a parameter', 'Transfer-Encoding: chunked;q=1\r\n'],
    ['chunked in quotes', 'Transfer-Encoding: "chunked"\r\n'],
    ['chunked after a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n'],
    ['a coding without a name', 'Transfer-Encoding:\r\nContent-Length: 0\r\n'],
    ['a folded line', 'X: a\r\n b\r\nContent-Length: 0\r\n'],
    ['a line feed alone', 'X: a\nContent-Length: 0\r\nContent-Length: 55\r\n'],
    ['a carriage return alone', 'X: a\r\rContent-Length: 0\r\n'],
    ['NUL', 'X: \0\r\nContent-Length: 0\r\n'],
  ])('%s', async (_, lines) => {
    const { client } = await attack(() => `HTTP/1.1 200 OK\r\n${lines}\r\n${FORGED}`);
    client.send(GET);
    const text = await client.ended;
    expect(text).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(text).not.toContain('forged');
  });

  test.each([
    ['a length beside a coding', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: gzip\r\n\r\nab'],
    ['lines that end with a line feed', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['no version', 'ICY 200 OK\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(300_000)}`],
  ])('%s', async (_, bytes) => {
    const { client } = await attack(() => bytes);
    client.send(GET);
    expect(await client.ended).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  });

  test('a second response is not taken for that to the next request', async () => {
    const { client } = await attack(() => OK + FORGED);
    client.send(GET);
    await client.until((text) => text.endsWith('ok'));
    client.send(GET);
    await client.until((text) => text.split('ok').length === 3 || text.includes('forged'));
    expect(client.received()).not.toContain('forged');
  });

  test('a line of a finding, or the reason of a 502, cannot begin another line', async () => {
    const text = 'x\\r\\nSet-Cookie: a=b\\r\\n\\r\\nforged';
    const body = `[{"${text}":1,"id":"${text}","article":7,"state":"${text}"}]`;
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { client } = await attack(() => head + body, { enforce: true, annotate: true });
    client.send(GET.replace('\r\n\r\n', '\r\nAuthorization: Bearer key\r\n\r\n'));
    const answer = await client.until((all) => /\r\n\r\n[\s\S]*\}\n$/.test(all));
    expect(answer).toMatch(/^HTTP\/1\.1 502 [\s\S]*\r\nPaddock-Finding: /);
    expect(answer.split('\r\n').filter((line) => /^(?:set-cookie|forged)/i.test(line))).toEqual([]);
  });
});

test('a flood of informational responses is not kept', async () => {
  const { client } = await attack(
    (_, socket) => {
      let left = 2000;
      const flood = () => {
        while (left > 0) {
          left -= 1;
          if (!socket.write(`HTTP/1.1 103 Early ${left}\r\nX: ${'a'.repeat(5000)}\r\n\r\n`)) return;
        }
        socket.off('drain', flood).write(OK);
      };
      socket.on('drain', flood);
      flood();
      return undefined;
    },
    { enforce: true },
  );
  client.send(GET.replace('/orders', '/unknown'));
  expect(await client.until((text) => text.endsWith('ok'))).toContain('HTTP/1.1 200 OK\r\n');
});

describe('another protocol', () => {
  test('that nobody asked for is a 502', async () => {
    const { client } = await attack(() => 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n');
    client.send('GET /orders HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n\r\n');
    expect(await client.ended).toMatch(/^HTTP\/1\.1 502 /);
  });

  test('h2c is not asked for: it is of one connection', async () => {
    const lines =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n';
    const { client, heads } = await attack(() => OK);
    client.send(`GET /orders HTTP/1.1\r\nHost: x\r\n${lines}\r\n`);
    await client.until((text) => text.endsWith('ok'));
    client.send(GET);
    await client.until((text) => text.split('ok').length === 3);
    expect(heads[0]).not.toMatch(/HTTP2-Settings|Upgrade/i);
  });
});

describe('the proxy leads to its target only', () => {
  test.each([
    ['a whole URL', 'GET http://127.0.0.1:PORT/elsewhere HTTP/1.1', 'GET /elsewhere HTTP/1.1'],
    ['a whole URL with https', 'GET https://127.0.0.1:PORT/elsewhere HTTP/1.1', 'GET /elsewhere HTTP/1.1'],
    ['a whole URL with a user', 'GET http://127.0.0.1:1@127.0.0.1:PORT/a HTTP/1.1', 'GET /a HTTP/1.1'],
    ['two slashes', 'GET //127.0.0.1:PORT/a HTTP/1.1', 'GET //127.0.0.1:PORT/a HTTP/1.1'],
    ['a whole URL as a path', 'GET /http://127.0.0.1:PORT/ HTTP/1.1', 'GET /http://127.0.0.1:PORT/ HTTP/1.1'],
    ['a Host', 'GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT', 'GET / HTTP/1.1'],
    [
      'further headers',
      'GET / HTTP/1.1\r\nX-Forwarded-Host: 127.0.0.1:PORT\r\nForwarded: host=127.0.0.1:PORT',
      'GET / HTTP/1.1',
    ],
  ])('with %s', async (_, first, want) => {
    const elsewhere = await attack(() => OK);
    const { client, firstLines } = await attack(() => OK);
    const withPort = (text: string) => text.replaceAll('PORT', `${elsewhere.target.port}`);
    client.send(`${withPort(first)}\r\n\r\n`);
    expect(await client.until((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(firstLines()).toEqual([withPort(want)]);
    expect(elsewhere.heads).toEqual([]);
  });

  test.each([
    ['CONNECT 127.0.0.1:PORT HTTP/1.1', 501],
    ['GET 127.0.0.1:PORT HTTP/1.1', 400],
    ['GET ftp://127.0.0.1:PORT/ HTTP/1.1', 400],
    ['GET @127.0.0.1:PORT/ HTTP/1.1', 400],
    ['GET http:// HTTP/1.1', 400],
    ['GET http:///a HTTP/1.1', 400],
    ['GET \\\\127.0.0.1:PORT\\a HTTP/1.1', 400],
    ['GET / HTTP/1.1 HTTP/1.1', 400],
    ['GET /\x7f HTTP/1.1', 400],
    ['GET /a\tb HTTP/1.1', 400],
  ])('%s is refused', async (first, status) => {
    const { client, target } = await attack(() => OK);
    client.send(`${first.replaceAll('PORT', `${target.port}`)}\r\nHost: x\r\n\r\n`);
    expect(await client.ended).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(target.connections()).toBe(0);
  });

  test('and follows no redirect', async () => {
    const elsewhere = await attack(() => OK);
    const to = `${elsewhere.target.url}/`;
    const moved = `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;
    const { client } = await attack(() => moved, { enforce: true });
    client.send('GET /unknown HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await client.until((text) => text.endsWith('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 307 /);
    expect(elsewhere.heads).toEqual([]);
  });
});
