import { AsyncLocalStorage } from 'node:async_hooks';
import { parseJson, stringifyJson } from '#spec';
import {
  type ActionName,
  action,
  type Id,
  inEach,
  type MockFault,
  mockOf,
  reading,
  response,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes, mutants, only, using } from '../suspect.ts';

// Faults in the handling of records that belong to others.

const QUARRIES = '/quarries';
const PITS = '/quarries/{quarry}/pits';
const SAMPLES = '/quarries/{quarry}/pits/{pit}/samples';
const NOT_FOUND = { refuse: 'not found', message: 'gone' } as const;

/** A list ignores a part of the path. */
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
 * Closing a quarry only sets a mark that actions on it check; operations below ignore it.
 * @param isSeen whether an operation on another collection respects the mark this many milliseconds later
 */
const onlyMarked = (
  isSeen: (collection: string, action: ActionName, since: number) => boolean = () => false,
): MockFault => {
  const closed = new Map<Id, number>();
  const acting = new AsyncLocalStorage<string>();
  const marked = inEach([...LOOKS, 'create'], (furtherRole) =>
    action(furtherRole, (act, { collection }) => (task) => {
      const { path } = task.values.parameters;
      const isOwn = collection.name === QUARRIES;
      const at = closed.get(path[isOwn ? 'quarryId' : 'quarry'] as Id);
      if (at !== undefined && (isOwn || isSeen(collection.name, furtherRole, Date.now() - at)))
        return NOT_FOUND;
      return acting.run(furtherRole === 'remove' ? collection.name : '', () => act(task));
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
        // Keeps the records that are removed with another one.
        if (acting.getStore() !== collection.name) return true;
        if (collection.name !== QUARRIES) return remove(collection, id, where, allows);
        if ((await read(collection, id, where)) === undefined) return false;
        closed.set(id, Date.now());
        return true;
      },
    })),
  };
};

/** A quarry can be closed although it has crews, because nothing checks for them. */
const closesAnyway = (): MockFault =>
  store(({ list }) => ({
    list(collection, query) {
      const isLook = collection.name === '/crews' && query.limit === 1 && query.where.length === 1;
      return list(collection, isLook ? { ...query, limit: 0 } : query);
    },
  }));

const quarries = mockOf('quarries.yaml', { count: 10 });

/** Faults with state are created anew for each start. */
const make = (fault: () => MockFault) => fault();
/** The cases that check how records belong together. */
const service = using(only(quarries, '/(?:apart-by|gone-with|held-by)-'), make);
const OUTLIVES = 'gone-with-parent';
const familyMutants = mutants('quarries', service, 'apart-by-parent', {
  'pits-anywhere': ['pits are listed below every quarry', () => listAll(PITS, '{quarry}')],
  'samples-anywhere': ['samples are listed below every pit', () => listAll(SAMPLES, '{pit}', '{quarry}')],
  'pits-outlive': ['the pits of a closed quarry are still there', OUTLIVES, () => onlyMarked()],
  'samples-outlive': ['its samples alone are', OUTLIVES, () => onlyMarked((name) => name !== SAMPLES)],
  'closes-anyway': ['a quarry is closed that still has crews', 'status', closesAnyway],
});

const CREWS = '/crews';

/** A crew is found below every quarry, as it has a path of its own. */
const anyCrew = (): MockFault =>
  store(({ read }) => ({
    read: (collection, id, where) => read(collection, id, collection.name === CREWS ? [] : where),
  }));

/** A quarry has fewer pits than this. */
const MOST = 1000;

/** The pits of each quarry are numbered from 1. */
const countedInEach = (): MockFault => {
  const counted = new Map<unknown, number>();
  const numbered = (record: Data) => ({ ...record, id: Number(record.id) % MOST });
  const display = inEach(['list', 'create', 'read', 'replace'], (name) =>
    response(name, (reply, _, { collection }) => {
      if (collection.name !== PITS) return reply;
      const body = parseJson(String(reply.body));
      const changed = Array.isArray(body) ? body.map(numbered) : numbered(body as Data);
      return { ...reply, body: stringifyJson(changed) };
    }),
  );
  const kept = store(({ create }) => ({
    create(collection, input) {
      if (collection.name !== PITS) return create(collection, input);
      const quarry = Number(input.scope[0]?.anyOf[0]);
      const number = (counted.get(quarry) ?? 0) + 1;
      counted.set(quarry, number);
      return create(collection, { ...input, id: quarry * MOST + number });
    },
  }));
  const read = reading((read, operation) => (request) => {
    const input = read(request);
    const { path } = input.parameters;
    const number = Number(path.pit);
    const pit = number < MOST ? Number(path.quarry) * MOST + number : 0;
    const isMeant = operation.path.includes('{pit}');
    return isMeant ? { ...input, parameters: { ...input.parameters, path: { ...path, pit } } } : input;
  });
  return { ...display, ...kept, ...read };
};

/** Records below a removed one disappear after this number of milliseconds. */
const LATER = 300;
const goneLater = () => onlyMarked((_, act, since) => act === 'create' || since > LATER);

export const families = {
  'records that belong to others': [
    familyMutants,
    [
      ...lookalikes('quarries', using(quarries, make), {
        'any-crew': ['a crew is found below every quarry', anyCrew],
        'gone-later': ['the pits of a closed quarry are gone a moment later', goneLater],
      }),
      ...lookalikes('quarries', using(mockOf('quarries.yaml', { count: 0 }), make), {
        'counted-in-each': ['the pits of each quarry are counted from 1', countedInEach],
      }),
    ],
  ],
} as const;
