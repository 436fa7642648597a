import type { Answer, Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, isObject, readBody } from '../by-hand/correct.ts';
import { FORBIDDEN, KINDS } from '../invalid-values.ts';
import { type Data, every, lowerCase } from '../record-changes.ts';
import {
  around,
  content,
  dropQuery,
  error,
  isKnownStatus,
  petStore,
  respond,
  response,
  type ShopFault,
  validBody,
  wire,
} from '../shop-faults.ts';
import { lookalikes, mutants, named, product, using } from '../suspect.ts';

const VALID = { name: 'Nobody', categoryId: 1n, status: 'sold' };
const isValid = (member: string, value: unknown) =>
  correct.problemOf({ ...VALID, [member]: value }) === undefined;

/** Accepts these invalid objects. What is stored of them is valid. */
const accept = (accepts: (body: Data) => boolean): ShopFault => ({
  problemOf: (body) => (isObject(body) && accepts(body) ? undefined : correct.problemOf(body)),
  made: (sent, id) => {
    const valid = Object.entries(sent).filter(([member, value]) => isValid(member, value));
    return correct.made({ name: 'Nobody', categoryId: 1n, ...Object.fromEntries(valid) }, id);
  },
});

/** Accepts these values of a member where the rest of the body is valid. */
const acceptMember = (member: keyof typeof VALID) => (accepts: (value: unknown) => boolean) =>
  accept(
    (body) => accepts(body[member]) && correct.problemOf({ ...body, [member]: VALID[member] }) === undefined,
  );

const acceptedMembers = (['name', 'categoryId', 'status'] as const).flatMap((member) => {
  const kinds = FORBIDDEN[member].map((kind) => [kind, [KINDS[kind].matches]] as const);
  return product(Object.fromEntries(kinds), 'invalid-refused', [
    [`accepts-${member}`, using(petStore, acceptMember(member))],
  ]);
});

const kindOf = (text: string) => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  } catch {
    return text === '' ? 'nothing' : 'broken JSON';
  }
};

/** Accepts bodies of this kind, which are no object: a record is made up. */
const acceptBody = (kind: string): ShopFault => ({
  create(ask, shop) {
    if (kindOf(ask.body.toString().trim()) !== kind) return correct.create(ask, shop);
    const pet = shop.does.made(VALID, shop.does.nextId(shop));
    shop.does.keep(shop, pet);
    return shop.does.created(pet, shop);
  },
});
const BODIES = ['nothing', 'null', 'array', 'string', 'number', 'broken JSON'];

const accepted = [
  ...acceptedMembers,
  ...product(named(BODIES), 'invalid-refused', [['accepts-body', using(petStore, acceptBody)]]),
  ...mutants('accepts', using(petStore, accept), 'invalid-refused', [
    ['empty-object', 'a body may be an empty object', (body) => Object.keys(body).length === 0],
    ['anything', 'any object is accepted', () => true],
  ]),
];

/** Replaces only refusals with this message. */
const ofMessage = ([pattern, status]: readonly [pattern: RegExp, status: number]): ShopFault =>
  response('create', 400, (given) =>
    pattern.test((given.body as { message: string }).message) ? error(status) : given,
  );

const wrongRefusals = mutants('refuses', using(petStore, ofMessage), 'invalid-refused', [
  ['type-errors-with-422', 'wrong types get 422, missing members 400', [/text/, 422]],
  ['enum-with-500', 'an unknown status gets 500', [/^status/, 500]],
  ['parsing-with-500', 'broken JSON gets 500', [/no JSON/, 500]],
  ['no-object-with-500', 'a body that is no object gets 500', [/no object/, 500]],
  ['empty-with-411', 'an empty body gets 411', [/^a body is needed$/, 411]],
]);

/** Stores what it can of a refused body. */
const storeRefused = (keep: (sent: Data, shop: Shop) => void): ShopFault =>
  around('create', (given, ask, shop) => {
    const sent = readBody(ask, shop.does);
    if (given.status === 400 && 'body' in sent && isObject(sent.body)) keep(sent.body, shop);
    return given;
  });

const keepNew = (shop: Shop, name: unknown, categoryId: unknown) =>
  shop.does.keep(shop, { id: shop.does.nextId(shop), name, categoryId });
const storeNamed = storeRefused(({ name }, shop) => {
  if (typeof name === 'string') keepNew(shop, name, 1n);
});
const storeWithoutStatus = storeRefused(({ name, categoryId }, shop) => {
  if (correct.problemOf({ name, categoryId }) === undefined) keepNew(shop, name, categoryId);
});

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

