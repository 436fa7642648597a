import type { LawName as Law } from '../../laws/law.ts';
import type { Answer, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

const answering = (name: string, says: string, laws: Law | Law[], created: (pet: Pet) => Answer): Mutant =>
  faultyShop(`create-${name}`, says, laws, () => ({ created }));

/** What is stored is right, and what is said of it is not. */
export const wrongCreateAnswers: readonly Mutant[] = [
  answering('200', 'a create is answered 200', 'status', (body) => ({ status: 200, body })),
  answering('202', 'a create is answered 202', 'status', (body) => ({ status: 202, body })),
  answering('204', 'a create is answered 204', 'status', () => ({ status: 204 })),
  answering('303', 'a create is answered by a redirect to the record', 'status', ({ id }) => ({
    status: 303,
    headers: { Location: `/v1/pets/${id}` },
  })),
  answering('empty', 'a create is answered without a body', ['content-type', 'whole-json'], () => ({
    status: 201,
  })),
  answering('null', 'a create is answered null', 'schema', () => ({ status: 201, body: null })),
  answering('empty-object', 'a create is answered with an empty object', 'schema', () => ({
    status: 201,
    body: {},
  })),
  answering('id-only', 'a create is answered with the id only', 'schema', ({ id }) => ({
    status: 201,
    body: { id },
  })),
  answering('bare-id', 'a create is answered with the bare id', 'schema', ({ id }) => ({
    status: 201,
    body: id,
  })),
  answering('wrapped', 'the created record is wrapped', 'schema', (pet) => ({ status: 201, body: { pet } })),
  answering('array', 'the created record stands in an array', 'schema', (pet) => ({
    status: 201,
    body: [pet],
  })),
  answering('id-text', 'the id of a created record is a text', 'schema', (pet) => ({
    status: 201,
    body: { ...pet, id: String(pet.id) },
  })),
  answering('id-null', 'the id of a created record is null', 'schema', (pet) => ({
    status: 201,
    body: { ...pet, id: null },
  })),
  answering('id-beyond-int64', 'the id of a created record is beyond 64 bits', 'schema', (pet) => ({
    status: 201,
    body: { ...pet, id: 2n ** 63n + BigInt(pet.id as bigint) },
  })),
  answering('id-fraction', 'the id of a created record is a fraction', 'schema', (pet) => ({
    status: 201,
    body: { ...pet, id: 7.5 },
  })),
  answering('without-id', 'the answer lacks the id', 'schema', ({ id: _, ...pet }) => ({
    status: 201,
    body: pet,
  })),
  answering('without-name', 'the answer lacks the name', 'schema', ({ name: _, ...pet }) => ({
    status: 201,
    body: pet,
  })),
  answering('without-category', 'the answer lacks the categoryId', 'schema', ({ categoryId: _, ...pet }) => ({
    status: 201,
    body: pet,
  })),
  answering('category-text', 'the categoryId in the answer is a text', 'schema', (pet) => ({
    status: 201,
    body: { ...pet, categoryId: String(pet.categoryId) },
  })),
  answering(
    'wrong-id',
    'the answer names the id before',
    ['path-id', 'created-can-be-read', 'created-is-listed', 'distinct-ids'],
    (pet) => ({ status: 201, body: { ...pet, id: BigInt(pet.id as bigint) - 1n } }),
  ),
  answering('id-zero', 'the answer always says id 0', ['created-can-be-read', 'distinct-ids'], (pet) => ({
    status: 201,
    body: { ...pet, id: 0n },
  })),
  answering('status-null', 'a status that was not sent is null in the answer', 'schema', (pet) => ({
    status: 201,
    body: { status: null, ...pet },
  })),
  answering('status-empty', 'a status that was not sent is an empty text in the answer', 'schema', (pet) => ({
    status: 201,
    body: { status: '', ...pet },
  })),
  answering('status-unknown', 'a status that was not sent is "new" in the answer', 'schema', (pet) => ({
    status: 201,
    body: { status: 'new', ...pet },
  })),
  answering(
    'echo-drops-status',
    'the answer lacks the status that was sent',
    'created-equals-sent',
    ({ status: _, ...pet }) => ({ status: 201, body: pet }),
  ),
  answering('echo-other-name', 'the answer shows the name in lower case', 'created-equals-sent', (pet) => ({
    status: 201,
    body: { ...pet, name: String(pet.name).toLowerCase() },
  })),
];

const ids = (
  name: string,
  says: string,
  laws: Law | Law[],
  change: Partial<Behaviour> | (() => Partial<Behaviour>),
): Mutant => faultyShop(`id-${name}`, says, laws, () => (typeof change === 'function' ? change() : change));

const replacing: Behaviour['keep'] = (shop, pet) => {
  shop.pets = [...shop.pets.filter(({ id }) => id !== pet.id), pet];
};

/** Ids that do not tell records apart. */
export const wrongIds: readonly Mutant[] = [
  ids('always-one', 'each new record gets the same id and takes the place of the last', 'distinct-ids', {
    nextId: () => 900n,
    keep: replacing,
  }),
  ids('always-zero', 'each new record gets the id 0', 'distinct-ids', { nextId: () => 0n }),
  ids('twice', 'each id is given out twice', 'distinct-ids', () => {
    let count = 1000n;
    return {
      nextId: () => {
        count += 1n;
        return count / 2n;
      },
      keep: replacing,
    };
  }),
  ids(
    'of-a-seed',
    'a new record gets the id of an old one, and takes its place',
    ['distinct-ids', 'earlier-records-stay'],
    () => {
      let count = 203n;
      return { nextId: () => (count += 1n), keep: replacing };
    },
  ),
  ids('by-body', 'equal bodies get one id', 'distinct-ids', () => {
    const known = new Map<string, bigint>();
    return {
      made(sent, id) {
        const text = `${sent.name}`;
        known.set(text, known.get(text) ?? (id as bigint));
        return correct.made(sent, known.get(text));
      },
      keep: replacing,
    };
  }),
  ids(
    'rounded',
    'ids beyond 2^53 are rounded in every answer',
    ['distinct-ids', 'created-can-be-read', 'path-id'],
    () => {
      let count = 2n ** 53n;
      return { nextId: () => (count += 1n), show: (pet) => ({ ...pet, id: BigInt(Number(pet.id)) }) };
    },
  ),
  ids(
    'looked-up-rounded',
    'ids beyond 2^53 are rounded when a record is looked up',
    ['path-id', 'created-can-be-read'],
    () => {
      let count = 2n ** 53n;
      return {
        nextId: () => (count += 1n),
        find: ({ pets }, id) => pets.find((pet) => Number(pet.id) === Number(id)),
      };
    },
  ),
  ids('from-client', 'an id that the client sends is taken', 'read-only-ignored', {
    made: (sent, id) => ({ ...correct.made(sent, id), ...(sent.id === undefined ? {} : { id: sent.id }) }),
  }),
  ids(
    'from-client-stored',
    'an id that the client sends is stored, though the answer shows another',
    ['read-only-ignored', 'created-can-be-read'],
    {
      made: (sent, id) => ({ ...correct.made(sent, id), ...(sent.id === undefined ? {} : { id: sent.id }) }),
      created: (pet, { does }) => ({
        status: 201,
        body: { ...(does.show(pet) as object), ...(pet.id === 4503599627370001n ? { id: 77777n } : {}) },
      }),
    },
  ),
  ids('member-spread', 'members of the body overwrite those that the service sets', 'read-only-ignored', {
    made: (sent, id) => ({ id, ...sent }) as Pet,
  }),
];
