import fc from 'fast-check';
import { anyBytes, bytes, JSON_TYPE, oneOf, pet, posted } from './exchange.ts';

const utf8 = (text: string) => posted(Buffer.from(text));

/** A member's value written as JSON text, most of them no value that the document allows. */
const value = oneOf(
  '"a" "" 1 -1 0 -0 1.0 1.5 1e0 1e400 -1e400 1e-400 null true [] {} NaN 01 +1',
  ...'9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808'.split(' '),
  ...['12345678901234567890.5', '9'.repeat(10_000), `0.${'9'.repeat(10_000)}`, `1e${'9'.repeat(10_000)}`],
  ...[`${'1'.repeat(9999)}e-9999`, '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\0"', '"\n"', '"\\x"'],
  ...[`"${'a'.repeat(20_000)}"`, '"\u202e"', '"😀"', '"available"', '"__proto__"', '[[[[[[]]]]]]'],
  ...['{"name":{}}', '/**/1', "'a'", 'undefined', '1n'],
);
const name = oneOf(
  'name categoryId status id __proto__ constructor prototype toString toJSON then length \\u006eame $ref',
  '',
);
const member = fc.tuple(name, value).map((pair) => `"${pair[0]}":${pair[1]}`);

/** Members of every kind, also twice: what is accepted must be kept as it was acknowledged. */
const records = fc.array(member, { maxLength: 7 }).map((members) => utf8(`{${members.join(',')}}`));

/** A valid record with something beside it that must do no harm. */
const nearlyValid = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.array(member, { maxLength: 2 }))
  .map(([text, more]) => utf8(`{${[`"name":${JSON.stringify(text)},"categoryId":7`, ...more].join(',')}}`));

const DEEP = [...['[', '{"a":', '{"name":', '[{"__proto__":'], '"', '\\'];
const deep = fc
  .tuple(fc.constantFrom(...DEEP), fc.integer({ min: 100, max: 60_000 }), fc.constantFrom('', '1', '1.5'))
  .map(([open, depth, leaf]) => {
    const ends = [...open].toReversed().map((sign) => (sign === '[' ? ']' : sign === '{' ? '}' : ''));
    const nested = open.repeat(depth) + leaf + ends.join('').repeat(depth);
    return utf8(`{"name":"deep","categoryId":1,"x":${nested}}`);
  });
const wide = fc
  .tuple(fc.integer({ min: 1000, max: 20_000 }), fc.boolean())
  .map(([count, same]) =>
    utf8(`{${Array.from({ length: count }, (_, at) => `"m${same ? '' : at}":0`).join(',')}}`),
  );

const HALF = pet('half');
const notJson = fc.oneof(
  anyBytes(300).map((text) => posted(bytes(text))),
  oneOf('\ufeff \0 { [ " null {}x {"name":"a"}\0').map(utf8),
  fc.constantFrom(
    posted(bytes(`{"name":"\xff\xfe","categoryId":1}`)),
    posted(bytes(`{"name":"\xed\xa0\x80","categoryId":1}`)),
    utf8(`\ufeff${pet('with a byte order mark')}`),
    posted(Buffer.from(pet('wide'), 'utf16le')),
    utf8(HALF.slice(0, HALF.length / 2)),
  ),
);

const type = oneOf(
  'application/json;charset=utf-16 text/plain application/xml application/json; a/b/c \x7f application/__proto__',
  ...[
    '',
    'multipart/form-data; boundary=a',
    'application/JSON; charset="utf-8"',
    'application/json, text/plain',
  ],
);
const coding = fc.constantFrom('', 'Content-Encoding: gzip\r\n', 'Content-Encoding: x\r\n');
const typed = fc
  .tuple(type, coding)
  .map(([is, coded]) => posted(Buffer.from(pet('typed')), `Content-Type: ${is}\r\n${coded}`));

const large = fc
  .integer({ min: 1_000_000, max: 1_100_000 })
  .map((length) => posted(Buffer.from(pet('x'.repeat(length))), JSON_TYPE));

export const bodies = fc.oneof(
  { weight: 100, arbitrary: records },
  { weight: 100, arbitrary: nearlyValid },
  { weight: 10, arbitrary: deep },
  { weight: 10, arbitrary: wide },
  { weight: 60, arbitrary: notJson },
  { weight: 40, arbitrary: typed },
  { weight: 1, arbitrary: large },
);