const isText = ({ headers }: Ask) => /^text\/plain/.test(headers['content-type'] ?? '');

const refused = [
  ...wrongRefusals,
  ...mutants('refuses', petStore, 'refused-leaves-nothing', [
    ['and-stores', 'an invalid record gets 400 and is stored', storeNamed],
    ['and-stores-the-rest', 'an unknown status gets 400 and the rest is stored', storeWithoutStatus],
    ['and-breaks', 'a create after a 400 gets 500', ['status', 'created-can-be-read'], failAfterRefusal],
    ['text-with-500', 'text gets 500', 'invalid-tolerated', respond('create', isText, error(500))],
  ]),
];

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
const refuseStatus = (status: number, refuses: (value: unknown) => boolean) =>
  refuse(status, (body) => refuses(body.status));
const refuseCategory = (refuses: (id: number) => boolean) =>
  refuse(500, ({ categoryId }) => refuses(Number(categoryId)));
const beyondBmp = /[\u{10000}-\u{10ffff}]/u;
const hasCharset = ({ headers }: Ask) => /charset/.test(headers['content-type'] ?? '');
const isChunked = ({ headers }: Ask) => headers['transfer-encoding'] !== undefined;
const isTaken = ({ name }: Data, _: Ask, { pets }: Shop) => pets.some((pet) => pet.name === name);
const NOT_CREATED = ['status', 'filter', 'created-equals-sent', 'exact-integers', 'complete-list'] as const;

const refusedValid = mutants('refuses', petStore, NOT_CREATED, [
  ['no-status', 'the optional status is required', refuseStatus(400, (status) => status === undefined)],
  ['any-status', 'any status is refused', refuseStatus(400, (status) => status !== undefined)],
  ['sold', 'one value of the status is refused', refuseStatus(400, (status) => status === 'sold')],
  ['pending-500', 'one value of the status gets 500', refuseStatus(500, (status) => status === 'pending')],
  ['charset', 'a media type with a charset is refused', refuse(415, (_, ask) => hasCharset(ask))],
  ['chunked', 'a chunked body is refused', refuse(400, (_, ask) => isChunked(ask))],
  ['unicode', 'names beyond ASCII are refused', refuseName(400, (name) => /[^\x20-\x7e]/.test(name))],
  ['emoji-500', 'a name beyond the BMP gets 500', refuseName(500, (name) => beyondBmp.test(name))],
  ['apostrophe-500', 'an apostrophe gets 500', refuseName(500, (name) => name.includes("'"))],
  ['one-character', 'names of one character are refused', refuseName(400, (name) => name.length < 2)],
  ['longer-than-40', 'names beyond 40 characters are refused', refuseName(400, (name) => name.length > 40)],
  ['digits', 'names with digits are refused', refuseName(400, (name) => /\d/.test(name))],
  ['spaces', 'names with a space are refused', refuseName(400, (name) => name.includes(' '))],
  ['long-500', 'names beyond 200 characters get 500', refuseName(500, (name) => name.length > 200)],
  ['empty-500', 'an empty name gets 500', refuseName(500, (name) => name === '')],
  ['big-category', 'a category beyond 2^53 gets 500', refuseCategory((id) => id > 2 ** 53)],
  ['negative-category', 'a negative category gets 500', refuseCategory((id) => id < 0)],
  ['every-fifth', 'every fifth create gets 500', () => refuse(500, every(5))],
  ['equal-names', 'a name that is taken is refused', [...NOT_CREATED, 'distinct-ids'], refuse(409, isTaken)],
]);

/** Refuses bodies that the document allows, and that are not ordinary. */
const strict = (refuses: (name: string, categoryId: bigint, body: Data) => boolean): ShopFault => ({
  problemOf(body) {
    const problem = correct.problemOf(body);
    if (problem !== undefined || !isObject(body)) return problem;
    return refuses(String(body.name), body.categoryId as bigint, body) ? 'not here' : undefined;
  },
});

const hasOtherMembers = (body: Data) =>
  Object.keys(body).some((member) => !['name', 'categoryId', 'status'].includes(member));
const isUnusual = (name: string) => /\p{Cc}/u.test(name) || name !== name.trim().normalize('NFC');

const stricterBodies = lookalikes('other-strict', using(petStore, strict), [
  ['members', 'undocumented members are refused, an id too', (...[, , body]) => hasOtherMembers(body)],
  ['id', 'an id from the client is refused', (...[, , body]) => 'id' in body],
  ['length', 'empty names and long names are refused', (name) => !name || name.length > 64],
  ['characters', 'names with controls, outer spaces or decomposed letters are refused', isUnusual],
  ['category', 'categories below 1 and beyond 2^53 are refused', (_, id) => id < 1n || id > 2n ** 53n],
]);

