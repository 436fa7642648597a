import { parseJson, stringifyJson } from '#spec';
import {
  guarding,
  mockOf,
  reading,
  refuseIf,
  requestBody,
  respondTo,
  response,
  takeAnyMediaType,
} from '../mock-faults.ts';
import { type Data, without } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';

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

/** XML is read by other services. */
const takeXml = reading((read, { body }) => {
  const isXml = body?.content.some(({ type }) => type === 'application/xml');
  return isXml ? (raw) => ({ ...read(raw), violations: [] }) : read;
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
export const otherBodiesLookalikes = [
  ...lookalikes('dispatches', mockOf('dispatches.yaml'), [
    ['any-media-type', 'the media type of a form is ignored', takeAsForm],
    ['422-page', 'another media type gets an undocumented 422 with a page', respondTo('media type', 422)],
    ['file-as-url', 'a paper shows where its file is', showUrl],
    ['no-nested-json', 'JSON in a field of a form is left out', requestBody('create', without('remarks'))],
    ['empty-is-absent', 'an empty field of a form counts as none', emptyIsAbsent],
    ['xml', 'XML is taken', takeXml],
  ]),
  ...lookalikes('kennels', mockOf('kennels.yaml'), [
    ['one-type', 'whatever a client accepts, it gets JSON', oneType],
    ['no-tables', 'who accepts text/csv alone gets 406', refuseTables],
    ['examples-taken', 'the owners of the examples are there already', examplesTaken],
  ]),
];
