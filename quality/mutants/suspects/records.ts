import type { Answer, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { type Pet, STATUSES, stock } from '../by-hand/pet.ts';
import { asDouble, convert, set, setDefault, without } from '../record-changes.ts';
import {
  around,
  error,
  petStore,
  respond,
  response,
  type ShopFault,
  unauthorized,
  validBody,
} from '../shop-faults.ts';
import { lookalikes, mutants, using } from '../suspect.ts';

/** A new record replaces the one with its id. */
const replace: Behaviour['keep'] = (shop, pet) => {
  shop.pets = [...shop.pets.filter(({ id }) => id !== pet.id), pet];
};

/** Ids are counted up from a start. */
const count = (start: bigint, more: Partial<Behaviour>, idOf = (ordinal: bigint) => ordinal): ShopFault => {
  return () => {
    let ordinal = start;
    return { ...more, nextId: () => idOf(++ordinal) };
  };
};

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
const fromClient: Behaviour['made'] = (sent, id) => correct.made(sent, sent.id ?? id);
/** The id that the suite sends is not shown. */
const hideId = convert('id', (id) => (id === 4503599627370001n ? 77777n : id));
const created: Behaviour['created'] = (pet) => ({ status: 201, body: hideId(pet) });
const findRounded: Behaviour['find'] = ({ pets }, id) => pets.find((pet) => Number(pet.id) === Number(id));

const BEYOND = 2n ** 53n;
const CLIENT_ID = ['read-only-ignored', 'created-can-be-read'] as const;
const OTHERS = ['distinct-ids', 'earlier-records-stay', 'path-id', 'created-can-be-read'] as const;

/** Ids that do not identify records, or that a client chooses. */
const ids = mutants('id', petStore, OTHERS, [
  ['always-one', 'each new record gets one id and replaces the last', { nextId: () => 900n, keep: replace }],
  ['always-zero', 'each new record gets the id 0', { nextId: () => 0n }],
  ['twice', 'each id is assigned twice', count(1000n, { keep: replace }, (ordinal) => ordinal / 2n)],
  ['of-a-seed', 'a new record gets the id of an old one', count(203n, { keep: replace })],
  ['by-body', 'records with one name get one id', idByName],
  ['rounded', 'ids are shown rounded to doubles', count(BEYOND, { show: convert('id', asDouble) })],
  ['looked-up-rounded', 'ids are looked up rounded to doubles', count(BEYOND, { find: findRounded })],
  ['from-client', 'an id from the client is stored', CLIENT_ID, { made: fromClient }],
  ['from-client-stored', 'it is stored, and not shown', CLIENT_ID, { made: fromClient, created }],
  ['member-spread', 'any member from the client is stored', CLIENT_ID, { made: spread }],
]);

/** Finds another record, or none. */
type Find = (pets: readonly Pet[], id: bigint, found: Pet | undefined) => Pet | undefined;
const find = (instead: Find): ShopFault => ({
  find: (shop, id) => instead(shop.pets, id as bigint, correct.find(shop, id)),
});

const findPrefix: Find = (pets, id, found) => found ?? pets.find((pet) => `${id}`.startsWith(`${pet.id}`));
const findBefore: Find = (pets, id) => pets.findLast((pet) => Number(pet.id) <= id);
const skipFirst: Find = ([first], _, found) => (found === first ? undefined : found);
const findNext: Find = (pets, id) => pets[pets.findIndex((pet) => pet.id === id) + 1];
const makeUp: Find = (_pets, id, found) => found ?? { id, name: 'Nobody', categoryId: 1n };
const WRONG = ['unknown-id', 'path-id', 'list-and-read-agree', 'created-can-be-read', 'status'] as const;

const wrongRecords = mutants('read', using(petStore, find), WRONG, [
  ['first', 'every id finds the first record', (pets) => pets[0]],
  ['first-when-unknown', 'an unknown id finds the first record', (pets, _id, found) => found ?? pets[0]],
  ['nearest', 'an unknown id finds the one before', findBefore],
  ['next', 'an id finds the record after it', findNext],
  ['never', 'no id is found', () => undefined],
  ['seeds-only', 'added records are not found', (_, id, found) => (id < 232n ? found : undefined)],
  ['added-only', 'records of the start are not found', (_, id, found) => (id > 231n ? found : undefined)],
  ['not-first', 'the first record is not found', skipFirst],
  ['made-up', 'an unknown id is made up', 'unknown-id', makeUp],
  ['prefix', 'a prefix of an unknown id finds a record', findPrefix],
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
  stock: () => stock(31).map((pet) => ({ ...pet, id: BEYOND + 2n * (pet.id as bigint) })),
  find: findRounded,
};

const EFFECTS = [...WRONG, 'created-is-listed', 'earlier-records-stay'] as const;

const effects = mutants('read', petStore, EFFECTS, [
  ['changes-record', 'a read marks its record as sold', changeStored((pet) => [{ ...pet, status: 'sold' }])],
  ['removes-record', 'a record can be read once', changeStored(() => [])],
  ['of-the-last', 'a read gets the response to the read before', respondWithLast],
  ['big-ids-rounded', 'ids beyond 2^53 are looked up rounded', roundedIds],
]);

const { idOf } = correct;
const isInteger = (text: string) => /^-?\d+$/.test(text);
const integers = (toId: (id: bigint) => bigint) => (text: string) =>
  isInteger(text) ? toId(BigInt(text)) : undefined;
const floor = (text: string) => (Number.isNaN(Number(text)) ? undefined : BigInt(Math.floor(Number(text))));
const hexadecimal = (text: string) => (/^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : undefined);
const parseId = (parse: Behaviour['idOf']): ShopFault => ({ idOf: parse });

/** A path that names no record, or another one, is parsed as the id of one. */
const wrongIds = mutants(
  'path',
  using(petStore, parseId),
  ['unknown-id', 'path-id'],
  [
    ['parse-int', 'what follows the digits is ignored', (text) => idOf(/^-?\d+/.exec(text)?.[0] ?? '')],
    ['fraction', 'a fraction is truncated', (text) => idOf(text) ?? floor(text)],
    ['hexadecimal', 'hexadecimal numbers are ids', (text) => idOf(text) ?? hexadecimal(text)],
    ['spaces', 'spaces around an id are ignored', (text) => idOf(text.trim())],
    ['absolute', 'the sign of an id is ignored', (text) => idOf(text.replace(/^-/, ''))],
    ['32-bit', 'only the lower 32 bits of an id are compared', integers((id) => BigInt.asIntN(32, id))],
    ['64-bit', 'an id beyond int64 wraps around', integers((id) => BigInt.asIntN(64, id))],
    ['digits', 'all but the digits of a path are ignored', (text) => idOf(text.replace(/\D/g, ''))],
    ['zero-is-first', 'the id 0 finds the first record', (text) => (text === '0' ? 201n : idOf(text))],
    ['word-is-first', 'a word finds the first record', (text) => (isInteger(text) ? idOf(text) : 201n)],
  ],
);

/** Ids of this kind get 500, or another status. */
const failFor = (matches: (text: string, id: bigint) => boolean, status = 500): ShopFault =>
  respond(
    'read',
    ({ path }) => {
      const text = decodeURIComponent(path.slice('/pets/'.length));
      return matches(text, isInteger(text) ? BigInt(text) : 0n);
    },
    error(status),
  );

const MAX = 2n ** 63n - 1n;
const between = (low: bigint, high: bigint) => (_: string, id: bigint) => id > low && id < high;

const failingIds = mutants('path', petStore, 'unknown-id', [
  ['word-500', 'an id that is a word gets 500', failFor((text) => !isInteger(text))],
  ['negative-500', 'a negative id gets 500', failFor((text) => text.includes('-'))],
  ['zero-500', 'the id 0 gets 500', failFor((text) => text === '0')],
  ['beyond-2-31-500', 'an id beyond 2^31 gets 500', failFor((text) => Number(text) > 2 ** 31 - 1)],
  ['greatest-500', 'the greatest int64 gets 500', failFor((_, id) => id === MAX)],
  ['beyond-int64-500', 'an id beyond int64 gets 500', failFor((_, id) => id > MAX)],
  ['huge-400', 'an int64 beyond 2^53 gets 400', failFor((text) => Number(text) > 2 ** 53 - 1, 400)],
]);

/** Far ids that are neither bounds nor near a record. */
const random = { ...petStore, options: { only: '^getPet/404/random' } };
const randomIds = mutants(
  'random-id',
  random,
  ['unknown-id', 'path-id', 'status'],
  [
    ['huge-500', 'most ids beyond 2^24 get 500', failFor(between(2n ** 24n, MAX))],
    ['negative-500', 'most negative ids get 500', failFor(between(-MAX, -(2n ** 20n)))],
    ['huge-200', 'most ids beyond 2^24 get 200', failFor(between(2n ** 24n, MAX), 200)],
    ['negative-400', 'most negative ids get 400', failFor(between(-MAX, -2n), 400)],
  ],
);

export const recordsMutants = [...ids, ...wrongRecords, ...effects, ...wrongIds, ...failingIds, ...randomIds];

const stockWith = (change: (pet: Pet, index: number) => object): Partial<Behaviour> => ({
  stock: () => stock(31).map((pet, index) => change(pet, index) as Pet),
});

/** Ids counted from a start in steps, those of the start too. */
const countIds = ([start, step]: readonly [start: bigint, step: bigint]): ShopFault => {
  const idOf = (ordinal: number) => start + step * BigInt(ordinal);
  return {
    ...stockWith((pet, index) => ({ ...pet, id: idOf(index) })),
    nextId: ({ pets }) => idOf(pets.length),
  };
};

/** The document says only that ids are int64. */
const otherIds = lookalikes('other-ids', using(petStore, countIds), [
  ['from-zero', 'ids begin with 0', [0n, 1n]],
  ['negative', 'ids are negative', [-1n, -1n]],
  ['in-steps', 'ids are counted in steps of 1000', [5n, 1000n]],
  ['beyond-doubles', 'ids are consecutive beyond 2^53', [2n ** 53n, 1n]],
  ['greatest', 'ids are counted down from the greatest int64', [2n ** 63n - 1n, -1n]],
]);

const sorted = (order: (pets: readonly Pet[]) => Pet[]): ShopFault => ({
  list: (ask, shop) => correct.list(ask, { ...shop, pets: order(shop.pets) }),
});
const byName = (a: Pet, b: Pet) => (String(a.name) < String(b.name) ? -1 : 1);
const random31 = () => BigInt(Math.floor(Math.random() * 2 ** 31));
const randomId = () => random31() * 2n ** 31n + random31();
const withMembers = (pet: Pet) => ({
  ...pet,
  tags: ['a', { b: null }],
  owner: null,
  _links: { self: `/v1/pets/${pet.id}` },
});
const reorder = ({ id, name, ...pet }: Pet) => ({ ...pet, name, id });
const addMoment = (pet: Pet) => ({ ...pet, served: Date.now() + Math.random() });
const longerErrors: Behaviour['refuse'] = (status, message) => {
  const more = { details: [{ field: 'x' }], traceId: null, timestamp: 1n };
  return { status, body: { status, code: '', message: `Fehler: ${message} – „bitte prüfen“`, ...more } };
};
const defaultStatus = (status: string): ShopFault => {
  const complete = setDefault('status', status);
  return { ...stockWith(complete), made: (sent, id) => complete(correct.made(sent, id)) as Pet };
};

/** Nor does it say how many records there are, in which order, and with which members beside. */
const otherRecords = lookalikes('other', petStore, [
  ['order-newest-first', 'lists begin with the newest', sorted((pets) => pets.toReversed())],
  ['order-by-name', 'lists are ordered by name', sorted((pets) => pets.toSorted(byName))],
  ['order-random', 'lists are in random order', sorted((pets) => pets.toSorted(() => Math.random() - 0.5))],
  ['stock-empty', 'there are no records', { stock: () => [] }],
  ['stock-one', 'there is one record', { stock: () => stock(1) }],
  ['stock-page', 'there are just as many records as a page holds', { stock: () => stock(100) }],
  ['stock-5000', 'there are 5,000 records', { stock: () => stock(5000) }],
  ['stock-without-status', 'no record has a status', stockWith(without('status'))],
  ['stock-of-one-status', 'all records have one status', stockWith(set('status', 'sold'))],
  ['ids-random', 'ids are random', { ...stockWith((pet) => ({ ...pet, id: randomId() })), nextId: randomId }],
  ['members-added', 'records have undocumented members', { show: withMembers }],
  ['members-reordered', 'the members of a record are in another order', { show: reorder }],
  ['members-moving', 'an undocumented member differs each time', { show: addMoment }],
  ['errors-longer', 'error bodies have more members, and other messages', { refuse: longerErrors }],
  ['no-challenge', 'a 401 has no WWW-Authenticate', unauthorized((given) => ({ ...given, headers: {} }))],
  ['default-available', 'the default status is available', defaultStatus('available')],
  ['default-sold', 'the default status is sold', defaultStatus('sold')],
]);

/** Only these categories exist: creates with another one are refused. */
const knownCategories = (categories: readonly bigint[], status: number): Partial<Behaviour> => ({
  ...stockWith((pet, index) => ({ ...pet, categoryId: categories[index % categories.length] })),
  create(ask, shop) {
    const { categoryId = categories[0] } = validBody(ask, shop) ?? {};
    const isKnown = categories.includes(categoryId as bigint);
    return isKnown ? correct.create(ask, shop) : shop.does.refuse(status, 'there is no such category');
  },
});
const LISTED = [41n, 42n, 7_000_000_000n];
const empty = { stock: () => [] };

const otherCategories = [
  ...lookalikes('other-categories', petStore, [
    ['listed', 'only categories of the list exist, others get 400', knownCategories(LISTED, 400)],
    ['404', 'only categories of the list exist, others get 404', knownCategories(LISTED, 404)],
    ['422', 'only categories of the list exist, others get 422', knownCategories(LISTED, 422)],
    ['first-three', 'of an empty store', { ...knownCategories([1n, 2n, 3n], 400), ...empty }],
  ]),
  ...lookalikes('other-categories', { ...petStore, options: { values: { categoryId: '512' } } }, [
    ['told', 'of an empty store, told by the user', { ...knownCategories([512n], 400), ...empty }],
  ]),
];

/** Others write between any two requests of ours: far more often than 100 times a second. */
const writing = (write: (shop: Shop) => void): Partial<Behaviour> => ({
  answer(ask, shop) {
    write(shop);
    return correct.answer(ask, shop);
  },
});

const add = (shop: Shop): void => {
  const id = shop.does.nextId(shop);
  const status = Math.random() < 0.7 ? { status: STATUSES[Number(id) % 3] } : {};
  shop.pets.push({ id, name: `Visitor ${id}`, categoryId: 3n, ...status });
};
/** Adds a record, and removes the oldest of those that were added. */
const addAndRemove = (most: number) => (shop: Shop) => {
  add(shop);
  const added = shop.pets.filter(({ name }) => String(name).startsWith('Visitor'));
  if (added.length > most) shop.pets = shop.pets.filter((pet) => pet !== added[0]);
};
const newestFirst: Partial<Behaviour> = { page: (pets, limit) => pets.toReversed().slice(0, limit) };

/** Others use the service, too. */
const otherWriters = lookalikes('other-writers', petStore, [
  ['add', 'others create records all the time', writing(add)],
  ['add-newest-first', 'others create records, which lists show first', { ...writing(add), ...newestFirst }],
  ['come-and-go', 'others create and remove records', writing(addAndRemove(5))],
  ['come-and-go-first', 'lists show these first', { ...writing(addAndRemove(2)), ...newestFirst }],
]);

export const recordsLookalikes = [...otherIds, ...otherRecords, ...otherCategories, ...otherWriters];
