import { describe, expect, test } from 'vitest';
import { attack, OK, SMUGGLED } from './attacked-proxy.ts';

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
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['lines that end with a line feed', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['another version', 'HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['no version', 'ICY 200 OK\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(300_000)}`],
  ])('%s', async (_, bytes) => {
    const { client } = await attack(() => bytes);
    client.send(GET);
    expect(await client.ended).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  });

  test('a length beside a coding is taken away, since the coding counts', async () => {
    const { client } = await attack((_, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: gzip\r\n\r\nab${FORGED}`);
      return undefined;
    });
    client.send(GET);
    expect(await client.ended).toBe(`HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nab${FORGED}`);
  });

  test('a second response ends the connection: the next request cannot be taken for its cause', async () => {
    const { client } = await attack(() => OK + FORGED);
    client.send(GET);
    expect(await client.ended).toBe(OK);
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

test('a flood of informational responses passes as it comes, and is not kept', async () => {
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
  let count = 0;
  let tail = '';
  client.socket.on('data', (bytes: Buffer) => {
    tail += bytes.toString('latin1');
    count += tail.split('HTTP/1.1 103').length - 1;
    tail = tail.slice(-11);
  });
  const end = new Promise<void>((resolve) => {
    client.socket.on('data', () => void (tail.endsWith('ok') && resolve()));
  });
  await end;
  expect(count).toBe(2000);
});

describe('another protocol', () => {
  test('that nobody asked for is a 502', async () => {
    const { client } = await attack(() => 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n');
    client.send(`GET /orders HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n\r\n${SMUGGLED}`);
    expect(await client.ended).toMatch(/^HTTP\/1\.1 502 /);
  });

  test('h2c is asked for without its settings, which are of one connection; it hides no request', async () => {
    const lines =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n';
    const { client, heads, firstLines } = await attack(() => OK);
    client.send(`GET /orders HTTP/1.1\r\nHost: x\r\n${lines}\r\n${SMUGGLED}`);
    await client.until((text) => text === OK + OK);
    expect(firstLines()).toEqual(['GET /orders HTTP/1.1', 'GET /smuggled HTTP/1.1']);
    expect(heads[0]).not.toMatch(/HTTP2-Settings/i);
  });
});
