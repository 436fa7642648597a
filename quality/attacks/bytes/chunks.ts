import fc from 'fast-check';
import { anyBytes, complete, incomplete, JSON_TYPE, oneOf, POST_HEAD, pet } from './exchange.ts';

const HEAD = `${POST_HEAD}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`;
const BODY = pet('in chunks');
const size = oneOf(
  '-1 +5 0x5 g 5;a=b 5;" ffffffffffffffff 10000000000000000 5\0',
  ...['', ' 5', '5 ', '0'.repeat(20_000)],
);

/** Bodies in chunks: well-formed in pieces of odd sizes, and malformed. */
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
    .tuple(size, fc.constantFrom('\r\n', '\n', '\r'), anyBytes(10))
    .map((parts) => incomplete(`${HEAD}${parts.join('')}\r\n0\r\n\r\n`)),
);
