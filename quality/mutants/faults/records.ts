import type { Answer, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, stock } from '../by-hand/pet.ts';
import { asDouble, convert, type Data, lowerCase, set, setDefault, without } from '../record-changes.ts';
import {
  around,
  content,
  created,
  error,
  petStore,
  type ResponseChange,
  read,
  respond,
  response,
  type ShopFault,
  status,
  wireIf,
} from '../shop-faults.ts';
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

/** A new record replaces the one with its id. */
const replace: Behaviour['keep'] = (shop, pet) => {
  shop.pets = [...shop.pets.filter(({ id }) => id !== pet.id), pet];
};

/** Ids are counted up from a start, in steps. */
const count = (start: bigint, idOf: (ordinal: bigint) => bigint, more: Partial<Behaviour>): ShopFault => {
  return () => {
    let ordinal = start;
    return { ...more, nextId: () => idOf(++ordinal) };
  };
};

const asIs = (id: bigint) => id;

const idByName: ShopFault = () => {
  const ids = new Map<unknown, unknown>();
  return {
    made(sent, id) {
      ids.set(sent.name, ids.get(sent.name) ?? id);
      return correct.made(sent, ids.get(sent.name));
    },
    keep: replace,
  };
};

const spread: Behaviour['made'] = (sent, id) => ({ id, ...sent }) as Pet;
const takeId = ({ id }: Data) => (id === undefined ? {} : { id });
const fromClient: Behaviour['made'] = (sent, id) => ({ ...correct.made(sent, id), ...takeId(sent) });

/** The id that the suite sends, and one to show in its place. */
const SENT_ID = 4503599627370001n;
const hideSentId = convert('id', (id) => (id === SENT_ID ? 77777n : id));
const hideId: Behaviour['created'] = (pet, { does }) => ({
  status: 201,
  body: hideSentId(does.show(pet) as Data),
});

const BEYOND = 2n ** 53n;
const storeHiddenId = { made: fromClient, created: hideId };
const CLIENT_ID = ['read-only-ignored', 'created-can-be-read'] as const;
const REPLACED = ['distinct-ids', 'earlier-records-stay'] as const;
const NOT_FOUND = ['path-id', 'created-can-be-read'] as const;

const ROUNDED = ['distinct-ids', ...NOT_FOUND] as const;
const showRounded = { show: convert('id', asDouble) };
const findRounded: Partial<Behaviour> = {
  find: ({ pets }, id) => pets.find((pet) => Number(pet.id) === Number(id)),
};

/** Ids that do not identify records, or that a client chooses. */
export const idsMutants = mutants('id', petStore, 'distinct-ids', [
  ['always-one', 'each new record gets one id and replaces the last', { nextId: () => 900n, keep: replace }],
  ['always-zero', 'each new record gets the id 0', { nextId: () => 0n }],
  ['twice', 'each id is assigned twice', count(1000n, (ordinal) => ordinal / 2n, { keep: replace })],
  ['of-a-seed', 'a new record gets the id of an old one', REPLACED, count(203n, asIs, { keep: replace })],
  ['by-body', 'records with one name get one id', idByName],
  ['rounded', 'ids are shown rounded to doubles', ROUNDED, count(BEYOND, asIs, showRounded)],
  ['looked-up-rounded', 'ids are looked up rounded to doubles', NOT_FOUND, count(BEYOND, asIs, findRounded)],
  ['from-client', 'an id from the client is stored', 'read-only-ignored', { made: fromClient }],
  ['from-client-stored', 'an id from the client is stored, and not shown', CLIENT_ID, storeHiddenId],
  ['member-spread', 'any member from the client is stored', 'read-only-ignored', { made: spread }],
]);

type Find = (pets: readonly Pet[], id: bigint, found: Pet | undefined) => Pet | undefined;

/** Finds another record, or none. */
const find = (instead: Find): ShopFault => ({
  find: (shop, id) => instead(shop.pets, id as bigint, correct.find(shop, id)),
});

const findPrefix = (pets: readonly Pet[], id: bigint) => pets.find((pet) => `${id}`.startsWith(`${pet.id}`));
const allButFirst: Find = ([first], _id, found) => (found === first ? undefined : found);
const NONE = undefined;
const NOBODY = { name: 'Nobody', categoryId: 1n };
const OTHER = ['unknown-id', 'path-id', 'list-and-read-agree', 'created-can-be-read'] as const;
const UNKNOWN = ['status', 'list-and-read-agree'] as const;

