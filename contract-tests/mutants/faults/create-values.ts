import type { Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

type Sent = Readonly<Record<string, unknown>>;

/** Changes what was sent before it is kept. */
const keeping = (name: string, says: string, change: (sent: Sent) => Sent): Mutant =>
  faultyShop(`kept-${name}`, says, ['created-equals-sent', 'exact-integers', 'schema'], () => ({
    made: (sent, id) => correct.made(change(sent), id),
  }));

const naming = (name: string, says: string, change: (name: string) => unknown): Mutant =>
  keeping(`name-${name}`, says, (sent) => ({ ...sent, name: change(String(sent.name)) }));

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A name comes back as another one. */
export const changedNames: readonly Mutant[] = [
  naming('lower', 'names are put into lower case', (name) => name.toLowerCase()),
  naming('upper', 'names are put into upper case', (name) => name.toUpperCase()),
  naming(
    'capital',
    'the first letter of a name becomes a capital',
    (name) => name.charAt(0).toUpperCase() + name.slice(1),
  ),
  naming('trimmed', 'spaces at the ends of a name are cut off', (name) => name.trim()),
  naming('cut-20', 'names are cut after 20 characters', (name) => name.slice(0, 20)),
  naming('cut-50', 'names are cut after 50 characters', (name) => name.slice(0, 50)),
  naming('cut-63', 'names are cut after 63 characters', (name) => name.slice(0, 63)),
  naming('cut-255', 'names are cut after 255 characters', (name) => name.slice(0, 255)),
  naming('cut-64-bytes', 'names are cut after 64 bytes', (name) =>
    Buffer.from(name).subarray(0, 64).toString(),
  ),
  naming('ascii', 'what is not ASCII becomes a question mark', (name) => name.replace(/[^\x20-\x7e]/g, '?')),
  naming('latin-1', 'names are kept in Latin-1', (name) => name.replace(/[^\0-\xff]/g, '?')),
  naming('mojibake', 'UTF-8 is read as Latin-1', (name) => Buffer.from(name).toString('latin1')),
  naming('no-emoji', 'characters beyond the basic plane are dropped', (name) =>
    name.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
  ),
  naming('no-accents', 'accents are dropped', (name) =>
    name.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC'),
  ),
  naming('normalised', 'decomposed letters are composed', (name) => name.normalize('NFC')),
  naming('escaped', 'names are escaped for HTML', (name) =>
    name.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign),
  ),
  naming('no-quotes', 'quotes are dropped', (name) => name.replace(/['"]/g, '')),
  naming('doubled-quotes', 'apostrophes are doubled, as for SQL', (name) => name.replaceAll("'", "''")),
  naming('no-tags', 'what looks like a tag is dropped', (name) => name.replace(/<[^>]*>/g, '')),
  naming('plus-is-space', 'a plus becomes a space', (name) => name.replaceAll('+', ' ')),
  naming('percent-decoded', 'percent escapes are decoded', (name) =>
    name.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
  ),
  naming('no-backslash', 'backslashes are dropped', (name) => name.replaceAll('\\', '')),
  naming('one-space', 'spaces in a row become one', (name) => name.replace(/ +/g, ' ')),
  naming('no-hyphens', 'hyphens become spaces', (name) => name.replaceAll('-', ' ')),
  naming('letters-only', 'digits are dropped', (name) => name.replace(/\d/g, '')),
  naming('no-controls', 'line breaks and tabs become spaces', (name) => name.replace(/[\n\t\r]/g, ' ')),
  naming('empty-is-unnamed', 'an empty name becomes "unnamed"', (name) => name || 'unnamed'),
  naming('number', 'a name of digits only becomes a number', (name) =>
    /^\d+$/.test(name) ? BigInt(name) : name,
  ),
  naming('null-text', 'the name "null" becomes null', (name) => (name === 'null' ? null : name)),
  naming('constant', 'every animal is called Rex', () => 'Rex'),
];

const categorising = (name: string, says: string, change: (categoryId: bigint) => unknown): Mutant =>
  keeping(`category-${name}`, says, (sent) => ({
    ...sent,
    categoryId: change(BigInt(String(sent.categoryId))),
  }));

/** Another member comes back as another one. */
export const changedMembers: readonly Mutant[] = [
  categorising('rounded', 'categories beyond 2^53 are rounded', (id) => BigInt(Number(id))),
  categorising('32-bit', 'only the lower 32 bits of a category are kept', (id) => BigInt.asIntN(32, id)),
  categorising('clamped', 'categories are cut at 2^31', (id) => (id > 2n ** 31n - 1n ? 2n ** 31n - 1n : id)),
  categorising('absolute', 'the sign of a category is dropped', (id) => (id < 0n ? -id : id)),
  categorising('zero-is-one', 'the category 0 becomes 1', (id) => id || 1n),
  categorising('constant', 'every animal is of category 1', () => 1n),
  categorising('plus-one', 'each category is the next one', (id) => id + 1n),
  keeping('status-dropped', 'the status is not kept', ({ status: _, ...sent }) => sent),
  keeping('status-always-available', 'every animal is available', (sent) => ({
    ...sent,
    status: 'available',
  })),
  keeping('status-sold-dropped', 'one status is not kept', ({ status, ...sent }) =>
    status === 'sold' ? sent : { ...sent, status },
  ),
  keeping('status-default-unknown', 'without a status an animal is "unknown"', (sent) => ({
    status: 'unknown',
    ...sent,
  })),
  keeping('status-default-null', 'without a status an animal has the status null', (sent) => ({
    status: null,
    ...sent,
  })),
  keeping('status-default-false', 'without a status an animal has the status false', (sent) => ({
    status: false,
    ...sent,
  })),
  keeping('members-swapped', 'available and sold are swapped', (sent) => ({
    ...sent,
    ...(sent.status === 'sold'
      ? { status: 'available' }
      : sent.status === 'available'
        ? { status: 'sold' }
        : {}),
  })),
  keeping('status-upper', 'the status is kept in upper case', (sent) =>
    sent.status === undefined ? sent : { ...sent, status: String(sent.status).toUpperCase() },
  ),
];

/** What is kept is another thing than what was answered. */
const differing = (name: string, says: string, keep: Behaviour['keep']): Mutant =>
  faultyShop(
    `stored-${name}`,
    says,
    [
      'created-can-be-read',
      'created-is-listed',
      'created-once',
      'exact-integers',
      'earlier-records-stay',
      'distinct-ids',
      'filter',
    ],
    () => ({ keep }),
  );

export const differentlyStored: readonly Mutant[] = [
  differing('not-at-all', 'a new record is answered and not stored', () => {}),
  differing(
    'without-status',
    'the status is answered and not stored',
    ({ pets }, { status: _, ...pet }) => void pets.push(pet as typeof pet & Record<string, unknown>),
  ),
  differing(
    'other-name',
    'the name is stored in lower case',
    ({ pets }, pet) => void pets.push({ ...pet, name: String(pet.name).toLowerCase() }),
  ),
  differing(
    'rounded-category',
    'the category is stored as a double',
    ({ pets }, pet) => void pets.push({ ...pet, categoryId: BigInt(Number(pet.categoryId)) }),
  ),
  differing(
    'category-of-last',
    'the category of the record before is stored',
    ({ pets }, pet) =>
      void pets.push({
        ...pet,
        categoryId: pets.at(-1)?.categoryId ?? 1n,
        name: pets.length > 33 ? String(pets.at(-1)?.name) : pet.name,
      }),
  ),
  differing('twice', 'one create stores two records', (shop, pet) => {
    shop.pets.push(pet);
    shop.pets.push({ ...pet, id: shop.does.nextId(shop) });
  }),
  differing('over-the-last', 'a new record replaces the one before', (shop, pet) => {
    shop.pets = [...shop.pets.slice(0, 31), pet];
  }),
  differing('with-all-names', 'a new record gives its name to all', (shop, pet) => {
    shop.pets = [
      ...shop.pets.slice(0, 31),
      ...shop.pets.slice(31).map((old) => ({ ...old, name: pet.name })),
      pet,
    ];
  }),
  differing('at-most-35', 'only the 35 newest records are kept', (shop, pet) => {
    shop.pets = [...shop.pets, pet].slice(-35);
  }),
  differing('five-new-ones', 'only the 5 newest of the added records are kept', (shop, pet) => {
    shop.pets = [...shop.pets.slice(0, 31), ...[...shop.pets.slice(31), pet].slice(-5)];
  }),
  differing(
    'late',
    'a new record is there after 4 seconds only',
    ({ pets }, pet) => void setTimeout(() => pets.push(pet), 4000).unref(),
  ),
  differing('for-a-moment', 'a new record is gone after a moment', (shop, pet) => {
    shop.pets.push(pet);
    setTimeout(() => {
      shop.pets = shop.pets.filter((one) => one !== pet);
    }, 15).unref();
  }),
  differing(
    'second-equal-one-dropped',
    'a second record with the same name is answered and not stored',
    ({ pets }, pet) => {
      if (pets.every(({ name }) => name !== pet.name)) pets.push(pet);
    },
  ),
];
