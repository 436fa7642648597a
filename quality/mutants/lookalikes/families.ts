import { parseJson, stringifyJson } from '#spec';
import { onlyMarked, PITS, quarries, rereadPath } from '../faults/families.ts';
import { inEach, type MockFault, mockOf, response, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes, using } from '../suspect.ts';

// Services that know what belongs to what, each in a way of its own.

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