const wrongFoundRecords = mutants('read', using(petStore, find), OTHER, [
  ['first', 'every id finds the first record', (pets) => pets[0]],
  ['first-when-unknown', 'an unknown id finds the first record', (pets, _id, found) => found ?? pets[0]],
  [
    'nearest',
    'an unknown id finds the one before',
    (pets, id) => pets.findLast((pet) => Number(pet.id) <= id),
  ],
  ['next', 'an id finds the record after it', (pets, id) => pets[pets.findIndex((pet) => pet.id === id) + 1]],
  ['never', 'no id is found', [...UNKNOWN, 'created-can-be-read'], () => NONE],
  ['seeds-only', 'added records are not found', (_, id, found) => (id < 232n ? found : NONE)],
  ['added-only', 'records of the start are not found', UNKNOWN, (_, id, found) => (id > 231n ? found : NONE)],
  ['not-first', 'the first record is not found', UNKNOWN, allButFirst],
  ['made-up', 'an unknown id is made up', 'unknown-id', (_, id, found) => found ?? { ...NOBODY, id }],
  ['prefix', 'a prefix of an unknown id finds a record', (pets, id, found) => found ?? findPrefix(pets, id)],
]);

const DOUBLE = ['exact-integers', 'created-can-be-read'] as const;
const AGREE = ['list-and-read-agree', 'created-can-be-read'] as const;

const wrongReadBodies = mutants('read', using(petStore, read), 'schema', [
  ['without-name', 'a record that is read lacks its name', without('name')],
  ['without-id', 'a record that is read lacks its id', without('id')],
  ['without-category', 'a record that is read lacks its categoryId', without('categoryId')],
  ['without-status', 'a record that is read lacks its status', AGREE, without('status')],
  ['id-text', 'the id of a record that is read is a string', convert('id', String)],
  ['status-null', 'a record without a status is read with null', setDefault('status', null)],
  ['array', 'a record is read as an array of one', (pet) => [pet]],
  ['wrapped', 'a record is read wrapped in "data"', (pet) => ({ data: pet })],
  ['other-name', 'a record is read with its name in lower case', AGREE, convert('name', lowerCase)],
  ['other-category', 'a record is read with another category', AGREE, set('categoryId', 4242n)],
  ['rounded-category', 'a record is read with a rounded category', DOUBLE, convert('categoryId', asDouble)],
]);

const on200 = (change: ResponseChange) => response('read', 200, change);

const wrongReadStatuses = mutants('read', using(petStore, on200), 'status', [
  ['203', 'a read gets 203', status(203)],
  ['410', 'the deprecated operation is gone already', error(410)],
  ['304', 'a read gets 304', { status: 304 }],
]);

/** A read changes the record that is stored, or removes it. */
const changeStored = (change: (pet: Pet) => Pet[]): ShopFault =>
  around('read', (given, { path }, shop) => {
    shop.pets = shop.pets.flatMap((pet) => (path === `/pets/${pet.id}` ? change(pet) : [pet]));
    return given;
  });

const respondWithLast: ShopFault = () => {
  let last: Answer | undefined;
  return response('read', 200, (given) => {
    const before = last ?? given;
    last = given;
    return before;
  });
};

const roundedIds: ShopFault = {
  stock: () => stock(31).map((pet) => ({ ...pet, id: 2n ** 53n + 2n * (pet.id as bigint) })),
  find: ({ pets }, id) => pets.find((pet) => Number(pet.id) === Number(id)),
};

const OTHER_RECORD = ['path-id', 'unknown-id', 'list-and-read-agree'] as const;
const EFFECTS = [...AGREE, 'created-is-listed', 'earlier-records-stay'] as const;

const readEffects = mutants('read', petStore, EFFECTS, [
  ['changes-record', 'a read marks its record as sold', changeStored((pet) => [{ ...pet, status: 'sold' }])],
  ['removes-record', 'a record can be read once', [...EFFECTS, 'status'], changeStored(() => [])],
  ['of-the-last', 'a read gets the response to the read before', OTHER_RECORD, respondWithLast],
  ['big-ids-rounded', 'ids beyond 2^53 are looked up rounded', 'path-id', roundedIds],
]);

export const readRecordsMutants = [wrongFoundRecords, wrongReadBodies, wrongReadStatuses, readEffects].flat();

const { idOf } = correct;
const OTHER_ID = ['unknown-id', 'path-id'] as const;

const isInteger = (text: string) => /^-?\d+$/.test(text);
const integers = (toId: (id: bigint) => bigint) => (text: string) =>
  isInteger(text) ? toId(BigInt(text)) : undefined;
const floor = (text: string) =>
  isInteger(text) || Number.isNaN(Number(text)) ? undefined : BigInt(Math.floor(Number(text)));

const hexadecimal = (text: string) => (/^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : undefined);

const parseId = (parse: Behaviour['idOf']): ShopFault => ({ idOf: parse });

