import { isRecord, parseJson, stringifyJson } from '#spec';
import {
  acceptAnyKey,
  action,
  answerAs,
  eachOf,
  keepRemoved,
  listQuery,
  loseCreated,
  type MockFault,
  mockOf,
  mockOfPackage,
  refusal,
  response,
  responseBody,
  skipAuthentication,
  skipValidation,
  store,
  storedMember,
  storedMembers,
} from '../mock-faults.ts';
import { convert, type Data, set, setDefault, upperCase, without } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

const shown = responseBody;
const LOSSY = ['schema', 'created-equals-sent'] as const;

/** Members with this value are not stored. */
const dropValue = (value: unknown) =>
  storedMembers((members) =>
    Object.fromEntries(Object.entries(members).filter((entry) => entry[1] !== value)),
  );

const locationOf = (article: string) =>
  response('create', (given) => ({ ...given, headers: { ...given.headers, Location: article } }));
const listBody = (to: (body: Data) => unknown) => shown('list', to);
const priceAsText = convert('price', String);
const WRITES = ['POST', 'PUT'];
const isFree = ({ body }: { readonly body?: unknown }) => isRecord(body) && body.price === 0;
const toPrice = (price: unknown) => Math.max(1, Math.round(Number(price)));
const toNumber = (barcode: unknown) => (barcode === null ? null : Number(barcode));

/** A list in an object, nullable members, PUT and DELETE. */
const warehouseMutants = mutants('warehouse', mockOf('warehouse.yaml'), 'schema', [
  ['bare-list', 'the list is the bare array', listBody(({ articles }) => articles)],
  ['total-text', 'the total is a string', listBody(convert('total_count', String))],
  [
    'location-of-another',
    'Location is that of another article',
    'location',
    locationOf('/api/v2/articles/1'),
  ],
  ['location-without-number', 'Location has no number', ['header'], locationOf('/api/v2/articles/')],
  ['one-price-text', 'the price of a listed article is a string', listBody(eachOf('articles', priceAsText))],
  ['page-size-ignored', 'the page size is ignored', 'page-size', listQuery(() => ({ limit: 1e9 }))],
  ['filter-ignored', 'the filter by unit is ignored', 'filter', listQuery(() => ({ where: [] }))],
  ['null-dropped', 'members that are null are not stored', LOSSY, dropValue(null)],
  ['price-rounded', 'prices are rounded', 'created-equals-sent', storedMember('price', toPrice)],
  ['label-upper', 'labels are stored in upper case', 'created-equals-sent', storedMember('label', upperCase)],
  ['barcode-number', 'barcodes are stored as numbers', LOSSY, storedMember('barcode', toNumber)],
  ['free-articles', 'an exclusive minimum is inclusive', 'invalid-refused', skipValidation(WRITES, isFree)],
  ['invalid-accepted', 'invalid articles are accepted', 'invalid-refused', skipValidation(['POST'])],
  ['error-body', 'errors have another body', refusal((given) => ({ ...given, body: '{"error":"no"}' }))],
  ['open-list', 'GET needs no key', 'unauthorised-first', skipAuthentication('GET')],
]);

const invertBooleans = listQuery(({ where }) => ({
  where: where.map(({ key, anyOf }) => ({
    key,
    anyOf: anyOf.map((value) => (typeof value === 'boolean' ? !value : value)),
  })),
}));

const listAllByDefault = action('list', (act) => (task) => {
  if (task.request.query !== '') return act(task);
  const parameters = { ...task.values.parameters, query: { take: 10_000 } };
  return act({ ...task, values: { ...task.values, parameters } });
});

/** Keys in a header and in the query, boolean filters. */
const tideGaugeMutants = mutants('tide-gauges', mockOf('tide-gauges.yaml'), 'unauthorised-first', [
  ['open', 'no key is needed', skipAuthentication('GET', 'POST')],
  ['any-key', 'any key is accepted', acceptAnyKey],
  ['filter-inverted', 'active=true matches those that are not', 'filter', invertBooleans],
  ['latitude-rounded', 'latitudes are rounded', 'created-equals-sent', storedMember('latitude', Math.round)],
  ['false-dropped', 'members that are false are not stored', LOSSY, dropValue(false)],
  ['default-all', 'without a page size all are listed', ['page-default', 'page-size'], listAllByDefault],
]);

