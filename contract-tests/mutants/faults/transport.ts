import { gzipSync } from 'node:zlib';
import type { Law } from '../../laws/law.ts';
import type { Answer, Ask, Behaviour, Written } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

type Change = (written: Written, answer: Answer, ask: Ask) => Written;

const writing = (name: string, says: string, laws: Law | Law[], change: Change): Mutant =>
  faultyShop(`wire-${name}`, says, laws, () => ({
    write: (answer, ask) => change(correct.write(answer, ask), answer, ask),
  }));

const typed = (name: string, says: string, type: string): Mutant =>
  writing(name, says, 'content-type', (written) => ({ ...written, headers: [['Content-Type', type]] }));

const bytes = (
  name: string,
  says: string,
  change: (body: Buffer) => Buffer | string,
  laws: Law | Law[] = 'whole-json',
): Mutant =>
  writing(name, says, laws, (written) => ({ ...written, body: Buffer.from(change(written.body) as Buffer) }));

const header = (
  name: string,
  says: string,
  field: [string, string],
  laws: Law | Law[] = 'encoding',
): Mutant => writing(name, says, laws, (written) => ({ ...written, headers: [...written.headers, field] }));

const onSuccess =
  (change: (written: Written) => Written): Change =>
  (written) =>
    written.status < 300 ? change(written) : written;

/** The headers say of the body what is not so. */
export const untrueHeaders: readonly Mutant[] = [
  typed('text-html', 'every body is called HTML', 'text/html'),
  typed('text-plain', 'every body is called plain text', 'text/plain; charset=utf-8'),
  typed('octet-stream', 'every body is called a stream of bytes', 'application/octet-stream'),
  typed('text-json', 'every body is called text/json', 'text/json'),
  typed('vendor-json', 'every body has a media type that is not documented', 'application/vnd.shop+json'),
  typed('garbled-type', 'the media type is no media type', 'json'),
  writing('problem-type', 'errors have a media type that is not documented', 'content-type', (written) =>
    written.status < 400 ? written : { ...written, headers: [['Content-Type', 'application/problem+json']] },
  ),
  writing('no-type', 'no answer has a media type', 'content-type', (written) => ({
    ...written,
    headers: [],
  })),
  writing('no-type-on-errors', 'errors have no media type', 'content-type', (written) =>
    written.status < 400 ? written : { ...written, headers: [] },
  ),
  writing('created-as-text', 'a created record is called plain text', 'content-type', (written) =>
    written.status === 201 ? { ...written, headers: [['Content-Type', 'text/plain']] } : written,
  ),
  writing('xml-list', 'only the list is XML', 'content-type', (written, { body }) =>
    Array.isArray(body)
      ? { ...written, headers: [['Content-Type', 'application/xml']], body: Buffer.from('<pets/>') }
      : written,
  ),
  header('gzip-untrue', 'a plain body is called gzip', ['Content-Encoding', 'gzip']),
  header('br-untrue', 'a plain body is called br', ['Content-Encoding', 'br']),
  header('unknown-encoding', 'the encoding of the body is none that exists', ['Content-Encoding', 'utf-8']),
  writing('gzip-unsaid', 'a body is gzip, and nothing says so', ['encoding', 'whole-json'], (written) => ({
    ...written,
    body: gzipSync(written.body),
  })),
  writing('gzip-cut', 'a body of gzip is cut off', 'encoding', (written) => ({
    ...written,
    headers: [...written.headers, ['Content-Encoding', 'gzip']],
    body: gzipSync(written.body).subarray(0, -6),
  })),
  writing(
    'gzip-twice',
    'a body is packed twice and called so once',
    ['encoding', 'whole-json'],
    (written) => ({
      ...written,
      headers: [...written.headers, ['Content-Encoding', 'gzip']],
      body: gzipSync(gzipSync(written.body)),
    }),
  ),
];

