import type { Ask } from '../by-hand/behaviour.ts';
import { answerAs, guarding, type MockFault, mockOf, refusal, refuseIf, respondTo } from '../mock-faults.ts';
import { error, petStore, respond } from '../shop-faults.ts';
import { mutants } from '../suspect.ts';

/** What is wrong although the document is silent on much of it. */
/** All requests of a method, of all paths or of those with this part, get a status, whatever else is wrong. */
const always = (method: string, status: number, part = ''): MockFault =>
  guarding((guard, operation) =>
    operation.method === method && operation.path.includes(part)
      ? () => ({ refuse: 'forced', status, message: 'no' })
      : guard,
  );

const conflictWithout = (member: string): MockFault => ({
  ...refuseIf('create', (body) => body[member] === undefined, 'conflict'),
  ...refusal((given, { refuse }) => (refuse === 'conflict' ? { ...given, body: '{}' } : given)),
});

const isUnacceptable = ({ headers }: Ask) => !/\*\/\*|json/.test(headers.accept ?? '*/*');
const TOLERATED = 'invalid-tolerated';
const TEAPOT = 418;

const ofPetStore = mutants('open', petStore, TOLERATED, [
  ['unacceptable-500', 'what is not acceptable gets 500', respond('list', isUnacceptable, error(500))],
  ['405', 'a documented method gets 405', 'status', respond('list', () => true, error(405))],
  ['415', 'every create gets 415', 'status', respond('create', () => true, error(415))],
]);

const ofBicycles = mutants('bicycles', mockOf('bicycles.yaml'), 'status', [
  ['media-type-500', 'another media type gets 500', TOLERATED, respondTo('media type', 500)],
  ['invalid-418', 'invalid bodies get 418', 'invalid-refused', respondTo('invalid', TEAPOT)],
  ['missing-418', 'what is not there gets 418', ['status', 'unknown-id'], respondTo('not found', TEAPOT)],
  ['read-418', 'stands that are there get 418', always('GET', TEAPOT, '{')],
  ['create-409', 'creates get an undocumented 409', always('POST', 409)],
  ['create-413', 'short bodies get 413', always('POST', 413)],
  ['create-411', 'bodies with a length get 411', always('POST', 411)],
  ['create-415', 'the documented media type gets 415', always('POST', 415)],
  ['remove-405', 'a documented method gets 405', always('DELETE', 405)],
  ['replace-417', 'requests without Expect get 417', always('PUT', 417)],
  ['replace-431', 'short headers get 431', always('PUT', 431)],
]);

const ofBookings = mutants('bookings', mockOf('bookings.yaml'), 'unauthorised-first', [
  ['403-for-401', 'who has no key gets 403', respondTo('unauthorized', 403)],
  ['400-for-422', 'invalid bodies get 400', 'invalid-refused', respondTo('invalid', 400)],
  ['500-for-422', 'invalid bodies get the documented 500', 'invalid-refused', respondTo('invalid', 500)],
  ['conflict-body', 'a 409 has another body', 'schema', conflictWithout('guests')],
  ['media-type-500', 'another media type gets the documented 500', TOLERATED, respondTo('media type', 500)],
]);

const ofArchives = mutants('archives', mockOf('archives.yaml'), 'unauthorised-first', [
  ['403-for-401', 'who has no key gets the documented 403', respondTo('unauthorized', 403)],
  ['418-for-400', 'what is invalid gets 418', ['status', 'invalid-refused'], respondTo('invalid', TEAPOT)],
]);

const ofMoorings = mutants('moorings', mockOf('moorings.yaml'), 'invalid-refused', [
  ['500', 'what is invalid gets 500', respondTo('invalid', 500)],
  ['418', 'what is invalid gets 418', 'status', respondTo('invalid', TEAPOT)],
  ['media-type-500', 'another media type gets 500', TOLERATED, respondTo('media type', 500)],
  ['missing-500', 'what is not there gets 500', ['status', 'removed-is-gone'], respondTo('not found', 500)],
  ['no-key-418', 'who has no key gets 418', 'status', respondTo('unauthorized', TEAPOT)],
]);

const ofCouriers = mutants('couriers', mockOf('couriers.yaml'), 'status', [
  ['203', 'a change gets an undocumented 203', answerAs('replace', 203)],
  ['round-500', 'what a link leads to gets 500', always('GET', 500, '/rounds')],
  ['media-type-500', 'another media type gets 500', TOLERATED, respondTo('media type', 500)],
]);

const ofParcels = mutants('parcels', mockOf('parcels.yaml'), TOLERATED, [
  ['media-type-500', 'another media type gets a documented 500', respondTo('media type', 500)],
  ['400-page', 'what is invalid gets 400 with a page', 'content-type', respondTo('invalid', 400)],
  ['read-300', 'a parcel gets 300', 'status', always('GET', 300, '{')],
]);

export const leftOpenMutants = [
  ofPetStore,
  ofBicycles,
  ofBookings,
  ofArchives,
  ofMoorings,
  ofCouriers,
  ofParcels,
].flat();
