import fc from 'fast-check';
import { anyBytes, complete, HOST, KEY } from './exchange.ts';

const REST = `${HOST}${KEY}\r\n`;

const METHODS = [
  'GET',
  'get',
  'G\0T',
  'FETCH',
  '',
  ' GET',
  'GET\t',
  'G E T',
  'PRI',
  'CONNECT',
  'TRACE',
  'QUERY',
  'é',
];
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1.10',
  'http/1.1',
  'HTTP/',
  'HTTP/1.1 x',
  '',
];
const TARGETS = [
  '/v1/pets',
  '*',
  '',
  '/',
  '//',
  'http://',
  'http://x/v1/pets',
  '\0',
  '/v1 /pets',
  'x',
  '/\x7f',
  '/é',
];
const GAPS = [' ', '  ', '\t', '', '\x0b', '\0', '\r', '\n'];
const ENDS = ['\r\n', '\n', '\r', '\r\n\r\n', '\0\r\n'];

const parts = fc.tuple(
  fc.constantFrom(...METHODS),
  fc.constantFrom(...GAPS),
  fc.constantFrom(...TARGETS),
  fc.constantFrom(...GAPS),
  fc.constantFrom(...VERSIONS),
  fc.constantFrom(...ENDS),
);

/** Lines of nearly the right form, and lines of no form. */
export const requestLines = fc.oneof(
  // What goes on after a bare CR, say, may be awaited: whoever leaves says so, and no answer is demanded.
  parts.map((pieces) => ({
    ...complete(pieces.join('') + REST),
    complete: false,
    leaves: 'half-closed' as const,
  })),
  anyBytes(200).map((line) => ({
    ...complete(`${line}\r\n${REST}`),
    complete: false,
    leaves: 'half-closed' as const,
  })),
  fc
    .integer({ min: 1000, max: 40_000 })
    .map((length) => complete(`GET /${'a'.repeat(length)} HTTP/1.1\r\n${REST}`)),
);
