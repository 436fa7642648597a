import fc from 'fast-check';
import { anyBytes, oneOf } from './requests.ts';

const statusLine = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.1 404 Not Found', 'HTTP/1.0 200 OK') },
  {
    weight: 3,
    arbitrary: oneOf(
      'HTTP/1.1 HTTP/2.0 ICY 200 HTTP/1.1\t200 http/1.1',
      ...[
        'HTTP/1.1 99 X',
        'HTTP/1.1 1000 X',
        'HTTP/1.1 2OO OK',
        'HTTP/1.1  200 OK',
        'HTTP/1.1 101 Switching',
        ' HTTP/1.1 200 OK',
      ],
      ...[
        'HTTP/1.1 100 Continue',
        'HTTP/1.1 103 Early',
        'HTTP/1.1 204 None',
        'HTTP/1.1 304 Same',
        'HTTP/1.1 200 \r',
        'HTTP/1.1 200 \0',
      ],
    ),
  },
  { weight: 1, arbitrary: anyBytes(30) },
);
const length = oneOf('0 5 +5 -1 0x5 5,5 05 1e1 99999999999999999999 5;', '5, 6', ' 5', '5 ', '');
const coding = oneOf(
  'chunked Chunked xchunked identity gzip "chunked" chunked;q=1',
  ...['chunked, chunked', 'gzip, chunked', 'chunked, gzip', '\x0bchunked', ''],
);
const name = oneOf(
  'Transfer-Encoding transfer-encoding',
  'Transfer-Encoding ',
  'Transfer Encoding',
  'X:\r\nTransfer-Encoding',
);
const field = fc.oneof(
  length.map((value) => `Content-Length: ${value}`),
  fc
    .tuple(name, fc.constantFrom('', '\r\n ', '\n', '\r'), coding)
    .map(([one, fold, value]) => `${one}: ${fold}${value}`),
  oneOf(
    'Connection:close',
    'Connection: content-length',
    'Connection: transfer-encoding',
    'Connection: upgrade',
    'Upgrade: h2c',
  ),
  oneOf(
    'Content-Type:application/json',
    'Content-Encoding: gzip',
    'Set-Cookie: a=b',
    'X: \x1b[2J',
    'X:',
    ': x',
    'X',
  ),
  anyBytes(20).map((text) => `X: ${text}`),
);
const end = fc.oneof(
  { weight: 8, arbitrary: fc.constant('\r\n') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n') },
);
const FORGED = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
const body = fc.oneof(
  fc.constantFrom(
    '',
    '[]',
    'abcde',
    '0\r\n\r\n',
    '5\r\nabcde\r\n0\r\n\r\n',
    '5\r\nabcde\r\n0\r\nX: y\r\n\r\n',
    '5\r\nabc',
  ),
  fc.constantFrom(
    'fffffffffffffff\r\n',
    '-1\r\n',
    '5;a="\r\n"\r\nabcde\r\n0\r\n\r\n',
    '5\nabcde\n0\n\n',
    '[[[['.repeat(3000),
  ),
  anyBytes(60),
);

/** What a target may send: sound responses, malformed ones, and everything that may be taken for two. */
export const responses: fc.Arbitrary<string> = fc
  .tuple(
    statusLine,
    fc.array(fc.tuple(field, end), { maxLength: 4 }),
    end,
    body,
    fc.constantFrom('', '', FORGED),
  )
  .map(([first, fields, last, content, second]) => {
    const lines = fields.map(([line, lineEnd]) => line + lineEnd).join('');
    return `${first}\r\n${lines}${last}${content}${second}`;
  });
