import { defaultParts } from '#mock';
import { isRecord, parseJson, stringifyJson } from '#spec';
import {
  action,
  answerAs,
  eachOf,
  keepRemoved,
  listQuery,
  type MockFault,
  mockOf,
  reading,
  refusal,
  refuseCreate,
  refuseIf,
  replying,
  response,
  responseBody,
  skipValidation,
  store,
  storedMember,
} from '../mock-faults.ts';
import { convert, type Data, set, without } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

const shown = responseBody;
const dispatches = mockOf('dispatches.yaml');

type Change = (body: Data) => Data;

/** What is read from a form, changed before anything else sees it: creates, replacements and updates alike. */
const reads = (change: Change): MockFault =>
  reading((read) => (raw) => {
    const values = read(raw);
    return isRecord(values.body) ? { ...values, body: change(values.body) } : values;
  });

const each =
  (change: (value: unknown) => unknown): Change =>
  (body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value)]));

const texts = (change: (text: string) => string): Change =>
  each((value) => (typeof value === 'string' ? change(value) : value));

/** Bodies are taken though they break only this. */
const accepts = (isTaken: (violation: { pointer: string; kind: string; keyword: string }) => boolean) =>
  skipValidation(['POST', 'PUT', 'PATCH'], ({ violations }) => violations.every(isTaken));

const acceptsIn = (pointer: string) => accepts((violation) => violation.pointer.startsWith(pointer));
const acceptArray = skipValidation(['PUT'], ({ body }) => Array.isArray(body));
const encodeAmpersands = (text: string) => text.replaceAll('&', '%26');
const items = (from: number, to?: number) => (value: unknown) =>
  Array.isArray(value) ? value.slice(from, to) : value;
const SENT = ['created-equals-sent', 'replaced-is-replaced', 'merged-is-merged'] as const;

const misreadForms = mutants('form', dispatches, SENT, [
  ['plus', 'a plus sign in a form is no space', reads(texts((text) => text.replaceAll(' ', '+')))],
  ['still-encoded', 'an ampersand in a form stays encoded', reads(texts(encodeAmpersands))],
  ['latin-1', 'a form is read as Latin-1', reads(texts((text) => Buffer.from(text).toString('latin1')))],
  ['last-item', 'of a field that is repeated the last one counts', reads(each(items(-1)))],
  ['no-brackets', 'fields with brackets are left out', reads(without('address'))],
  ['no-commas', 'a list with commas is left out', reads(without('days'))],
  ['numbers-as-text', 'a number of a form is read as text', 'status', reads(convert('boxes', String))],
  ['flags-as-text', 'a flag of a form is read as text', 'status', reads(convert('express', String))],
]);

const refusedForms = mutants('form', dispatches, 'example-accepted', [
  ['no-umlauts', 'the customer of the example is refused', refuseCreate('customer', 'Hafen & Söhne')],
]);

const acceptedForms = mutants('form', dispatches, 'invalid-refused', [
  ['unchecked', 'no form is validated', accepts(() => true)],
  ['unchecked-required', 'a form may lack required fields', accepts(({ keyword }) => keyword === 'required')],
  ['unchecked-brackets', 'what stands in brackets is not validated', acceptsIn('/address/')],
]);

const wrongParts = mutants('parts', dispatches, 'invalid-refused', [
  ['cut', 'parts without their end are taken', accepts(({ kind }) => kind === 'syntax')],
  ['no-file', 'the required file may be missing', accepts(({ pointer }) => pointer === '/scan')],
  ['unchecked-json', 'a part of JSON is not validated', acceptsIn('/sender/')],
  ['json-as-text', 'a part of JSON is stored as text', 'schema', storedMember('sender', stringifyJson)],
  ['numbers-as-text', 'a number of a part is stored as text', 'schema', storedMember('pages', String)],
  ['first-keyword', 'of parts of one name the first counts', SENT, reads(convert('keywords', items(0, 1)))],
]);

/** The record is in the response and nowhere else. */
const forget = store(({ create, remove }) => ({
  async create(collection, given) {
    const entry = await create(collection, given);
    if (collection.name.endsWith('memos') && entry !== 'taken') await remove(collection, entry.id, []);
    return entry;
  },
}));

const otherMotto = replying('text/plain', (given) => ({ ...given, body: 'no motto' }));

const wrongTexts = mutants('text', dispatches, 'invalid-refused', [
  ['unchecked', 'a text of any length is taken', accepts(({ pointer }) => pointer === '')],
  ['forgotten', 'what a text has made cannot be read', 'created-can-be-read', forget],
  ['array-unchecked', 'an array in the place of an object is not validated', acceptArray],
  ['other-motto', 'a text breaks its pattern', 'schema', otherMotto],
]);

