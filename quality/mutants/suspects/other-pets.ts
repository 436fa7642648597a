import type { Answer, Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, isObject } from '../by-hand/correct.ts';
import { type Pet, STATUSES, stock } from '../by-hand/pet.ts';
import { type Data, set } from '../record-changes.ts';
import {
  content,
  error,
  isKnownStatus,
  petStore,
  respond,
  response,
  type ShopFault,
  unauthorized,
  validBody,
  wire,
  wireIf,
} from '../shop-faults.ts';
import { lookalikes, using } from '../suspect.ts';

// Pet Stores that keep the contract, each in its own way.

const stockWith = (change: (pet: Pet, index: number) => object): Partial<Behaviour> => ({
  stock: () => stock(31).map((pet, index) => change(pet, index) as Pet),
});

/** The document only says that ids are int64. All ids, including initial ones, count from a start value in steps. */
const countIds = ([start, step]: readonly [start: bigint, step: bigint]): ShopFault => {
  const idOf = (ordinal: number) => start + step * BigInt(ordinal);
  return {
    ...stockWith((pet, index) => ({ ...pet, id: idOf(index) })),
    nextId: ({ pets }) => idOf(pets.length),
  };
};

const inRandomOrder: Behaviour['list'] = (ask, shop) =>
  correct.list(ask, { ...shop, pets: shop.pets.toSorted(() => Math.random() - 0.5) });
const withMembers = ({ id, ...pet }: Pet) => ({ ...pet, tags: ['a', { b: null }], owner: null, id });
const longerErrors: Behaviour['refuse'] = (status, message) => {
  const more = { details: [{ field: 'x' }], traceId: null, timestamp: 1n };
  return { status, body: { status, code: '', message: `Fehler: ${message} – „bitte prüfen“`, ...more } };
};
/** It also leaves open the number of records, their order, and additional members. */
export const otherRecords = [
  ...lookalikes('other-ids', using(petStore, countIds), {
    negative: ['ids are negative', [-1n, -1n]],
    greatest: ['ids are counted down from the greatest int64', [2n ** 63n - 1n, -1n]],
  }),
  ...lookalikes('other', petStore, {
    'order-random': ['lists are in random order', { list: inRandomOrder }],
    'stock-empty': ['there are no records', { stock: () => [] }],
    'stock-5000': ['there are 5,000 records', { stock: () => stock(5000) }],
    'stock-of-one-status': ['all records have one status', stockWith(set('status', 'sold'))],
    'members-added': ['records have undocumented members', { show: withMembers }],
    'errors-longer': ['error bodies have more members, and other messages', { refuse: longerErrors }],
    'no-challenge': ['a 401 has no WWW-Authenticate', unauthorized((reply) => ({ ...reply, headers: {} }))],
  }),
];

/** Only these categories exist; creates with another one are refused. */
const knownCategories = (categories: readonly bigint[]): Partial<Behaviour> => ({
  ...stockWith((pet, index) => ({ ...pet, categoryId: categories[index % categories.length] })),
  create(ask, shop) {
    const { categoryId = categories[0] } = validBody(ask, shop) ?? {};
    const isKnown = categories.includes(categoryId as bigint);
    return isKnown ? correct.create(ask, shop) : shop.does.refuse(400, 'there is no such category');
  },
});
const empty = { stock: () => [] };

/** Other clients add records between any two requests, and remove their oldest ones; lists show these first. */
const others = (most: number): Partial<Behaviour> => ({
  answer(ask, shop) {
    const id = shop.does.nextId(shop);
    const status = Math.random() < 0.7 ? { status: STATUSES[Number(id) % 3] } : {};
    shop.pets.push({ id, name: `Visitor ${id}`, categoryId: 3n, ...status });
    const added = shop.pets.filter(({ name }) => String(name).startsWith('Visitor'));
    if (added.length > most) shop.pets = shop.pets.filter((pet) => pet !== added[0]);
    return correct.answer(ask, shop);
  },
  page: (pets, limit) => pets.toReversed().slice(0, limit),
});

export const otherWriters = [
  ...lookalikes('other-categories', petStore, {
    listed: ['other categories than those listed get 400', knownCategories([41n, 42n, 7_000_000_000n])],
  }),
  ...lookalikes(
    'other-categories',
    { ...petStore, options: { values: { categoryId: '512' } } },
    {
      told: ['of an empty store, told by the user', { ...knownCategories([512n]), ...empty }],
    },
  ),
  ...lookalikes('other-writers', using(petStore, others), {
    'add-newest-first': ['others create records, which lists show first', Number.POSITIVE_INFINITY],
    'come-and-go-first': ['others create and remove records, which lists show first', 2],
  }),
];

/** Refuses unusual bodies that the document allows. */
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
const { limitOf } = correct;
const clamp = (text: string | null) => (Number(text) > 100 ? 100 : Number(text) < 1 ? 1 : 20);

/** Changes the response to an unknown status. */
const unknownStatus = (respond: (ask: Ask, shop: Shop) => Answer): ShopFault => ({
  list: (ask, shop) =>
    isKnownStatus(ask.query.get('status')) ? correct.list(ask, shop) : respond(ask, shop),
});
const isNoId = ({ path }: Ask, { does }: Shop) => does.idOf(decodeURIComponent(path.slice(6))) === undefined;
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

const isUnacceptable = ({ headers }: Ask) => !/\*\/\*|json/.test(headers.accept ?? '*/*');
const emptyPage = wireIf((status) => status === 415, { headers: [], body: Buffer.from('') });
/** A gateway or web framework answers these requests with an HTML page. */
const gateway = (operation: 'list' | 'create', matches: (ask: Ask) => boolean, status: number) => ({
  ...respond(operation, matches, error(status)),
  ...wireIf((code) => code === status, content('text/html', `<h1>${status}</h1>`)),
});
/** The document says little about responses to invalid or unusual requests. */
export const otherRefusals = [
  ...lookalikes('other-strict', using(petStore, strict), {
    members: ['undocumented members are refused, an id too', (...[, , body]) => hasOtherMembers(body)],
    characters: ['names with controls, outer spaces or decomposed letters are refused', isUnusual],
    category: ['categories below 1 and beyond 2^53 are refused', (_, id) => id < 1n || id > 2n ** 53n],
  }),
  ...lookalikes('other-limit', petStore, {
    clamped: ['a limit out of range is clamped', { limitOf: (text) => limitOf(text) ?? clamp(text) }],
  }),
  ...lookalikes('other-status', using(petStore, unknownStatus), {
    'nothing-when-bad': ['it matches nothing', () => ({ status: 200, body: [] })],
    '422-when-bad': ['it gets 422', () => error(422)],
  }),
  ...lookalikes('other', petStore, {
    'unreadable-400': ['what is not JSON, by its type, gets 400', response('create', 415, error(400))],
    'path-400': ['an id that is no int64 gets 400', respond('read', isNoId, error(400))],
    'scheme-case': ['the scheme Bearer is case-sensitive', caseSensitiveScheme],
    'nothing-else': ['other methods get 501, other paths an HTML page', nothingElse],
  }),
  ...lookalikes('open', petStore, {
    '415-empty': ['another media type gets 415 without a body', emptyPage],
    '406-page': ['what is not acceptable gets 406 with an HTML page', gateway('list', isUnacceptable, 406)],
    '413-page': ['a long body gets a page', gateway('create', ({ body }) => body.length > 500, 413)],
  }),
];
