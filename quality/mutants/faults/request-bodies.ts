import type { Answer, Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, isObject, readBody } from '../by-hand/correct.ts';
import { isInt64 } from '../by-hand/exact-json.ts';
import { STATUSES } from '../by-hand/pet.ts';
import { type Data, every, lowerCase } from '../record-changes.ts';
import {
  around,
  content,
  error,
  petStore,
  type ResponseChange,
  respond,
  response,
  type ShopFault,
  validBody,
  wireIf,
} from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const isStatus = (value: unknown) => STATUSES.some((status) => status === value);

/** Accepts these invalid objects. What is stored of them is valid. */
const accept = (accepts: (body: Data) => boolean): ShopFault => ({
  problemOf: (body) => (isObject(body) && accepts(body) ? undefined : correct.problemOf(body)),
  made: ({ name, categoryId, status }, id) => ({
    id,
    name: typeof name === 'string' ? name : 'Nobody',
    categoryId: isInt64(categoryId) ? categoryId : 1n,
    ...(isStatus(status) ? { status } : {}),
  }),
});

const VALID = { name: 'Nobody', categoryId: 1n, status: 'sold' };

/** Accepts these values of a member where the rest of the body is valid. */
const acceptMember = (member: keyof typeof VALID) => (accepts: (value: unknown) => boolean) =>
  accept((body) => {
    const isRestValid = correct.problemOf({ ...body, [member]: VALID[member] }) === undefined;
    return isRestValid && accepts(body[member]);
  });

const accepting = (member: keyof typeof VALID) => using(petStore, acceptMember(member));

const isNull = (value: unknown) => value === null;
const isString = (value: unknown) => typeof value === 'string';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isEmptyString = (value: unknown) => value === '';
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const isArrayOf = (test: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length === 1 && test(value[0]);

const acceptedNames = mutants('accepts-name', accepting('name'), 'invalid-refused', [
  ['number', 'a name may be a number', (name) => typeof name === 'bigint'],
  ['boolean', 'a name may be a boolean', isBoolean],
  ['null', 'a name may be null', isNull],
  ['array', 'a name may be an array', Array.isArray],
  ['object', 'a name may be an object', isObject],
]);

const acceptedCategories = mutants('accepts-category', accepting('categoryId'), 'invalid-refused', [
  ['numeric-text', 'a categoryId may be a string of digits', matches(/^-?\d+$/)],
  ['text', 'a categoryId may be any other string', matches(/^(?!-?\d+$)/)],
  ['fraction', 'a categoryId may be a fraction', (id) => typeof id === 'number'],
  ['boolean', 'a categoryId may be a boolean', isBoolean],
  ['null', 'a categoryId may be null', isNull],
  ['array', 'a categoryId may be an array', Array.isArray],
  ['object', 'a categoryId may be an object', isObject],
  ['beyond-int64', 'a categoryId may be beyond int64', (id) => typeof id === 'bigint' && !isInt64(id)],
  ['in-list', 'a categoryId may be an array of one', isArrayOf(isInt64)],
  ['empty-text', 'a categoryId may be an empty string', isEmptyString],
  ['digits-and-more', 'what follows the digits of a categoryId is ignored', matches(/^\d+\D/)],
]);

const acceptedStatuses = mutants('accepts-status', accepting('status'), 'invalid-refused', [
  ['unknown', 'a status may be any string', isString],
  ['upper-case', 'the status is case-insensitive', (value) => isString(value) && isStatus(lowerCase(value))],
  ['empty', 'a status may be an empty string', isEmptyString],
  ['null', 'a status may be null', isNull],
  ['number', 'a status may be a number', (status) => typeof status === 'bigint'],
  ['boolean', 'a status may be a boolean', isBoolean],
  ['array', 'a status may be an array', Array.isArray],
  ['in-list', 'a status may be an array of one', isArrayOf(isStatus)],
  ['padded', 'a status may be padded', (value) => typeof value === 'string' && isStatus(value.trim())],
]);

const acceptedObjects = mutants('accepts', petStore, 'invalid-refused', [
  ['missing-name', 'the name may be missing', acceptMember('name')((name) => name === undefined)],
  ['missing-category', 'the categoryId may be missing', acceptMember('categoryId')((id) => id === undefined)],
  ['empty-object', 'a body may be an empty object', accept((body) => Object.keys(body).length === 0)],
  ['anything', 'any object is accepted', accept(() => true)],
]);

/** Accepts bodies of this kind, which are no object: a record is made up. */
const acceptBody = (kind: string): ShopFault => ({
  create(ask, shop) {
    if (kindOf(ask.body.toString().trim()) !== kind) return correct.create(ask, shop);
    const pet = shop.does.made(VALID, shop.does.nextId(shop));
    shop.does.keep(shop, pet);
    return shop.does.created(pet, shop);
  },
});

const kindOf = (text: string) => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  } catch {
    return text === '' ? 'nothing' : 'broken';
  }
};

