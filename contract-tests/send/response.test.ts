import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contractWith } from '../testing/steps.ts';
import { decodeResponse, jsonOf } from './response.ts';

const JSON_TYPE = ['content-type', 'application/json'] as const;

function answer(body: Uint8Array | string, ...headers: (readonly [string, string])[]) {
  return received(body, [JSON_TYPE, ...headers]);
}

function received(body: Uint8Array | string, headers: (readonly [string, string])[]) {
  return decodeResponse({
    status: 200,
    headers,
    body: Buffer.from(body),
    cut: false,
    ms: 1,
  });
}

test.for([
  ['plain', answer('{"a":1}')],
  ['gzip', answer(gzipSync('{"a":1}'), ['content-encoding', 'gzip'])],
  ['zstd', answer(zstdCompressSync('{"a":1}'), ['content-encoding', 'zstd'])],
  ['two codings', answer(gzipSync(deflateSync('{"a":1}')), ['Content-Encoding', 'deflate, gzip'])],
  ['identity', answer('{"a":1}', ['content-encoding', 'identity'])],
] as const)('a body is read through its encoding: %s', ([, { json, encodingProblem }]) => {
  expect(json).toEqual({ value: { a: 1 } });
  expect(encodingProblem).toBeUndefined();
});

test.for([
  ['gzip that is none', answer('{"a":1}', ['content-encoding', 'gzip']), /is not "gzip"/],
  [
    'codings without end',
    answer(gzipSync('{}'), ['content-encoding', 'gzip, '.repeat(5)]),
    /names 5 codings/,
  ],
  ['an unknown coding', answer('{}', ['content-encoding', 'rot13']), /"rot13" is not known/],
  ['latin-1 bytes', answer(Buffer.from([0x22, 0xe9, 0x22])), /not UTF-8/],
] as const)('an encoding that is untrue is a problem: %s', ([, { encodingProblem, json }, want]) => {
  expect(encodingProblem).toMatch(want);
  expect(json).toHaveProperty('error');
});

test.for([
  ['image/png', true],
  ['text/plain; charset=iso-8859-1', true],
  ['text/plain; charset=utf-8', false],
  ['application/json', false],
  ['application/problem+json; charset=latin1', false],
] as const)('bytes that are not UTF-8 may be what a body of %s is: %s', ([type, areTrue]) => {
  const { text, encodingProblem } = received(Buffer.from([0x89, 0x50]), [['Content-Type', type]]);
  expect(text).toBeUndefined();
  expect(encodingProblem === undefined).toBe(areTrue);
});

test('integers stay exact, and a byte-order mark stays visible', () => {
  expect(answer('{"id":9007199254740993}').json).toEqual({ value: { id: 9007199254740993n } });
  expect(answer('\uFEFF{}').text?.startsWith('\uFEFF')).toBe(true);
});

test('half a body is no JSON', () => {
  expect(answer('[{"id":1},{"id"').json).toHaveProperty('error');
});

test('the value of XML is what its documented schema reads, integers exact; without a document it is text', () => {
  const showPlan = contractWith('showPlan').operations.find(({ id }) => id === 'showPlan');
  const wire = (body: Uint8Array | string, ...headers: (readonly [string, string])[]) => ({
    status: 200,
    headers: [['Content-Type', 'application/xml; charset=utf-8'] as const, ...headers],
    body: Buffer.from(body),
    cut: false,
    ms: 1,
  });
  const xml = '<plan jobs="9007199254740993"/>';
  expect(jsonOf(decodeResponse(wire(xml), showPlan))).toEqual({ jobs: 9007199254740993n });
  const packed = wire(gzipSync(xml), ['Content-Encoding', 'gzip']);
  expect(jsonOf(decodeResponse(packed, showPlan))).toEqual({ jobs: 9007199254740993n });
  expect(jsonOf(decodeResponse(wire('<plan jobs="3">'), showPlan))).toBeUndefined();
  expect(jsonOf(decodeResponse(wire(xml)))).toBeUndefined();
  // Undocumented for the status.
  expect(jsonOf(decodeResponse({ ...wire(xml), status: 404 }, showPlan))).toBeUndefined();
});
