import type { Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { asDouble, convert, type Data } from '../record-changes.ts';
import { petStore, type ShopFault } from '../shop-faults.ts';
import { mutants } from '../suspect.ts';

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

const takeId = ({ id }: Data) => (id === undefined ? {} : { id });
const fromClient: Behaviour['made'] = (sent, id) => ({ ...correct.made(sent, id), ...takeId(sent) });

/** The id that the suite sends, and one to show in its place. */
const SENT_ID = 4503599627370001n;
const hideSentId = convert('id', (id) => (id === SENT_ID ? 77777n : id));

const ROUNDED = ['distinct-ids', 'created-can-be-read', 'path-id'] as const;
const showRounded = { show: convert('id', asDouble) };
const findRounded: Partial<Behaviour> = {
  find: ({ pets }, id) => pets.find((pet) => Number(pet.id) === Number(id)),
};

/** Ids that do not identify records, or that a client chooses. */
export const wrongIds = mutants('id', petStore, 'distinct-ids', [
  [
    'always-one',
    'each new record gets the same id and replaces the last',
    { nextId: () => 900n, keep: replace },
  ],
  ['always-zero', 'each new record gets the id 0', { nextId: () => 0n }],
  ['twice', 'each id is assigned twice', count(1000n, (ordinal) => ordinal / 2n, { keep: replace })],
  [
    'of-a-seed',
    'a new record gets the id of an old one, and replaces it',
    ['distinct-ids', 'earlier-records-stay'],
    count(203n, asIs, { keep: replace }),
  ],
  ['by-body', 'records with one name get one id', idByName],
  ['rounded', 'ids beyond 2^53 are shown rounded', ROUNDED, count(2n ** 53n, asIs, showRounded)],
  [
    'looked-up-rounded',
    'ids beyond 2^53 are looked up rounded',
    ['path-id', 'created-can-be-read'],
    count(2n ** 53n, asIs, findRounded),
  ],
  ['from-client', 'an id that the client sends is taken', 'read-only-ignored', { made: fromClient }],
  [
    'from-client-stored',
    'an id that the client sends is stored, though the response shows another',
    ['read-only-ignored', 'created-can-be-read'],
    {
      made: fromClient,
      created: (pet, { does }) => ({ status: 201, body: hideSentId(does.show(pet) as Data) }),
    },
  ],
  [
    'member-spread',
    'members of the body overwrite those that the service sets',
    'read-only-ignored',
    { made: (sent, id) => ({ id, ...sent }) as Pet },
  ],
]);
