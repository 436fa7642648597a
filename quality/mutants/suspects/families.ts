import { AsyncLocalStorage } from 'node:async_hooks';
import { defaultParts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import {
  type ActionName,
  action,
  type Id,
  inEach,
  type MockFault,
  mockOf,
  response,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes, mutants, only, using } from '../suspect.ts';

// Faults in what services do about records that belong to others.

const QUARRIES = '/quarries';
const PITS = '/quarries/{quarry}/pits';
const SAMPLES = '/quarries/{quarry}/pits/{pit}/samples';

const NOT_FOUND = { refuse: 'not found', message: 'gone' } as const;

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

/** This operation does not look below what a record of the collection is. */
const anyAbove = (id: string, name: string, parameter: string): MockFault => {
  const { part, of } = homes();
  const isMeant = (operation: { readonly id: string }) => operation.id === id;
  return { ...part, ...rereadPath(isMeant, (path) => ({ ...path, ...of(name, path[parameter]) })) };
};
const anyQuarry = (id: string) => anyAbove(id, PITS, 'pit');

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
 * A closed quarry is only marked so, by an action that looks at the mark; operations below do not.
 * @param isSeen whether an operation on another collection sees the mark, so many milliseconds after it
 */
const onlyMarked = (
  isSeen: (collection: string, action: ActionName, since: number) => boolean = () => false,
): MockFault => {
  const closed = new Map<Id, number>();
  const acting = new AsyncLocalStorage<string>();
  const marked = inEach([...LOOKS, 'create'], (one) =>
    action(one, (act, { collection }) => (task) => {
      const { path } = task.values.parameters;
      const isOwn = collection.name === QUARRIES;
      const at = closed.get(path[isOwn ? 'quarryId' : 'quarry'] as Id);
      if (at !== undefined && (isOwn || isSeen(collection.name, one, Date.now() - at))) return NOT_FOUND;
      return acting.run(one === 'remove' ? collection.name : '', () => act(task));
    }),
  );
  return {
    ...marked,
    ...store(({ list, read, remove }) => ({
      async list(collection, query) {
        if (collection.name !== QUARRIES || closed.size === 0) return list(collection, query);
        const { offset, limit } = query;
        const all = await list(collection, { ...query, offset: 0, limit: Number.POSITIVE_INFINITY });
        const left = (parseJson(all.text) as { id: Id }[]).filter(({ id }) => !closed.has(id));
        const records = left.slice(offset, offset + limit);
        return { text: stringifyJson(records), count: records.length, total: left.length };
      },
      async remove(collection, id, where, allows) {
        // What goes with another one stays.
        if (acting.getStore() !== collection.name) return true;
        if (collection.name !== QUARRIES) return remove(collection, id, where, allows);
        if ((await read(collection, id, where)) === undefined) return false;
        closed.set(id, Date.now());
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

const quarries = mockOf('quarries.yaml', { count: 10 });

/** Some have a memory, and are made anew for each start. */
const make = (fault: () => MockFault) => fault();
/** Those that look at what belongs to what. */
const service = using(only(quarries, '/(?:apart-by|gone-with|held-by)-'), make);

const UNKNOWN = ['unknown-id', 'apart-by-parent'] as const;
const OUTLIVES = 'gone-with-parent';
const familyMutants = mutants('quarries', service, 'apart-by-parent', [
  ['pits-anywhere', 'pits are listed below every quarry', () => listAll(PITS, '{quarry}')],
  ['samples-anywhere', 'samples are listed below every pit', () => listAll(SAMPLES, '{pit}', '{quarry}')],
  ['pit-read-anywhere', 'a pit is read below every quarry', () => anyQuarry('readPit')],
  [
    'sample-read-anywhere',
    'a sample is read below every pit',
    () => anyAbove('readSample', SAMPLES, 'sample'),
  ],
  ['sample-any-quarry', 'a sample is read below its pit in any quarry', () => anyQuarry('readSample')],
  ['pit-renewed-anywhere', 'a pit is replaced below every quarry', UNKNOWN, () => anyQuarry('renewPit')],
  ['sample-dropped-any-quarry', 'it is dropped in any quarry', 'unknown-id', () => anyQuarry('dropSample')],
  ['pits-outlive', 'the pits of a closed quarry are still there', OUTLIVES, () => onlyMarked()],
  [
    'samples-outlive',
    'the samples of a closed quarry are still there, and its pits are not',
    OUTLIVES,
    () => onlyMarked((name) => name !== SAMPLES),
  ],
  [
    'dug-in-closed',
    'a pit is dug in a closed quarry',
    'unknown-id',
    () => onlyMarked((_, act) => act !== 'create'),
  ],
  ['closes-anyway', 'a quarry is closed that still has crews', 'status', closesAnyway],
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

/** What is below a removed record is gone a moment after it. */
const LATER = 300;
const goneLater = () => onlyMarked((_, act, since) => act === 'create' || since > LATER);

export const families = {
  'records that belong to others': [
    familyMutants,
    [
      ...lookalikes('quarries', using(quarries, make), [
        ['any-crew', 'a crew is found below every quarry', anyCrew],
        ['gone-later', 'the pits of a closed quarry are gone a moment later', goneLater],
      ]),
      ...lookalikes('quarries', using(mockOf('quarries.yaml', { count: 0 }), make), [
        ['counted-in-each', 'the pits of each quarry are counted from 1', countedInEach],
      ]),
    ],
  ],
} as const;
