import fc from 'fast-check';

/** An exchange as bytes (a character each), with what a proxy must make of it. */
export interface FuzzedExchange {
  readonly request: string;
  readonly response: string;
  /** What the target must get; `HOST` stands where its host and port do. */
  readonly forwarded: string;
  /** What the client must get. */
  readonly returned: string;
  /** Where the bytes are split on the way. */
  readonly cuts: readonly number[];
}

interface Line {
  readonly text: string;
  /** What is sent on; undefined: as it came; empty: nothing. */
  readonly onward?: string;
}

const NAMES = [
  'X-Trace',
  'x-trace',
  'ACCEPT',
  'Cookie',
  'set-cookie',
  'Set-Cookie',
  'ETag',
  'X-1.2~3',
  'Via',
];
const VALUES = ['', 'a', 'a, b', '"quoted \\" text"', '\xe4\xf6\xfc', 'x'.repeat(3000), 'k=v; Path=/', '\tb'];
const STATUSES = [
  '200 OK',
  '201 Created',
  '404 ',
  '299 A phrase: with (signs)',
  '500 Internal',
  '302 Found',
  '418',
];
const METHODS = 'GET POST PUT PATCH DELETE OPTIONS PROPFIND QUERY M-SEARCH get !#$%'.split(' ');
const TARGETS = [
  '/',
  '/v1/pets?limit=2',
  '/a%20b?q=%00&&=',
  '//x',
  '/~s/..',
  '/?a=b?c',
  '/\xe9',
  `/${'p'.repeat(2000)}`,
];

const field = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom(': ', ':', ': \t '),
    fc.constantFrom(...VALUES),
    fc.constantFrom('', ' '),
  )
  .map(([name, colon, value, end]): Line => ({ text: name + colon + value + end }));

/** Fields of one connection only, and what is left of them. */
const hopByHop = fc.constantFrom<readonly Line[]>(
  [],
  [],
  [{ text: 'Connection: keep-alive' }],
  [{ text: 'connection: Keep-Alive' }, { text: 'Keep-Alive: timeout=5' }],
  [{ text: 'Keep-Alive: timeout=5', onward: '' }],
  [{ text: 'Proxy-Connection: keep-alive', onward: '' }],
  [
    { text: 'Connection: X-Hop', onward: '' },
    { text: 'x-hop: 1', onward: '' },
  ],
  [
    { text: 'Connection: x-hop,  TE', onward: 'Connection: TE' },
    { text: 'TE: trailers' },
    { text: 'X-Hop:', onward: '' },
  ],
  [{ text: 'TE: trailers', onward: '' }],
  [{ text: 'Upgrade: h2c', onward: '' }],
  // No option takes away what delimits the message.
  [{ text: 'Connection: content-length, transfer-encoding, host', onward: '' }],
);

const content = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.integer({ min: 60_000, max: 70_000 }).map((length) => 'z'.repeat(length)),
);

const chunks = fc
  .tuple(
    fc.array(fc.tuple(content, fc.constantFrom('', ';a=b', ' ;name="v;w"')), { maxLength: 4 }),
    fc.constantFrom('', '', 'X-Sum: 1\r\n', 'x-a: 1\r\nX-B:\r\n'),
    fc.constantFrom('0', '000', '0;last'),
  )
  .map(([parts, trailer, last]) => {
    const all = parts.filter(([text]) => text !== '');
    const text = all.map(([part, extension], at) => {
      const size = part.length.toString(16);
      return `${at % 2 ? size.toUpperCase() : `0${size}`}${extension}\r\n${part}\r\n`;
    });
    return `${text.join('')}${last}\r\n${trailer}\r\n`;
  });

/** A body with the lines that delimit it. */
const body = fc.oneof(
  content.map((text) => ({ lines: [{ text: `Content-Length: ${text.length}` }], text })),
  chunks.map((text) => ({ lines: [{ text: 'Transfer-Encoding: chunked' }], text })),
  chunks.map((text) => ({ lines: [{ text: 'transfer-encoding: gzip, Chunked' }], text })),
);

const NONE = { lines: [], text: '' };

const order = fc.nat({ max: 1000 });

/** Lines in some order, those of one name in their own. */
function shuffled(lines: readonly Line[], by: number): readonly Line[] {
  const at = lines.length === 0 ? 0 : by % lines.length;
  return [...lines.slice(at), ...lines.slice(0, at)];
}

function message(first: string, lines: readonly Line[], text: string) {
  const head = (all: readonly string[]) => `${[first, ...all].join('\r\n')}\r\n\r\n${text}`;
  return {
    sent: head(lines.map((line) => line.text)),
    onward: head(lines.map((line) => line.onward ?? line.text).filter((line) => line !== '')),
  };
}

const request = fc
  .tuple(
    fc.constantFrom(...METHODS),
    fc.constantFrom(...TARGETS),
    fc.array(field, { maxLength: 5 }),
    hopByHop,
    fc.option(body, { nil: NONE }),
    order,
  )
  .map(([method, target, fields, hop, sent, by]) => {
    const host: Line = { text: 'hOst: proxy.example:1', onward: 'hOst: HOST' };
    const lines = shuffled([host, ...fields, ...hop, ...sent.lines], by);
    return { method, ...message(`${method} ${target} HTTP/1.1`, lines, sent.text) };
  });

const interim = fc.constantFrom(
  '',
  '',
  '',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
);

const response = fc
  .tuple(fc.constantFrom(...STATUSES), fc.array(field, { maxLength: 6 }), hopByHop, body, order, interim)
  .map(([status, fields, hop, sent, by, before]) => {
    const lines = shuffled([...fields, ...hop, ...sent.lines], by);
    const { sent: text, onward } = message(`HTTP/1.1 ${status}`, lines, sent.text);
    return { text: before + text, onward: before + onward };
  });

/** Responses that have no body, whatever they say of its length. */
const bodiless = fc
  .tuple(
    fc.constantFrom('204 No Content', '304 Not Modified'),
    fc.array(field, { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([status, fields, hasLength]) => {
    const lines =
      hasLength && status.startsWith('304') ? [...fields, { text: 'Content-Length: 17' }] : fields;
    const { sent, onward } = message(`HTTP/1.1 ${status}`, lines, '');
    return { text: sent, onward };
  });

/** To HEAD, with the length that a body would have. */
const toHead = fc
  .tuple(
    fc.constantFrom(...TARGETS),
    fc.array(field, { maxLength: 3 }),
    fc.constantFrom('Content-Length: 9', 'Transfer-Encoding: chunked'),
  )
  .map(([target, fields, length]) => {
    const asked = message(
      `HEAD ${target} HTTP/1.1`,
      [{ text: 'Host: a', onward: 'Host: HOST' }, ...fields],
      '',
    );
    const { sent, onward } = message('HTTP/1.1 200 OK', [...fields, { text: length }], '');
    return { asked, answered: { text: sent, onward } };
  });

const usual = fc
  .tuple(request, fc.oneof({ weight: 5, arbitrary: response }, { weight: 1, arbitrary: bodiless }))
  .map(([asked, answered]) => ({ asked, answered }));

/** Exchanges of every form that HTTP/1.1 has, hop-by-hop fields among them. */
export const exchanges: fc.Arbitrary<FuzzedExchange> = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: toHead }),
    fc.array(fc.nat({ max: 400 }), { maxLength: 5 }),
  )
  .map(([{ asked, answered }, cuts]) => ({
    request: asked.sent,
    forwarded: asked.onward,
    response: answered.text,
    returned: answered.onward,
    cuts,
  }));