const acceptedOtherBodies = mutants('accepts', using(petStore, acceptBody), 'invalid-refused', [
  ['empty-body', 'a create needs no body', 'nothing'],
  ['null-body', 'a body may be null', 'null'],
  ['array-body', 'a body may be an array', 'array'],
  ['text-body', 'a body may be a string', 'string'],
  ['number-body', 'a body may be a number', 'number'],
  ['broken-json', 'broken JSON is accepted', 'broken'],
]);

export const acceptedBodiesMutants = [
  acceptedNames,
  acceptedCategories,
  acceptedStatuses,
  acceptedObjects,
  acceptedOtherBodies,
].flat();

const on400 = (change: ResponseChange) => response('create', 400, change);

/** Replaces only refusals with this message. */
const ofMessage =
  (pattern: RegExp, instead: Answer): ResponseChange =>
  (given) =>
    pattern.test((given.body as { message: string }).message) ? instead : given;

const PROBLEM = { status: 400, body: { type: 'about:blank', title: 'x', status: 400 } };

/** Invalid bodies are refused, but not as documented. */
const wrongRefusalsOfBodies = mutants('refuses', using(petStore, on400), 'invalid-refused', [
  ['with-422', 'invalid input gets 422', error(422)],
  ['with-500', 'invalid input gets 500', error(500)],
  ['with-404', 'invalid input gets 404', error(404)],
  ['with-409', 'invalid input gets 409', error(409)],
  ['with-200', 'invalid input gets 200 with an error body', error(200)],
  ['with-201', 'invalid input gets 201 with an error body', error(201)],
  ['with-body-status', 'the 400 body says 422', ['schema', 'error-status'], error(400, { status: 422 })],
  ['without-code', 'the 400 body lacks its code', 'schema', error(400, { code: undefined })],
  ['without-message', 'the 400 body lacks its message', 'schema', error(400, { message: undefined })],
  ['with-message-list', 'the message in the 400 body is an array', 'schema', error(400, { message: ['x'] })],
  ['with-problem', 'the 400 body is a problem of RFC 9457', 'schema', PROBLEM],
  ['with-nothing', 'a 400 has no body', ['content-type', 'whole-json'], { status: 400 }],
  ['type-errors-with-422', 'wrong types get 422, missing members 400', ofMessage(/text/, error(422))],
  ['enum-with-500', 'an unknown status gets 500', ofMessage(/^status/, error(500))],
  ['parsing-with-500', 'broken JSON gets 500', ofMessage(/no JSON/, error(500))],
  ['no-object-with-500', 'a body that is no object gets 500', ofMessage(/no object/, error(500))],
  ['empty-with-411', 'an empty body gets 411', ofMessage(/^a body is needed$/, error(411))],
  ['empty-with-500', 'an empty body gets 500', ofMessage(/^a body is needed$/, error(500))],
]);

const isText = ({ headers }: Ask) => /^text\/plain/.test(headers['content-type'] ?? '');
const is400 = (status: number) => status === 400;

type Store = (sent: Data, shop: Shop) => void;

/** Stores what it can of a refused body. */
const store = (keep: Store): ShopFault =>
  around('create', (given, ask, shop) => {
    const sent = readBody(ask, shop.does);
    if (given.status === 400 && 'body' in sent && isObject(sent.body)) keep(sent.body, shop);
    return given;
  });

const keepNew = (shop: Shop, name: unknown, categoryId: unknown) =>
  shop.does.keep(shop, { id: shop.does.nextId(shop), name, categoryId });

const storeNamed: Store = ({ name }, shop) => {
  if (typeof name === 'string') keepNew(shop, name, 1n);
};

const storeWithoutStatus: Store = ({ name, categoryId }, shop) => {
  if (correct.problemOf({ name, categoryId }) === undefined) keepNew(shop, name, categoryId);
};

const failAfterRefusal: ShopFault = () => {
  let isBroken = false;
  return {
    create(ask, shop) {
      const given = isBroken ? error(500) : (correct.create(ask, shop) as Answer);
      isBroken = given.status === 400;
      return given;
    },
  };
};

const TOLERATED = 'invalid-tolerated';

