import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ActionName,
  acknowledge,
  acknowledgeCreate,
  acknowledgeRemoval,
  action,
  aloneFor,
  inEach,
  type MockFault,
  mockOf,
  store,
} from '../mock-faults.ts';
import { differences, type Operators, product } from '../suspect.ts';

// Faults in concurrent requests: the same requests one at a time get correct responses.

/** Long enough for the other requests of a race to arrive. */
const pause = (ms = 20) => sleep(ms);

/** Concurrent creates are acknowledged, but not stored. */
const crowded = store(({ create }) => {
  const isAlone = aloneFor(10);
  return { create: async (...args) => ((await isAlone()) ? create : acknowledgeCreate)(...args) };
});

/** Reads a record, and writes it back a moment later. */
const writeBack = store(({ read, change }) => ({
  async change(collection, id, where, edit) {
    const text = await read(collection, id, where);
    if (text === undefined) return undefined;
    const edited = edit(text);
    await pause();
    return change(collection, id, where, () => edited);
  },
}));

/** Drops or refuses what arrives while a change of any record is running. */
const whileChanging = (instead: 'drop changes' | 'drop removals' | 'refuse with 500'): MockFault =>
  store((all) => {
    let busy = 0;
    return {
      async change(...change) {
        const isBusy = busy > 0;
        if (isBusy && instead === 'refuse with 500') throw new Error('deadlock detected');
        busy += 1;
        await pause();
        busy -= 1;
        return (isBusy && instead === 'drop changes' ? acknowledge(all) : all.change)(...change);
      },
      async remove(...record) {
        await pause(10);
        return (busy > 0 && instead === 'drop removals' ? acknowledgeRemoval(all) : all.remove)(...record);
      },
    };
  });

/** Concurrent creates get the same id, so that the later one replaces the earlier. */
const oneIdAtOnce = store(({ contents, create, change }) => ({
  async create(collection, input) {
    const { entries } = await contents(collection);
    await pause();
    const id = input.id ?? collection.idOf(entries.length + 1);
    const entry = await create(collection, { ...input, id });
    if (entry !== 'taken') return entry;
    await change(collection, id, [], () => ({ ...input, id }));
    return collection.complete(id, { ...input, id });
  },
}));

const LOST = ['created-can-be-read', 'created-is-listed', 'complete-list', 'earlier-records-stay'] as const;
const LINEAR = ['linearizable', 'removed-is-gone', ...LOST] as const;

/** Faults of two concurrent requests, for any document. */
const AT_ONCE: Operators<MockFault> = {
  'delete dropped': [whileChanging('drop removals')],
  deadlock: ['status', whileChanging('refuse with 500')],
  'update lost': ['linearizable', writeBack],
  'update dropped': ['linearizable', whileChanging('drop changes')],
  'one id': [['distinct-ids', ...LOST], oneIdAtOnce],
  'create dropped': [LOST, crowded],
};

const OF_PETS = ['one id', 'create dropped'];
const OF_ARTICLES = ['delete dropped', 'deadlock'];
const atOnce = (fixture: string, count: number, ...phrases: string[]) =>
  [`${fixture.replace(/[./].*/, '')}-at-once`, mockOf(fixture, { count }), phrases] as const;
const pets = mockOf('./spec/openapi.yaml');

export const racesMutants = product(AT_ONCE, LINEAR, [
  ['pets-at-once', pets, OF_PETS],
  atOnce('warehouse.yaml', 10, ...OF_ARTICLES),
  atOnce('libraries.yaml', 5, 'update lost', 'update dropped'),
  atOnce('bicycles.yaml', 5, 'delete dropped'),
]);

// Services that handle concurrent requests correctly, each in its own way.

/** Refuses requests beyond a number of concurrent ones for a record or collection. */
const refuseCrowds = (status: number, most: number, ...names: ActionName[]): MockFault => {
  const crowds = new Map<string, () => Promise<boolean>>();
  return inEach(names, (name) =>
    action(name, (act) => async (task) => {
      const id = Object.values(task.values.parameters.path).join();
      const hasRoom = crowds.get(id) ?? aloneFor(10, most);
      crowds.set(id, hasRoom);
      if (await hasRoom()) return act(task);
      return { refuse: 'unavailable', status, message: 'busy', headers: { 'Retry-After': '0' } };
    }),
  );
};

/** The response to a change shows the record as other requests may have left it. */
const readBack = store(({ read, change }) => ({
  async change(collection, id, where, edit) {
    const text = await change(collection, id, where, edit);
    await sleep(8);
    return text && ((await read(collection, id, where)) ?? text);
  },
}));

/** Changes and removals take some time. */
const slowChanges = store(({ change, remove }) => ({
  change: (...args) => sleep(10 * Math.random()).then(() => change(...args)),
  remove: (...args) => sleep(10 * Math.random()).then(() => remove(...args)),
}));

const OTHERS = {
  '409 for changes at once': refuseCrowds(409, 1, 'replace', 'remove'),
  'slow changes': slowChanges,
  'read back': readBack,
  '429 for more than two': refuseCrowds(429, 2, 'list', 'create', 'read'),
};
const phrases = Object.keys(OTHERS);

export const races = {
  'requests at once': [
    racesMutants,
    differences(OTHERS, [
      ['pets-load', pets, phrases.slice(-1)],
      ['warehouse-load', mockOf('warehouse.yaml', { count: 10 }), phrases.slice(0, -1)],
    ]),
  ],
} as const;
