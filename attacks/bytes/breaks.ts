import fc from 'fast-check';
import { bytes, complete, type Exchange, HOST, JSON_TYPE, KEY, pet } from './exchange.ts';

const BODY = pet('cut off');
const POST = `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}${JSON_TYPE}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;

const cut = fc.integer({ min: 1, max: POST.length - 1 });

/** Connections that end at any byte, one way or the other. Nothing of these may be kept. */
export const breaks = fc.tuple(cut, fc.boolean()).map(
  ([at, reset]): Exchange => ({
    ...complete(POST.slice(0, at)),
    complete: false,
    leaves: reset ? 'by reset' : 'half-closed',
  }),
);

/** Whole requests whose sender says at once that nothing follows: they are answered all the same. */
export const halfClosed = fc
  .constantFrom('a', 'b')
  .map((): Exchange => ({ ...complete(POST), leaves: 'half-closed' }));

/** Requests that come drop by drop. */
export const slow = fc
  .tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 25 }))
  .map(([count, pause]): Exchange => {
    const size = Math.ceil(POST.length / count);
    const pieces = Array.from({ length: count }, (_, at) => bytes(POST.slice(at * size, (at + 1) * size)));
    return { ...complete(''), pieces: pieces.filter(({ length }) => length > 0), pause };
  });

/** Several requests at once on one connection, good and bad ones. */
export const pipelined = fc
  .array(
    fc.constantFrom(
      POST,
      `GET /v1/pets/1 HTTP/1.1\r\n${HOST}${KEY}\r\n`,
      `GET / HTTP/1.1\r\n${HOST}\r\n`,
      'x\r\n\r\n',
    ),
    {
      minLength: 2,
      maxLength: 6,
    },
  )
  .map((requests): Exchange => ({ ...complete(requests.join('')), leaves: 'half-closed' }));
