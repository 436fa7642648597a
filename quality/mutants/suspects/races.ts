import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '#spec';
import {
  acknowledge,
  acknowledgeCreate,
  acknowledgeRemoval,
  aloneFor,
  beforeWrites,
  type Given,
  type MockFault,
  mockOf,
  mockOfFile,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { type Operators, product, SHIPPED_DOCUMENT } from '../suspect.ts';

// Faults that need requests at once: one after the other they are all answered as they should be.

/** Long enough for the other requests of a race to arrive. */
const pause = (ms = 20) => sleep(ms);

/** Creates at once have the body of the last. */
const sharedBody = store(({ create }) => {
  let current: Data = {};
  return {
    async create(collection, given) {
      current = given.members;
      await pause();
      return create(collection, { ...given, members: current });
    },
  };
});

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

/** The edit with every other member as it was. */
const halfOf =
  (edit: (text: string) => Given, turn: number) =>
  (text: string): Given => {
    const given = edit(text);
    const before = parseJson(text) as Data;
    const members = Object.entries(given.members).map(([name, value], index) => {
      const isWritten = index % 2 === turn || before[name] === undefined;
      return [name, isWritten ? value : before[name]];
    });
    return { ...given, members: Object.fromEntries(members) };
  };

/** Writes half of the members, and the other half a moment later; of changes at once the first ends last. */
const writeHalf = store(({ change }) => {
  let busy = 0;
  return {
    async change(collection, id, where, edit) {
      if ((await change(collection, id, where, halfOf(edit, 0))) === undefined) return undefined;
      busy += 1;
      await pause(busy === 1 ? 60 : 10);
      busy -= 1;
      return change(collection, id, where, halfOf(edit, 1));
    },
  };
});

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
  halves: ['linearizable', writeHalf],
  resurrected: [writeBack(true)],
  'cache filled': [cacheFill],
  'delete dropped': [whileChanging('drop removals')],
  deadlock: ['status', whileChanging('refuse with 500')],
  'update lost': ['linearizable', writeBack(false)],
  'update dropped': ['linearizable', whileChanging('drop changes')],
  'one id': [['distinct-ids', ...LOST], oneIdAtOnce],
  'body shared': ['created-equals-sent', sharedBody],
  'create dropped': [LOST, crowded],
};

const OF_PETS = ['one id', 'body shared', 'create dropped'];
const OF_ARTICLES = ['halves', 'resurrected', 'cache filled', 'delete dropped', 'deadlock'];
const atOnce = (fixture: string, count: number, ...phrases: string[]) =>
  [`${fixture.replace(/[./].*/, '')}-at-once`, mockOf(fixture, { count }), phrases] as const;
const pets = mockOfFile(SHIPPED_DOCUMENT);

export const racesMutants = product(AT_ONCE, LINEAR, [
  ['pets-at-once', pets, OF_PETS],
  atOnce('warehouse.yaml', 10, ...OF_ARTICLES),
  atOnce('libraries.yaml', 5, 'update lost', 'update dropped'),
  // Nested records, ids of other types.
  atOnce('couriers.yaml', 5, 'halves'),
  atOnce('bicycles.yaml', 5, 'delete dropped'),
]);
