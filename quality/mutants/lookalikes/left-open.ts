import { defaultParts } from '#mock';
import type { Ask } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import {
  action,
  answerAs,
  guarding,
  type MockFault,
  mockOf,
  respondTo,
  response,
  takeAnyMediaType,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { around, content, error, petStore, respond, type ShopFault, wireIf } from '../shop-faults.ts';
import { lookalikes } from '../suspect.ts';

const isPlainText = ({ headers }: Ask) => /^text\/plain/.test(headers['content-type'] ?? '');
const asJson = (ask: Ask): Ask => ({
  ...ask,
  headers: { ...ask.headers, 'content-type': 'application/json' },
});
const isUnacceptable = ({ headers }: Ask) => !/\*\/\*|json/.test(headers.accept ?? '*/*');
const isChunked = ({ headers }: Ask) => headers['transfer-encoding'] !== undefined;
const page = (status: number) =>
  wireIf((given) => given === status, content('text/html', `<h1>${status}</h1>`));

const takeAnything: ShopFault = {
  create: (ask, shop) => correct.create(isPlainText(ask) ? asJson(ask) : ask, shop),
};
const notAcceptable = { ...respond('list', isUnacceptable, error(406)), ...page(406) };
const badAccept = {
  ...around('read', (given, ask) => (isUnacceptable(ask) ? error(400) : given)),
  ...page(406),
};
const emptyPage = wireIf((status) => status === 415, { headers: [], body: Buffer.from('') });
const isLong = ({ body }: Ask) => body.length > 500;
const gateway = (matches: (ask: Ask) => boolean, status: number) => ({
  ...respond('create', matches, error(status)),
  ...page(status),
});

/** A gateway in front of the Pet Store, or a framework that its service is made with. */
const petStores = lookalikes('open', petStore, [
  ['any-media-type', 'the media type of a body is ignored', takeAnything],
  ['415-page', 'another media type gets 415 with an HTML page', page(415)],
  ['415-empty', 'another media type gets 415 without a body', emptyPage],
  ['415-as-406', 'another media type gets 406 with an HTML page', gateway(isPlainText, 406)],
  ['415-as-403', 'another media type gets 403', respond('create', isPlainText, error(403))],
  ['406-page', 'what is not acceptable gets 406 with an HTML page', notAcceptable],
  ['406-as-400', 'what is not acceptable gets 400', badAccept],
  ['chunked-411', 'a chunked body gets 411', gateway(isChunked, 411)],
  ['413-page', 'a long body gets 413 with an HTML page', gateway(isLong, 413)],
]);

const PROBLEM = 'application/problem+json';

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

const noContent = response('replace', (given) => ({ ...given, status: 204, type: undefined, body: '' }));

/** Where a create documents both. */
const invalidWith422: MockFault = {
  refuse(operation, contract) {
    const refuse = defaultParts.refuse(operation, contract);
    const status = operation?.responses.some(({ key }) => key === '422') ? { status: 422 } : {};
    return (refused) => refuse(refused.refuse === 'invalid' ? { ...refused, ...status } : refused);
  },
};

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

/** What gateways and frameworks do to any document. */
const COMMON = [
  ['any-media-type', 'the media type of a body is ignored', takeAnyMediaType()],
  ['415-page', 'another media type gets an undocumented 415', respondTo('media type', 415)],
] as const;

const ofBicycles = lookalikes('bicycles', mockOf('bicycles.yaml'), [
  ...COMMON,
  ['415-as-422', 'another media type gets an undocumented 422', respondTo('media type', 422)],
  ['415-as-406', 'another media type gets an undocumented 406', respondTo('media type', 406, PROBLEM, '{}')],
  ['busy', 'every fifth request gets an undocumented 429 first', busy(429)],
]);

const ofBookings = lookalikes('bookings', mockOf('bookings.yaml'), [
  ...COMMON,
  ['unique-subject', 'two bookings with one subject conflict, as is documented', unique('subject')],
  ['unavailable', 'every fifth read gets an undocumented 503 first', busy(503)],
]);

const forbidSeals = guarding(
  (guard, { path }) =>
    (request) =>
      guard(request) ?? (path.includes('seal') ? { refuse: 'forbidden', message: 'not for you' } : undefined),
);

const ofArchives = lookalikes('archives', mockOf('archives.yaml'), [
  ...COMMON,
  ['forbidden-seals', 'seals are forbidden to this reader, as is documented', forbidSeals],
  ['busy', 'every fifth request gets the documented 429 first', busy(429)],
]);

const ofMoorings = lookalikes('moorings', mockOf('moorings.yaml'), [
  ['422-page', 'what is invalid gets an undocumented 422 with a page', respondTo('invalid', 422)],
  ['400-text', 'what is invalid gets an undocumented text', respondTo('invalid', 400, 'text/plain', 'no')],
  ['403', 'who has no key gets an undocumented 403', respondTo('unauthorized', 403)],
  ['404-page', 'what is not there gets an undocumented 404 with a page', respondTo('not found', 404)],
  ['410', 'what is not there gets an undocumented 410', respondTo('not found', 410)],
]);

const invalidInRange = respondTo('invalid', 422, 'application/json', '{"message":"no"}');
const ofParcels = lookalikes('parcels', mockOf('parcels.yaml'), [
  ['422', 'what is invalid gets 422, which a range covers', invalidInRange],
  ...COMMON.toReversed(),
]);

const ofCouriers = lookalikes('couriers', mockOf('couriers.yaml'), [
  ['422', 'an invalid courier gets 422, which is documented beside 400', invalidWith422],
  ['no-content', 'a change gets 204, which is documented beside 200', noContent],
  ['later', 'a removal gets 202, which is documented beside 204', answerAs('remove', 202)],
  ['unique-names', 'two couriers of one name conflict, as is documented', unique('name')],
]);

const ofWarehouse = lookalikes('warehouse', mockOf('warehouse.yaml'), [...COMMON]);

export const leftOpenLookalikes = [
  petStores,
  ofBicycles,
  ofBookings,
  ofArchives,
  ofMoorings,
  ofParcels,
  ofCouriers,
  ofWarehouse,
].flat();
