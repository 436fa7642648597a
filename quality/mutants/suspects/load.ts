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

/** The response to a change shows the record as others may have left it. */
const readBack = store(({ read, change }) => ({
  async change(collection, id, where, edit) {
    const text = await change(collection, id, where, edit);
    await sleep(8);
    return text && ((await read(collection, id, where)) ?? text);
  },
}));

const slowChanges = store((all) => beforeWrites(all, ['change', 'remove'], () => sleep(10 * Math.random())));

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
      ['pets-load', mockOfFile(SHIPPED_DOCUMENT), phrases.slice(-1)],
      ['warehouse-load', mockOf('warehouse.yaml', { count: 10 }), phrases.slice(0, -1)],
    ]),
  ],
} as const;