/** A path that names no record, or another one, is parsed as the id of one. */
const wrongPathIds = mutants('path', using(petStore, parseId), OTHER_ID, [
  ['parse-int', 'what follows the digits is ignored', (text) => idOf(/^-?\d+/.exec(text)?.[0] ?? '')],
  ['fraction', 'a fraction is truncated', (text) => idOf(text.replace(/^(\d+)\.\d+$/, '$1'))],
  ['rounded-fraction', 'a number with a fraction is rounded', (text) => idOf(text) ?? floor(text)],
  ['hexadecimal', 'hexadecimal numbers are ids', (text) => idOf(text) ?? hexadecimal(text)],
  ['spaces', 'spaces around an id are ignored', (text) => idOf(text.trim())],
  ['absolute', 'the sign of an id is ignored', (text) => idOf(text.replace(/^-/, ''))],
  ['32-bit', 'only the lower 32 bits of an id are compared', integers((id) => BigInt.asIntN(32, id))],
  ['64-bit', 'an id beyond int64 wraps around', integers((id) => BigInt.asIntN(64, id))],
  ['digits', 'all but the digits of a path are ignored', (text) => idOf(text.replace(/\D/g, ''))],
  ['zero-is-first', 'the id 0 finds the first record', (text) => (text === '0' ? 201n : idOf(text))],
  ['word-is-first', 'a word finds the first record', (text) => (isInteger(text) ? idOf(text) : 201n)],
]);

/** Fails for these ids. */
const failFor = (matches: (text: string) => boolean, status = 500): ShopFault =>
  respond('read', ({ path }) => matches(path.slice('/pets/'.length)), error(status));

const MAX_INT64 = 2n ** 63n - 1n;
const isBeyondInt64 = (text: string) => /^\d{19,}$/.test(text) && BigInt(text) > MAX_INT64;

const failingPathIds = mutants('path', petStore, 'unknown-id', [
  ['word-500', 'an id that is a word gets 500', failFor((text) => !isInteger(text))],
  ['negative-500', 'a negative id gets 500', failFor((text) => text.includes('-'))],
  ['zero-500', 'the id 0 gets 500', failFor((text) => text === '0')],
  ['beyond-2-31-500', 'an id beyond 2^31 gets 500', failFor((text) => Number(text) > 2 ** 31 - 1)],
  ['greatest-500', 'the greatest int64 gets 500', failFor((text) => text === String(MAX_INT64))],
  ['beyond-int64-500', 'an id beyond int64 gets 500', failFor(isBeyondInt64)],
  ['huge-400', 'an int64 beyond 2^53 gets 400', failFor((text) => Number(text) > 2 ** 53 - 1, 400)],
]);

export const pathIdsMutants = [...wrongPathIds, ...failingPathIds];

const on404 = (change: ResponseChange) => response('read', 404, change);

/** The read of an id that does not exist gets another response. */
const wrongNotFound = mutants('missing', using(petStore, on404), 'unknown-id', [
  ['200-null', 'an unknown id gets 200 null', { status: 200, body: null }],
  ['200-object', 'an unknown id gets 200 {}', { status: 200, body: {} }],
  ['200-array', 'an unknown id gets 200 []', { status: 200, body: [] }],
  ['200-error', 'an unknown id gets 200 with an error body', error(200)],
  ['200-empty', 'an unknown id gets 200 without a body', { status: 200 }],
  ['204', 'an unknown id gets 204', { status: 204 }],
  ['400', 'an unknown id gets 400', error(400)],
  ['403', 'an unknown id gets 403', error(403)],
  ['410', 'an unknown id gets 410', error(410)],
  ['500', 'an unknown id gets 500', error(500)],
  ['501', 'an unknown id gets 501', error(501)],
  ['302', 'an unknown id is redirected to the list', { status: 302, headers: { Location: '/v1/pets' } }],
  ['without-body', 'a 404 has no body', ['content-type', 'whole-json'], { status: 404 }],
]);

const STATUS = ['schema', 'error-status'] as const;

const wrongNotFoundBodies = mutants('missing', using(petStore, on404), 'schema', [
  ['body-status', 'the 404 body says 400', STATUS, error(404, { status: 400 })],
  ['body-status-text', 'the status in the 404 body is a string', STATUS, error(404, { status: '404' })],
  ['without-message', 'the 404 body lacks its message', error(404, { message: undefined })],
  ['without-code', 'the 404 body lacks its code', error(404, { code: undefined })],
  ['message-null', 'the message in the 404 body is null', error(404, { message: null })],
  ['detail', 'the 404 body is { detail }', { status: 404, body: { detail: 'Not found' } }],
]);

const htmlNotFound = mutants('missing', petStore, 'content-type', [
  ['html', 'a 404 is an HTML page', wireIf((status) => status === 404, content('text/html', '<h1>404</h1>'))],
]);

export const unknownRecordsMutants = [...wrongNotFound, ...wrongNotFoundBodies, ...htmlNotFound];
