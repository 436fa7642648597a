import { setTimeout as sleep } from 'node:timers/promises';
import { defaultParts } from '#mock';
import { isRecord, parseJson } from '#spec';
import {
  action,
  type Collection,
  type MockFault,
  mockOf,
  refusal,
  type Store,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

// Faults in what services do about values that no two records share.

/** The records of a collection. */
export async function allOf({ list }: Pick<Store, 'list'>, collection: Collection): Promise<Data[]> {
  const { text } = await list(collection, { where: [], offset: 0, limit: Number.POSITIVE_INFINITY });
  return parseJson(text) as Data[];
}

const isSame = (one: Data, other: Data, names: readonly string[]) =>
  names.every((name) => one[name] !== undefined && one[name] === other[name]);

/** A collection has other unique keys. */
export const keyed = (path: string, ...unique: (readonly string[])[]): MockFault => ({
  store: (collections) =>
    defaultParts.store(collections.map((one) => (one.name === path ? { ...one, unique } : one))),
});

/**
 * Changes by one operation look at no key.
 * @param isToldAsRefused the response is the refusal all the same
 */
const unchecked = (name: 'replace' | 'update', isToldAsRefused = false): MockFault => {
  let isOff = false;
  const free = action(name, (act, { collection }) => async (task) => {
    const before = await allOf(task.store, collection);
    isOff = true;
    const outcome = await act(task);
    isOff = false;
    const { body, parameters } = task.values;
    const isTaken = before.some(
      (record) =>
        String(record.id) !== String(parameters.path.artistId) && isSame(record, body as Data, ['slug']),
    );
    return isTaken && isToldAsRefused ? { refuse: 'conflict', message: 'taken' } : outcome;
  });
  return {
    ...free,
    store: (collections) =>
      defaultParts.store(
        collections.map((one) => {
          const { unique } = one;
          return Object.defineProperty({ ...one }, 'unique', {
            enumerable: true,
            get: () => (isOff ? [] : unique),
          });
        }),
      ),
  };
};

/** Whether the values of a body are those of a record, before an action does anything. */
const refuseTwins = (
  name: 'create' | 'replace',
  path: string,
  names: readonly string[],
  isTwin: (record: Data, path: Data) => boolean = () => true,
): MockFault =>
  action(name, (act, { collection }) => async (task) => {
    const { body, parameters } = task.values;
    if (collection.name !== path || !isRecord(body)) return act(task);
    const records = await allOf(task.store, collection);
    const isTaken = records.some((record) => isSame(record, body, names) && isTwin(record, parameters.path));
    return isTaken ? { refuse: 'conflict', message: 'taken' } : act(task);
  });

/** PUT does not know whose values they are. */
const ownIsTaken = refuseTwins(
  'replace',
  '/artists',
  ['slug'],
  ({ id }, { artistId }) => String(id) === String(artistId),
);

/** The look for a twin and the insert are two steps. */
const inTwoSteps: MockFault = {
  store: (collections) => defaultParts.store(collections.map((one) => ({ ...one, unique: [] }))),
  ...action('create', (act, { collection }) => async (task) => {
    const { body } = task.values;
    const { unique = [] } = collection;
    const records = await allOf(task.store, collection);
    if (records.some((record) => unique.some((names) => isSame(record, body as Data, names))))
      return { refuse: 'conflict', message: 'taken' };
    await sleep(20);
    return act(task);
  }),
};

/** Creates that come while another one is at work are refused, all of them. */
const noneWins = (): MockFault =>
  action('create', (act, { collection }) => {
    let atWork = 0;
    let met = 0;
    return async (task) => {
      atWork += 1;
      await sleep(10);
      if (atWork > 1) met = atWork;
      const isAlone = met === 0;
      await sleep(10);
      atWork -= 1;
      if (atWork === 0) met = 0;
      if (isAlone || collection.name !== '/artists') return act(task);
      return { refuse: 'conflict', message: 'another one is at work' };
    };
  });

const refusedIsStored: MockFault = {
  store: (collections) => defaultParts.store(collections.map((one) => ({ ...one, unique: [] }))),
  ...action('create', (act, { collection }) => async (task) => {
    const records = await allOf(task.store, collection);
    const outcome = await act(task);
    const { body } = task.values;
    const isTaken = records.some((record) =>
      (collection.unique ?? []).some((names) => isSame(record, body as Data, names)),
    );
    return isTaken ? { refuse: 'conflict', message: 'taken' } : outcome;
  }),
};

/** What a removed record had is given to nobody. */
export const reserving = (path: string, name: string): MockFault => {
  const taken = new Set<unknown>();
  return store(({ create, remove, read }) => ({
    async create(collection, given) {
      if (collection.name === path && taken.has(given.members[name])) return 'taken';
      return create(collection, given);
    },
    async remove(collection, id, where, allows) {
      const text = await read(collection, id, where);
      if (collection.name === path && text !== undefined) taken.add((parseJson(text) as Data)[name]);
      return remove(collection, id, where, allows);
    },
  }));
};

const asInvalid = refusal((given, { refuse }) => (refuse === 'conflict' ? { ...given, status: 400 } : given));

const festival = mockOf('festival.yaml', { count: 5 });

export const uniqueMutants = [
  ...mutants('festival', festival, 'unique-refused', [
    ['slug-twice', 'two artists may have one slug', keyed('/artists', ['email'])],
    ['email-twice', 'two artists may have one e-mail address', keyed('/artists', ['slug'])],
    ['slug-by-put', 'PUT gives an artist the slug of another', unchecked('replace')],
    ['slug-by-patch', 'PATCH gives an artist the slug of another', unchecked('update')],
    ['venue-twice', 'two venues may have one name in one city', keyed('/venues')],
    ['stage-twice', 'two stages of a venue may have one title', keyed('/venues/{venueId}/stages')],
    ['as-invalid', 'what is taken is refused as invalid', asInvalid],
  ]),
  ...mutants('festival', festival, 'unique-free', [
    ['own-is-taken', 'PUT refuses the slug that the artist has itself', ownIsTaken],
    ['name-alone', 'a venue needs a name that no other city has', keyed('/venues', ['name'])],
    [
      'stage-anywhere',
      'a stage needs a title that no other venue has',
      refuseTwins('create', '/venues/{venueId}/stages', ['title']),
    ],
    ['never-free', 'the slug of a removed artist is not free', reserving('/artists', 'slug')],
  ]),
  ...mutants('festival', festival, 'one-holder', [
    ['two-steps', 'a record comes between the look for a twin and the insert', inTwoSteps],
    ['none-wins', 'of creates at once none is carried out', noneWins()],
  ]),
  ...mutants('festival', festival, 'refused-leaves-nothing', [
    ['refused-is-stored', 'a create gets 409 and is stored', refusedIsStored],
  ]),
  ...mutants(
    'festival',
    festival,
    ['created-can-be-read', 'refused-changes-nothing'],
    [['change-is-stored', 'a change gets 409 and is stored', unchecked('update', true)]],
  ),
];
