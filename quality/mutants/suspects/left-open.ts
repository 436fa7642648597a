import type { Ask } from '../by-hand/behaviour.ts';
import {
  acknowledge,
  action,
  answerAs,
  guarding,
  invalidGets,
  type MockFault,
  mockOf,
  mockOfPackage,
  respondTo,
  response,
  store,
  takeAnyMediaType,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { around, content, error, petStore, respond, wireIf } from '../shop-faults.ts';
import { differences, lookalikes, type Service } from '../suspect.ts';

const isPlainText = ({ headers }: Ask) => /^text\/plain/.test(headers['content-type'] ?? '');
const isUnacceptable = ({ headers }: Ask) => !/\*\/\*|json/.test(headers.accept ?? '*/*');
const isChunked = ({ headers }: Ask) => headers['transfer-encoding'] !== undefined;
const isLong = ({ body }: Ask) => body.length > 500;

const page = (status: number) =>
  wireIf((given) => given === status, content('text/html', `<h1>${status}</h1>`));
const emptyPage = wireIf((status) => status === 415, { headers: [], body: Buffer.from('') });
const gateway = (matches: (ask: Ask) => boolean, status: number) => ({
  ...respond('create', matches, error(status)),
  ...page(status),
});
const notAcceptable = { ...respond('list', isUnacceptable, error(406)), ...page(406) };
const badAccept = around('read', (given, ask) => (isUnacceptable(ask) ? error(400) : given));

/** A gateway in front of the Pet Store, or a framework that its service is made with. */
const petStores = lookalikes('open', petStore, [
  ['415-empty', 'another media type gets 415 without a body', emptyPage],
  ['415-as-403', 'another media type gets 403', respond('create', isPlainText, error(403))],
  ['406-page', 'what is not acceptable gets 406 with an HTML page', notAcceptable],
  ['406-as-400', 'what is not acceptable gets 400', badAccept],
  ['chunked-411', 'a chunked body gets 411', gateway(isChunked, 411)],
  ['413-page', 'a long body gets 413 with an HTML page', gateway(isLong, 413)],
]);

/** Equal values of this member conflict. */
const unique = (member: string): MockFault =>
  action('create', (act) => {
    const taken = new Set<string>();
    return async (task) => {
      const key = String((task.values.body as Data)[member]);
      if (taken.has(key)) return { refuse: 'conflict', message: 'there is one already' };
      const outcome = await act(task);
      if (!('refuse' in outcome)) taken.add(key);
      return outcome;
    };
  });

/** Every fifth request gets 429 first, or 503 where it changes nothing. */
const busy = (status: number): MockFault =>
  guarding((guard, { method }) => {
    let count = 0;
    const isFor = status === 429 || method === 'GET';
    return (request) =>
      isFor && ++count % 5 === 0
        ? { refuse: 'unavailable', status, message: 'later', headers: { 'Retry-After': '0' } }
        : guard(request);
  });

const forbidSeals = guarding((guard, { path }) => (request) => {
  const isForbidden = path.includes('seal');
  return guard(request) ?? (isForbidden ? { refuse: 'forbidden', message: 'not for you' } : undefined);
});

/** What gateways and frameworks do to any document. */
const ANYWHERE = {
  'any media type': takeAnyMediaType(),
  '415 with a page': respondTo('media type', 415),
  '415 as 422': respondTo('media type', 422),
  '415 as 406': respondTo('media type', 406, 'application/problem+json', '{}'),
  '429 first': busy(429),
  '503 first': busy(503),
  'invalid gets 422 with a page': respondTo('invalid', 422),
  'invalid gets 400 with a text': respondTo('invalid', 400, 'text/plain', 'no'),
  'no key gets 403': respondTo('unauthorized', 403),
  'missing gets 404 with a page': respondTo('not found', 404),
  'missing gets 410': respondTo('not found', 410),
  'unique subject': unique('subject'),
  'unique name': unique('name'),
  'seals forbidden': forbidSeals,
  '422 beside 400': invalidGets(422),
  '422 in a range': respondTo('invalid', 422, 'application/json', '{"message":"no"}'),
  'change gets 204': response('replace', (given) => ({ ...given, status: 204, type: undefined, body: '' })),
  'removal gets 202': answerAs('remove', 202),
};
const OF_COURIERS = ['422 beside 400', 'change gets 204', 'removal gets 202', 'unique name'];
const COMMON = ['any media type', '415 with a page'];
const UNDOCUMENTED = Object.keys(ANYWHERE).filter((phrase) => /^(invalid|no key|missing)/.test(phrase));

const leftOpen = [
  ...petStores,
  ...differences<MockFault>(ANYWHERE, [
    ['bicycles', mockOf('bicycles.yaml'), [...COMMON, '415 as 422', '415 as 406', '429 first']],
    ['bookings', mockOf('bookings.yaml'), [...COMMON, 'unique subject', '503 first']],
    ['archives', mockOf('archives.yaml'), [...COMMON, '429 first']],
    ['moorings', mockOf('moorings.yaml'), UNDOCUMENTED],
    ['parcels', mockOf('parcels.yaml'), [...COMMON, '422 in a range']],
    ['couriers', mockOf('couriers.yaml'), OF_COURIERS],
    ['warehouse', mockOf('warehouse.yaml'), COMMON],
  ]),
  ...differences<MockFault>(ANYWHERE, [['archives', mockOf('archives.yaml'), ['seals forbidden']]], 4),
];

/** An operation of this name responds as if it had done what it does, and changes nothing. */
const later = (name: 'update' | 'replace'): MockFault =>
  action(
    name,
    (act) => (task) => act({ ...task, store: { ...task.store, change: acknowledge(task.store) } }),
  );

/** A list operation of this id shows a part of what it could. */
const partly = (id: string, most: number): MockFault =>
  action('list', (act, { operation }) => (task) => {
    if (operation.id !== id) return act(task);
    const { store } = task;
    return act({
      ...task,
      store: { ...store, list: (collection, query) => store.list(collection, { ...query, limit: most }) },
    });
  });

const unlisted = store(({ list }) => ({
  list: (collection, query) =>
    list(collection, collection.name === '/animals' ? { ...query, limit: Math.min(query.limit, 20) } : query),
}));

/** What is inferred across paths is promised by no document: services may do otherwise. */
const views = lookalikes('shelter', mockOf('shelter.yaml'), [
  ['short-view', 'a view shows three animals at most', partly('findAnimals', 3)],
  ['empty-view', 'a view shows nothing yet', partly('listAnimalsOfKeeper', 0)],
  ['updated-later', 'a POST on an animal takes effect later', later('update')],
  ['replaced-later', 'a PUT without an id in its path takes effect later', later('replace')],
  ['unlisted', 'new animals are in no view', unlisted],
]);

const removeLater = store(({ read, remove }) => ({
  async remove(collection, id, where) {
    const exists = (await read(collection, id, where)) !== undefined;
    // The suite waits for longer.
    if (exists) setTimeout(remove, 300, collection, id, where).unref();
    return exists;
  },
}));

const addRevision = response('replace', (given) => ({
  ...given,
  body: String(given.body).replace(/}$/, ',"revision":2}'),
}));

