import { gzipSync } from 'node:zlib';
import type { Answer, Behaviour, Shop, Written } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { mockOf, response } from '../mock-faults.ts';
import { every } from '../record-changes.ts';
import {
  addHeaders,
  bytes,
  error,
  mediaType,
  petStore,
  type ShopFault,
  wire,
  wireIf,
} from '../shop-faults.ts';
import { lookalikes, mutants, named, product, using } from '../suspect.ts';

const UNREADABLE = ['encoding', 'whole-json'] as const;
const isSuccess = (status: number) => status < 300;
const isError = (status: number) => status >= 400;
const TYPES = ['text/html', 'garbled', 'application/vnd.shop+json', 'application/json, text/html'];
const ERROR_TYPES = ['text/plain; charset=utf-8', 'application/problem+json'];
const encoded = (coding: string, pack: (body: Buffer) => Buffer) =>
  wire(({ headers, body }) => ({ headers: [...headers, ['Content-Encoding', coding]], body: pack(body) }));

const wrongMediaTypes = [
  ...product(named(TYPES), 'content-type', [['wire', using(petStore, (type) => wire(mediaType(type)))]]),
  ...product(named(ERROR_TYPES), 'content-type', [
    ['wire-errors', using(petStore, (type) => wireIf(isError, mediaType(type)))],
  ]),
  ...mutants('wire', petStore, 'content-type', {
    'no-type-on-errors': ['errors have no media type', wireIf(isError, { headers: [] })],
  }),
  ...mutants('wire', petStore, 'encoding', {
    'gzip-untrue': ['a plain body is labelled gzip', addHeaders(['Content-Encoding', 'gzip'])],
    'gzip-unsaid': ['a gzip body is not labelled', UNREADABLE, bytes((body) => gzipSync(body))],
    'gzip-cut': ['a gzip body is truncated', encoded('gzip', (body) => gzipSync(body).subarray(0, -6))],
  }),
];

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const DOUBLES = ['exact-integers', 'schema', 'created-equals-sent'] as const;
const inLatin1 = (text: string) => Buffer.from(text.replace(/[\u0100-\u{10ffff}]/gu, '?'), 'latin1');
const asDoubles = bytes((_, text) => text.replace(/:(-?\d{16,})/g, (_match, digits) => `:${Number(digits)}`));
/** The body is not the JSON that its headers announce. */
const wrongBodies = mutants('wire', petStore, 'whole-json', {
  cut: ['the last character is missing', bytes((body) => body.subarray(0, -1))],
  mark: ['a byte-order mark precedes the JSON', bytes((body) => Buffer.concat([BOM, body]))],
  twice: ['the body is sent twice', bytes((_, text) => text + text)],
  'trailing-comma': ['the JSON has a trailing comma', bytes((_, text) => text.replace(/([\]}])$/, ',$1'))],
  empty: ['every body is empty', bytes(() => '')],
  'latin-1': ['bodies are Latin-1', ['encoding', 'created-equals-sent'], bytes((_, text) => inLatin1(text))],
  'ids-as-doubles': ['integers beyond 2^53 are written as doubles', DOUBLES, asDoubles],
});

/** Every nth request gets this response, if any. */
const sometimes =
  (turns: number, respond: (method: string) => Answer | false): ShopFault =>
  () => {
    const isTurn = every(turns);
    return { answer: async (ask, shop) => (isTurn() && respond(ask.method)) || correct.answer(ask, shop) };
  };
const REFUSALS = ['status', 'unauthorised-first', 'invalid-refused', 'unknown-id'] as const;
const ANY = [...REFUSALS, 'created-can-be-read', 'invalid-tolerated'] as const;

/** Writes a raw response, and closes the connection. */
const sendRaw =
  (version: string, more: (written: Written) => Written['headers']): Behaviour['send'] =>
  (written, response) => {
    const { headers, body, status } = written;
    const lines = [...headers, ...more(written)].map(([name, value]) => `${name}: ${value}\r\n`);
    const head = Buffer.from(`HTTP/${version} ${status} Said\r\n${lines.join('')}\r\n`);
    response.socket?.end(Buffer.concat([head, body]));
  };
const ownLength =
  (difference = 0) =>
  ({ body }: Written) =>
    [['Content-Length', String(body.length + difference)]] as const;
