import { describe, expect, test } from 'vitest';
import { attack, attackListener, OK, SMUGGLED } from './attacked-proxy.ts';

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
    expect(await client.ended).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n(?:(?!HTTP\/1)[\s\S])*$/);
    expect(heads).toEqual([]);
  });

  test.each([
    ['a size with a sign', '+0\r\n\r\n'],
    ['a size in other digits', '0x0\r\n\r\n'],
    ['a negative size', '-1\r\n\r\n'],
    ['a size beyond all numbers', 'ffffffffffffffff\r\n'],
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
    expect(await client.ended).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n(?:(?!HTTP\/1)[\s\S])*$/);
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
    expect(received()).not.toMatch(/chunked\r\n\r\n[\s\S]/);
    expect(proxy.found().counts).toMatchObject({ requests: 2, refused: 1, failed: 0 });
  });

  test('lines that end with a line feed alone are not waited for', async () => {
    const { client, heads } = await attack(() => OK);
    client.send('GET /orders HTTP/1.1\nHost: x\n\n');
    expect(await client.ended).toMatch(/^HTTP\/1\.1 400 [\s\S]*CR LF/);
    expect(heads).toEqual([]);
  });
});