const [trainTravel, galaxy] = [
  '@readme/oas-examples/3.1/yaml/train-travel.yaml',
  '@scalar/galaxy/dist/latest.yaml',
];

/** Each document as it is; the names of these end so for the judges of the hunt. */
const PLAIN: readonly (readonly [string, Service<MockFault>])[] = [
  ...[
    ...['archives', 'bicycles', 'bookings', 'couriers', 'festival', 'fleet', 'kennels', 'libraries'],
    ...['moorings', 'orchards', 'parcels', 'shelter', 'tide-gauges', 'warehouse', 'wiki'],
  ].map((name) => [name, mockOf(`${name}.yaml`)] as const),
  ['dispatches', { ...mockOf('dispatches.yaml'), options: { exclude: ['sendManifest'] } }],
  ['notices', mockOf('notices/openapi.yaml')],
  ['train-travel', mockOfPackage(trainTravel)],
  ['galaxy', { ...mockOfPackage(galaxy), options: { exclude: ['getToken'] } }],
];
const EMPTY = ['fleet', 'kennels', 'libraries', 'orchards', 'shelter', 'warehouse'].map(
  (name) => [name, mockOf(`${name}.yaml`, { count: 0 })] as const,
);

const plain = [
  ...differences({ 'slow to forget': removeLater, 'more members': addRevision }, [
    ['libraries', mockOf('libraries.yaml')],
  ]),
  ...differences<MockFault>({ full: {} }, [['warehouse', mockOf('warehouse.yaml', { count: 1000 })]]),
  ...differences<MockFault>({ empty: {} }, [
    ...EMPTY,
    ['notices', mockOf('notices/openapi.yaml', { count: 0 })],
  ]),
  ...differences<MockFault>({ 'as it is': {} }, PLAIN),
];

export const leftOpenLookalikes = [...plain, ...leftOpen, ...views];