const limit = (limitOf: (text: string | null) => number | undefined): ShopFault => ({
  limitOf: (text) => limitOf(text) ?? correct.limitOf(text),
});
const { limitOf } = correct;
const clamp = (text: string | null) => (Number(text) > 100 ? 100 : Number(text) < 1 ? 1 : 20);

/** The document says nothing of the response to an invalid query. */
const otherLimits = lookalikes('other-limit', using(petStore, limit), [
  ['clamped', 'a limit out of range is clamped', (text) => limitOf(text) ?? clamp(text)],
  ['ignored-when-bad', 'an invalid limit is ignored', (text) => limitOf(text) ?? 20],
  ['cut', 'a fraction of a limit is truncated', (text) => limitOf(text?.replace(/\.\d+$/, '') ?? null)],
  ['zero-is-none', 'a limit of 0 gives nothing', (text) => (text === '0' ? 0 : undefined)],
]);

/** An unknown status gets another response. */
const unknownStatus = (respond: (ask: Ask, shop: Shop) => Answer): ShopFault => ({
  list: (ask, shop) =>
    isKnownStatus(ask.query.get('status')) ? correct.list(ask, shop) : respond(ask, shop),
});
const inLowerCase = (ask: Ask): Ask => {
  const others = [...dropQuery(ask, 'status').query];
  return { ...ask, query: new URLSearchParams([...others, ['status', lowerCase(ask.query.get('status'))]]) };
};

const otherFilters = lookalikes('other-status', using(petStore, unknownStatus), [
  ['ignored-when-bad', 'it is ignored', (ask, shop) => correct.list(dropQuery(ask, 'status'), shop)],
  ['nothing-when-bad', 'it matches nothing', () => ({ status: 200, body: [] })],
  ['422-when-bad', 'it gets 422', () => error(422)],
  ['404-when-bad', 'it gets 404', () => error(404)],
  ['any-case', 'the status filter is case-insensitive', (ask, shop) => correct.list(inLowerCase(ask), shop)],
]);

const isTypeless = ({ headers }: Ask) => !headers['content-type'];
const isUnreadable = ({ body }: Answer) => (body as { message?: string }).message === 'the body is no JSON';
const refuseUnreadable = around('create', (given) => (isUnreadable(given) ? error(422) : given));
const isNoId = ({ path }: Ask, { does }: Shop) => does.idOf(decodeURIComponent(path.slice(6))) === undefined;
const keyEverywhere: ShopFault = {
  answer: async (ask, shop) => shop.does.authenticate(ask, shop) ?? correct.answer(ask, shop),
};
const caseSensitiveScheme: ShopFault = {
  authenticate: (ask, shop) =>
    /^bearer/.test(ask.headers.authorization ?? '') ? error(401) : correct.authenticate(ask, shop),
};
const nothingElse: ShopFault = {
  answer: async (ask, shop) =>
    ['GET', 'POST'].includes(ask.method) ? correct.answer(ask, shop) : error(501),
  ...wire((_written, _given, { path }) =>
    path.startsWith('/pets') ? {} : { status: 404, ...content('text/html', '<h1>no</h1>') },
  ),
};

/** Nor does it say anything of other paths and methods, of invalid ids, or of the case of the scheme. */
const otherRefusals = lookalikes('other', petStore, [
  ['long-names-413', 'a long body gets 413', respond('create', ({ body }) => body.length > 500, error(413))],
  ['unreadable-400', 'what is not JSON, by type or by syntax, gets 400', response('create', 415, error(400))],
  ['unreadable-422', 'JSON that does not parse gets 422', refuseUnreadable],
  ['typeless-400', 'a body without a media type gets 400', respond('create', isTypeless, error(400))],
  ['path-400', 'an id that is no int64 gets 400', respond('read', isNoId, error(400))],
  ['key-everywhere', 'paths that do not exist need a key, too', keyEverywhere],
  ['scheme-case', 'the scheme Bearer is case-sensitive', caseSensitiveScheme],
  ['nothing-else', 'other methods get 501, other paths an HTML page', nothingElse],
]);

export const requestBodiesMutants = [...accepted, ...refused, ...refusedValid];

export const requestBodiesLookalikes = [...stricterBodies, ...otherLimits, ...otherFilters, ...otherRefusals];
