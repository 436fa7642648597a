import { convert, type Data, lowerCase, set, setDefault, without } from '../record-changes.ts';
import { created, petStore, type ResponseChange, response, status } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const redirect: ResponseChange = (given) => ({
  status: 303,
  headers: { Location: `/v1/pets/${(given.body as Data).id}` },
});

const on201 = (change: ResponseChange) => response('create', 201, change);

/** The record is stored, and the response to the create has another status or no body. */
const wrongCreatedStatuses = mutants('create', using(petStore, on201), 'status', [
  ['200', 'a create gets 200', status(200)],
  ['202', 'a create gets 202', status(202)],
  ['204', 'a create gets 204', { status: 204 }],
  ['303', 'a create is redirected to the record', redirect],
  ['empty', 'a create gets no body', ['content-type', 'whole-json'], { status: 201 }],
]);

const idBefore = convert<bigint>('id', (id) => id - 1n);
const beyondInt64 = convert<bigint>('id', (id) => 2n ** 63n + id);
const UNREADABLE = ['created-can-be-read', 'distinct-ids'] as const;
const WRONG_ID = ['path-id', 'created-is-listed', ...UNREADABLE] as const;

/** The record is stored, and shown otherwise in the response to the create. */
const wrongCreatedBodies = mutants('create', using(petStore, created), 'schema', [
  ['null', 'a create gets null', () => null],
  ['empty-object', 'a create gets an empty object', () => ({})],
  ['id-only', 'a create gets an object with only the id', ({ id }) => ({ id })],
  ['bare-id', 'a create gets the bare id', ({ id }) => id],
  ['wrapped', 'the created record is wrapped', (pet) => ({ pet })],
  ['array', 'the created record is an array of one', (pet) => [pet]],
  ['id-text', 'the id of a created record is a string', convert('id', String)],
  ['id-null', 'the id of a created record is null', set('id', null)],
  ['id-beyond-int64', 'the id of a created record is beyond int64', beyondInt64],
  ['id-fraction', 'the id of a created record is a fraction', set('id', 7.5)],
  ['without-id', 'the created record lacks its id', without('id')],
  ['without-name', 'the created record lacks its name', without('name')],
  ['without-category', 'the created record lacks its categoryId', without('categoryId')],
  ['category-text', 'the categoryId of a created record is a string', convert('categoryId', String)],
  ['wrong-id', 'the created record is shown with the id before', WRONG_ID, idBefore],
  ['id-zero', 'the created record is always shown with id 0', UNREADABLE, set('id', 0n)],
  ['status-null', 'a status that was not sent is shown as null', setDefault('status', null)],
  ['status-empty', 'a status that was not sent is shown as an empty string', setDefault('status', '')],
  ['status-unknown', 'a status that was not sent is shown as "new"', setDefault('status', 'new')],
  ['echo-drops-status', 'a status that was sent is not shown', 'created-equals-sent', without('status')],
  ['echo-other-name', 'the name is shown in lower case', 'created-equals-sent', convert('name', lowerCase)],
]);

export const createdResponsesMutants = [...wrongCreatedStatuses, ...wrongCreatedBodies];