const reverseTopics = storedMembers(({ topics = [], ...members }) => ({
  ...members,
  topics: [...(topics as unknown[]), 'roads', 'water', 'power'].slice(-3).reverse(),
}));

const cut = (subject: string) => subject.slice(0, 16);

/** `oneOf` with a discriminator, arrays as filters. */
const noticeMutants = mutants('notices', mockOf('notices/openapi.yaml'), 'created-equals-sent', [
  ['one-form', 'every order is stored as one by mail', LOSSY, storedMembers(set('channel', 'mail'))],
  ['topics-sorted', 'topics are stored in reverse order, with one more', reverseTopics],
  ['subject-cut', 'subjects are truncated to 16 characters', storedMember('subject', cut)],
  ['invalid-accepted', 'invalid orders are accepted', 'invalid-refused', skipValidation(['POST'])],
  ['lost', 'created orders are not stored', 'created-can-be-read', loseCreated],
]);

const firstForUnknown = store(({ read, list }) => ({
  async read(collection, id, where) {
    const text = await read(collection, id, where);
    if (text !== undefined || !collection.name.endsWith('books')) return text;
    const page = await list(collection, { where, offset: 0, limit: 1 });
    const [first] = parseJson(page.text) as unknown[];
    return first === undefined ? undefined : stringifyJson(first);
  },
}));

const invalidWith400: MockFault = refusal((given, { refuse }) =>
  refuse === 'invalid' ? { ...given, status: 400, body: String(given.body).replace('422', '400') } : given,
);

const ignoreParent = listQuery(({ where }) => ({ where: where.filter(({ key }) => !key.startsWith('{')) }));

const cutLast = (title: string) => title.slice(0, -1);
const UNKNOWN = ['unknown-id', 'path-id', 'removed-is-gone'] as const;
const LISTED = ['created-is-listed', 'complete-list', 'list-and-read-agree'] as const;
const OTHER_BOOKS = [...LISTED, 'status', 'distinct-ids', 'filter'] as const;

/** Collections below records. */
const libraryMutants = mutants('libraries', mockOf('libraries.yaml'), 'created-equals-sent', [
  ['first-for-unknown', 'an unknown id finds the first book', UNKNOWN, firstForUnknown],
  ['title-trimmed', 'titles lose their last character', storedMember('title', cutLast)],
  ['invalid-with-400', 'invalid books get 400 instead of 422', 'invalid-refused', invalidWith400],
  ['all-shelves', 'each list has the books of all libraries', OTHER_BOOKS, ignoreParent],
]);

export const otherDocumentsMutants = [
  warehouseMutants,
  tideGaugeMutants,
  noticeMutants,
  libraryMutants,
].flat();

/** Faults in services of documents that others wrote. */

