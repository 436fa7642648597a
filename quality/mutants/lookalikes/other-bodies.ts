import { parseJson, stringifyJson } from '#spec';
import { mockOf, reading, requestBody, respondTo, response, takeAnyMediaType } from '../mock-faults.ts';
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

export const otherBodiesLookalikes = lookalikes('dispatches', mockOf('dispatches.yaml'), [
  ['as-it-is', 'dispatches that keep their document', {}],
  ['any-media-type', 'the media type of a form is ignored', takeAsForm],
  ['422-page', 'another media type gets an undocumented 422 with a page', respondTo('media type', 422)],
  ['file-as-url', 'a paper shows where its file is', showUrl],
  ['no-nested-json', 'JSON in a field of a form is left out', requestBody('create', without('remarks'))],
  ['empty-is-absent', 'an empty field of a form counts as none', emptyIsAbsent],
  ['xml', 'XML is taken', takeXml],
]);
