import { defaultParts } from '#mock';
import { stringifyJson } from '#spec';
import { type MockFault, mockOf, refuseCreate, skipValidation, store, storedMember } from '../mock-faults.ts';
import { convert, type Data } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

const dispatches = mockOf('dispatches.yaml');

type Change = (body: Data) => Data;

/** What is read from a form, changed before anything else sees it: creates, replacements and updates alike. */
const reads = (change: Change): MockFault => ({
  read(operation, validators) {
    const read = defaultParts.read(operation, validators);
    return (raw) => {
      const values = read(raw);
      const { body } = values;
      const isForm = typeof body === 'object' && body !== null && !Array.isArray(body);
      return isForm ? { ...values, body: change(body as Data) } : values;
    };
  },
});

const each =
  (change: (value: unknown) => unknown): Change =>
  (body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value)]));

const texts = (change: (text: string) => string): Change =>
  each((value) => (typeof value === 'string' ? change(value) : value));

const without =
  (name: string): Change =>
  ({ [name]: _, ...others }) =>
    others;

/** Bodies are taken though they break only this. */
const accepts = (isTaken: (violation: { pointer: string; kind: string; keyword: string }) => boolean) =>
  skipValidation(['POST', 'PUT', 'PATCH'], ({ violations }) => violations.every(isTaken));

const SENT = ['created-equals-sent', 'replaced-is-replaced', 'merged-is-merged'] as const;

const misreadForms = mutants('form', dispatches, SENT, [
  ['plus', 'a plus sign in a form is no space', reads(texts((text) => text.replaceAll(' ', '+')))],
  [
    'still-encoded',
    'an ampersand in a form stays encoded',
    reads(texts((text) => text.replaceAll('&', '%26'))),
  ],
  ['latin-1', 'a form is read as Latin-1', reads(texts((text) => Buffer.from(text).toString('latin1')))],
  [
    'last-item',
    'of a field that is repeated the last one counts',
    reads(each((value) => (Array.isArray(value) ? value.slice(-1) : value))),
  ],
  ['no-brackets', 'fields with brackets are left out', reads(without('address'))],
  ['no-commas', 'a list with commas is left out', reads(without('days'))],
  ['numbers-as-text', 'a number of a form is read as text', 'status', reads(convert('boxes', String))],
  ['flags-as-text', 'a flag of a form is read as text', 'status', reads(convert('express', String))],
]);

const refusedForms = mutants('form', dispatches, 'example-accepted', [
  [
    'no-umlauts',
    'the customer that the document shows is refused',
    refuseCreate('customer', 'Hafen & Söhne'),
  ],
]);

const acceptedForms = mutants('form', dispatches, 'invalid-refused', [
  ['unchecked', 'no form is validated', accepts(() => true)],
  ['unchecked-required', 'a form may lack required fields', accepts(({ keyword }) => keyword === 'required')],
  [
    'unchecked-brackets',
    'what stands in brackets is not validated',
    accepts(({ pointer }) => pointer.startsWith('/address/')),
  ],
]);

const wrongParts = mutants('parts', dispatches, 'invalid-refused', [
  ['cut', 'parts without their end are taken', accepts(({ kind }) => kind === 'syntax')],
  ['no-file', 'the required file may be missing', accepts(({ pointer }) => pointer === '/scan')],
  [
    'unchecked-json',
    'a part of JSON is not validated',
    accepts(({ pointer }) => pointer.startsWith('/sender/')),
  ],
  ['json-as-text', 'a part of JSON is stored as text', 'schema', storedMember('sender', stringifyJson)],
  ['numbers-as-text', 'a number of a part is stored as text', 'schema', storedMember('pages', String)],
  ['first-keyword', 'of parts of one name the first counts', SENT, reads(convert('keywords', first))],
]);

function first(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, 1) : value;
}

/** The record is in the response and nowhere else. */
const forget = store(({ create, remove }) => ({
  async create(collection, given) {
    const entry = await create(collection, given);
    if (collection.name.endsWith('memos') && entry !== 'taken') await remove(collection, entry.id, []);
    return entry;
  },
}));

const otherMotto: MockFault = {
  reply(operation, contract, basePath) {
    const reply = defaultParts.reply(operation, contract, basePath);
    return (given) => reply(given.type === 'text/plain' ? { ...given, body: 'no motto' } : given);
  },
};

const wrongTexts = mutants('text', dispatches, 'invalid-refused', [
  ['unchecked', 'a text of any length is taken', accepts(({ pointer }) => pointer === '')],
  ['forgotten', 'what a text has made cannot be read', 'created-can-be-read', forget],
  [
    'array-unchecked',
    'an array in the place of an object is not validated',
    skipValidation(['PUT'], ({ body }) => Array.isArray(body)),
  ],
  ['other-motto', 'a text breaks its pattern', 'schema', otherMotto],
]);

export const otherBodiesMutants = [
  ...misreadForms,
  ...refusedForms,
  ...acceptedForms,
  ...wrongParts,
  ...wrongTexts,
];
