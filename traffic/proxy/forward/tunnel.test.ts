import { describe, expect, test } from 'vitest';
import { environmentProxy, proxyAuthorization } from './tunnel.ts';

const PROXY = 'http://proxy.example:3128';
const of = (target: string, env: Record<string, string>) => environmentProxy(new URL(target), env)?.host;

describe('the HTTP proxy for a target', () => {
  test.each([
    ['http://a.example', { HTTP_PROXY: PROXY }, 'proxy.example:3128'],
    ['https://a.example', { HTTPS_PROXY: PROXY }, 'proxy.example:3128'],
    ['https://a.example', { HTTP_PROXY: PROXY }, undefined],
    ['http://a.example', { HTTPS_PROXY: PROXY }, undefined],
    ['http://a.example', { http_proxy: 'http://first.example', HTTP_PROXY: PROXY }, 'first.example'],
    ['http://a.example', { http_proxy: '', HTTP_PROXY: PROXY }, 'proxy.example:3128'],
    ['http://a.example', { HTTP_PROXY: 'socks5://proxy.example' }, undefined],
    ['http://a.example', {}, undefined],
  ])('%s with %j is %s', (target, env, host) => {
    expect(of(target, env)).toBe(host);
  });

  test('is none where Node was not set to obey the environment', () => {
    expect(environmentProxy(new URL('http://a.example'), undefined)).toBeUndefined();
  });
});

test.each([
  ['*', 'http://a.example', true],
  ['a.example', 'http://a.example', true],
  ['A.Example', 'http://a.example', true],
  ['b.example, a.example', 'http://a.example', true],
  ['a.example:80', 'http://a.example', true],
  ['a.example:443', 'https://a.example', true],
  ['a.example:8080', 'http://a.example', false],
  ['.example', 'http://a.example', true],
  ['*.example', 'http://a.example', true],
  ['.a.example', 'http://a.example', true],
  ['.example', 'http://an-example', false],
  ['example', 'http://a.example', false],
  ['10.0.0.1-10.0.0.9', 'http://10.0.0.5', true],
  ['10.0.0.1 - 10.0.0.9', 'http://10.0.0.9', true],
  ['10.0.0.1-10.0.0.9', 'http://10.0.0.10', false],
  ['9.0.0.1-200.0.0.9', 'http://192.0.2.1', true],
  ['10.0.0.9-10.0.0.1', 'http://10.0.0.5', false],
  ['2001:db8::1', 'http://[2001:db8::1]', true],
  ['', 'http://a.example', false],
])('NO_PROXY=%j excepts %s: %j', (exceptions, target, isExcepted) => {
  const env = { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, NO_PROXY: exceptions };
  expect(of(target, env) === undefined).toBe(isExcepted);
});

test('the credential in the URL of an HTTP proxy is decoded', () => {
  const encoded = Buffer.from('me:p@ss').toString('base64');
  expect(proxyAuthorization(new URL('http://me:p%40ss@proxy.example'))).toBe(`Basic ${encoded}`);
  expect(proxyAuthorization(new URL(PROXY))).toBeUndefined();
});
