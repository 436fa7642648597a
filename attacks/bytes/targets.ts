import fc from 'fast-check';
import { complete, HOST, KEY } from './exchange.ts';

const PIECES = [
  ...[
    '%',
    '%%',
    '%0',
    '%zz',
    '%00',
    '%0a',
    '%2f',
    '%2e%2e',
    '%c0%af',
    '%c3',
    '%ff',
    '%ed%a0%80',
    '%f4%90%80%80',
    '%u0041',
  ],
  ...[
    '..',
    '.',
    '//',
    ';',
    '\\',
    '~',
    '~a',
    '~__proto__',
    '~%00',
    '*',
    '{}',
    '[]',
    '<',
    '"',
    '^',
    '|',
    '`',
    '@',
    ':',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    '-0',
    '+1',
    '1e400',
    '0x1',
    '01',
    ' 1',
  ],
  ...[
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775809',
    '9'.repeat(1000),
    '1.0',
    '1/2',
  ],
  ...['a'.repeat(5000), '%61'.repeat(2000)],
];
const piece = fc.constantFrom(...PIECES);
const NAMES = [
  'limit',
  'status',
  'LIMIT',
  'limit[]',
  'limit[a]',
  '__proto__',
  'constructor',
  '__code',
  '__example',
  '__dynamic',
  '',
  'x',
];
const pair = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('=', '', '=='), piece)
  .map((parts) => parts.join(''));
const query = fc.oneof(
  fc.constant(''),
  fc.array(pair, { maxLength: 5 }).map((pairs) => `?${pairs.join('&')}`),
  fc.integer({ min: 100, max: 1500 }).map((count) => `?${'limit=1&'.repeat(count)}`),
);

/** Paths and queries with bad escapes, bad UTF-8, NUL, names that JavaScript's prototypes have, numbers beyond all bounds. */
export const targets = fc
  .tuple(
    fc.constantFrom('GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS', 'PATCH'),
    fc.oneof(
      piece.map((id) => `/v1/pets/${id}`),
      fc.array(piece, { maxLength: 4 }).map((pieces) => `/${pieces.join('/')}`),
      fc.constant('/v1/pets'),
      piece.map((name) => `/__admin/${name}`),
      piece.map((name) => `/~${name}/v1/pets`),
    ),
    query,
  )
  .map(([method, path, search]) => {
    // A blank ends the target; what follows it is no version.
    const target = (path + search).replaceAll(' ', '%20');
    // Of a head that is never read to its end nobody knows the method, so its refusal has a body.
    const isHead = method === 'HEAD' && target.length < 10_000;
    const name = method === 'HEAD' && !isHead ? 'GET' : method;
    return { ...complete(`${name} ${target} HTTP/1.1\r\n${HOST}${KEY}\r\n`), isHead };
  });
