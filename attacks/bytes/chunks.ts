import fc from 'fast-check';
import { anyBytes, complete, HOST, JSON_TYPE, KEY, pet } from './exchange.ts';

const HEAD = `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`;
const BODY = pet('in chunks');
const SIZES = [
  '',
  '-1',
  '+5',
  '0x5',
  'g',
  ' 5',
  '5 ',
  '5;a=b',
  '5;"',
  'ffffffffffffffff',
  '10000000000000000',
  '0'.repeat(20_000),
  '5\0',
];

/** Bodies in chunks: of the right form in odd pieces, and of the wrong form. */
export const chunks = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 }).map((lengths) => {
    let rest = BODY;
    const pieces: string[] = [];
    for (const length of [...lengths, BODY.length]) {
      if (rest === '') break;
      const piece = rest.slice(0, length);
      pieces.push(`${piece.length.toString(16)};a="b"\r\n${piece}\r\n`);
      rest = rest.slice(length);
    }
    return complete(`${HEAD}${pieces.join('')}0\r\nX-Trailer: y\r\n\r\n`);
  }),
  fc
    .tuple(fc.constantFrom(...SIZES), fc.constantFrom('\r\n', '\n', '\r'), anyBytes(10))
    .map(([size, end, text]) => ({
      ...complete(`${HEAD}${size}${end}${text}\r\n0\r\n\r\n`),
      complete: false,
      leaves: 'half-closed' as const,
    })),
);
