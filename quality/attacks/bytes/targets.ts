import fc from 'fast-check';
import { complete, HOST, KEY, oneOf } from './exchange.ts';

const piece = oneOf(
  '% %% %0 %zz %00 %0a %2f %2e%2e %c0%af %c3 %ff %ed%a0%80 %f4%90%80%80 %u0041',
  ...'.. . // ; \\ ~ ~a ~__proto__ ~%00 * {} [] < " ^ | ` @ :'.split(' '),
  ...'__proto__ constructor toString hasOwnProperty null undefined NaN -0 +1 1e400 0x1 01'.split(' '),
  ...'9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775809 1.0 1/2'.split(' '),
  ...[' 1', '9'.repeat(1000), 'a'.repeat(5000), '%61'.repeat(2000)],
);
const name = oneOf(
  'limit status LIMIT limit[] limit[a] __proto__ constructor __code __example __dynamic x',
  '',
);
const pair = fc.tuple(name, fc.constantFrom('=', '', '=='), piece).map((parts) => parts.join(''));
const query = fc.oneof(
  fc.constant(''),
  fc.array(pair, { maxLength: 5 }).map((pairs) => `?${pairs.join('&')}`),
  fc.integer({ min: 100, max: 1500 }).map((count) => `?${'limit=1&'.repeat(count)}`),
);
const path = fc.oneof(
  piece.map((id) => `/v1/pets/${id}`),
  fc.array(piece, { maxLength: 4 }).map((pieces) => `/${pieces.join('/')}`),
  fc.constant('/v1/pets'),
  piece.map((one) => `/__admin/${one}`),
  piece.map((one) => `/~${one}/v1/pets`),
);

/** Paths and queries with bad escapes, bad UTF-8, NUL, members of JavaScript's prototypes, numbers out of range. */
export const targets = fc
  .tuple(oneOf('GET HEAD DELETE PUT OPTIONS PATCH'), path, query)
  .map(([method, before, after]) => {
    // A blank ends the target; what follows it is no version.
    const target = (before + after).replaceAll(' ', '%20');
    // Where the head is never read to its end the method is unknown, so the refusal has a body.
    const isHead = method === 'HEAD' && target.length < 10_000;
    const sent = method === 'HEAD' && !isHead ? 'GET' : method;
    return { ...complete(`${sent} ${target} HTTP/1.1\r\n${HOST}${KEY}\r\n`), isHead };
  });
