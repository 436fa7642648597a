import { AsyncLocalStorage } from 'node:async_hooks';
import { defaultParts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import {
  type ActionName,
  action,
  type Collection,
  type Id,
  inEach,
  type MockFault,
  mockOf,
  response,
  type Store,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes, mutants, only, using } from '../suspect.ts';
import { allOf } from './unique.ts';

// Faults in what services do about records that belong to others.

const PITS = '/quarries/{quarry}/pits';
const SAMPLES = '/quarries/{quarry}/pits/{pit}/samples';

type Parameters = Readonly<Record<string, unknown>>;

/** Requests to some operations are read as if their paths had other values. */
const rereadPath = (
  isMeant: (operation: { readonly id: string; readonly path: string }) => boolean,
  change: (path: Parameters) => Parameters,
): MockFault => ({
  read(operation, validators) {
    const read = defaultParts.read(operation, validators);
    if (!isMeant(operation)) return read;
    return (request) => {
      const given = read(request);
      return { ...given, parameters: { ...given.parameters, path: change(given.parameters.path) } };
    };
  },
});

/** Where records were made: the values of the path by the collection and the id. */
const homes = () => {
  const known = new Map<string, Map<unknown, Record<string, unknown>>>();
  const part = store(({ create }) => ({
    async create(collection, given) {
      const entry = await create(collection, given);
      if (entry === 'taken') return entry;
      const home = Object.fromEntries(given.scope.map(({ key, anyOf }) => [key.slice(1, -1), anyOf[0]]));
      const those = known.get(collection.name) ?? new Map();
      known.set(collection.name, those.set(entry.id, home));
      return entry;
    },
  }));
  return { part, of: (name: string, id: unknown) => known.get(name)?.get(id) };
};

/** These operations do not look whose the pit is. */
const anyQuarry = (...ids: readonly string[]): MockFault => {
  const { part, of } = homes();
  return {
    ...part,
    ...rereadPath(
      ({ id }) => ids.includes(id),
      (path) => ({ ...path, ...of(PITS, path.pit) }),
    ),
  };
};

/** These operations do not look below which pit a sample is. */
const anyPit = (...ids: readonly string[]): MockFault => {
  const { part, of } = homes();
  return {
    ...part,
    ...rereadPath(
      ({ id }) => ids.includes(id),
      (path) => ({ ...path, ...of(SAMPLES, path.sample) }),
    ),
  };
};

/** A list does not look at a part of the path. */
const listAll = (name: string, ...keys: readonly string[]): MockFault =>
  store(({ list }) => ({
    list: (collection, query) =>
      list(collection, {
        ...query,
        where: collection.name === name ? query.where.filter(({ key }) => !keys.includes(key)) : query.where,
      }),
  }));

const LOOKS: readonly ActionName[] = ['list', 'read', 'replace', 'update', 'remove'];

/**
 * What is removed from a collection is only marked so, by an action that looks at the mark; operations below do not.
 * @param isSeen whether an operation on another collection sees the mark, so many milliseconds after it
 */
const onlyMarked = (
  name: string,
  isSeen: (collection: string, action: ActionName, since: number) => boolean = () => false,
): MockFault => {
  const removed = new Map<Id, number>();
  const acting = new AsyncLocalStorage<string>();
  const parameter = name === PITS ? 'pit' : 'quarryId';
  const below = name === PITS ? 'pit' : 'quarry';
  const NOT_FOUND = { refuse: 'not found', message: 'gone' } as const;
  const marked = inEach([...LOOKS, 'create'], (one) =>
    action(one, (act, { collection }) => (task) => {
      const { path } = task.values.parameters;
      const isOwn = collection.name === name;
      const at = removed.get(path[isOwn ? parameter : below] as Id);
      if (at !== undefined && (isOwn || isSeen(collection.name, one, Date.now() - at))) return NOT_FOUND;
      return acting.run(one === 'remove' ? collection.name : '', () => act(task));
    }),
  );
  return {
    ...marked,
    ...store(({ list, read, remove }) => ({
      async list(collection, query) {
        if (collection.name !== name || removed.size === 0) return list(collection, query);
        const { offset, limit } = query;
        const all = await list(collection, { ...query, offset: 0, limit: Number.POSITIVE_INFINITY });
        const left = (parseJson(all.text) as { id: Id }[]).filter(({ id }) => !removed.has(id));
        const records = left.slice(offset, offset + limit);
        return { text: stringifyJson(records), count: records.length, total: left.length };
      },
      async remove(collection, id, where, allows) {
        // What goes with another one stays.
        if (acting.getStore() !== collection.name) return true;
        if (collection.name !== name) return remove(collection, id, where, allows);
        if ((await read(collection, id, where)) === undefined) return false;
        removed.set(id, Date.now());
        return true;
      },
    })),
  };
};

/** Nothing keeps a quarry from being closed: nobody looks for its crews then. */
const closesAnyway = (): MockFault =>
  store(({ list }) => ({
    list(collection, query) {
      const isLook = collection.name === '/crews' && query.limit === 1 && query.where.length === 1;
      return list(collection, isLook ? { ...query, limit: 0 } : query);
    },
  }));

/** With a record all others of a collection go, whatever they belong to. */
const takesAll = (name: string, others: string): MockFault =>
  store((given) => ({
    async remove(collection, id, where, allows) {
      const isRemoved = await given.remove(collection, id, where, allows);
      if (isRemoved && collection.name === name) await removeAll(given, others);
      return isRemoved;
    },
  }));

const byName = new Map<string, Collection>();

async function removeAll(given: Pick<Store, 'list' | 'remove'>, name: string): Promise<void> {
  const collection = byName.get(name);
  if (!collection) return;
  const records: readonly Data[] = await allOf(given, collection);
  for (const { id } of records) await given.remove(collection, id as Id, []);
}

/** Knows the collections by their names. */
const named = (fault: MockFault): MockFault => ({
  ...fault,
  store(collections) {
    for (const one of collections) byName.set(one.name, one);
    return (fault.store ?? defaultParts.store)(collections);
  },
});

const quarries = mockOf('quarries.yaml', { count: 10 });

/** Those that look at what belongs to what. */
const service = using(only(quarries, '/(?:apart-by|gone-with|held-by)-'), (make: () => MockFault) => make());

export const familyMutants = mutants('quarries', service, 'apart-by-parent', [
  ['pits-anywhere', 'pits are listed below every quarry', () => listAll(PITS, '{quarry}')],
  ['samples-anywhere', 'samples are listed below every pit', () => listAll(SAMPLES, '{pit}', '{quarry}')],
  ['pit-read-anywhere', 'a pit is read below every quarry', () => anyQuarry('readPit')],
  ['sample-read-anywhere', 'a sample is read below every pit', () => anyPit('readSample')],
  ['sample-any-quarry', 'a sample is read below its pit in any quarry', () => anyQuarry('readSample')],
  ['samples-any-quarry', 'samples are listed below their pit in any quarry', () => anyQuarry('listSamples')],
  [
    'pit-renewed-anywhere',
    'a pit is replaced below every quarry',
    ['unknown-id', 'apart-by-parent'],
    () => anyQuarry('renewPit'),
  ],
  [
    'sample-renewed-anywhere',
    'a sample is replaced below every pit',
    ['unknown-id'],
    () => anyPit('renewSample'),
  ],
  [
    'sample-dropped-any-quarry',
    'a sample is dropped below its pit in any quarry',
    ['unknown-id'],
    () => anyQuarry('dropSample'),
  ],
  [
    'pits-outlive',
    'the pits of a closed quarry are still there',
    'gone-with-parent',
    () => onlyMarked('/quarries'),
  ],
  [
    'pits-read-on',
    'the pits of a closed quarry are still read, one by one',
    'gone-with-parent',
    () => onlyMarked('/quarries', (_, act) => act !== 'read'),
  ],
  [
    'samples-outlive',
    'the samples of a closed quarry are still there, and its pits are not',
    'gone-with-parent',
    () => onlyMarked('/quarries', (name) => name !== SAMPLES),
  ],
  [
    'samples-of-filled',
    'the samples of a filled pit are still there',
    'gone-with-parent',
    () => onlyMarked(PITS),
  ],
  [
    'dug-in-closed',
    'a pit is dug in a closed quarry',
    'unknown-id',
    () => onlyMarked('/quarries', (_, act) => act !== 'create'),
  ],
  ['closes-anyway', 'a quarry is closed that still has crews', 'status', closesAnyway],
  [
    'closes-all',
    'with a quarry the pits of all quarries go',
    ['created-can-be-read', 'created-is-listed', 'neighbours-untouched', 'complete-list'],
    () => named(takesAll('/quarries', PITS)),
  ],
]);

const CREWS = '/crews';

/** A crew is found below every quarry: it has a path of its own. */
const anyCrew = (): MockFault =>
  store(({ read }) => ({
    read: (collection, id, where) => read(collection, id, collection.name === CREWS ? [] : where),
  }));

/** Fewer pits than that are in one quarry. */
const MOST = 1000;

/** The pits of each quarry are counted from 1. */
const countedInEach = (): MockFault => {
  const counted = new Map<unknown, number>();
  const numbered = (record: Data) => ({ ...record, id: Number(record.id) % MOST });
  const shown = inEach(['list', 'create', 'read', 'replace'], (name) =>
    response(name, (given, _, { collection }) => {
      if (collection.name !== PITS) return given;
      const body = parseJson(String(given.body));
      const changed = Array.isArray(body) ? body.map(numbered) : numbered(body as Data);
      return { ...given, body: stringifyJson(changed) };
    }),
  );
  const kept = store(({ create }) => ({
    create(collection, given) {
      if (collection.name !== PITS) return create(collection, given);
      const quarry = Number(given.scope[0]?.anyOf[0]);
      const number = (counted.get(quarry) ?? 0) + 1;
      counted.set(quarry, number);
      return create(collection, { ...given, id: quarry * MOST + number });
    },
  }));
  const read = rereadPath(
    ({ path }) => path.includes('{pit}'),
    (path) => {
      const number = Number(path.pit);
      return { ...path, pit: number < MOST ? Number(path.quarry) * MOST + number : 0 };
    },
  );
  return { ...shown, ...kept, ...read };
};

/** A new quarry has a pit from the start. */
const withFirstPit = (): MockFault => ({
  async store(collections) {
    const given = await store(() => ({})).store?.(collections);
    const pits = collections.find(({ name }) => name === PITS);
    if (!given || !pits) throw new Error('there are no pits');
    return {
      ...given,
      async create(collection, record) {
        const entry = await given.create(collection, record);
        if (collection.name === '/quarries' && entry !== 'taken') {
          const scope = [{ key: '{quarry}', anyOf: [entry.id] }];
          await given.create(pits, { id: undefined, members: { depth: 0 }, scope });
        }
        return entry;
      },
    };
  },
});

/** What is below a removed record is gone a moment after it. */
const LATER = 300;
const goneLater = () => onlyMarked('/quarries', (_, act, since) => act === 'create' || since > LATER);

/** Some have a memory, and are made anew for each start. */
const make = (fault: () => MockFault) => fault();

export const familyLookalikes = [
  ...lookalikes('quarries', using(quarries, make), [
    ['as-it-is', 'quarries that keep their document', () => ({})],
    ['any-crew', 'a crew is found below every quarry', anyCrew],
    ['first-pit', 'a new quarry begins with a pit', withFirstPit],
    ['gone-later', 'the pits of a closed quarry are gone a moment later', goneLater],
  ]),
  ...lookalikes('quarries', using(mockOf('quarries.yaml', { count: 0 }), make), [
    ['counted-in-each', 'the pits of each quarry are counted from 1', countedInEach],
  ]),
];
