import fc from 'fast-check';
import type { Sent } from '../../quality/testing/attack.ts';

/** Bytes that a client sends on one connection, and whether a response is required. */
export interface Exchange extends Sent {
  /** A complete request, or clearly invalid: a response is required. */
  readonly complete: boolean;
  readonly isHead?: boolean;
}

export type Kind = readonly [name: string, share: number, exchanges: fc.Arbitrary<Exchange>];

const HOST = 'Host: 127.0.0.1\r\n';
const KEY = 'Authorization: Bearer paddock-dev-key\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Texts of an exchange are Latin-1: each character is one byte. */
function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function complete(text: string | Buffer): Exchange {
  const pieces = [typeof text === 'string' ? bytes(text) : text];
  return { pieces, pause: 0, ending: 'after the response', complete: true };
}

/** The server may wait for more, although the client says that nothing follows. */
function incomplete(text: string): Exchange {
  return { ...complete(text), complete: false, ending: 'half-closed' };
}

/** The header of a POST that would create a record, up to the headers of its body. */
const POST_HEAD = `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}`;

/** A POST with a body of the stated length. */
function posted(body: Buffer, headers = JSON_TYPE): Exchange {
  return complete(
    Buffer.concat([bytes(`${POST_HEAD}${headers}Content-Length: ${body.length}\r\n\r\n`), body]),
  );
}

/** Any bytes, as a Latin-1 text. */
export function anyBytes(maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ maxLength, size: 'max' }).map((array) => Buffer.from(array).toString('latin1'));
}

/** A body that would create a record, with a name that shows its origin. */
function pet(name: string): string {
  return JSON.stringify({ name, categoryId: 1 });
}

/** One of the words of a text, or of others that may contain blanks. */
export function oneOf(words: string, ...others: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(' '), ...others);
}

const REST = `${HOST}${KEY}\r\n`;

const method = oneOf('GET get G\0T FETCH GET\t PRI CONNECT TRACE QUERY é', '', ' GET', 'G E T');
const gap = fc.constantFrom(' ', '  ', '\t', '', '\x0b', '\0', '\r', '\n');
const lineTarget = oneOf('/v1/pets * / // http:// http://x/v1/pets \0 x /\x7f /é', '', '/v1 /pets');
const version = oneOf('HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/0.9 HTTP/1.10 http/1.1 HTTP/', 'HTTP/1.1 x', '');
const end = fc.constantFrom('\r\n', '\n', '\r', '\r\n\r\n', '\0\r\n');

/** Request lines that are almost valid, and arbitrary ones. */
const requestLines = fc.oneof(
  // After a bare CR, for example, a server may wait for more: no response is required.
  fc.tuple(method, gap, lineTarget, gap, version, end).map((parts) => incomplete(parts.join('') + REST)),
  anyBytes(200).map((line) => incomplete(`${line}\r\n${REST}`)),
  fc
    .integer({ min: 1000, max: 40_000 })
    .map((length) => complete(`GET /${'a'.repeat(length)} HTTP/1.1\r\n${REST}`)),
);

/** Where one reader sees a body, another sees a second request: none of these may be executed without a response. */
const HIDDEN_BODY = pet('smuggled');
const HIDDEN = `${POST_HEAD}${JSON_TYPE}Content-Length: ${HIDDEN_BODY.length}\r\n\r\n${HIDDEN_BODY}`;

