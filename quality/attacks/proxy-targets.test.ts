import { describe, expect, test } from 'vitest';
import { attack, OK } from './attacked-proxy.ts';

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
    expect(await client.until((text) => text.endsWith('\r\n\r\n'))).toBe(moved);
    expect(elsewhere.heads).toEqual([]);
  });
});
