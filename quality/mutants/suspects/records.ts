import type { Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { asDouble, convert, type Data, lowerCase, setDefault, without } from '../record-changes.ts';
import { around, error, petStore, respond, type ShopFault, stored } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

/** A new record replaces an existing one with the same id. */
const replace: Behaviour['keep'] = (shop, pet) => {
  shop.pets = [...shop.pets.filter(({ id }) => id !== pet.id), pet];
};

/** Ids count up from a start value. */
const count = (start: bigint, more: Partial<Behaviour>, idOf = (ordinal: bigint) => ordinal): ShopFault => {
  return () => {
    let ordinal = start;
    return { ...more, nextId: () => idOf(++ordinal) };
  };
};

const fromClient: Behaviour['made'] = (sent, id) => correct.made(sent, sent.id ?? id);
const BEYOND = 2n ** 53n;
const CLIENT_ID = ['read-only-ignored', 'created-can-be-read'] as const;
const OTHERS = ['distinct-ids', 'earlier-records-stay', 'path-id', 'created-can-be-read'] as const;

/** Ids that do not identify records, or that a client chooses. */
const ids = mutants('id', petStore, OTHERS, {
  'always-one': ['each new record gets one id and replaces the last', { nextId: () => 900n, keep: replace }],
  twice: ['each id is assigned twice', count(1000n, { keep: replace }, (ordinal) => ordinal / 2n)],
  rounded: ['ids are shown rounded to doubles', count(BEYOND, { show: convert('id', asDouble) })],
  'from-client': ['an id from the client is stored', CLIENT_ID, { made: fromClient }],
});

/** Finds another record, or none. */
type Find = (pets: readonly Pet[], id: bigint, match: Pet | undefined) => Pet | undefined;
const find = (instead: Find): ShopFault => ({
  find: (shop, id) => instead(shop.pets, id as bigint, correct.find(shop, id)),
});
const findNext: Find = (pets, id) => pets[pets.findIndex((pet) => pet.id === id) + 1];
const WRONG = ['unknown-id', 'path-id', 'list-and-read-agree', 'created-can-be-read', 'status'] as const;

const wrongRecords = mutants('read', using(petStore, find), WRONG, {
  'first-when-unknown': ['an unknown id finds the first record', (pets, _id, match) => match ?? pets[0]],
  next: ['an id finds the record after it', findNext],
  'seeds-only': ['added records are not found', (_, id, match) => (id < 232n ? match : undefined)],
  'not-first': ['the first is not found', ([first], _, match) => (match === first ? undefined : match)],
});

const sellWhenRead: ShopFault = around('read', (reply, { path }, shop) => {
  shop.pets = shop.pets.map((pet) => (path === `/pets/${pet.id}` ? { ...pet, status: 'sold' } : pet));
  return reply;
});
const effects = mutants('read', petStore, [...WRONG, 'created-is-listed', 'earlier-records-stay'], {
  'changes-record': ['a read marks its record as sold', sellWhenRead],
});

const { idOf } = correct;
const isInteger = (text: string) => /^-?\d+$/.test(text);
const integers = (toId: (id: bigint) => bigint) => (text: string) =>
  isInteger(text) ? toId(BigInt(text)) : undefined;
const OTHER_ID = ['unknown-id', 'path-id'] as const;

/** A path with an invalid id, or with that of another record, is read as the id of one. */
const wrongIds = mutants(
  'path',
  using(petStore, (parse: Behaviour['idOf']) => ({ idOf: parse })),
  OTHER_ID,
  {
    'parse-int': ['what follows the digits is ignored', (text) => idOf(/^-?\d+/.exec(text)?.[0] ?? '')],
    '32-bit': ['only the lower 32 bits of an id are compared', integers((id) => BigInt.asIntN(32, id))],
    'zero-is-first': ['the id 0 finds the first record', (text) => (text === '0' ? 201n : idOf(text))],
  },
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

const failingIds = mutants('path', petStore, 'unknown-id', {
  'word-500': ['an id that is a word gets 500', failFor((text) => !isInteger(text))],
  'greatest-500': ['the greatest int64 gets 500', failFor((_, id) => id === MAX)],
  'beyond-int64-500': ['an id beyond int64 gets 500', failFor((_, id) => id > MAX)],
  'huge-400': ['an int64 beyond 2^53 gets 400', failFor((text) => Number(text) > 2 ** 53 - 1, 400)],
});

const CHANGED = ['created-equals-sent', 'exact-integers', 'schema'] as const;
const storedName = (change: (name: string) => unknown) => stored(convert('name', change));
const escapeHtml = (name: string) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const changedNames = mutants('kept-name', using(petStore, storedName), CHANGED, {
  lower: ['names are stored in lower case', lowerCase],
  trimmed: ['names are trimmed', (name) => name.trim()],
  'cut-255': ['names are truncated to 255 characters', (name) => name.slice(0, 255)],
  'latin-1': ['names are stored in Latin-1', (name) => name.replace(/[^\0-\xff]/g, '?')],
  normalised: ['names are normalised to NFC', (name) => name.normalize('NFC')],
  escaped: ['names are escaped for HTML', escapeHtml],
  'doubled-quotes': ['apostrophes are doubled, as for SQL', (name) => name.replaceAll("'", "''")],
  'plus-is-space': ['a plus becomes a space', (name) => name.replaceAll('+', ' ')],
  'one-space': ['consecutive spaces become one', (name) => name.replace(/ +/g, ' ')],
  'no-controls': ['line breaks and tabs become spaces', (name) => name.replace(/[\n\t\r]/g, ' ')],
  'empty-is-unnamed': ['an empty name becomes "unnamed"', (name) => name || 'unnamed'],
  number: ['a name of digits becomes a number', (name) => (/^\d+$/.test(name) ? BigInt(name) : name)],
});

const storedCategory = (change: (id: bigint) => unknown) => stored(convert('categoryId', change));
const changedCategories = mutants('kept-category', using(petStore, storedCategory), CHANGED, {
  rounded: ['categories beyond 2^53 are rounded', asDouble],
  '32-bit': ['only the lower 32 bits of a category are stored', (id) => BigInt.asIntN(32, id)],
  'zero-is-one': ['the category 0 becomes 1', (id) => id || 1n],
});

const dropSold = (sent: Data) => (sent.status === 'sold' ? without('status')(sent) : sent);
const changedStatuses = mutants('kept-status', using(petStore, stored), CHANGED, {
  'sold-dropped': ['one value of the status is not stored', dropSold],
  'default-null': ['the default status is null', setDefault('status', null)],
});

const keepTwice: Behaviour['keep'] = (shop, pet) => {
  shop.pets.push(pet, { ...pet, id: shop.does.nextId({ ...shop, pets: [...shop.pets, pet] }) });
};
const shareName: Behaviour['keep'] = (shop, pet) => {
  shop.pets = [...shop.pets.map((one, index) => (index < 31 ? one : { ...one, name: pet.name })), pet];
};
const keepLate: Behaviour['keep'] = ({ pets }, pet) => void setTimeout(() => pets.push(pet), 4000).unref();
const NOT_KEPT = [
  ...(['created-can-be-read', 'created-is-listed', 'created-once', 'exact-integers'] as const),
  ...(['earlier-records-stay', 'distinct-ids', 'filter'] as const),
];
const keeping = using(petStore, (keep: Behaviour['keep']) => ({ keep }));
const differentlyStored = mutants('stored', keeping, NOT_KEPT, {
  'not-at-all': ['a created record is not stored', () => {}],
  twice: ['one create stores two records', keepTwice],
  'with-all-names': ['a new record gives its name to all', shareName],
  late: ['a created record is stored after 4 seconds', keepLate],
});

export const records = {
  'ids and reads': [[ids, wrongRecords, effects, wrongIds, failingIds].flat(), []],
  'stored values': [[changedNames, changedCategories, changedStatuses, differentlyStored].flat(), []],
} as const;
