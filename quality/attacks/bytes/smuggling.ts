import fc from 'fast-check';
import { incomplete, JSON_TYPE, oneOf, POST_HEAD, pet } from './exchange.ts';

/** Where one reader sees a body, another sees a second request: none of these may be executed without a response. */
const HIDDEN_BODY = pet('smuggled');
const HIDDEN = `${POST_HEAD}${JSON_TYPE}Content-Length: ${HIDDEN_BODY.length}\r\n\r\n${HIDDEN_BODY}`;

const length = oneOf('0 5 +5 -1 0x5 5,5 05 1e1 99999999999999999999 ٥ 5;', '5, 6', ' 5', '5 ', '');
const coding = oneOf(
  'chunked Chunked xchunked identity chunked;q=1 "chunked" chunked\t \x0bchunked',
  ...['chunked, chunked', 'gzip, chunked', 'chunked, gzip', ' chunked', ''],
);
const name = oneOf(
  'Transfer-Encoding transfer-encoding X:\r\nTransfer-Encoding',
  ...['Transfer-Encoding ', 'Transfer Encoding'],
);
const fold = fc.constantFrom('', '\r\n ', '\n', '\r');
const field = fc.oneof(
  length.map((value) => `Content-Length: ${value}\r\n`),
  fc.tuple(name, fold, coding).map((parts) => `${parts[0]}: ${parts[1]}${parts[2]}\r\n`),
);
const body = fc.constantFrom(
  ...['', 'abcde', '0\r\n\r\n', '5\r\nabcde\r\n0\r\n\r\n', '0\r\nX: y\r\n\r\n', '00000000000\r\n\r\n'],
);

/** Two lengths, a length and chunks, and everything that might be taken for either. */
export const smuggling = fc
  .tuple(fc.array(field, { minLength: 1, maxLength: 3 }), body, fc.constantFrom('', HIDDEN))
  .map(([fields, first, second]) =>
    incomplete(`${POST_HEAD}${JSON_TYPE}${fields.join('')}\r\n${first}${second}`),
  );
