import { setTimeout as sleep } from 'node:timers/promises';
import { defaultParts } from '#mock';
import { parseJson } from '#spec';
import {
  type Act,
  type ActionName,
  action,
  aloneFor,
  type Collection,
  inEach,
  type MockFault,
  mockOf,
  respondTo,
  type Store,
  store,
} from '../mock-faults.ts';
import { type Data, lowerCase } from '../record-changes.ts';
import { lookalikes, mutants } from '../suspect.ts';

// Faults in the handling of unique values.

/** The records of a collection. */
async function allOf({ list }: Pick<Store, 'list'>, collection: Collection): Promise<Data[]> {
  const { text } = await list(collection, { where: [], offset: 0, limit: Number.POSITIVE_INFINITY });
  return parseJson(text) as Data[];
}

/** Changes the unique keys of a collection. */
const keyed = (path: string, ...unique: (readonly string[])[]): MockFault => ({
  store: (collections) =>
    defaultParts.store(
      collections.map((collection) => (collection.name === path ? { ...collection, unique } : collection)),
    ),
});

const TAKEN = { refuse: 'conflict', message: 'taken' } as const;
type Result = ReturnType<Act>;
/** How an action checks whether a key is taken by another record; with `countsItself`, by the record itself as well. */
type Look = (act: () => Result, isTaken: (countsItself?: boolean) => Promise<boolean>) => Result;

const first: Look = async (act, isTaken) => ((await isTaken()) ? TAKEN : act());
const never: Look = (act) => act();
const afterwards: Look = async (act, isTaken) => {
  const wasTaken = await isTaken();
  const outcome = await act();
  return wasTaken ? TAKEN : outcome;
};
const longBefore: Look = async (act, isTaken) => {
  if (await isTaken()) return TAKEN;
  await sleep(20);
  return act();
};
const atItself: Look = async (act, isTaken) => ((await isTaken(true)) ? TAKEN : act());

/** The actions check the keys of a collection, some in a faulty way; the store checks neither keys nor parents. */
const looking = (looks: Partial<Record<ActionName, Look>>): MockFault => ({
  ...keyed('/artists'),
  ...inEach(['create', 'replace', 'update'], (name) =>
    action(name, (act, { collection }) => (task) => {
      if (collection.name !== '/artists') return act(task);
      const { body, parameters } = task.values;
      const isTwin = (record: Data, names: readonly string[]) =>
        names.every((key) => record[key] !== undefined && record[key] === (body as Data)[key]);
      const isTaken = async (countsItself = false) =>
        (await allOf(task.store, collection))
          .filter(({ id }) => countsItself || String(id) !== String(parameters.path.artistId))
          .some((record) => collection.unique?.some((names) => isTwin(record, names)));
      return (looks[name] ?? first)(() => act(task), isTaken);
    }),
  ),
});

/** Refuses all creates that arrive while another one is running. */
const noneWins = action('create', (act, { collection }) => {
  const isAlone = aloneFor(20);
  return async (task) => ((await isAlone()) || collection.name !== '/artists' ? act(task) : TAKEN);
});

/** The values of a removed record stay reserved. */
const reserving = (path: string, name: string): MockFault => {
  const taken = new Set<unknown>();
  return store(({ create, remove, read }) => ({
    create: (collection, input) =>
      collection.name === path && taken.has(input.members[name]) ? 'taken' : create(collection, input),
    async remove(collection, id, where, allows) {
      const text = await read(collection, id, where);
      if (collection.name === path && text !== undefined) taken.add((parseJson(text) as Data)[name]);
      return remove(collection, id, where, allows);
    },
  }));
};

const STORED = ['created-can-be-read', 'refused-changes-nothing'] as const;

const uniqueMutants = mutants('festival', mockOf('festival.yaml', { count: 5 }), 'unique-refused', {
  'slug-twice': ['two artists may have one slug', keyed('/artists', ['email'])],
  'slug-by-put': ['PUT gives an artist the slug of another', looking({ replace: never })],
  'venue-twice': ['two venues may have one name in one city', keyed('/venues')],
  'own-is-taken': ['PUT refuses what the artist has itself', 'unique-free', looking({ replace: atItself })],
  'never-free': ['the slug of a removed artist is not free', 'unique-free', reserving('/artists', 'slug')],
  'two-steps': ['a twin comes between look and insert', 'one-holder', looking({ create: longBefore })],
  'none-wins': ['of creates at once none is carried out', 'one-holder', noneWins],
  'refused-is-stored': ['a 409 is stored', 'refused-leaves-nothing', looking({ create: afterwards })],
  'change-is-stored': ['a change gets 409 and is stored', STORED, looking({ update: afterwards })],
});

/** E-mail addresses that differ only in case are equal. */
const anyCase = action('create', (act, { collection }) => async (task) => {
  const { email } = task.values.body as { email?: unknown };
  const records = email === undefined ? [] : await allOf(task.store, collection);
  return records.some((record) => lowerCase(record.email) === lowerCase(email)) ? TAKEN : act(task);
});

const inFewWords = respondTo('conflict', 409, 'application/json', '{"error":"taken"}');
/** Services that keep values unique, each in its own way. */
const uniqueLookalikes = lookalikes('festival', mockOf('festival.yaml', { count: 5 }), {
  'any-case': ['e-mail addresses are compared without their case', anyCase],
  'venues-stay': ['the name of a removed venue is not given again', reserving('/venues', 'name')],
  'passes-alike': ['two passes may have one code', keyed('/passes')],
  'plain-409': ['a conflict is answered in few words', inFewWords],
});

export const uniques = {
  'values that no two records share': [uniqueMutants, uniqueLookalikes],
} as const;
