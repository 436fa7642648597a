import fc from 'fast-check';
import { anyBytes, complete, HOST, KEY, oneOf } from './exchange.ts';

const GET = `GET /v1/pets HTTP/1.1\r\n${HOST}`;

const value = fc.oneof(
  anyBytes(40).map((text) => text.replace(/[\r\n]/g, ' ')),
  fc.constantFrom('', ' ', '\t', '\0', '%00', '\x7f', 'é'),
);
const name = oneOf(
  'X x-y X\0 é ( Host Authorization Cookie __proto__ constructor Prefer Expect Upgrade Connection Accept Range',
  ...['If-Match', 'Paddock-Session', 'Origin', '', ' ', 'X '],
);
const field = fc
  .tuple(name, fc.constantFrom(':', ': ', ' : ', '', ':\t'), value)
  .map((parts) => `${parts.join('')}\r\n`);

/** A GET whose last headers follow from a number. */
function sized(min: number, max: number, headers: (size: number) => string) {
  return fc.integer({ min, max }).map((size) => complete(`${GET}${headers(size)}\r\n`));
}

/** Malformed, very many and very long ones. */
export const headers = fc.oneof(
  fc.array(field, { minLength: 1, maxLength: 6 }).map((fields) => ({
    ...complete(`${GET}${KEY}${fields.join('')}\r\n`),
    // An upgrade or an expectation has a response of its own kind.
    complete: !/^(?:Upgrade|Expect|Connection)/im.test(fields.join('')),
    ending: 'half-closed' as const,
  })),
  sized(100, 3000, (count) => KEY + 'X: y\r\n'.repeat(count)),
  sized(1000, 30_000, (length) => `${KEY}X: ${'y'.repeat(length)}\r\n`),
  sized(10, 200, (length) => `Authorization: Bearer ${'k'.repeat(length)}\r\n`.repeat(3)),
  sized(10, 10_000, (length) => `Authorization: Bearer ${'\xff'.repeat(length)}\r\n`),
);
