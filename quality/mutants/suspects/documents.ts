import { defaultParts } from '#mock';
import { isRecord, parseJson, stringifyJson } from '#spec';
import {
  acceptAnyKey,
  action,
  always,
  answerAs,
  eachOf,
  keepRemoved,
  listQuery,
  loseCreated,
  type MockFault,
  mockOf,
  mockOfFile,
  mockOfPackage,
  refusal,
  refuseCreate,
  refuseIf,
  replying,
  respondTo,
  response,
  responseBody as shown,
  skipAuthentication,
  skipValidation,
  store,
  storedMember,
  storedMembers,
} from '../mock-faults.ts';
import { convert, type Data, each, set, setDefault, upperCase, without } from '../record-changes.ts';
import { mutants, type Operators, product, type Service, SHIPPED_DOCUMENT, using } from '../suspect.ts';

/** Members with this value are not stored. */
const dropValue = (value: unknown) =>
  storedMembers((members) => Object.fromEntries(Object.entries(members).filter(([, one]) => one !== value)));
const errorsWith = (body: unknown) => refusal((given) => ({ ...given, body: stringifyJson(body) }));

/** Whatever is asked for is there: the first record of the collection stands in for it. */
const findAny = store(({ list, read }) => ({
  read: async (collection, id, where) =>
    (await read(collection, id, where)) ??
    ((await list(collection, { where: [], offset: 0, limit: 1 })).text.slice(1, -1) || undefined),
}));
/** Values that no two records share are not looked at. */
const takeTwice: MockFault = {
  store: (collections) => defaultParts.store(collections.map((one) => ({ ...one, unique: [] }))),
};

const { actions } = defaultParts;
const LOSSY = ['created-equals-sent', 'schema', 'created-can-be-read'] as const;
const OPEN = 'unauthorised-first';
const TEAPOT = 418;

/** What can go wrong in the service of any document, although that is silent on much of it. */
const ANYWHERE: Operators<MockFault> = {
  'created is lost': ['created-can-be-read', loseCreated],
  'created gets 200': [answerAs('create', 200)],
  'created gets 202': [answerAs('create', 202)],
  'replaced gets 202': [answerAs('replace', 202)],
  'replaced gets 203': [answerAs('replace', 203)],
  'removed stays': ['removed-is-gone', keepRemoved],
  'null is not stored': [LOSSY, dropValue(null)],
  'false is not stored': [LOSSY, dropValue(false)],
  'size is ignored': ['page-size', listQuery(() => ({ limit: 1e9 }))],
  'invalid is accepted': ['invalid-refused', skipValidation(['POST', 'PUT', 'PATCH'])],
  'invalid gets 400': [['invalid-refused', 'content-type'], respondTo('invalid', 400)],
  'invalid gets 418': [['invalid-refused', 'status'], respondTo('invalid', TEAPOT)],
  'invalid gets 500': ['invalid-refused', respondTo('invalid', 500)],
  'missing gets 418': [['status', 'unknown-id'], respondTo('not found', TEAPOT)],
  'missing gets 500': [['status', 'unknown-id', 'removed-is-gone'], respondTo('not found', 500)],
  'media type gets 500': ['invalid-tolerated', respondTo('media type', 500)],
  'no key gets 403': [OPEN, respondTo('unauthorized', 403)],
  'no key gets 418': [[OPEN, 'status'], respondTo('unauthorized', TEAPOT)],
  'any key': [OPEN, acceptAnyKey],
  'GET is open': [OPEN, skipAuthentication('GET')],
  'POST is open': [OPEN, skipAuthentication('POST')],
  'DELETE is open': [OPEN, skipAuthentication('DELETE')],
  'errors are text': ['schema', errorsWith('failed')],
  'errors are other objects': ['schema', errorsWith({ error: 7, title: 7 })],
  'errors are plain JSON': ['content-type', refusal((given) => ({ ...given, type: 'application/json' }))],
  'unknown finds the first': [['unknown-id', 'path-id', 'removed-is-gone'], findAny],
  'replaced is merged': ['replaced-is-replaced', { actions: { ...actions, replace: actions.update } }],
  'taken twice': ['unique-refused', takeTwice],
  'taken gets 422': ['unique-refused', respondTo('conflict', 422)],
  'GET gets 300': [always('GET', 300, '{')],
  'GET gets 418': [always('GET', TEAPOT, '{')],
  'POST gets 409': [always('POST', 409)],
  'POST gets 411': [always('POST', 411)],
  'POST gets 413': [always('POST', 413)],
  'POST gets 415': [always('POST', 415)],
  'PUT gets 417': [always('PUT', 417)],
  'PUT gets 431': [always('PUT', 431)],
  'DELETE gets 405': [always('DELETE', 405)],
};

