import fc from 'fast-check';
import {
  bytes,
  complete,
  type Exchange,
  HOST,
  incomplete,
  JSON_TYPE,
  KEY,
  POST_HEAD,
  pet,
} from './exchange.ts';

const BODY = pet('cut off');
const POST = `${POST_HEAD}${JSON_TYPE}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;

/** Connections that end at any byte, one way or the other. Nothing of these may be stored. */
export const breaks = fc
  .tuple(fc.integer({ min: 1, max: POST.length - 1 }), fc.constantFrom('reset', 'half-closed'))
  .map(([at, ending]): Exchange => ({ ...incomplete(POST.slice(0, at)), ending }));

/** Whole requests whose sender says at once that nothing follows: they get a response all the same. */
export const halfClosed = fc.constant<Exchange>({ ...complete(POST), ending: 'half-closed' });

/** Requests that come drop by drop. */
export const slow = fc
  .tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 25 }))
  .map(([count, pause]): Exchange => {
    const size = Math.ceil(POST.length / count);
    const pieces = Array.from({ length: count }, (_, at) => bytes(POST.slice(at * size, (at + 1) * size)));
    return { ...complete(''), pieces: pieces.filter(({ length }) => length > 0), pause };
  });

const GET = `GET /v1/pets/1 HTTP/1.1\r\n${HOST}${KEY}\r\n`;

/** Several requests at once on one connection, valid and invalid ones. */
export const pipelined = fc
  .array(fc.constantFrom(POST, GET, `GET / HTTP/1.1\r\n${HOST}\r\n`, 'x\r\n\r\n'), {
    minLength: 2,
    maxLength: 6,
  })
  .map((requests): Exchange => ({ ...complete(requests.join('')), ending: 'half-closed' }));
