import { isRecord, parseJson, stringifyJson } from '#spec';
import {
  acceptAnyKey,
  action,
  eachOf,
  listQuery,
  loseCreated,
  type MockFault,
  mockOf,
  refusal,
  response,
  responseBody,
  skipAuthentication,
  skipValidation,
  store,
  storedMember,
  storedMembers,
} from '../mock-faults.ts';
import { convert, type Data, set, upperCase } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

const LOSSY = ['schema', 'created-equals-sent'] as const;

/** Members with this value are not stored. */
const dropValue = (value: unknown) =>
  storedMembers((members) =>
    Object.fromEntries(Object.entries(members).filter((entry) => entry[1] !== value)),
  );

const locationOf = (article: string) =>
  response('create', (given) => ({ ...given, headers: { ...given.headers, Location: article } }));
const listBody = (to: (body: Data) => unknown) => responseBody('list', to);
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
    ['location'],
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
  ...warehouseMutants,
  ...tideGaugeMutants,
  ...noticeMutants,
  ...libraryMutants,
];
