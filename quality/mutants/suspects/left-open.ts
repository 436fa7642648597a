import {
  acknowledge,
  action,
  answerAs,
  guarding,
  type MockFault,
  mockOf,
  respondTo,
  response,
  store,
  takeAnyMediaType,
} from '../mock-faults.ts';
import { type Data, every } from '../record-changes.ts';
import { differences, lookalikes, type Service } from '../suspect.ts';

/** Equal subjects conflict. */
const uniqueSubject = action('create', (act) => {
  const taken = new Set<unknown>();
  return async (task) => {
    const { subject } = task.values.body as Data;
    if (taken.has(subject)) return { refuse: 'conflict', message: 'there is one already' };
    const outcome = await act(task);
    if (!('refuse' in outcome)) taken.add(subject);
    return outcome;
  };
});

/** Every fifth request is refused at first. */
const busy = guarding((guard) => {
  const isTurn = every(5);
  const refusal = {
    refuse: 'unavailable',
    status: 429,
    message: 'later',
    headers: { 'Retry-After': '0' },
  } as const;
  return (request) => (isTurn() ? refusal : guard(request));
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
  '429 first': busy,
  'invalid gets 422 with a page': respondTo('invalid', 422),
  'no key gets 403': respondTo('unauthorized', 403),
  'unique subject': uniqueSubject,
  '422 in a range': respondTo('invalid', 422, 'application/json', '{"message":"no"}'),
  'change gets 204': response('replace', (given) => ({ ...given, status: 204, type: undefined, body: '' })),
  'removal gets 202': answerAs('remove', 202),
  'slow to forget': removeLater,
  'as it is': {},
  empty: {},
};
const [PLAIN, EMPTY] = [['as it is'], ['empty']];
const of = (name: string, count?: number): Service<MockFault> =>
  mockOf(`${name}.yaml`, count === undefined ? {} : { count });
const galaxy = mockOf('./node_modules/@scalar/galaxy/dist/latest.yaml');

/** An operation of this name responds as if it had done what it does, and changes nothing. */
const updatedLater: MockFault = action(
  'update',
  (act) => (task) => act({ ...task, store: { ...task.store, change: acknowledge(task.store) } }),
);
export const leftOpenLookalikes = [
  ...differences<MockFault>(ANYWHERE, [
    ['bicycles', of('bicycles'), ['any media type', '415 as 406', '429 first']],
    ['bookings', of('bookings'), ['unique subject']],
    ['archives', of('archives'), ['415 with a page']],
    ['moorings', of('moorings'), ['invalid gets 422 with a page', 'no key gets 403']],
    ['parcels', of('parcels'), ['422 in a range']],
    ['couriers', of('couriers'), ['change gets 204', 'removal gets 202']],
    ['libraries', of('libraries'), ['slow to forget']],
    ['fleet', of('fleet', 0), EMPTY],
    ['orchards', of('orchards', 0), EMPTY],
    ['festival', of('festival'), PLAIN],
    ['tide-gauges', of('tide-gauges'), PLAIN],
    ['notices', of('notices/openapi'), PLAIN],
    ['wiki', of('wiki'), PLAIN],
    ['train-travel', mockOf('./node_modules/@readme/oas-examples/3.1/yaml/train-travel.yaml'), PLAIN],
    ['galaxy', { ...galaxy, options: { exclude: ['getToken'] } }, PLAIN],
  ]),
  // What is inferred across paths is promised by no document: services may do otherwise.
  ...lookalikes('shelter', of('shelter'), [
    ['updated-later', 'a POST on an animal takes effect later', updatedLater],
  ]),
];