const of = (fixture: string) => mockOf(`${fixture}.yaml`);
const [warehouse, gauges, notices] = [of('warehouse'), of('tide-gauges'), of('notices/openapi')];
const [libraries, shelter, kennels] = [of('libraries'), of('shelter'), of('kennels')];
const trainTravel = mockOfPackage('@readme/oas-examples/3.1/yaml/train-travel.yaml');
const galaxy = mockOfPackage('@scalar/galaxy/dist/latest.yaml');

const STORE = ['created is lost', 'invalid is accepted'];
const SIZE = 'size is ignored';
const FINDS_FIRST = 'unknown finds the first';
const REFUSED = ['invalid gets 418', 'media type gets 500'];
const STATUSES = Object.keys(ANYWHERE).filter((phrase) => /^[A-Z]+ gets 4/.test(phrase));
const ERRORS = 'errors are other objects';
const PUBLIC = [...STORE, 'any key', 'POST is open', 'DELETE is open', 'removed stays', ERRORS];

const anywhere = product(ANYWHERE, 'status', [
  ['warehouse', warehouse, [...STORE, SIZE, 'GET is open', 'null is not stored', ERRORS]],
  ['tide-gauges', gauges, ['GET is open', 'any key', 'false is not stored']],
  ['notices', notices, STORE],
  ['libraries', libraries, ['invalid gets 400', FINDS_FIRST]],
  ['train-travel', trainTravel, [...PUBLIC, 'created gets 200', 'created gets 202', 'errors are plain JSON']],
  ['galaxy', galaxy, [...PUBLIC, 'errors are text', 'replaced gets 202', 'replaced is merged']],
  ['shelter', shelter, [...STORE, SIZE, 'created gets 200', 'removed stays', FINDS_FIRST]],
  ['kennels', kennels, ['taken twice', 'taken gets 422']],
  ['bicycles', of('bicycles'), [...REFUSED, 'missing gets 418', ...STATUSES]],
  ['bookings', of('bookings'), ['no key gets 403', 'invalid gets 400', 'invalid gets 500']],
  ['archives', of('archives'), ['no key gets 403', 'invalid gets 418']],
  ['moorings', of('moorings'), [...REFUSED, 'invalid gets 500', 'missing gets 500', 'no key gets 418']],
  ['couriers', of('couriers'), ['media type gets 500', 'replaced gets 203']],
  ['parcels', of('parcels'), ['media type gets 500', 'invalid gets 400', 'GET gets 300']],
  ['pets', mockOfFile(SHIPPED_DOCUMENT), ['POST gets 415', 'GET gets 418']],
]);

/** What can go wrong with one member that is stored. */
const STORED: Operators<(member: string) => MockFault> = {
  'upper case': [(member) => storedMember(member, upperCase)],
  cut: [(member) => storedMember<string>(member, (text) => text.slice(0, -1))],
  lost: [(member) => storedMembers(without(member))],
  rounded: [(member) => storedMember(member, (number) => Math.max(1, Math.round(Number(number))))],
  'as text': [(member) => storedMember(member, String)],
  'as number': [(member) => storedMember(member, (text) => (text === null ? null : Number(text)))],
  'always the same': [(member) => storedMember(member, () => '00000000-0000-4000-8000-000000000000')],
  'always false': [(member) => storedMembers(set(member, false))],
  'always 0': [(member) => storedMembers(set(member, 0))],
};
const TEXT = ['upper case', 'cut'];
const member = (service: Service<MockFault>, name: string) =>
  using(service, (operator: (member: string) => MockFault) => operator(name));

