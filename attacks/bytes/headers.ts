import fc from 'fast-check';
import { anyBytes, complete, HOST, KEY } from './exchange.ts';

const GET = `GET /v1/pets HTTP/1.1\r\n`;

const value = fc.oneof(
  anyBytes(40).map((text) => text.replace(/[\r\n]/g, ' ')),
  fc.constantFrom('', ' ', '\t', '\0', '%00', '\x7f', 'é'),
);
const name = fc.constantFrom(
  'X',
  'x-y',
  '',
  ' ',
  'X ',
  'X\0',
  'é',
  '(',
  'Host',
  'Authorization',
  'Cookie',
  '__proto__',
  'constructor',
  'Prefer',
  'Expect',
  'Upgrade',
  'Connection',
  'Accept',
  'Range',
  'If-Match',
  'Paddock-Session',
  'Origin',
);

const field = fc
  .tuple(name, fc.constantFrom(':', ': ', ' : ', '', ':\t'), value)
  .map((parts) => `${parts.join('')}\r\n`);

/** Odd ones, very many and very long ones. */
export const headers = fc.oneof(
  fc.array(field, { minLength: 1, maxLength: 6 }).map((fields) => ({
    ...complete(`${GET}${HOST}${KEY}${fields.join('')}\r\n`),
    // An upgrade or an expectation is answered in its own way.
    complete: !/^(?:Upgrade|Expect|Connection)/im.test(fields.join('')),
    leaves: 'half-closed' as const,
  })),
  fc
    .integer({ min: 100, max: 3000 })
    .map((count) => complete(`${GET}${HOST}${KEY}${'X: y\r\n'.repeat(count)}\r\n`)),
  fc
    .integer({ min: 1000, max: 30_000 })
    .map((length) => complete(`${GET}${HOST}${KEY}X: ${'y'.repeat(length)}\r\n\r\n`)),
  fc
    .integer({ min: 10, max: 200 })
    .map((count) =>
      complete(`${GET}${HOST}${`Authorization: Bearer ${'k'.repeat(count)}\r\n`.repeat(3)}\r\n`),
    ),
  fc
    .integer({ min: 10, max: 10_000 })
    .map((length) => complete(`${GET}${HOST}Authorization: Bearer ${'\xff'.repeat(length)}\r\n\r\n`)),
);