const shiftIds = action('read', (act) => async (task) => {
  const outcome = await act(task);
  return 'refuse' in outcome
    ? outcome
    : { ...outcome, body: String(outcome.body).replace(/"id":"([0-9a-f-]{8})/, '"id":"00000000') };
});

const errorsAs = (type: string) => refusal((given) => ({ ...given, type }));
const errorsWith = (body: unknown) => refusal((given) => ({ ...given, body: stringifyJson(body) }));

const trainTravel = mockOfPackage('@readme/oas-examples/3.1/yaml/train-travel.yaml');

/** OAuth 2.0, UUIDs, a list in an object, no required member. */
const trainTravelMutants = mutants('train-travel', trainTravel, 'created-equals-sent', [
  ['open', 'no token is needed', 'unauthorised-first', skipAuthentication('GET', 'POST', 'DELETE')],
  ['open-delete', 'DELETE needs no token', 'unauthorised-first', skipAuthentication('DELETE')],
  ['any-token', 'any token is accepted', 'unauthorised-first', acceptAnyKey],
  ['lost', 'created bookings are not stored', 'created-can-be-read', loseCreated],
  ['kept', 'removed bookings are still there', 'removed-is-gone', keepRemoved],
  ['created-as-200', 'a created booking is answered 200', 'status', answerAs('create', 200)],
  ['created-as-202', 'a created booking is answered 202', 'status', answerAs('create', 202)],
  ['id-short', 'the id of a created booking is no UUID', 'schema', shown('create', set('id', 'b-7'))],
  ['other-id', 'a booking is read with another id', 'path-id', shiftIds],
  ['name-upper', 'names are stored in upper case', storedMember('passenger_name', upperCase)],
  ['name-lost', 'names are not stored', storedMembers(without('passenger_name'))],
  ['dog-left-behind', 'no booking has a dog', storedMembers(set('has_dog', false))],
  ['bicycle-text', 'has_bicycle is a string', LOSSY, storedMember('has_bicycle', String)],
  ['trip-null', 'the trip of a booking read is null', 'schema', shown('read', set('trip_id', null))],
  ['trip-of-another', 'the trip is that of another booking', storedMember('trip_id', () => TRIP)],
  ['invalid-accepted', 'invalid bookings are accepted', 'invalid-refused', skipValidation(['POST'])],
  ['errors-as-json', 'problems are application/json', 'content-type', errorsAs('application/json')],
  ['title-number', 'the title of a problem is a number', 'schema', errorsWith({ title: 7 })],
]);

const TRIP = '00000000-0000-4000-8000-000000000000';

const galaxy = mockOfPackage('@scalar/galaxy/dist/latest.yaml');

const addType = shown('replace', setDefault('type', 'dwarf'));
const mergeReplaced = store(({ change }) => ({
  change: (collection, id, scope, edit) =>
    change(collection, id, scope, (old) => {
      const given = edit(old);
      return { ...given, members: { ...(parseJson(old) as Data), ...given.members } };
    }),
}));

/** Several schemes, nested read-only members, no further members. */
const galaxyMutants = mutants('galaxy', galaxy, 'created-equals-sent', [
  ['any-credential', 'any credential is accepted', 'unauthorised-first', acceptAnyKey],
  ['open-post', 'POST needs no credential', 'unauthorised-first', skipAuthentication('POST')],
  ['open-delete', 'DELETE needs no credential', 'unauthorised-first', skipAuthentication('DELETE')],
  ['lost', 'created planets are not stored', 'created-can-be-read', loseCreated],
  ['kept', 'removed planets are still there', 'removed-is-gone', keepRemoved],
  ['further-member', 'a created planet has a further member', 'schema', shown('create', set('moons', {}))],
  ['without-name', 'a planet read has no name', 'schema', shown('read', without('name'))],
  ['id-text', 'the id of a created planet is a string', 'schema', shown('create', convert('id', String))],
  ['name-upper', 'names are stored in upper case', storedMember('name', upperCase)],
  ['uninhabitable', 'the habitability is always 0', storedMembers(set('habitabilityIndex', 0))],
  ['habitability-beyond', 'the habitability read is 2', 'schema', shown('read', set('habitabilityIndex', 2))],
  ['type-unknown', 'a planet read has a type outside the enum', 'schema', shown('read', set('type', 'sun'))],
  ['type-added', 'a planet without a type gets one', 'replaced-is-replaced', addType],
  ['replaced-as-202', 'a replaced planet is answered 202', 'status', answerAs('replace', 202)],
  ['replaced-is-merged', 'a replaced planet keeps what was not sent', 'replaced-is-replaced', mergeReplaced],
  ['invalid-accepted', 'invalid planets are accepted', 'invalid-refused', skipValidation(['POST', 'PUT'])],
  ['error-text', 'an error is a string', 'schema', errorsWith('failed')],
]);

export const publicDocumentsMutants = [...trainTravelMutants, ...galaxyMutants];