export const otherBodiesMutants = [misreadForms, refusedForms, acceptedForms, wrongParts, wrongTexts].flat();

const kennels = mockOf('kennels.yaml');

const takeTwice: MockFault = {
  store: (collections) =>
    defaultParts.store(collections.map((collection) => ({ ...collection, unique: [] }))),
};

const conflictAsInvalid = refusal((given, { refuse }) =>
  refuse === 'conflict' ? { ...given, status: 422, body: String(given.body).replace('409', '422') } : given,
);

/** The answer tells of a change that was not made. */
const changeToTaken = action('update', (act, context) => async (task) => {
  const outcome = await act(task);
  if (!('refuse' in outcome) || outcome.refuse !== 'conflict') return outcome;
  const before = await defaultParts.actions.read(context)?.(task);
  if (!before || 'refuse' in before) return outcome;
  const record = parseJson(String(before.body)) as object;
  return { ...before, body: stringifyJson({ ...record, ...(task.values.body as object) }) };
});

const refuseCity = refuseIf('list', (_, { values }) => values.parameters.query.city === 'Odense');
const csvAsHtml = replying('text/csv', (content) => ({ ...content, type: 'text/html' }));

const breakOn = (type: string) =>
  action('list', (act) => (task) => {
    if (task.request.headers.accept === type) throw new Error(`no writer for ${type}`);
    return act(task);
  });

/** Media types to choose from, members that are unique, examples of requests. */
export const answersMutants = [
  ...mutants('kennels', kennels, 'unique-refused', [
    ['taken-twice', 'two owners may have one email', takeTwice],
    ['taken-with-422', 'an email that is taken is refused as invalid', conflictAsInvalid],
    ['taken-by-change', 'an owner can change to the email of another', changeToTaken],
  ]),
  ...mutants('kennels', kennels, 'example-accepted', [
    ['short-name', 'a name of three letters is refused, as in an example', refuseCreate('name', 'Dan')],
    ['no-guides', 'a dog that the document shows is refused', refuseCreate('name', 'Trine')],
    ['no-odense', 'a city that the document shows is refused', refuseCity],
  ]),
  ...mutants('kennels', kennels, 'content-type', [
    ['csv-as-html', 'a table is said to be a page', csvAsHtml],
    ['csv-breaks', 'who accepts text/csv alone gets a 500', 'invalid-tolerated', breakOn('text/csv')],
  ]),
];

/** Changes what the list operation with this id responds. */
const ofList = (id: string, change: (body: Data) => unknown): MockFault =>
  response('list', (given, _, { operation }) =>
    operation.id === id
      ? { ...given, body: stringifyJson(change(parseJson(String(given.body)) as Data)) }
      : given,
  );

const eachIn = (change: (record: Data) => unknown) => (body: unknown) => (body as Data[]).map(change);

/** Whatever is asked for is there: the first record stands in for it. */
const findAny = store(({ list, read }) => ({
  read: async (collection, id, where) =>
    (await read(collection, id, where)) ??
    (await list(collection, { where: [], offset: 0, limit: 1 })).text.slice(1, -1),
}));

/** Views, ids in bodies, POST on an item, many at once, actions, singletons, pages by cursor. */
export const shelterMutants = mutants('shelter', mockOf('shelter.yaml'), 'schema', [
  ['view-without-names', 'animals of a view have no name', ofList('findAnimals', eachIn(without('name')))],
  ['view-text-ids', 'ids in a view are texts', ofList('findAnimals', eachIn(set('id', 'one')))],
  ['view-object', 'a view is an object', ofList('findAnimals', (body) => ({ animals: body }))],
  ['declared-view', 'a declared view has no ids', ofList('findAdopted', eachIn(without('id')))],
  ['updated-status', 'POST answers another status of an animal', shown('update', set('status', 'lost'))],
  ['replaced-nameless', 'PUT answers an animal without a name', shown('replace', without('name'))],
  ['admitted-as-200', 'an admitted animal is answered 200', 'status', answerAs('create', 200)],
  ['released-stays', 'a released animal can still be read', 'removed-is-gone', keepRemoved],
  ['any-animal', 'an unknown id finds the first record', ['unknown-id', 'path-id'], findAny],
  ['limit-ignored', 'the page size is ignored', 'page-size', listQuery(() => ({ limit: 1e9 }))],
  ['has-more-text', 'has_more is a text', ofList('listKeepers', set('has_more', 'yes'))],
  ['keeper-ids', 'ids of listed keepers are texts', shown('list', eachOf('data', set('id', 'k')))],
  ['nameless-accepted', 'an animal without a name is accepted', 'invalid-refused', skipValidation(['POST'])],
  ['settings-accepted', 'settings of any kind are accepted', 'invalid-refused', skipValidation(['PATCH'])],
]);
