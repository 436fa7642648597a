import { fileURLToPath } from 'node:url';
import { isRecord, parseJson, stringifyJson } from '#spec';
import {
  changingStream,
  guarding,
  type MockFault,
  mockOf,
  onMessages,
  reading,
  refuseIf,
  replying,
  response,
  skipValidation,
  storedMember,
  takeAnyMediaType,
  writing,
} from '../mock-faults.ts';
import { type Data, without } from '../record-changes.ts';
import { lookalikes, mutants, only, using } from '../suspect.ts';

const dispatches = mockOf('dispatches.yaml');
/** A body of a type that the suite cannot write, and the mock cannot read. */
const MANIFEST = fileURLToPath(new URL('../../../fixtures/bodies/manifest.yaml', import.meta.url));

/** Changes the body of creates, replacements and updates before anything else reads it. */
const read = (change: (body: Data) => Data): MockFault =>
  reading((read) => (raw) => {
    const values = read(raw);
    return isRecord(values.body) ? { ...values, body: change(values.body) } : values;
  });
/** Accepts bodies with only this violation. */
const accepts = (isTaken: (violation: { pointer: string; kind: string; keyword: string }) => boolean) =>
  skipValidation(['POST', 'PUT', 'PATCH'], ({ violations }) => violations.every(isTaken));

const SENT = ['created-equals-sent', 'replaced-is-replaced', 'merged-is-merged', 'status'] as const;
const otherMotto = replying('text/plain', () => ({ body: 'no motto' }));

const formsMutants = [
  ...mutants('form', using(dispatches, read), SENT, {
    'no-brackets': ['fields with brackets are left out', without('address')],
  }),
  ...mutants('accepts', using(dispatches, accepts), 'invalid-refused', {
    'form-required': ['a form may lack required fields', ({ keyword }) => keyword === 'required'],
    'parts-json': ['a part of JSON is not validated', ({ pointer }) => pointer.startsWith('/sender/')],
    text: ['a text of any length is taken', ({ pointer }) => pointer === ''],
  }),
  ...mutants('dispatches', dispatches, 'schema', {
    'json-as-text': ['a part of JSON is stored as text', storedMember('sender', stringifyJson)],
    'other-motto': ['a text breaks its pattern', otherMotto],
  }),
];

/** A body of another media type is read as a form all the same. */
const FORM = 'application/x-www-form-urlencoded';
const takeAsForm = takeAnyMediaType((type) => type === FORM);

/** Shows a URL for the file of a paper, which the client has sent as bytes. */
const showUrl = response('create', (reply) => {
  const record = parseJson(String(reply.body)) as Data;
  if (!('pages' in record || 'title' in record)) return reply;
  return { ...reply, body: stringifyJson({ ...record, scan: `https://files.example/${record.id}` }) };
});

/** Some frameworks treat an empty field as a missing one. */
const emptyIsAbsent = reading((read) => (raw) => {
  if (!raw.body || !String(raw.headers['content-type']).startsWith(FORM)) return read(raw);
  const pairs = Buffer.from(raw.body).toString().split('&');
  return read({ ...raw, body: Buffer.from(pairs.filter((pair) => !pair.endsWith('=')).join('&')) });
});

/** Other services read YAML. */
const takeYaml = reading((read, { body }) => {
  const isYaml = body?.content.some(({ type }) => type === 'application/yaml');
  return isYaml ? (raw) => ({ ...read(raw), violations: [] }) : read;
});

/** A service may disregard what a client accepts (RFC 9110 §12.5.1). */
const oneType = guarding((guard) => (request) => {
  Reflect.deleteProperty(request.headers, 'accept');
  return guard(request);
});
const refuseTables = refuseIf(
  'list',
  (_, { request }) => request.headers.accept === 'text/csv',
  'not acceptable',
);
const examplesTaken = refuseIf('create', ({ email }) => /@kennels\.example$/.test(String(email)), 'conflict');

/** What documents leave open about media types of requests and responses, and about their own examples. */
const formsLookalikes = [
  ...lookalikes(
    'dispatches',
    { ...dispatches, options: { exclude: ['sendManifest'] } },
    {
      'any-media-type': ['the media type of a form is ignored', takeAsForm],
      'file-as-url': ['a paper shows where its file is', showUrl],
      'empty-is-absent': ['an empty field of a form counts as none', emptyIsAbsent],
    },
  ),
  ...lookalikes(
    'dispatches',
    { ...dispatches, options: { bodies: { sendManifest: MANIFEST } } },
    {
      yaml: ['YAML is taken', takeYaml],
    },
  ),
  ...lookalikes('kennels', mockOf('kennels.yaml'), {
    'one-type': ['whatever a client accepts, it gets JSON', oneType],
    'no-tables': ['who accepts text/csv alone gets 406', refuseTables],
    'examples-taken': ['the owners of the examples are there already', examplesTaken],
  }),
];

// Faults in reading and writing XML, and in the parts of records that only XML shows.

