import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ActionName,
  action,
  aloneFor,
  beforeWrites,
  inEach,
  type MockFault,
  mockOf,
  mockOfFile,
  store,
} from '../mock-faults.ts';
import { differences, SHIPPED_DOCUMENT } from '../suspect.ts';
import { racesMutants } from './races.ts';

// Services that are right about requests at once and in any order, each in a way of its own.

/** Later, unless the process ends before. */
const after = (ms: number, act: () => unknown) => void setTimeout(act, ms).unref();

/** Where more than so many requests are at once at work on one record or collection, the others are refused. */
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

/** Records are read and listed as they were a while ago. */
const lagging = (ms: number): MockFault =>
  store((all) => {
    const old = new Map<unknown, string | undefined>();
    return {
      ...beforeWrites(all, ['change', 'remove'], async (collection, id) => {
        if (old.has(id)) return;
        old.set(id, await all.read(collection, id, []));
        after(ms, () => old.delete(id));
      }),
      read: async (collection, id, where) => old.get(id) ?? all.read(collection, id, where),
    };
  });

/** The response to a change shows the record as others may have left it. */
const readBack = store(({ read, change }) => ({
  async change(collection, id, where, edit) {
    const text = await change(collection, id, where, edit);
    await sleep(8);
    return text && ((await read(collection, id, where)) ?? text);
  },
}));

/** New records appear a while later in reads and lists. */
const slowToShow = (ms: number): MockFault =>
  store((all) => {
    const fresh = new Set<unknown>();
    return {
      async create(collection, given) {
        const entry = await all.create(collection, given);
        if (entry === 'taken') return entry;
        fresh.add(entry.id);
        after(ms, () => fresh.delete(entry.id));
        return entry;
      },
      read: async (collection, id, where) => (fresh.has(id) ? undefined : all.read(collection, id, where)),
    };
  });

const slowChanges = store((all) => beforeWrites(all, ['change', 'remove'], () => sleep(10 * Math.random())));

const OTHERS = {
  '409 for changes at once': refuseCrowds(409, 1, 'replace', 'remove'),
  'slow changes': slowChanges,
  lagging: lagging(200),
  'read back': readBack,
  '429 for more than two': refuseCrowds(429, 2, 'list', 'create', 'read'),
  'slow to show': slowToShow(150),
};
const phrases = Object.keys(OTHERS);

export const races = {
  'requests at once': [
    racesMutants,
    differences(OTHERS, [
      ['pets-load', mockOfFile(SHIPPED_DOCUMENT), phrases.slice(-2)],
      ['warehouse-load', mockOf('warehouse.yaml', { count: 10 }), phrases.slice(0, -2)],
    ]),
  ],
} as const;