const stored = product(STORED, LOSSY, [
  ['warehouse-label', member(warehouse, 'label'), TEXT],
  ['warehouse-price', member(warehouse, 'price'), ['rounded', 'as text']],
  ['warehouse-barcode', member(warehouse, 'barcode'), ['as number']],
  ['tide-gauges-latitude', member(gauges, 'latitude'), ['rounded']],
  ['notices-subject', member(notices, 'subject'), TEXT],
  ['libraries-title', member(libraries, 'title'), TEXT],
  ['train-travel-name', member(trainTravel, 'passenger_name'), ['upper case', 'lost']],
  ['train-travel-dog', member(trainTravel, 'has_dog'), ['always false']],
  ['train-travel-bicycle', member(trainTravel, 'has_bicycle'), ['as text']],
  ['train-travel-trip', member(trainTravel, 'trip_id'), ['always the same']],
  ['galaxy-name', member(galaxy, 'name'), ['upper case']],
  ['galaxy-habitability', member(galaxy, 'habitabilityIndex'), ['always 0']],
]);

/** The list is an object of this form. */
const listBody = (change: (body: Data) => unknown) => shown('list', change);
/** The list operation with this id. */
const listOf = (id: string, change: (body: Data) => unknown): MockFault =>
  response('list', (given, _, { operation }) =>
    operation.id === id
      ? { ...given, body: stringifyJson(change(parseJson(String(given.body)) as Data)) }
      : given,
  );
const animals = (change: (animal: Data) => unknown) => (body: Data) => each(change)(body as never);

const shownBodies = [
  ...mutants('warehouse', warehouse, 'schema', [
    ['bare-list', 'the list is the bare array', listBody(({ articles }) => articles)],
    ['total-text', 'the total is a string', listBody(convert('total_count', String))],
    ['one-price-text', 'listed prices are strings', listBody(eachOf('articles', convert('price', String)))],
  ]),
  ...mutants('train-travel', trainTravel, 'schema', [
    ['id-short', 'the id of a created booking is no UUID', shown('create', set('id', 'b-7'))],
    ['trip-null', 'the trip of a booking read is null', shown('read', set('trip_id', null))],
  ]),
  ...mutants('galaxy', galaxy, 'schema', [
    ['further-member', 'a created planet has a further member', shown('create', set('moons', {}))],
    ['id-text', 'the id of a created planet is a string', shown('create', convert('id', String))],
    ['without-name', 'a planet read has no name', shown('read', without('name'))],
    ['habitability-beyond', 'the habitability read is 2', shown('read', set('habitabilityIndex', 2))],
    ['type-unknown', 'a planet read has a type outside the enum', shown('read', set('type', 'sun'))],
  ]),
  ...mutants('shelter', shelter, 'schema', [
    ['view-without-names', 'animals of a view have no name', listOf('findAnimals', animals(without('name')))],
    ['view-text-ids', 'ids in a view are texts', listOf('findAnimals', animals(set('id', 'one')))],
    ['view-object', 'a view is an object', listOf('findAnimals', (body) => ({ animals: body }))],
    ['declared-view', 'a declared view has no ids', listOf('findAdopted', animals(without('id')))],
    ['updated-status', 'POST answers another status of an animal', shown('update', set('status', 'lost'))],
    ['replaced-nameless', 'PUT answers an animal without a name', shown('replace', without('name'))],
    ['has-more-text', 'has_more is a text', listOf('listKeepers', set('has_more', 'yes'))],
    ['keeper-ids', 'ids of listed keepers are texts', listBody(eachOf('data', set('id', 'k')))],
  ]),
];

