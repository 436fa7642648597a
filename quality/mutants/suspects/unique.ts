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

// Faults in what services do about values that no two records share.

/** The records of a collection. */
async function allOf({ list }: Pick<Store, 'list'>, collection: Collection): Promise<Data[]> {
  const { text } = await list(collection, { where: [], offset: 0, limit: Number.POSITIVE_INFINITY });
  return parseJson(text) as Data[];
}

/** A collection has other unique keys. */
const keyed = (path: string, ...unique: (readonly string[])[]): MockFault => ({
  store: (collections) =>
    defaultParts.store(collections.map((one) => (one.name === path ? { ...one, unique } : one))),
});

const TAKEN = { refuse: 'conflict', message: 'taken' } as const;
type Result = ReturnType<Act>;
/** How an action looks whether a key is taken: by others, or by the record itself, too. */
type Look = (act: () => Result, isTaken: (own?: boolean) => Promise<boolean>) => Result;

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

/** The actions look at the keys of a collection, some in another way; the store looks at none, nor at parents. */
const looking = (looks: Partial<Record<ActionName, Look>>): MockFault => ({
  ...keyed('/artists'),
  ...inEach(['create', 'replace', 'update'], (name) =>
    action(name, (act, { collection }) => (task) => {
      if (collection.name !== '/artists') return act(task);
      const { body, parameters } = task.values;
      const isTwin = (record: Data, names: readonly string[]) =>
        names.every((key) => record[key] !== undefined && record[key] === (body as Data)[key]);
      const isTaken = async (own = false) =>
        (await allOf(task.store, collection))
          .filter(({ id }) => own || String(id) !== String(parameters.path.artistId))
          .some((record) => collection.unique?.some((names) => isTwin(record, names)));
      return (looks[name] ?? first)(() => act(task), isTaken);
    }),
  ),
});

/** Creates that come while another one is at work are refused, all of them. */
const noneWins = action('create', (act, { collection }) => {
  const isAlone = aloneFor(20);
  return async (task) => ((await isAlone()) || collection.name !== '/artists' ? act(task) : TAKEN);
});

/** What a removed record had is given to nobody. */
const reserving = (path: string, name: string): MockFault => {
  const taken = new Set<unknown>();
  return store(({ create, remove, read }) => ({
    create: (collection, given) =>
      collection.name === path && taken.has(given.members[name]) ? 'taken' : create(collection, given),
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

/** Two e-mail addresses that differ in their case alone are one. */
const anyCase = action('create', (act, { collection }) => async (task) => {
  const { email } = task.values.body as { email?: unknown };
  const records = email === undefined ? [] : await allOf(task.store, collection);
  return records.some((record) => lowerCase(record.email) === lowerCase(email)) ? TAKEN : act(task);
});

const inFewWords = respondTo('conflict', 409, 'application/json', '{"error":"taken"}');
/** Services that keep values apart, each in a way of its own. */
const uniqueLookalikes = lookalikes('festival', mockOf('festival.yaml', { count: 5 }), {
  'any-case': ['e-mail addresses are compared without their case', anyCase],
  'venues-stay': ['the name of a removed venue is not given again', reserving('/venues', 'name')],
  'passes-alike': ['two passes may have one code', keyed('/passes')],
  'plain-409': ['a conflict is answered in few words', inFewWords],
});

export const uniques = {
  'values that no two records share': [uniqueMutants, uniqueLookalikes],
} as const;
