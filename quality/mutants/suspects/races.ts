import { setTimeout as sleep } from 'node:timers/promises';
import {
  acknowledge,
  acknowledgeCreate,
  acknowledgeRemoval,
  aloneFor,
  beforeWrites,
  type MockFault,
  mockOf,
  mockOfFile,
  store,
} from '../mock-faults.ts';
import { type Operators, product, SHIPPED_DOCUMENT } from '../suspect.ts';

// Faults that need requests at once: one after the other they are all answered as they should be.

/** Long enough for the other requests of a race to arrive. */
const pause = (ms = 20) => sleep(ms);

/** Creates that are not alone are acknowledged alone. */
const crowded = store(({ create }) => {
  const isAlone = aloneFor(10);
  return { create: async (...given) => ((await isAlone()) ? create : acknowledgeCreate)(...given) };
});

/** Reads a record, and writes it back a moment later, though it may have been removed meanwhile. */
const writeBack = (resurrects: boolean) =>
  store(({ read, change, create }) => ({
    async change(collection, id, where, edit) {
      const text = await read(collection, id, where);
      if (text === undefined) return undefined;
      const edited = edit(text);
      await pause();
      const done = await change(collection, id, where, () => edited);
      if (done !== undefined || !resurrects) return done;
      const entry = await create(collection, { ...edited, id });
      return entry === 'taken' ? undefined : entry.text;
    },
  }));

/** A read that is at work while the record is written keeps what it has read for good. */
const cacheFill = store((all) => {
  const cached = new Map<unknown, string>();
  return {
    ...beforeWrites(all, ['change', 'remove'], (_, id) => cached.delete(id)),
    async read(collection, id, where) {
      const text = cached.get(id) ?? (await all.read(collection, id, where));
      if (text === undefined) return undefined;
      await pause(60);
      cached.set(id, text);
      return text;
    },
  };
});

/** What is done while a change of any record is at work. */
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

/** Creates at once get one id: the later one takes the place of the earlier. */
const oneIdAtOnce = store(({ contents, create, change }) => ({
  async create(collection, given) {
    const { entries } = await contents(collection);
    await pause();
    const id = given.id ?? collection.idOf(entries.length + 1);
    const entry = await create(collection, { ...given, id });
    if (entry !== 'taken') return entry;
    await change(collection, id, [], () => ({ ...given, id }));
    return collection.complete(id, { ...given, id });
  },
}));

const LOST = ['created-can-be-read', 'created-is-listed', 'complete-list', 'earlier-records-stay'] as const;
const LINEAR = ['linearizable', 'removed-is-gone', ...LOST] as const;

/** Faults of two requests at once, in any document. */
const AT_ONCE: Operators<MockFault> = {
  resurrected: [writeBack(true)],
  'cache filled': [cacheFill],
  'delete dropped': [whileChanging('drop removals')],
  deadlock: ['status', whileChanging('refuse with 500')],
  'update lost': ['linearizable', writeBack(false)],
  'update dropped': ['linearizable', whileChanging('drop changes')],
  'one id': [['distinct-ids', ...LOST], oneIdAtOnce],
  'create dropped': [LOST, crowded],
};

const OF_PETS = ['one id', 'create dropped'];
const OF_ARTICLES = ['resurrected', 'cache filled', 'delete dropped', 'deadlock'];
const atOnce = (fixture: string, count: number, ...phrases: string[]) =>
  [`${fixture.replace(/[./].*/, '')}-at-once`, mockOf(fixture, { count }), phrases] as const;
const pets = mockOfFile(SHIPPED_DOCUMENT);

export const racesMutants = product(AT_ONCE, LINEAR, [
  ['pets-at-once', pets, OF_PETS],
  atOnce('warehouse.yaml', 10, ...OF_ARTICLES),
  atOnce('libraries.yaml', 5, 'update lost', 'update dropped'),
  atOnce('bicycles.yaml', 5, 'delete dropped'),
]);