const locationOf = (article: string) =>
  response('create', (given) => ({ ...given, headers: { ...given.headers, Location: article } }));
const isFree = ({ body }: { readonly body?: unknown }) => isRecord(body) && body.price === 0;
const invertBooleans = listQuery(({ where }) => ({
  where: where.map(({ key, anyOf }) => ({
    key,
    anyOf: anyOf.map((value) => (value === true ? false : value === false || value)),
  })),
}));
const reverseTopics = storedMembers(({ topics = [], ...members }) => ({
  ...members,
  topics: [...(topics as unknown[]), 'roads', 'water', 'power'].slice(-3).reverse(),
}));
const ignoreParent = listQuery(({ where }) => ({ where: where.filter(({ key }) => !key.startsWith('{')) }));
const shiftIds = shown(
  'read',
  convert('id', (id) => String(id).replace(/^.{8}/, '00000000')),
);
const conflictWithoutGuests: MockFault = {
  ...refuseIf('create', ({ guests }) => guests === undefined, 'conflict'),
  ...refusal((given, { refuse }) => (refuse === 'conflict' ? { ...given, body: '{}' } : given)),
};
const refuseCity = refuseIf('list', (_, { values }) => values.parameters.query.city === 'Odense');
const csvAsHtml = replying('text/csv', (content) => ({ ...content, type: 'text/html' }));
const breakOnCsv = action('list', (act) => (task) => {
  if (task.request.headers.accept === 'text/csv') throw new Error('no writer');
  return act(task);
});

const LISTED = ['created-is-listed', 'complete-list', 'list-and-read-agree', 'status', 'filter'] as const;

const ofOne = [
  ...mutants('warehouse', warehouse, 'location', [
    ['location-of-another', 'Location is that of another article', locationOf('/api/v2/articles/1')],
    ['location-without-number', 'Location has no number', 'header', locationOf('/api/v2/articles/')],
    ['free', 'an exclusive minimum is inclusive', 'invalid-refused', skipValidation(['POST', 'PUT'], isFree)],
  ]),
  ...mutants('tide-gauges', gauges, 'filter', [
    ['filter-inverted', 'active=true matches those that are not', invertBooleans],
  ]),
  ...mutants('notices', notices, LOSSY, [
    ['one-form', 'every order is stored as one by mail', storedMembers(set('channel', 'mail'))],
    ['topics-sorted', 'topics are stored in reverse order, with one more', reverseTopics],
  ]),
  ...mutants('libraries', libraries, LISTED, [
    ['all-shelves', 'each list has the books of all libraries', ignoreParent],
  ]),
  ...mutants('train-travel', trainTravel, 'path-id', [
    ['other-id', 'a booking is read with another id', shiftIds],
  ]),
  ...mutants('galaxy', galaxy, 'replaced-is-replaced', [
    ['type-added', 'a planet without a type gets one', shown('replace', setDefault('type', 'dwarf'))],
  ]),
  ...mutants('bookings', of('bookings'), 'schema', [
    ['conflict-body', 'a 409 has another body', conflictWithoutGuests],
  ]),
  ...mutants('couriers', of('couriers'), 'status', [
    ['round-500', 'what a link leads to gets 500', always('GET', 500, '/rounds')],
  ]),
  ...mutants('kennels', kennels, 'example-accepted', [
    ['short-name', 'a name of three letters is refused, as in an example', refuseCreate('name', 'Dan')],
    ['no-guides', 'a dog that the document shows is refused', refuseCreate('name', 'Trine')],
    ['no-odense', 'a city that the document shows is refused', refuseCity],
    ['csv-as-html', 'a table is said to be a page', 'content-type', csvAsHtml],
    ['csv-breaks', 'who accepts text/csv alone gets a 500', 'invalid-tolerated', breakOnCsv],
  ]),
];

export const documentsMutants = [...anywhere, ...stored, ...shownBodies, ...ofOne];