const lengthText = oneOf('0 5 +5 -1 0x5 5,5 05 1e1 99999999999999999999 ٥ 5;', '5, 6', ' 5', '5 ', '');
const transferCoding = oneOf(
  'chunked Chunked xchunked identity chunked;q=1 "chunked" chunked\t \x0bchunked',
  ...['chunked, chunked', 'gzip, chunked', 'chunked, gzip', ' chunked', ''],
);
const codingName = oneOf(
  'Transfer-Encoding transfer-encoding X:\r\nTransfer-Encoding',
  ...['Transfer-Encoding ', 'Transfer Encoding'],
);
const fold = fc.constantFrom('', '\r\n ', '\n', '\r');
const smugglingField = fc.oneof(
  lengthText.map((value) => `Content-Length: ${value}\r\n`),
  fc.tuple(codingName, fold, transferCoding).map((parts) => `${parts[0]}: ${parts[1]}${parts[2]}\r\n`),
);
const hiddenBody = fc.constantFrom(
  ...['', 'abcde', '0\r\n\r\n', '5\r\nabcde\r\n0\r\n\r\n', '0\r\nX: y\r\n\r\n', '00000000000\r\n\r\n'],
);

/** Two lengths, a length and chunks, and everything that might be taken for either. */
const smuggling = fc
  .tuple(fc.array(smugglingField, { minLength: 1, maxLength: 3 }), hiddenBody, fc.constantFrom('', HIDDEN))
  .map(([fields, first, second]) =>
    incomplete(`${POST_HEAD}${JSON_TYPE}${fields.join('')}\r\n${first}${second}`),
  );

const GET_PETS = `GET /v1/pets HTTP/1.1\r\n${HOST}`;

const fieldValue = fc.oneof(
  anyBytes(40).map((text) => text.replace(/[\r\n]/g, ' ')),
  fc.constantFrom('', ' ', '\t', '\0', '%00', '\x7f', 'é'),
);
const fieldName = oneOf(
  'X x-y X\0 é ( Host Authorization Cookie __proto__ constructor Prefer Expect Upgrade Connection Accept Range',
  ...['If-Match', 'Paddock-Session', 'Origin', '', ' ', 'X '],
);
const oddField = fc
  .tuple(fieldName, fc.constantFrom(':', ': ', ' : ', '', ':\t'), fieldValue)
  .map((parts) => `${parts.join('')}\r\n`);

/** A GET whose last headers follow from a number. */
function sized(min: number, max: number, headers: (size: number) => string) {
  return fc.integer({ min, max }).map((size) => complete(`${GET_PETS}${headers(size)}\r\n`));
}

/** Malformed, very many and very long ones. */
const headers = fc.oneof(
  fc.array(oddField, { minLength: 1, maxLength: 6 }).map((fields) => ({
    ...complete(`${GET_PETS}${KEY}${fields.join('')}\r\n`),
    // An upgrade or an expectation has a response of its own kind.
    complete: !/^(?:Upgrade|Expect|Connection)/im.test(fields.join('')),
    ending: 'half-closed' as const,
  })),
  sized(100, 3000, (count) => KEY + 'X: y\r\n'.repeat(count)),
  sized(1000, 30_000, (length) => `${KEY}X: ${'y'.repeat(length)}\r\n`),
  sized(10, 200, (length) => `Authorization: Bearer ${'k'.repeat(length)}\r\n`.repeat(3)),
  sized(10, 10_000, (length) => `Authorization: Bearer ${'\xff'.repeat(length)}\r\n`),
);

const targetPiece = oneOf(
  '% %% %0 %zz %00 %0a %2f %2e%2e %c0%af %c3 %ff %ed%a0%80 %f4%90%80%80 %u0041',
  ...'.. . // ; \\ ~ ~a ~__proto__ ~%00 * {} [] < " ^ | ` @ :'.split(' '),
  ...'__proto__ constructor toString hasOwnProperty null undefined NaN -0 +1 1e400 0x1 01'.split(' '),
  ...'9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775809 1.0 1/2'.split(' '),
  ...[' 1', '9'.repeat(1000), 'a'.repeat(5000), '%61'.repeat(2000)],
);
const parameterName = oneOf(
  'limit status LIMIT limit[] limit[a] __proto__ constructor __code __example __dynamic x',
  '',
);
const queryPair = fc
  .tuple(parameterName, fc.constantFrom('=', '', '=='), targetPiece)
  .map((parts) => parts.join(''));
