import type { Behaviour } from '../by-hand/behaviour.ts';
import type { Pet } from '../by-hand/pet.ts';
import {
  asDouble,
  convert,
  type Data,
  lowerCase,
  set,
  setDefault,
  upperCase,
  without,
} from '../record-changes.ts';
import { petStore, stored } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const CHANGED = ['created-equals-sent', 'exact-integers', 'schema'] as const;

const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (name: string) => name.replace(/[&<>"']/g, (sign) => HTML[sign as keyof typeof HTML]);
const decodePercent = (name: string) =>
  name.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
const dropAccents = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');

const storedName = (change: (name: string) => unknown) => stored(convert('name', change));

const changedNames = mutants('kept-name', using(petStore, storedName), CHANGED, [
  ['lower', 'names are stored in lower case', lowerCase],
  ['upper', 'names are stored in upper case', upperCase],
  ['capital', 'names are capitalised', (name) => name.charAt(0).toUpperCase() + name.slice(1)],
  ['trimmed', 'names are trimmed', (name) => name.trim()],
  ['cut-20', 'names are truncated to 20 characters', (name) => name.slice(0, 20)],
  ['cut-255', 'names are truncated to 255 characters', (name) => name.slice(0, 255)],
  ['cut-64-bytes', 'names are truncated to 64 bytes', (name) => Buffer.from(name).subarray(0, 64).toString()],
  ['ascii', 'what is not ASCII becomes a question mark', (name) => name.replace(/[^\x20-\x7e]/g, '?')],
  ['latin-1', 'names are stored in Latin-1', (name) => name.replace(/[^\0-\xff]/g, '?')],
  ['mojibake', 'UTF-8 is decoded as Latin-1', (name) => Buffer.from(name).toString('latin1')],
  ['no-emoji', 'characters beyond the BMP are dropped', (name) => name.replace(/[^\0-\uffff]/gu, '')],
  ['no-accents', 'accents are dropped', dropAccents],
  ['normalised', 'names are normalised to NFC', (name) => name.normalize('NFC')],
  ['escaped', 'names are escaped for HTML', escapeHtml],
  ['no-quotes', 'quotes are dropped', (name) => name.replace(/['"]/g, '')],
  ['doubled-quotes', 'apostrophes are doubled, as for SQL', (name) => name.replaceAll("'", "''")],
  ['no-tags', 'what looks like a tag is dropped', (name) => name.replace(/<[^>]*>/g, '')],
  ['plus-is-space', 'a plus becomes a space', (name) => name.replaceAll('+', ' ')],
  ['percent-decoded', 'names are percent-decoded', decodePercent],
  ['no-backslash', 'backslashes are dropped', (name) => name.replaceAll('\\', '')],
  ['one-space', 'consecutive spaces become one', (name) => name.replace(/ +/g, ' ')],
  ['no-hyphens', 'hyphens become spaces', (name) => name.replaceAll('-', ' ')],
  ['letters-only', 'digits are dropped', (name) => name.replace(/\d/g, '')],
  ['no-controls', 'line breaks and tabs become spaces', (name) => name.replace(/[\n\t\r]/g, ' ')],
  ['empty-is-unnamed', 'an empty name becomes "unnamed"', (name) => name || 'unnamed'],
  ['number', 'a name of digits becomes a number', (name) => (/^\d+$/.test(name) ? BigInt(name) : name)],
  ['null-text', 'the name "null" becomes null', (name) => (name === 'null' ? null : name)],
  ['constant', 'every name is Rex', () => 'Rex'],
]);

const MAX_INT32 = 2n ** 31n - 1n;
const storedCategory = (change: (id: bigint) => unknown) => stored(convert('categoryId', change));

const changedCategories = mutants('kept-category', using(petStore, storedCategory), CHANGED, [
  ['rounded', 'categories beyond 2^53 are rounded', asDouble],
  ['32-bit', 'only the lower 32 bits of a category are stored', (id) => BigInt.asIntN(32, id)],
  ['clamped', 'categories are clamped to int32', (id) => (id > MAX_INT32 ? MAX_INT32 : id)],
  ['absolute', 'the sign of a category is dropped', (id) => (id < 0n ? -id : id)],
  ['zero-is-one', 'the category 0 becomes 1', (id) => id || 1n],
  ['plus-one', 'each category is stored plus one', (id) => id + 1n],
]);

const swap = (status: unknown) =>
  status === 'available' ? 'sold' : status === 'sold' ? 'available' : status;
const dropSold = (sent: Data) => (sent.status === 'sold' ? without('status')(sent) : sent);

const changedStatuses = mutants('kept-status', using(petStore, stored), CHANGED, [
  ['dropped', 'the status is not stored', without('status')],
  ['always-available', 'every status is available', set('status', 'available')],
  ['sold-dropped', 'one value of the status is not stored', dropSold],
  ['default-unknown', 'the default status is "unknown"', setDefault('status', 'unknown')],
  ['default-null', 'the default status is null', setDefault('status', null)],
  ['swapped', 'available and sold are swapped', convert('status', swap)],
  ['upper', 'the status is stored in upper case', convert('status', upperCase)],
]);

/** Keeps some of the added records, behind those of the start. */
const SEEDS = 31;
const keepAdded =
  (kept: (added: Pet[]) => Pet[]): Behaviour['keep'] =>
  (shop, pet) => {
    shop.pets = [...shop.pets.slice(0, SEEDS), ...kept([...shop.pets.slice(SEEDS), pet])];
  };

const shareName = (added: Pet[]) => added.map((pet) => ({ ...pet, name: added.at(-1)?.name }));
const keepTwice: Behaviour['keep'] = (shop, pet) => {
  shop.pets.push(pet);
  shop.pets.push({ ...pet, id: shop.does.nextId(shop) });
};
const keepNewest35: Behaviour['keep'] = (shop, pet) => {
  shop.pets = [...shop.pets, pet].slice(-35);
};
const keepOneOfAName: Behaviour['keep'] = ({ pets }, pet) => {
  if (pets.every(({ name }) => name !== pet.name)) pets.push(pet);
};
const keepLate: Behaviour['keep'] = ({ pets }, pet) => void setTimeout(() => pets.push(pet), 4000).unref();
const categoryOfLast: Behaviour['keep'] = ({ pets }, pet) => {
  pets.push({ ...pet, categoryId: pets.at(-1)?.categoryId ?? 1n });
};
const forAMoment: Behaviour['keep'] = (shop, pet) => {
  shop.pets.push(pet);
  setTimeout(() => {
    shop.pets = shop.pets.filter((one) => one !== pet);
  }, 15).unref();
};

const NOT_KEPT = [
  ...(['created-can-be-read', 'created-is-listed', 'created-once', 'exact-integers'] as const),
  ...(['earlier-records-stay', 'distinct-ids', 'filter'] as const),
];

const differentlyStored = mutants(
  'stored',
  using(petStore, (keep: Behaviour['keep']) => ({ keep })),
  NOT_KEPT,
  [
    ['not-at-all', 'a created record is not stored', () => {}],
    ['category-of-last', 'the category of the record before is stored', categoryOfLast],
    ['twice', 'one create stores two records', keepTwice],
    ['over-the-last', 'a new record replaces the one before', keepAdded((added) => added.slice(-1))],
    ['with-all-names', 'a new record gives its name to all', keepAdded(shareName)],
    ['at-most-35', 'only the 35 newest records are kept', keepNewest35],
    ['five-new-ones', 'only the 5 newest of these are kept', keepAdded((added) => added.slice(-5))],
    ['late', 'a created record is stored after 4 seconds', keepLate],
    ['for-a-moment', 'a created record is gone after a moment', forAMoment],
    ['second-equal-one-dropped', 'a second record with the same name is not stored', keepOneOfAName],
  ],
);

export const storedValuesMutants = [
  changedNames,
  changedCategories,
  changedStatuses,
  differentlyStored,
].flat();
