import fc from 'fast-check';
import { anyBytes, complete, HOST, incomplete, KEY, oneOf } from './exchange.ts';

const REST = `${HOST}${KEY}\r\n`;

const method = oneOf('GET get G\0T FETCH GET\t PRI CONNECT TRACE QUERY é', '', ' GET', 'G E T');
const gap = fc.constantFrom(' ', '  ', '\t', '', '\x0b', '\0', '\r', '\n');
const target = oneOf('/v1/pets * / // http:// http://x/v1/pets \0 x /\x7f /é', '', '/v1 /pets');
const version = oneOf('HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/0.9 HTTP/1.10 http/1.1 HTTP/', 'HTTP/1.1 x', '');
const end = fc.constantFrom('\r\n', '\n', '\r', '\r\n\r\n', '\0\r\n');

/** Request lines of nearly the right form, and of no form. */
export const requestLines = fc.oneof(
  // After a bare CR, say, a server may wait for more: no response is demanded.
  fc.tuple(method, gap, target, gap, version, end).map((parts) => incomplete(parts.join('') + REST)),
  anyBytes(200).map((line) => incomplete(`${line}\r\n${REST}`)),
  fc
    .integer({ min: 1000, max: 40_000 })
    .map((length) => complete(`GET /${'a'.repeat(length)} HTTP/1.1\r\n${REST}`)),
);