const oddQuery = fc.oneof(
  fc.constant(''),
  fc.array(queryPair, { maxLength: 5 }).map((pairs) => `?${pairs.join('&')}`),
  fc.integer({ min: 100, max: 1500 }).map((count) => `?${'limit=1&'.repeat(count)}`),
);
const oddPath = fc.oneof(
  targetPiece.map((id) => `/v1/pets/${id}`),
  fc.array(targetPiece, { maxLength: 4 }).map((pieces) => `/${pieces.join('/')}`),
  fc.constant('/v1/pets'),
  targetPiece.map((one) => `/__admin/${one}`),
  targetPiece.map((one) => `/~${one}/v1/pets`),
);

/** Paths and queries with bad escapes, bad UTF-8, NUL, members of JavaScript's prototypes, numbers out of range. */
const targets = fc
  .tuple(oneOf('GET HEAD DELETE PUT OPTIONS PATCH'), oddPath, oddQuery)
  .map(([method, before, after]) => {
    // A blank ends the target, and what follows is no version.
    const target = (before + after).replaceAll(' ', '%20');
    // If the header is never read completely, the method is unknown, so the refusal has a body.
    const isHead = method === 'HEAD' && target.length < 10_000;
    const sent = method === 'HEAD' && !isHead ? 'GET' : method;
    return { ...complete(`${sent} ${target} HTTP/1.1\r\n${HOST}${KEY}\r\n`), isHead };
  });

const utf8 = (text: string) => posted(Buffer.from(text));

/** A member's value as JSON text, mostly one that the document forbids. */
const memberValue = oneOf(
  '"a" "" 1 -1 0 -0 1.0 1.5 1e0 1e400 -1e400 1e-400 null true [] {} NaN 01 +1',
  ...'9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808'.split(' '),
  ...['12345678901234567890.5', '9'.repeat(10_000), `0.${'9'.repeat(10_000)}`, `1e${'9'.repeat(10_000)}`],
  ...[`${'1'.repeat(9999)}e-9999`, '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\0"', '"\n"', '"\\x"'],
  ...[`"${'a'.repeat(20_000)}"`, '"\u202e"', '"😀"', '"available"', '"__proto__"', '[[[[[[]]]]]]'],
  ...['{"name":{}}', '/**/1', "'a'", 'undefined', '1n'],
);
const memberName = oneOf(
  'name categoryId status id __proto__ constructor prototype toString toJSON then length \\u006eame $ref',
  '',
);
const member = fc.tuple(memberName, memberValue).map((pair) => `"${pair[0]}":${pair[1]}`);

/** Members of every kind, also repeated: accepted ones must be stored as acknowledged. */
const records = fc.array(member, { maxLength: 7 }).map((members) => utf8(`{${members.join(',')}}`));

/** A valid record with something beside it that must do no harm. */
const nearlyValid = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.array(member, { maxLength: 2 }))
  .map(([text, more]) => utf8(`{${[`"name":${JSON.stringify(text)},"categoryId":7`, ...more].join(',')}}`));

const DEEP = ['[', '{"a":', '{"name":', '[{"__proto__":', '"', '\\'];
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

const mediaType = oneOf(
  'application/json;charset=utf-16 text/plain application/xml application/json; a/b/c \x7f application/__proto__',
  ...[
    '',
    'multipart/form-data; boundary=a',
    'application/JSON; charset="utf-8"',
    'application/json, text/plain',
  ],
);
const contentCoding = fc.constantFrom('', 'Content-Encoding: gzip\r\n', 'Content-Encoding: x\r\n');
const typed = fc
  .tuple(mediaType, contentCoding)
  .map(([is, coded]) => posted(Buffer.from(pet('typed')), `Content-Type: ${is}\r\n${coded}`));

