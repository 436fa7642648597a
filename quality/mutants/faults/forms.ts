import { isRecord, stringifyJson } from '#spec';
import {
  type MockFault,
  mockOf,
  reading,
  refuseCreate,
  replying,
  skipValidation,
  store,
  storedMember,
} from '../mock-faults.ts';
import { convert, type Data, without } from '../record-changes.ts';
import { mutants, using } from '../suspect.ts';

const dispatches = mockOf('dispatches.yaml');

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
