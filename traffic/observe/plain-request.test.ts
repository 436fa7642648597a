import { expect, test } from 'vitest';
import type { Operation } from '#spec';
import type { WireRequest } from '../../contract-tests/send/wire.ts';
import { plainRequest } from './plain-request.ts';

const operation = { parameters: [{ in: 'header', name: 'X-Forwarded-Prefix' }] } as unknown as Operation;

function plain(headers: readonly (readonly [string, string])[], kept?: string, body = Buffer.from('{}')) {
  const request: WireRequest = {
    method: 'GET',
    url: new URL('http://localhost/pets'),
    headers,
    body: body.length > 0 ? body : undefined,
    chunked: true,
  };
  return plainRequest(request, operation, kept);
}

test('what browsers, proxies and connections add is left out, and what the service reads stays', () => {
  const { headers, chunked } = plain([
    ['Host', 'localhost'],
    ['Connection', 'keep-alive, X-Hop'],
    ['X-Hop', '1'],
    ['Keep-Alive', 'timeout=5'],
    ['Via', '1.1 gateway'],
    ['X-Forwarded-For', '10.0.0.1'],
    ['X-Forwarded-Prefix', '/shop'],
    ['User-Agent', 'Mozilla/5.0'],
    ['Sec-Fetch-Mode', 'cors'],
    ['traceparent', '00-1-1-01'],
    ['Accept', '*/*'],
    ['Content-Type', 'application/json'],
    ['If-Match', '"1"'],
    ['X-Tenant', 'blue'],
  ]);
  expect(headers.map(([name]) => name)).toEqual([
    'X-Forwarded-Prefix',
    'Content-Type',
    'If-Match',
    'X-Tenant',
  ]);
  expect(chunked).toBe(false);
});

test('a type of no body is left out', () => {
  expect(plain([['Content-Type', 'application/json']], undefined, Buffer.alloc(0)).headers).toEqual([]);
});

test('what a finding is about stays', () => {
  const encoding = [['Accept-Encoding', 'gzip']] as const;
  expect(plain(encoding).headers).toEqual([]);
  expect(plain(encoding, 'accept-encoding').headers).toEqual(encoding);
});