const large = fc
  .integer({ min: 1_000_000, max: 1_100_000 })
  .map((length) => posted(Buffer.from(pet('x'.repeat(length))), JSON_TYPE));

const bodies = fc.oneof(
  { weight: 100, arbitrary: records },
  { weight: 100, arbitrary: nearlyValid },
  { weight: 10, arbitrary: deep },
  { weight: 10, arbitrary: wide },
  { weight: 60, arbitrary: notJson },
  { weight: 40, arbitrary: typed },
  { weight: 1, arbitrary: large },
);

const CHUNKED_HEAD = `${POST_HEAD}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`;
const CHUNKED_BODY = pet('in chunks');
const chunkSize = oneOf(
  '-1 +5 0x5 g 5;a=b 5;" ffffffffffffffff 10000000000000000 5\0',
  ...['', ' 5', '5 ', '0'.repeat(20_000)],
);

/** Bodies in chunks: well-formed in pieces of odd sizes, and malformed. */
const chunks = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 }).map((lengths) => {
    let rest = CHUNKED_BODY;
    const pieces: string[] = [];
    for (const length of [...lengths, CHUNKED_BODY.length]) {
      if (rest === '') break;
      const piece = rest.slice(0, length);
      pieces.push(`${piece.length.toString(16)};a="b"\r\n${piece}\r\n`);
      rest = rest.slice(length);
    }
    return complete(`${CHUNKED_HEAD}${pieces.join('')}0\r\nX-Trailer: y\r\n\r\n`);
  }),
  fc
    .tuple(chunkSize, fc.constantFrom('\r\n', '\n', '\r'), anyBytes(10))
    .map((parts) => incomplete(`${CHUNKED_HEAD}${parts.join('')}\r\n0\r\n\r\n`)),
);

const CUT_BODY = pet('cut off');
const POST_PET = `${POST_HEAD}${JSON_TYPE}Content-Length: ${CUT_BODY.length}\r\n\r\n${CUT_BODY}`;

/** Connections that break at any byte, in either direction. Nothing of these may be stored. */
const breaks = fc
  .tuple(fc.integer({ min: 1, max: POST_PET.length - 1 }), fc.constantFrom('reset', 'half-closed'))
  .map(([at, ending]): Exchange => ({ ...incomplete(POST_PET.slice(0, at)), ending }));

/** Complete requests whose sender says at once that nothing follows: they still get a response. */
const halfClosed = fc.constant<Exchange>({ ...complete(POST_PET), ending: 'half-closed' });

/** Requests that arrive in small pieces. */
const slow = fc
  .tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 25 }))
  .map(([count, pause]): Exchange => {
    const size = Math.ceil(POST_PET.length / count);
    const pieces = Array.from({ length: count }, (_, at) =>
      bytes(POST_PET.slice(at * size, (at + 1) * size)),
    );
    return { ...complete(''), pieces: pieces.filter(({ length }) => length > 0), pause };
  });

const GET_PET = `GET /v1/pets/1 HTTP/1.1\r\n${HOST}${KEY}\r\n`;

/** Several requests at once on one connection, valid and invalid ones. */
const pipelined = fc
  .array(fc.constantFrom(POST_PET, GET_PET, `GET / HTTP/1.1\r\n${HOST}\r\n`, 'x\r\n\r\n'), {
    minLength: 2,
    maxLength: 6,
  })
  .map((requests): Exchange => ({ ...complete(requests.join('')), ending: 'half-closed' }));

/** All kinds of malformed bytes, each with its share in percent. */
export const KINDS: readonly Kind[] = [
  ['request lines', 13, requestLines],
  ['smuggling', 15, smuggling],
  ['headers', 12, headers],
  ['targets', 20, targets],
  ['bodies', 22, bodies],
  ['chunks', 6, chunks],
  ['cut off', 5, breaks],
  ['half-closed', 2, halfClosed],
  ['slow', 1, slow],
  ['pipelined', 4, pipelined],
];
