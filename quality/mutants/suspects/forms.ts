import { fileURLToPath } from 'node:url';
import { isRecord, parseJson, stringifyJson } from '#spec';
import {
  guarding,
  type MockFault,
  mockOf,
  reading,
  refuseCreate,
  refuseIf,
  replying,
  requestBody,
  respondTo,
  response,
  skipValidation,
  store,
  storedMember,
  takeAnyMediaType,
} from '../mock-faults.ts';
import { convert, type Data, without } from '../record-changes.ts';
import { lookalikes, mutants, using } from '../suspect.ts';

const dispatches = mockOf('dispatches.yaml');
/** A body of a type that the suite does not write, and the mock does not read. */
const MANIFEST = fileURLToPath(new URL('../../../fixtures/bodies/manifest.yaml', import.meta.url));

/** What is read from a body, changed before anything else sees it: creates, replacements and updates alike. */
const read = (change: (body: Data) => Data): MockFault =>
  reading((read) => (raw) => {
    const values = read(raw);
    return isRecord(values.body) ? { ...values, body: change(values.body) } : values;
  });

const each = (change: (value: unknown) => unknown) => (body: Data) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value)]));
const texts = (change: (text: string) => string) =>
  each((value) => (typeof value === 'string' ? change(value) : value));
const items = (from: number, to?: number) => (value: unknown) =>
  Array.isArray(value) ? value.slice(from, to) : value;
const SENT = ['created-equals-sent', 'replaced-is-replaced', 'merged-is-merged', 'status'] as const;

const misread = mutants('form', using(dispatches, read), SENT, [
  ['plus', 'a plus sign in a form is no space', texts((text) => text.replaceAll(' ', '+'))],
  ['still-encoded', 'an ampersand in a form stays encoded', texts((text) => text.replaceAll('&', '%26'))],
  ['latin-1', 'a form is read as Latin-1', texts((text) => Buffer.from(text).toString('latin1'))],
  ['last-item', 'of a field that is repeated the last one counts', each(items(-1))],
  ['no-brackets', 'fields with brackets are left out', without('address')],
  ['no-commas', 'a list with commas is left out', without('days')],
  ['numbers-as-text', 'a number of a form is read as text', convert('boxes', String)],
  ['flags-as-text', 'a flag of a form is read as text', convert('express', String)],
  ['first-keyword', 'of parts of one name the first counts', convert('keywords', items(0, 1))],
]);

/** Bodies are taken though they break only this. */
const accepts = (isTaken: (violation: { pointer: string; kind: string; keyword: string }) => boolean) =>
  skipValidation(['POST', 'PUT', 'PATCH'], ({ violations }) => violations.every(isTaken));

const accepted = mutants('accepts', using(dispatches, accepts), 'invalid-refused', [
  ['form', 'no form is validated', () => true],
  ['form-required', 'a form may lack required fields', ({ keyword }) => keyword === 'required'],
  ['form-brackets', 'brackets are not validated', ({ pointer }) => pointer.startsWith('/address/')],
  ['parts-cut', 'parts without their end are taken', ({ kind }) => kind === 'syntax'],
  ['parts-no-file', 'the required file may be missing', ({ pointer }) => pointer === '/scan'],
  ['parts-json', 'a part of JSON is not validated', ({ pointer }) => pointer.startsWith('/sender/')],
  ['text', 'a text of any length is taken', ({ pointer }) => pointer === ''],
]);

/** The record is in the response and nowhere else. */
const forget = store(({ create, remove }) => ({
  async create(collection, given) {
    const entry = await create(collection, given);
    if (collection.name.endsWith('memos') && entry !== 'taken') await remove(collection, entry.id, []);
    return entry;
  },
}));
const acceptArray = skipValidation(['PUT'], ({ body }) => Array.isArray(body));
const otherMotto = replying('text/plain', (given) => ({ ...given, body: 'no motto' }));

export const formsMutants = [
  ...misread,
  ...accepted,
  ...mutants('dispatches', dispatches, 'schema', [
    ['no-umlauts', 'the example is refused', 'example-accepted', refuseCreate('customer', 'Hafen & Söhne')],
    ['array', 'an array in the place of an object is not validated', 'invalid-refused', acceptArray],
    ['memo-forgotten', 'what a text has made cannot be read', 'created-can-be-read', forget],
    ['json-as-text', 'a part of JSON is stored as text', storedMember('sender', stringifyJson)],
    ['pages-as-text', 'a number of a part is stored as text', storedMember('pages', String)],
    ['other-motto', 'a text breaks its pattern', otherMotto],
  ]),
];

/** A text with another type is read as the form that it was before. */
const FORM = 'application/x-www-form-urlencoded';
const takeAsForm = takeAnyMediaType((type) => type === FORM);

/** Where the file of a paper can be had, which the client has sent as bytes. */
const showUrl = response('create', (given) => {
  const record = parseJson(String(given.body)) as Data;
  if (!('pages' in record || 'title' in record)) return given;
  return { ...given, body: stringifyJson({ ...record, scan: `https://files.example/${record.id}` }) };
});

/** As frameworks do that take an empty field for one that was not filled in. */
const emptyIsAbsent = reading((read) => (raw) => {
  if (!raw.body || !String(raw.headers['content-type']).startsWith(FORM)) return read(raw);
  const pairs = Buffer.from(raw.body).toString().split('&');
  return read({ ...raw, body: Buffer.from(pairs.filter((pair) => !pair.endsWith('=')).join('&')) });
});

/** YAML is read by other services. */
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

/** What documents leave open of media types, on both ways, and of their own examples. */
export const formsLookalikes = [
  ...lookalikes('dispatches', { ...dispatches, options: { exclude: ['sendManifest'] } }, [
    ['any-media-type', 'the media type of a form is ignored', takeAsForm],
    ['422-page', 'another media type gets an undocumented 422 with a page', respondTo('media type', 422)],
    ['file-as-url', 'a paper shows where its file is', showUrl],
    ['no-nested-json', 'JSON in a field of a form is left out', requestBody('create', without('remarks'))],
    ['empty-is-absent', 'an empty field of a form counts as none', emptyIsAbsent],
  ]),
  ...lookalikes('dispatches', { ...dispatches, options: { bodies: { sendManifest: MANIFEST } } }, [
    ['yaml', 'YAML is taken', takeYaml],
  ]),
  ...lookalikes('kennels', mockOf('kennels.yaml'), [
    ['one-type', 'whatever a client accepts, it gets JSON', oneType],
    ['no-tables', 'who accepts text/csv alone gets 406', refuseTables],
    ['examples-taken', 'the owners of the examples are there already', examplesTaken],
  ]),
];
