import fc from 'fast-check';
import { anyBytes, bytes, half, JSON_TYPE, pet, posted } from './exchange.ts';

const utf8 = (text: string) => posted(Buffer.from(text));

/** A member's value written as JSON text, most of them no value that the document allows. */
const VALUES = [
  ...[
    '"a"',
    '""',
    '1',
    '-1',
    '0',
    '-0',
    '1.0',
    '1.5',
    '1e0',
    '1e400',
    '-1e400',
    '1e-400',
    'null',
    'true',
    '[]',
    '{}',
    'NaN',
    '01',
    '+1',
  ],
  ...[
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '12345678901234567890.5',
  ],
  ...['9'.repeat(10_000), `0.${'9'.repeat(10_000)}`, `1e${'9'.repeat(10_000)}`, `${'1'.repeat(9999)}e-9999`],
  ...[
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\0"',
    '"\n"',
    '"\\x"',
    `"${'a'.repeat(20_000)}"`,
    '"\u202e"',
    '"😀"',
    '"available"',
  ],
  ...['"__proto__"', '[[[[[[]]]]]]', '{"name":{}}', '/**/1', "'a'", 'undefined', '1n'],
];
const NAMES = [
  'name',
  'categoryId',
  'status',
  'id',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  'then',
  '',
  'length',
  '\\u006eame',
  '$ref',
];
const member = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES))
  .map(([name, value]) => `"${name}":${value}`);

/** Members of every kind, also twice: what is accepted must be kept as it was acknowledged. */
const records = fc.array(member, { maxLength: 7 }).map((members) => utf8(`{${members.join(',')}}`));

/** A good record with something beside it that must do no harm. */
const nearlyGood = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.array(member, { maxLength: 2 }))
  .map(([name, more]) =>
    utf8(`{"name":${JSON.stringify(name)},"categoryId":7${more.map((one) => `,${one}`).join('')}}`),
  );

const DEEP = [...['[', '{"a":', '{"name":', '[{"__proto__":'], '"', '\\'];
const deep = fc
  .tuple(fc.constantFrom(...DEEP), fc.integer({ min: 100, max: 60_000 }), fc.constantFrom('', '1', '1.5'))
  .map(([open, depth, leaf]) => {
    const ends = [...open].toReversed().map((sign) => (sign === '[' ? ']' : sign === '{' ? '}' : ''));
    return utf8(
      `{"name":"deep","categoryId":1,"x":${open.repeat(depth)}${leaf}${ends.join('').repeat(depth)}}`,
    );
  });
const wide = fc
  .tuple(fc.integer({ min: 1000, max: 20_000 }), fc.boolean())
  .map(([count, same]) =>
    utf8(`{${Array.from({ length: count }, (_, at) => `"m${same ? '' : at}":0`).join(',')}}`),
  );

const notJson = fc.oneof(
  anyBytes(300).map((text) => posted(bytes(text))),
  fc.constantFrom('\ufeff', '\0', '{', '[', '"', 'null', '{}x', '{"name":"a"}\0').map((text) => utf8(text)),
  fc.constant(posted(bytes(`{"name":"\xff\xfe","categoryId":1}`))),
  fc.constant(posted(bytes(`{"name":"\xed\xa0\x80","categoryId":1}`))),
  fc.constant(utf8(`\ufeff${pet('with a mark')}`)),
  fc.constant(posted(Buffer.from(pet('wide'), 'utf16le'))),
  fc.constant(utf8(half(pet('half')))),
);

const TYPES = [
  'application/json;charset=utf-16',
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=a',
  'application/json;',
  'application/JSON; charset="utf-8"',
  'a/b/c',
  '',
  '\x7f',
  'application/json, text/plain',
  'application/__proto__',
];
const typed = fc
  .tuple(
    fc.constantFrom(...TYPES),
    fc.constantFrom('', 'Content-Encoding: gzip\r\n', 'Content-Encoding: x\r\n'),
  )
  .map(([type, coding]) => posted(Buffer.from(pet('typed')), `Content-Type: ${type}\r\n${coding}`));

const large = fc
  .integer({ min: 1_000_000, max: 1_100_000 })
  .map((length) => posted(Buffer.from(pet('x'.repeat(length))), JSON_TYPE));

export const bodies = fc.oneof(
  { weight: 100, arbitrary: records },
  { weight: 100, arbitrary: nearlyGood },
  { weight: 10, arbitrary: deep },
  { weight: 10, arbitrary: wide },
  { weight: 60, arbitrary: notJson },
  { weight: 40, arbitrary: typed },
  { weight: 1, arbitrary: large },
);