/** The body is not the JSON that it is called. */
export const untrueBodies: readonly Mutant[] = [
  bytes('cut', 'the last character is missing', (body) => body.subarray(0, -1)),
  bytes('half', 'half of the body is missing', (body) => body.subarray(0, body.length / 2)),
  bytes('mark', 'a byte-order mark stands before the JSON', (body) =>
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  ),
  bytes('guard', 'a guard against inclusion stands before the JSON', (body) => `)]}',\n${body}`),
  bytes('trailing-text', 'a remark follows the JSON', (body) => `${body}\n<!-- served in 3 ms -->`),
  bytes('twice', 'the body is sent twice', (body) => Buffer.concat([body, body])),
  bytes('trailing-comma', 'a comma stands before the last bracket', (body) =>
    body.toString().replace(/([\]}])$/, ',$1'),
  ),
  bytes('single-quotes', 'texts stand in single quotes', (body) => body.toString().replaceAll('"', "'")),
  bytes('comment', 'a comment stands in the JSON', (body) => `/* ok */ ${body}`),
  bytes('nan', 'an integer is written as NaN', (body) => body.toString().replace(/:\d+/, ':NaN')),
  bytes('callback', 'the JSON is wrapped in a call', (body) => `callback(${body})`),
  bytes('lines', 'records stand in lines of their own, without a list', (body) =>
    body.toString().startsWith('[') ? body.toString().slice(1, -1).replaceAll('},{', '}\n{') : body,
  ),
  bytes('empty', 'every body is empty', () => '', ['whole-json']),
  bytes(
    'latin-1',
    'bodies are Latin-1',
    (body) => Buffer.from(body.toString().replace(/[\u0100-\u{10ffff}]/gu, '?'), 'latin1'),
    ['encoding', 'created-equals-sent'],
  ),
  bytes('utf-16', 'bodies are UTF-16', (body) => Buffer.from(body.toString(), 'utf16le'), [
    'encoding',
    'whole-json',
  ]),
  bytes('control', 'a raw tab stands in a text', (body) => body.toString().replace(/:"/, ':"\t')),
  writing('cut-after-2000', 'long bodies are cut after 2000 bytes', 'whole-json', (written) => ({
    ...written,
    body: written.body.subarray(0, 2000),
  })),
  writing('created-cut', 'only the answer to a create is cut', 'whole-json', (written) =>
    written.status === 201 ? { ...written, body: written.body.subarray(0, -1) } : written,
  ),
  writing(
    'ids-as-doubles',
    'integers are written as fractions beyond 2^53',
    ['exact-integers', 'schema', 'created-equals-sent'],
    (written) => ({
      ...written,
      body: Buffer.from(
        written.body.toString().replace(/:(-?\d{16,})/g, (_, digits) => `:${Number(digits)}`),
      ),
    }),
  ),
  writing(
    'exponents',
    'large integers are written with an exponent, and lose digits',
    ['exact-integers', 'schema', 'created-equals-sent'],
    (written) => ({
      ...written,
      body: Buffer.from(
        written.body.toString().replace(/:(\d{16,})/g, (_, digits) => `:${Number(digits).toExponential(10)}`),
      ),
    }),
  ),
];

/** The status is not that of the answer. */
export const untrueStatuses: readonly Mutant[] = [
  writing(
    'all-200',
    'every status is 200',
    ['unauthorised-first', 'invalid-refused', 'unknown-id', 'status'],
    (written) => ({ ...written, status: 200 }),
  ),
  writing('created-redirect', 'a create is sent to another path by 307', 'status', (written, _answer, ask) =>
    ask.method === 'POST' && written.status === 201
      ? { status: 307, headers: [['Location', '/v1/pets/']], body: Buffer.alloc(0) }
      : written,
  ),
  writing('list-redirect', 'the list is sent to another path by 301', 'status', (written, _answer, ask) =>
    ask.path === '/pets' && ask.method === 'GET' && written.status === 200
      ? { status: 301, headers: [['Location', '/v1/pets/']], body: Buffer.alloc(0) }
      : written,
  ),
  writing('read-redirect', 'a record is sent to another path by 308', 'status', (written, _answer, ask) =>
    ask.path !== '/pets' && written.status === 200
      ? { status: 308, headers: [['Location', `/v2${ask.path}`]], body: Buffer.alloc(0) }
      : written,
  ),
  writing(
    'success-as-299',
    'a success has a status of its own',
    'status',
    onSuccess((written) => ({ ...written, status: 299 })),
  ),
  faultyShop(
    'wire-every-tenth-500',
    'every tenth answer is a 500',
    [
      'status',
      'unauthorised-first',
      'invalid-refused',
      'unknown-id',
      'created-can-be-read',
      'invalid-tolerated',
    ],
    () => {
      let count = 0;
      return {
        answer: async (ask, shop) =>
          ++count % 10 === 0 ? shop.does.refuse(500, 'x') : correct.answer(ask, shop),
      };
    },
  ),
  faultyShop(
    'wire-every-25th-500',
    'every 25th answer is a 500',
    [
      'status',
      'unauthorised-first',
      'invalid-refused',
      'unknown-id',
      'created-can-be-read',
      'invalid-tolerated',
    ],
    () => {
      let count = 0;
      return {
        answer: async (ask, shop) =>
          ++count % 25 === 0 ? shop.does.refuse(500, 'x') : correct.answer(ask, shop),
      };
    },
  ),
  faultyShop('wire-every-15th-cut', 'every 15th body is cut', 'whole-json', () => {
    let count = 0;
    return {
      write(answer, ask) {
        const written = correct.write(answer, ask);
        return ++count % 15 === 0 ? { ...written, body: written.body.subarray(0, -2) } : written;
      },
    };
  }),
];

const sending = (
  name: string,
  says: string,
  laws: Law[],
  send: Behaviour['send'],
  exitCode: 1 | 3 | 4 = 1,
  options = {},
): Mutant => faultyShop(`wire-${name}`, says, laws, () => ({ send }), { exitCode, options });

/** The connection itself. What never gives a whole answer cannot be judged: no verdict, or an incomplete one. */
export const brokenConnections: readonly Mutant[] = [
  sending(
    'length-too-small',
    'the length is ten bytes too small',
    ['whole-json'],
    ({ status, headers, body }, { socket }) => {
      const lines = [...headers, ['Content-Length', String(body.length - 10)], ['Connection', 'close']].map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket?.end(
        Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), body.subarray(0, -10)]),
      );
    },
  ),
  sending(
    'length-too-great',
    'the length is ten bytes too great, and the connection ends',
    [],
    ({ status, headers, body }, { socket }) => {
      const lines = [...headers, ['Content-Length', String(body.length + 10)]].map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket?.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), body]));
    },
    3,
    { retries: 1 },
  ),
  sending(
    'hangs-up',
    'every connection ends without an answer',
    [],
    (_written, { socket }) => void socket?.destroy(),
    3,
    { retries: 1 },
  ),
  faultyShop(
    'wire-create-hangs-up',
    'the connection ends at each create',
    [],
    () => ({
      send: (written, response, ask) =>
        ask.method === 'POST' && written.status === 201
          ? void response.socket?.destroy()
          : correct.send(written, response, ask),
    }),
    { exitCode: 4, options: { retries: 1 } },
  ),
  faultyShop(
    'wire-read-503',
    'one operation always answers 503',
    [],
    () => ({
      read: () => ({ status: 503, body: { code: 'x', message: 'x', status: 503 } }),
    }),
    { exitCode: 4, options: { retries: 1 } },
  ),
  faultyShop(
    'wire-all-503',
    'all operations always answer 503',
    [],
    () => ({
      answer: async (_ask, { does }) => does.refuse(503, 'x'),
    }),
    { exitCode: 3, options: { retries: 1 } },
  ),
  faultyShop('wire-key-refused', 'no key is good', [], () => ({ isKey: () => false }), { exitCode: 3 }),
  faultyShop('wire-not-found', 'no documented path exists', ['status', 'unauthorised-first'], () => ({
    answer: async (_ask, { does }) => does.refuse(404, 'x'),
  })),
  faultyShop(
    'wire-xml',
    'every answer is XML',
    [],
    () => ({
      write: ({ status }) => ({
        status,
        headers: [['Content-Type', 'application/xml']],
        body: Buffer.from('<answer/>'),
      }),
    }),
    { exitCode: 3 },
  ),
];
