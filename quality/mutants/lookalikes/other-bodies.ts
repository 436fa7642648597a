import { defaultParts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import { type MockFault, mockOf, requestBody, respondTo, response } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';

/** A text with another type is read as the form that it was before. */
const takeAnyMediaType: MockFault = {
  read(operation, validators) {
    const read = defaultParts.read(operation, validators);
    const type = 'application/x-www-form-urlencoded';
    const isForm = operation.body?.content.some((media) => media.type === type);
    return (raw) => read(isForm ? { ...raw, headers: { ...raw.headers, 'content-type': type } } : raw);
  },
};

/** Where the file of a paper can be had, which the client has sent as bytes. */
const showUrl = response('create', (given) => {
  const record = parseJson(String(given.body)) as Data;
  if (!('pages' in record || 'title' in record)) return given;
  return { ...given, body: stringifyJson({ ...record, scan: `https://files.example/${record.id}` }) };
});

/** As frameworks do that take an empty field for one that was not filled in. */
const emptyIsAbsent: MockFault = {
  read(operation, validators) {
    const read = defaultParts.read(operation, validators);
    return (raw) => {
      const type = String(raw.headers['content-type']);
      if (!raw.body || !type.startsWith('application/x-www-form-urlencoded')) return read(raw);
      const pairs = Buffer.from(raw.body).toString().split('&');
      return read({ ...raw, body: Buffer.from(pairs.filter((pair) => !pair.endsWith('=')).join('&')) });
    };
  },
};

const withoutRemarks = ({ remarks: _, ...others }: Data): Data => others;

/** XML is read by other services. */
const takeXml: MockFault = {
  read(operation, validators) {
    const read = defaultParts.read(operation, validators);
    const isXml = operation.body?.content.some(({ type }) => type === 'application/xml');
    return isXml ? (raw) => ({ ...read(raw), violations: [] }) : read;
  },
};

export const otherBodiesLookalikes = lookalikes('dispatches', mockOf('dispatches.yaml'), [
  ['as-it-is', 'dispatches that keep their document', {}],
  ['any-media-type', 'the media type of a form is ignored', takeAnyMediaType],
  ['422-page', 'another media type gets an undocumented 422 with a page', respondTo('media type', 422)],
  ['file-as-url', 'a paper shows where its file is', showUrl],
  ['no-nested-json', 'JSON in a field of a form is left out', requestBody('create', withoutRemarks)],
  ['empty-is-absent', 'an empty field of a form counts as none', emptyIsAbsent],
  ['xml', 'XML is taken', takeXml],
]);