const otherRefusalsOfBodies = mutants('refuses', petStore, 'invalid-refused', [
  ['media-type-with-500', 'another media type gets 500', TOLERATED, respond('create', isText, error(500))],
  ['with-html', 'a 400 is an HTML page', 'content-type', wireIf(is400, content('text/html', '<h1>no</h1>'))],
  ['with-text', 'a 400 is plain text', 'content-type', wireIf(is400, content('text/plain', 'no'))],
]);

const NEXT = ['status', 'created-can-be-read'] as const;

const refusalEffects = mutants('', petStore, 'refused-leaves-nothing', [
  ['stores-refused', 'an invalid record gets 400 and is stored', store(storeNamed)],
  ['stores-refused-status', 'an unknown status gets 400 and the rest is stored', store(storeWithoutStatus)],
  ['refused-breaks-next', 'the create after an invalid body gets 500', NEXT, failAfterRefusal],
]);

export const refusedBodiesMutants = [wrongRefusalsOfBodies, otherRefusalsOfBodies, refusalEffects].flat();

const NOT_CREATED = ['status', 'filter', 'created-equals-sent', 'exact-integers', 'complete-list'] as const;

/** Refuses these valid bodies. */
const refuse = (status: number, refuses: (body: Data, ask: Ask, shop: Shop) => boolean): Partial<Behaviour> =>
  respond(
    'create',
    (ask, shop) => {
      const body = validBody(ask, shop);
      return body !== undefined && refuses(body, ask, shop);
    },
    error(status),
  );

const refuseName = (status: number, refuses: (name: string) => boolean) =>
  refuse(status, ({ name }) => refuses(String(name)));
const refuseCategory = (status: number, refuses: (categoryId: bigint) => boolean) =>
  refuse(status, ({ categoryId }) => refuses(BigInt(categoryId as bigint)));

const refuseAfterFive: ShopFault = () => {
  let count = 0;
  return refuse(409, () => ++count > 5);
};

const isNameTaken = ({ name }: Data, _: Ask, { pets }: Shop) => pets.some((pet) => pet.name === name);
const TAKEN = ['status', 'distinct-ids'] as const;
const beyondBmp = /[\u{10000}-\u{10ffff}]/u;
const hasCharset = ({ headers }: Ask) => /charset/.test(headers['content-type'] ?? '');
const isChunked = ({ headers }: Ask) => headers['transfer-encoding'] !== undefined;

export const refusedValidBodiesMutants = mutants('refuses', petStore, NOT_CREATED, [
  ['no-status', 'the optional status is required', refuse(400, ({ status }) => status === undefined)],
  ['any-status', 'any status is refused', refuse(400, ({ status }) => status !== undefined)],
  ['sold', 'one value of the status is refused', refuse(400, ({ status }) => status === 'sold')],
  ['pending-500', 'one value of the status gets 500', refuse(500, ({ status }) => status === 'pending')],
  ['charset', 'a media type with a charset is refused', refuse(415, (_, ask) => hasCharset(ask))],
  ['chunked', 'a chunked body is refused', refuse(400, (_, ask) => isChunked(ask))],
  ['unicode', 'names beyond ASCII are refused', refuseName(400, (name) => /[^\x20-\x7e]/.test(name))],
  ['emoji-500', 'characters beyond the BMP get 500', refuseName(500, (name) => beyondBmp.test(name))],
  ['apostrophe-500', 'an apostrophe gets 500', refuseName(500, (name) => name.includes("'"))],
  ['one-character', 'names of one character are refused', refuseName(400, (name) => name.length < 2)],
  ['longer-than-40', 'names beyond 40 characters are refused', refuseName(400, (name) => name.length > 40)],
  ['digits', 'names with digits are refused', refuseName(400, (name) => /\d/.test(name))],
  ['spaces', 'names with a space are refused', refuseName(400, (name) => name.includes(' '))],
  ['long-500', 'names beyond 200 characters get 500', refuseName(500, (name) => name.length > 200)],
  ['empty-500', 'an empty name gets 500', refuseName(500, (name) => name === '')],
  ['big-category-500', 'a category beyond 2^53 gets 500', refuseCategory(500, (id) => id > 2n ** 53n)],
  ['negative-category-500', 'a negative category gets 500', refuseCategory(500, (id) => id < 0n)],
  ['every-fifth', 'every fifth create gets 500', () => refuse(500, every(5))],
  ['sixth-and-later', 'no more than 5 records can be created', refuseAfterFive],
  ['equal-names', 'a name that is taken is refused', TAKEN, refuse(409, isNameTaken)],
]);
