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
const UNREADABLE = ['path-id', 'created-can-be-read'] as const;

const ROUNDED = ['distinct-ids', ...UNREADABLE] as const;
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
  ['looked-up-rounded', 'ids are looked up rounded to doubles', UNREADABLE, count(BEYOND, asIs, findRounded)],
  ['from-client', 'an id from the client is stored', 'read-only-ignored', { made: fromClient }],
  ['from-client-stored', 'an id from the client is stored, and not shown', CLIENT_ID, storeHiddenId],
  ['member-spread', 'any member from the client is stored', 'read-only-ignored', { made: spread }],
]);
