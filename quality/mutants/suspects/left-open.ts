import {
  acknowledge,
  action,
  answerAs,
  type MockFault,
  mockOf,
  respondTo,
  response,
  takeAnyMediaType,
} from '../mock-faults.ts';
import { differences, lookalikes, type Service } from '../suspect.ts';

/** What gateways and frameworks do for any document. */
const ANYWHERE = {
  'any media type': takeAnyMediaType(),
  '415 with a page': respondTo('media type', 415),
  '415 as 406': respondTo('media type', 406, 'application/problem+json', '{}'),
  'invalid gets 422 with a page': respondTo('invalid', 422),
  'no key gets 403': respondTo('unauthorized', 403),
  '422 in a range': respondTo('invalid', 422, 'application/json', '{"message":"no"}'),
  'change gets 204': response('replace', (reply) => ({ ...reply, status: 204, type: undefined, body: '' })),
  'removal gets 202': answerAs('remove', 202),
  'as it is': {},
  empty: {},
};
const [PLAIN, EMPTY] = [['as it is'], ['empty']];
const of = (name: string, count?: number): Service<MockFault> =>
  mockOf(`${name}.yaml`, count === undefined ? {} : { count });
const galaxy = mockOf('./node_modules/@scalar/galaxy/dist/latest.yaml');

/** An operation with this name responds as if it had an effect, but changes nothing. */
const updatedLater: MockFault = action(
  'update',
  (act) => (task) => act({ ...task, store: { ...task.store, change: acknowledge(task.store) } }),
);
export const leftOpenLookalikes = [
  ...differences<MockFault>(ANYWHERE, [
    ['bicycles', of('bicycles'), ['any media type', '415 as 406']],
    ['archives', of('archives'), ['415 with a page']],
    ['moorings', of('moorings'), ['invalid gets 422 with a page', 'no key gets 403']],
    ['parcels', of('parcels'), ['422 in a range']],
    ['couriers', of('couriers'), ['change gets 204', 'removal gets 202']],
    ['fleet', of('fleet', 0), EMPTY],
    ['orchards', of('orchards', 0), EMPTY],
    ['festival', of('festival'), PLAIN],
    ['tide-gauges', of('tide-gauges'), PLAIN],
    ['notices', of('notices/openapi'), PLAIN],
    ['wiki', of('wiki'), PLAIN],
    ['train-travel', mockOf('./node_modules/@readme/oas-examples/3.1/yaml/train-travel.yaml'), PLAIN],
    ['galaxy', { ...galaxy, options: { exclude: ['getToken'] } }, PLAIN],
  ]),
  // No document promises what is inferred across paths, so services may differ.
  ...lookalikes('shelter', of('shelter'), {
    'updated-later': ['a POST on an animal takes effect later', updatedLater],
  }),
];