const XML = 'application/xml';
const plates = mockOf('plates.yaml', { count: 5 });
type Swap = readonly [pattern: RegExp, to: string | ((...groups: string[]) => string)];

/** Changes the text of successful responses. */
const written = ([pattern, to]: Swap): MockFault =>
  replying(XML, (reply) =>
    reply.status < 300 ? { body: String(reply.body).replaceAll(pattern, to as string) } : {},
  );

const rounded = (_: string, digits = '') => `<serial>${BigInt(Number(digits))}</serial>`;
const xmlMutants = [
  ...mutants('xml', using(plates, written), 'schema', {
    'attribute-as-element': ['metal is an element', [/ metal="(\w+)">/g, '><metal>$1</metal>']],
    root: ['the root element is Plate', 'whole-xml', [/(<\/?p:)plate\b/g, '$1Plate']],
    'ill-formed': ['an ampersand is not escaped', 'whole-xml', [/<title>/g, '<title>& ']],
    'serial-as-word': ['a serial number is in words', [/<serial>\d+/g, '<serial>many']],
    doubled: ['escaped text is escaped again', 'created-equals-sent', [/&(?=\w+;)/g, '&amp;']],
    rounded: ['a serial number is rounded', 'exact-integers', [/<serial>(\d+)<\/serial>/g, rounded]],
  }),
];

const xmlLookalikes = lookalikes('xml', using(plates, written), {
  'other-prefix': ['a prefix is another one', [/\bp:|:p\b/g, (name) => name.replace('p', 'engraver')]],
  indented: ['there are spaces and comments between elements', [/>(?=<)/g, '>\n  <!-- -->']],
  cdata: ['titles are in CDATA sections', [/<title>([^<&]*)<\/title>/g, '<title><![CDATA[$1]]></title>']],
  further: ['a plate has an undocumented element', [/<\/serial>/g, '</serial><owner>Ada</owner>']],
});

// Faults in the messages of streams, whatever they contain. Only cases about streams run.

const service = only(mockOf('./fixtures/documents/telegraph.yaml', { count: 8 }), '/(?:ordinary|stream-)');
type Message = (text: string, index: number) => string | undefined;
const ticker = using(service, (change: Message) => onMessages('watchTelegrams', change));
const reply = using(service, (change: Message) => onMessages('askOperator', change));
const noises = using(service, (change: Message) => onMessages('listenToNoises', change));

const data = (change: (json: string) => string) => (text: string) =>
  text.replace(/^data: (\{.*\})$/m, (_, json) => `data: ${change(json)}`);
const swap = (from: RegExp | string, to: string) => (text: string) => text.replace(from, to);
const unended: Message = (text) =>
  text.includes('[STOP]') ? undefined : text.replace(/\n\n$/, '\n\ndata: {}');

const STREAM = 'stream-message';
const streamsMutants = [
  ...mutants('streams', ticker, STREAM, {
    'number-text': ['the id in an event is a text', data(swap(/"number":(\d+)/, '"number":"$1"'))],
    'other-event': ['an event has a name that is not documented', swap('event: sent', 'event: new')],
    'cut-json': ['the JSON of events ends too early', data((json) => json.slice(0, -1))],
  }),
  ...mutants('streams', reply, STREAM, { unended: ['nothing ends the last piece', unended] }),
  ...mutants('streams', noises, STREAM, {
    'noise-range': ['a value of a sequence is out of its bounds', swap(/"level":\d+/, '"level":10')],
  }),
];

const otherOrder = swap(/^(event: .*\n)((?:.*\n)*?)(data: .*\n)/m, '$2$3$1');
const breaksOff = changingStream('watchTelegrams', (feed) => (reader) => {
  let sent = 0;
  const write = (text: string | Uint8Array) =>
    sent++ === 2 ? reader.breakOff(String(text).slice(0, 20)) : reader.write(text);
  return feed(writing(reader, write));
});
const streamsLookalikes = [
  ...lookalikes('streams', ticker, {
    comments: ['comments come between events', (text) => `: so far so good\n\n${text}:\n\n`],
    'carriage-returns': ['lines end with CR and LF', (text) => text.replaceAll('\n', '\r\n')],
    'other-order': ['data comes before the name of an event', otherOrder],
    'several-lines': ['JSON is in several lines', data((json) => json.replaceAll(',"', ',\ndata: "'))],
    'other-fields': ['events have a field of another standard', (text) => `trace-id: 7\n${text}`],
    'byte-order-mark': ['a byte-order mark comes first', (text, index) => (index ? text : `\uFEFF${text}`)],
    silent: ['a stream says nothing', () => undefined],
  }),
  ...lookalikes('streams', reply, {
    'no-end': ['nothing ends a reply', (text) => (text.includes('[STOP]') ? undefined : text)],
  }),
  ...lookalikes('streams', service, { 'breaks-off': ['a stream breaks off within an event', breaksOff] }),
];

export const forms = {
  'forms, parts and texts': [formsMutants, formsLookalikes],
  'bodies in XML': [xmlMutants, xmlLookalikes],
  'messages of streams': [streamsMutants, streamsLookalikes],
} as const;
