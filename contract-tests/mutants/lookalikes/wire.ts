import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Answer, Behaviour, Written } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { writeJson } from '../by-hand/exact-json.ts';
import type { Pet } from '../by-hand/pet.ts';
import { type Lookalike, otherShop } from '../suspect.ts';

const written = (name: string, says: string, change: (as: Written, answer: Answer) => Written): Lookalike =>
  otherShop(`other-${name}`, says, () => ({
    write: (answer, ask) => change(correct.write(answer, ask), answer),
  }));

const typed = (name: string, says: string, type: string): Lookalike =>
  written(name, says, (as) => ({ ...as, headers: [['Content-Type', type]] }));

const text = (name: string, says: string, change: (body: string, value: unknown) => string): Lookalike =>
  written(name, says, (as, { body }) => ({ ...as, body: Buffer.from(change(as.body.toString(), body)) }));

const packed = (coding: string, pack: (body: Buffer) => Buffer): Lookalike =>
  written(coding, `every body is packed with ${coding}, though nobody asked`, (as) => ({
    ...as,
    headers: [...as.headers, ['Content-Encoding', coding]],
    body: pack(as.body),
  }));

const HEADERS = [
  ['Set-Cookie', 'a=1'],
  ['Set-Cookie', 'b=2'],
  ['ETag', '"x"'],
  ['X-Padding', 'x'.repeat(20_000)],
  ['X-RateLimit-Remaining', '17'],
] as const;

/** The same JSON in other bytes, under headers that are as true. */
export const otherBytes: readonly Lookalike[] = [
  typed('charset', 'the media type has a charset', 'application/json; charset=utf-8'),
  typed(
    'charset-quoted',
    'the media type has a charset in quotes, and no space',
    'application/json;charset="UTF-8"',
  ),
  typed('type-case', 'the media type is written Application/JSON', 'Application/JSON'),
  packed('gzip', gzipSync),
  packed('br', brotliCompressSync),
  packed('deflate', deflateSync),
  written('identity', 'the encoding is called identity', (as) => ({
    ...as,
    headers: [...as.headers, ['Content-Encoding', 'identity']],
  })),
  written('headers', 'there are many headers, some long, some twice', (as) => ({
    ...as,
    headers: [...as.headers, ...HEADERS],
  })),
  written('lower-case-headers', 'the names of headers are in lower case', (as) => ({
    ...as,
    headers: as.headers.map(([name, value]) => [name.toLowerCase(), value] as const),
  })),
  text('pretty', 'JSON is indented', (_, value) => `\n${writeJson(value, 2)}\n`),
  text('escaped', 'what is not ASCII is escaped in JSON', (body) =>
    body.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ),
  text('slashes-escaped', 'slashes are escaped in JSON', (body) => body.replaceAll('/', '\\/')),
  text('integers-with-fraction', 'small integers are written as 7.0', (body) =>
    body.replace(/:(\d{1,9})([,}])/g, ':$1.0$2'),
  ),
];

const sending = (name: string, says: string, send: Behaviour['send']): Lookalike =>
  otherShop(`other-${name}`, says, () => ({ send }));

/** The same answers over another connection. */
export const otherConnections: readonly Lookalike[] = [
  sending('close', 'each answer ends its connection', (as, response, ask) => {
    response.setHeader('Connection', 'close');
    response.shouldKeepAlive = false;
    return correct.send({ ...as, headers: [...as.headers, ['Connection', 'close']] }, response, ask);
  }),
  sending(
    'close-unsaid',
    'the connection ends after each answer, and nothing says so',
    ({ status, headers, body }, response) => {
      const head = [...headers, ['Content-Length', body.length]]
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      response.socket?.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Said\r\n${head}\r\n`), body]));
    },
  ),
  sending('http-1-0', 'answers are HTTP/1.0 without a length', ({ status, headers, body }, { socket }) => {
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket?.end(Buffer.concat([Buffer.from(`HTTP/1.0 ${status} Said\r\n${head}\r\n`), body]));
  }),
  sending('chunked', 'answers come in chunks', ({ status, headers, body }, response) => {
    response.writeHead(status, headers.flat());
    for (let at = 0; at < body.length; at += 100) response.write(body.subarray(at, at + 100));
    response.end();
  }),
  sending('early-hints', 'a 103 comes before each answer', (as, response, ask) => {
    response.writeEarlyHints({ link: '</v1/pets>; rel=preload' });
    return correct.send(as, response, ask);
  }),
  sending('slow', 'each answer takes 50 to 150 ms', async (as, response, ask) => {
    await sleep(50 + Math.random() * 100);
    return correct.send(as, response, ask);
  }),
];

/** Answers of the environment, now and then. */
const passing = (
  name: string,
  says: string,
  every: number,
  answer: (method: string) => Answer | undefined,
): Lookalike =>
  otherShop(`other-${name}`, says, () => {
    let count = 0;
    return {
      answer: async (ask, there) =>
        (++count % every === 0 ? answer(ask.method) : undefined) ?? correct.answer(ask, there),
    };
  });

const html = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: 'Bad Gateway',
});

/** How long a replica lags behind, in milliseconds; the suite waits for longer. */
const LAG = 700;

/** Reads that see what was there a while ago. */
function lagging(stale: () => boolean): Partial<Behaviour> {
  const since = new Map<Pet, number>();
  const seen = (pets: readonly Pet[]) => pets.filter((pet) => Date.now() - (since.get(pet) ?? 0) > LAG);
  return {
    keep(there, pet) {
      since.set(pet, Date.now());
      correct.keep(there, pet);
    },
    list: (ask, there) => correct.list(ask, stale() ? { ...there, pets: seen(there.pets) } : there),
    find: (there, id) => correct.find(stale() ? { ...there, pets: seen(there.pets) } : there, id),
  };
}

/** A staging as it is. */
export const otherEnvironments: readonly Lookalike[] = [
  passing('429-after', 'now and then 429, with the seconds to wait', 60, () => ({
    status: 429,
    headers: { 'Retry-After': '1' },
    body: { code: 'slow', message: 'slow down', status: 429 },
  })),
  passing('429', 'now and then 429, with nothing more', 25, () => ({ status: 429 })),
  passing('502-on-reads', 'now and then 502 from the edge, on reads', 20, (method) =>
    method === 'GET' ? html(502) : undefined,
  ),
  passing('503-on-all', 'now and then 503 from the edge, on any request', 30, () => html(503)),
  otherShop('other-warming-up', 'the first ten answers are 503', () => {
    let count = 0;
    return {
      answer: async (ask, there) =>
        ++count <= 5 ? there.does.refuse(503, 'not yet') : correct.answer(ask, there),
    };
  }),
  otherShop('other-replica-lag', 'reads see what was there 0.7 seconds ago', () => lagging(() => true)),
  otherShop('other-replicas', 'every other read sees what was there 0.7 seconds ago', () => {
    let count = 0;
    return lagging(() => ++count % 2 === 0);
  }),
];
