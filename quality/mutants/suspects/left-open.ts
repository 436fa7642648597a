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
import { differences, lookalikes, type Service } from '../suspect.ts';

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

const removeLater = store(({ read, remove }) => ({
  async remove(collection, id, where) {
    const exists = (await read(collection, id, where)) !== undefined;
    // The suite waits for longer.
    if (exists) setTimeout(remove, 300, collection, id, where).unref();
    return exists;
  },
}));

/** What gateways and frameworks do to any document. */
const ANYWHERE = {
  'any media type': takeAnyMediaType(),
  '415 with a page': respondTo('media type', 415),
  '415 as 406': respondTo('media type', 406, 'application/problem+json', '{}'),
  '429 first': busy(429),
  '503 first': busy(503),
  'invalid gets 422 with a page': respondTo('invalid', 422),
  'no key gets 403': respondTo('unauthorized', 403),
  'missing gets 410': respondTo('not found', 410),
  'unique subject': unique('subject'),
  'unique name': unique('name'),
  'seals forbidden': forbidSeals,
  '422 beside 400': invalidGets(422),
  '422 in a range': respondTo('invalid', 422, 'application/json', '{"message":"no"}'),
  'change gets 204': response('replace', (given) => ({ ...given, status: 204, type: undefined, body: '' })),
  'removal gets 202': answerAs('remove', 202),
  'slow to forget': removeLater,
  'as it is': {},
  empty: {},
};
const OF_COURIERS = ['422 beside 400', 'change gets 204', 'removal gets 202', 'unique name'];
const [PLAIN, EMPTY] = [['as it is'], ['empty']];
const of = (name: string, count?: number): Service<MockFault> =>
  mockOf(`${name}.yaml`, count === undefined ? {} : { count });
const galaxy = mockOfPackage('@scalar/galaxy/dist/latest.yaml');

/** An operation of this name responds as if it had done what it does, and changes nothing. */
const updatedLater: MockFault = action(
  'update',
  (act) => (task) => act({ ...task, store: { ...task.store, change: acknowledge(task.store) } }),
);
/** A list operation of this id shows a part of what it could. */
const shortView: MockFault = action('list', (act, { operation }) => (task) => {
  const { list } = task.store;
  const short = {
    ...task.store,
    list: (...[of, query]: Parameters<typeof list>) => list(of, { ...query, limit: 3 }),
  };
  return act(operation.id === 'findAnimals' ? { ...task, store: short } : task);
});

export const leftOpenLookalikes = [
  ...differences<MockFault>(ANYWHERE, [
    ['bicycles', of('bicycles'), ['any media type', '415 as 406', '429 first']],
    ['bookings', of('bookings'), ['unique subject', '503 first']],
    ['archives', of('archives'), ['415 with a page']],
    ['moorings', of('moorings'), ['invalid gets 422 with a page', 'no key gets 403', 'missing gets 410']],
    ['parcels', of('parcels'), ['422 in a range']],
    ['couriers', of('couriers'), OF_COURIERS],
    ['libraries', of('libraries'), ['slow to forget']],
    ['fleet', of('fleet', 0), EMPTY],
    ['orchards', of('orchards', 0), EMPTY],
    ['shelter', of('shelter', 0), EMPTY],
    ['festival', of('festival'), PLAIN],
    ['tide-gauges', of('tide-gauges'), PLAIN],
    ['notices', of('notices/openapi'), PLAIN],
    ['wiki', of('wiki'), PLAIN],
    ['train-travel', mockOfPackage('@readme/oas-examples/3.1/yaml/train-travel.yaml'), PLAIN],
    ['galaxy', { ...galaxy, options: { exclude: ['getToken'] } }, PLAIN],
  ]),
  ...differences<MockFault>(ANYWHERE, [['archives', of('archives'), ['seals forbidden']]], 4),
  // What is inferred across paths is promised by no document: services may do otherwise.
  ...lookalikes('shelter', of('shelter'), [
    ['short-view', 'a view shows three animals at most', shortView],
    ['updated-later', 'a POST on an animal takes effect later', updatedLater],
  ]),
];