const hangUp: Behaviour['send'] = (_written, { socket }) => void socket?.destroy();
const hangUpOnCreate: Behaviour['send'] = (written, response, ask) =>
  (written.status === 201 ? hangUp : correct.send)(written, response, ask);
const always = (status: number): ShopFault => ({
  answer: async (_ask, { does }) => does.refuse(status, 'x'),
});

const dropped = response('read', () => ({ status: 0, type: undefined, body: '', fault: 'drop' }));

/** If no operation gives a complete response, there is no verdict; if some do not, the run is incomplete. */
const wrongResponses = [
  ...mutants('warehouse', mockOf('warehouse.yaml'), 'answered', {
    'read-hangs-up': ['the connection of each read of a record is closed', dropped],
  }),
  ...mutants('wire', petStore, 'status', {
    'success-as-299': ['the status of a success is 299', wireIf(isSuccess, { status: 299 })],
    'every-25th-500': ['every 25th response is 500', ANY, sometimes(25, () => error(500))],
  }),
  ...mutants('wire', { ...petStore, options: { retries: 1 } }, 3, {
    'length-too-great': ['the Content-Length is 10 too great', { send: sendRaw('1.1', ownLength(10)) }],
    'hangs-up': ['every connection ends without a response', { send: hangUp }],
    'all-503': ['every operation always gets 503', always(503)],
    'create-hangs-up': ['the connection ends at each create', 'answered', { send: hangUpOnCreate }],
    'read-503': ['one operation always gets 503', 4, { read: () => error(503) }],
  }),
  ...mutants('wire', petStore, 3, {
    'key-refused': ['every key is refused', { isKey: () => false }],
    'not-found': ['no documented path exists', always(404)],
  }),
];

const everyType = (type: string) => wire(mediaType(type));
const cookies = ['a=1', 'b=2'].map((one) => ['Set-Cookie', one] as const);
const moreHeaders = addHeaders(...cookies, ['ETag', '"x"'], ['X-Padding', 'x'.repeat(20_000)]);
const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const withFractions = bytes((_, text) => text.replace(/:(\d{1,9})([,}])/g, ':$1.0$2'));
/** The same JSON in other bytes, with other headers. */
const otherBytes = lookalikes('other', petStore, {
  'charset-quoted': ['the media type has a quoted charset', everyType('application/json;charset="UTF-8"')],
  headers: ['there are many headers, some long, some repeated', moreHeaders],
  gzip: ['every body is encoded with gzip, unrequested', encoded('gzip', gzipSync)],
  escaped: ['JSON is ASCII with escapes', bytes((_, text) => text.replace(/[^\x20-\x7e]/g, escapeUnit))],
  'integers-with-fraction': ['small integers are written as 7.0', withFractions],
});

const sendChunks: Behaviour['send'] = ({ status, headers, body }, response) => {
  response.writeHead(status, headers.flat());
  for (let at = 0; at < body.length; at += 100) response.write(body.subarray(at, at + 100));
  response.end();
};
const hintFirst: Behaviour['send'] = (written, response, ask) => {
  response.writeEarlyHints({ link: '</v1/pets>; rel=preload' });
  return correct.send(written, response, ask);
};
const sending = using(petStore, (send: Behaviour['send']) => ({ send }));

/** The same responses over another kind of connection. */
const otherConnections = lookalikes('other', sending, {
  'close-unsaid': ['each response closes its connection unannounced', sendRaw('1.1', ownLength())],
  'http-1-0': ['responses are HTTP/1.0 without a Content-Length', sendRaw('1.0', () => [])],
  chunked: ['responses are chunked', sendChunks],
  'early-hints': ['a 103 precedes each response', hintFirst],
});

const html = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: 'Bad Gateway',
});
const slowDown: Answer = { ...error(429), headers: { 'Retry-After': '1' } };
/** Every other read returns the state of 0.7 seconds ago; the suite waits longer than that. */
const replicas: ShopFault = () => {
  const isStale = every(2);
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
const otherEnvironments = lookalikes('other', petStore, {
  '429-after': ['some requests get 429, with Retry-After', sometimes(60, () => slowDown)],
  '502-on-reads': ['some reads get 502', sometimes(20, (method) => method === 'GET' && html(502))],
  replicas: ['every other read lags behind', replicas],
});

export const wires = {
  'bytes and connections': [
    [...wrongMediaTypes, ...wrongBodies, ...wrongResponses],
    [...otherBytes, ...otherConnections, ...otherEnvironments],
  ],
} as const;
