import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Answer, Behaviour, Shop, Written } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { writeJson } from '../by-hand/exact-json.ts';
import type { Pet } from '../by-hand/pet.ts';
import { every } from '../record-changes.ts';
import { addHeaders, bytes, mediaType, petStore, type ShopFault, wire } from '../shop-faults.ts';
import { lookalikes, using } from '../suspect.ts';

const encode = (coding: string, pack: (body: Buffer) => Buffer): ShopFault =>
  wire(({ headers, body }) => ({ headers: [...headers, ['Content-Encoding', coding]], body: pack(body) }));
const everyType = (type: string) => wire(mediaType(type));
const moreHeaders = addHeaders(
  ['Set-Cookie', 'a=1'],
  ['Set-Cookie', 'b=2'],
  ['ETag', '"x"'],
  ['X-Padding', 'x'.repeat(20_000)],
);
const lowerCaseHeaders = wire(({ headers }) => ({
  headers: headers.map(([name, value]) => [name.toLowerCase(), value]),
}));
const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const withFractions = bytes((_, text) => text.replace(/:(\d{1,9})([,}])/g, ':$1.0$2'));
const indent = wire((_, { body }) => ({ body: Buffer.from(`\n${writeJson(body, 2)}\n`) }));

/** The same JSON in other bytes, with other headers. */
const otherBytes = lookalikes('other', petStore, [
  ['charset', 'the media type has a charset', everyType('application/json; charset=utf-8')],
  ['charset-quoted', 'the media type has a quoted charset', everyType('application/json;charset="UTF-8"')],
  ['type-case', 'the media type is written Application/JSON', everyType('Application/JSON')],
  ['headers', 'there are many headers, some long, some repeated', moreHeaders],
  ['lower-case-headers', 'header names are in lower case', lowerCaseHeaders],
  ['identity', 'the content coding is identity', addHeaders(['Content-Encoding', 'identity'])],
  ['gzip', 'every body is encoded with gzip, unrequested', encode('gzip', gzipSync)],
  ['br', 'every body is encoded with br, unrequested', encode('br', brotliCompressSync)],
  ['deflate', 'every body is encoded with deflate, unrequested', encode('deflate', deflateSync)],
  ['pretty', 'JSON is indented', indent],
  ['escaped', 'JSON is ASCII with escapes', bytes((_, text) => text.replace(/[^\x20-\x7e]/g, escapeUnit))],
  ['slashes-escaped', 'slashes are escaped in JSON', bytes((_, text) => text.replaceAll('/', '\\/'))],
  ['integers-with-fraction', 'small integers are written as 7.0', withFractions],
]);

const close: Behaviour['send'] = (written, response, ask) => {
  response.shouldKeepAlive = false;
  return correct.send({ ...written, headers: [...written.headers, ['Connection', 'close']] }, response, ask);
};

/** Writes a response by hand, and ends the connection. */
const sendRaw =
  (version: string, more: (written: Written) => Written['headers']): Behaviour['send'] =>
  (written, response) => {
    const lines = [...written.headers, ...more(written)].map(([name, value]) => `${name}: ${value}\r\n`);
    const head = Buffer.from(`HTTP/${version} ${written.status} Said\r\n${lines.join('')}\r\n`);
    response.socket?.end(Buffer.concat([head, written.body]));
  };
const contentLength = ({ body }: Written) => [['Content-Length', String(body.length)]] as const;

const sendChunks: Behaviour['send'] = ({ status, headers, body }, response) => {
  response.writeHead(status, headers.flat());
  for (let at = 0; at < body.length; at += 100) response.write(body.subarray(at, at + 100));
  response.end();
};
const hintFirst: Behaviour['send'] = (written, response, ask) => {
  response.writeEarlyHints({ link: '</v1/pets>; rel=preload' });
  return correct.send(written, response, ask);
};
const sendLate: Behaviour['send'] = async (written, response, ask) => {
  await sleep(50 + Math.random() * 100);
  return correct.send(written, response, ask);
};

/** The same responses over another connection. */
const otherConnections = lookalikes(
  'other',
  using(petStore, (send: Behaviour['send']) => ({ send })),
  [
    ['close', 'each response closes its connection', close],
    ['close-unsaid', 'each response closes its connection unannounced', sendRaw('1.1', contentLength)],
    ['http-1-0', 'responses are HTTP/1.0 without a Content-Length', sendRaw('1.0', () => [])],
    ['chunked', 'responses are chunked', sendChunks],
    ['early-hints', 'a 103 precedes each response', hintFirst],
    ['slow', 'each response takes 50 to 150 ms', sendLate],
  ],
);

/** Every nth request gets this response of the environment, if any. */
const sometimes =
  (turns: number, respond: (method: string) => Answer | false): ShopFault =>
  () => {
    const isTurn = every(turns);
    return {
      answer: async (ask, shop) => (isTurn() && respond(ask.method)) || correct.answer(ask, shop),
    };
  };
const warmUp: ShopFault = () => {
  let count = 0;
  return { answer: async (ask, shop) => (++count <= 5 ? html(503) : correct.answer(ask, shop)) };
};

const html = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: 'Bad Gateway',
});
const slowDown: Answer = {
  status: 429,
  headers: { 'Retry-After': '1' },
  body: { code: 'slow', message: 'slow down', status: 429 },
};

/** Reads see what was there 0.7 seconds ago; the suite waits for longer. */
const lag =
  (makeIsStale: () => () => boolean): ShopFault =>
  () => {
    const isStale = makeIsStale();
    const since = new Map<Pet, number>();
    const isSeen = (pet: Pet) => Date.now() - (since.get(pet) ?? 0) > 700;
    const seen = (shop: Shop) => (isStale() ? { ...shop, pets: shop.pets.filter(isSeen) } : shop);
    return {
      keep(shop, pet) {
        since.set(pet, Date.now());
        correct.keep(shop, pet);
      },
      list: (ask, shop) => correct.list(ask, seen(shop)),
      find: (shop, id) => correct.find(seen(shop), id),
    };
  };

/** The environment of a service responds in its place, or lags behind. */
const otherEnvironments = lookalikes('other', petStore, [
  ['429-after', 'some requests get 429, with Retry-After', sometimes(60, () => slowDown)],
  ['429', 'some requests get 429, with nothing more', sometimes(25, () => ({ status: 429 }))],
  ['502-on-reads', 'some reads get 502', sometimes(20, (method) => method === 'GET' && html(502))],
  ['503-on-all', 'some requests get 503', sometimes(30, () => html(503))],
  ['warming-up', 'the first five responses are 503', warmUp],
  ['replica-lag', 'reads lag behind', lag(() => () => true)],
  ['replicas', 'every other read lags behind', lag(() => every(2))],
]);

export const wireLookalikes = [...otherBytes, ...otherConnections, ...otherEnvironments];
