import { parseJson, stringifyJson } from '#spec';
import {
  acceptAnyKey,
  action,
  keepRemoved,
  loseCreated,
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

/** Faults in services of documents that others wrote. */

const shiftIds = action('read', (act) => async (task) => {
  const outcome = await act(task);
  return 'refuse' in outcome
    ? outcome
    : { ...outcome, body: String(outcome.body).replace(/"id":"([0-9a-f-]{8})/, '"id":"00000000') };
});

const errorsAs = (type: string) => refusal((given) => ({ ...given, type }));
const errorsWith = (body: unknown) => refusal((given) => ({ ...given, body: stringifyJson(body) }));
const createdAs = (status: number) => response('create', (given) => ({ ...given, status }));

const LOSSY = ['schema', 'created-equals-sent'] as const;

const trainTravel = mockOfPackage('@readme/oas-examples/3.1/yaml/train-travel.yaml');

/** OAuth 2.0, UUIDs, a list in an object, no required member. */
const trainTravelMutants = mutants('train-travel', trainTravel, 'created-equals-sent', [
  ['open', 'no token is needed', 'unauthorised-first', skipAuthentication('GET', 'POST', 'DELETE')],
  ['open-delete', 'DELETE needs no token', 'unauthorised-first', skipAuthentication('DELETE')],
  ['any-token', 'any token is accepted', 'unauthorised-first', acceptAnyKey],
  ['lost', 'created bookings are not stored', 'created-can-be-read', loseCreated],
  ['kept', 'removed bookings are still there', 'removed-is-gone', keepRemoved],
  ['created-as-200', 'a created booking is answered 200', 'status', createdAs(200)],
  ['created-as-202', 'a created booking is answered 202', 'status', createdAs(202)],
  ['id-short', 'the id of a created booking is no UUID', 'schema', responseBody('create', set('id', 'b-7'))],
  ['other-id', 'a booking is read with another id', 'path-id', shiftIds],
  ['name-upper', 'names are stored in upper case', storedMember('passenger_name', upperCase)],
  ['name-lost', 'names are not stored', storedMembers(without('passenger_name'))],
  ['dog-left-behind', 'no booking has a dog', storedMembers(set('has_dog', false))],
  ['bicycle-text', 'has_bicycle is a string', LOSSY, storedMember('has_bicycle', String)],
  ['trip-null', 'the trip of a booking read is null', 'schema', responseBody('read', set('trip_id', null))],
  ['trip-of-another', 'the trip is that of another booking', storedMember('trip_id', () => TRIP)],
  ['invalid-accepted', 'invalid bookings are accepted', 'invalid-refused', skipValidation(['POST'])],
  ['errors-as-json', 'problems are application/json', 'content-type', errorsAs('application/json')],
  ['title-number', 'the title of a problem is a number', 'schema', errorsWith({ title: 7 })],
]);

const TRIP = '00000000-0000-4000-8000-000000000000';

const galaxy = mockOfPackage('@scalar/galaxy/dist/latest.yaml');

const BEYOND = { x: 1 };
const reached = response('replace', (given) => ({ ...given, status: 202 }));
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
  [
    'further-member',
    'a created planet has a further member',
    'schema',
    responseBody('create', set('moons', BEYOND)),
  ],
  ['without-name', 'a planet read has no name', 'schema', responseBody('read', without('name'))],
  [
    'id-text',
    'the id of a created planet is a string',
    'schema',
    responseBody('create', convert('id', String)),
  ],
  ['name-upper', 'names are stored in upper case', storedMember('name', upperCase)],
  ['uninhabitable', 'the habitability is always 0', storedMembers(set('habitabilityIndex', 0))],
  [
    'habitability-beyond',
    'the habitability read is 2',
    'schema',
    responseBody('read', set('habitabilityIndex', 2)),
  ],
  [
    'type-unknown',
    'the type of a planet read is none of the enum',
    'schema',
    responseBody('read', set('type', 'sun')),
  ],
  [
    'type-added',
    'a planet without a type gets one',
    'replaced-is-replaced',
    responseBody('replace', setDefault('type', 'dwarf')),
  ],
  ['replaced-as-202', 'a replaced planet is answered 202', 'status', reached],
  ['replaced-is-merged', 'a replaced planet keeps what was not sent', 'replaced-is-replaced', mergeReplaced],
  ['invalid-accepted', 'invalid planets are accepted', 'invalid-refused', skipValidation(['POST', 'PUT'])],
  ['error-text', 'an error is a string', 'schema', errorsWith('failed')],
]);

export const publicDocumentsMutants = [...trainTravelMutants, ...galaxyMutants];
