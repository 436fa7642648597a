import { parseJson } from '#spec';
import { type MockFault, mockOf, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { type Breaks, mutants } from '../suspect.ts';
import { LOST, pause, petRaces } from './races.ts';

type Given = ReturnType<Parameters<Parameters<Parameters<typeof store>[0]>[0]['change']>[3]>;

/** Reads a record, and writes it back a moment later. */
const readThenWrite = store(({ read, change }) => ({
  async change(collection, id, where, edit) {
    const text = await read(collection, id, where);
    if (text === undefined) return undefined;
    const edited = edit(text);
    await pause();
    return change(collection, id, where, () => edited);
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

/** Writes half of the members, and the others a moment later; of changes at once the first ends last. */
const writeInHalves = store(({ change }) => {
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

/** The record is whole in the end, and half of it was seen before. */
const showHalf = store(({ change }) => ({
  async change(collection, id, where, edit) {
    if ((await change(collection, id, where, halfOf(edit, 0))) === undefined) return undefined;
    await pause(60);
    return change(collection, id, where, edit);
  },
}));

/** A change that is at work while the record is removed brings it back. */
const resurrect = store(({ read, change, create }) => ({
  async change(collection, id, where, edit) {
    const text = await read(collection, id, where);
    if (text === undefined) return undefined;
    const edited = edit(text);
    await pause();
    const done = await change(collection, id, where, () => edited);
    if (done !== undefined) return done;
    const entry = await create(collection, { ...edited, id });
    return entry === 'taken' ? undefined : entry.text;
  },
}));

/** Every write is made to a copy of the whole collection, which takes its place a moment later. */
const copyOnWrite = store(({ contents, restore, create, change, remove }) => {
  async function replaceAll(collection: Parameters<typeof contents>[0]): Promise<void> {
    const { entries } = await contents(collection);
    await pause();
    const { numbered } = await contents(collection);
    await restore(new Map([[collection, { entries, numbered }]]));
  }
  return {
    async create(collection, given) {
      await replaceAll(collection);
      return create(collection, given);
    },
    async change(collection, id, where, edit) {
      await replaceAll(collection);
      return change(collection, id, where, edit);
    },
    async remove(collection, id, where) {
      await replaceAll(collection);
      return remove(collection, id, where);
    },
  };
});

/** A read that is at work while the record is written keeps what it has read for good. */
const cacheFill = store(({ read, change, remove }) => {
  const cached = new Map<unknown, string>();
  return {
    async read(collection, id, where) {
      const text = cached.get(id) ?? (await read(collection, id, where));
      if (text === undefined) return undefined;
      await pause();
      cached.set(id, text);
      return text;
    },
    change(collection, id, where, edit) {
      cached.delete(id);
      return change(collection, id, where, edit);
    },
    remove(collection, id, where) {
      cached.delete(id);
      return remove(collection, id, where);
    },
  };
});

/** What is at work on any record while another request comes. */
const whileChanging = (instead: 'drop changes' | 'drop removals' | 'refuse with 500'): MockFault =>
  store(({ read, change, remove }) => {
    let busy = 0;
    return {
      async change(collection, id, where, edit) {
        const isBusy = busy > 0;
        if (isBusy && instead === 'refuse with 500') throw new Error('deadlock detected');
        busy += 1;
        await pause();
        busy -= 1;
        const text = await read(collection, id, where);
        if (text === undefined || (isBusy && instead === 'drop changes'))
          return text && collection.complete(id, edit(text)).text;
        return change(collection, id, where, edit);
      },
      async remove(collection, id, where) {
        await pause(10);
        if (busy > 0 && instead === 'drop removals') return (await read(collection, id, where)) !== undefined;
        return remove(collection, id, where);
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

/** A change at once with a create of the same collection is written back to what it was. */
const createRollsBack = store(({ create, change }) => {
  let creates = 0;
  return {
    async create(collection, given) {
      creates += 1;
      await pause(40);
      creates -= 1;
      return create(collection, given);
    },
    async change(collection, id, where, edit) {
      let before: string | undefined;
      const text = await change(collection, id, where, (current) => {
        before = current;
        return edit(current);
      });
      await pause(10);
      if (creates === 0 || before === undefined) return text;
      const members = JSON.parse(before) as Record<string, unknown>;
      await change(collection, id, where, (current) => ({ ...edit(current), members }));
      return text;
    },
  };
});

const LINEAR = 'linearizable';
const RESURRECTED = [LINEAR, 'removed-is-gone'] as const;

/** Faults of two requests at once, in any document: what they break, and what is wrong with its records. */
const AT_ONCE = {
  halves: [LINEAR, writeInHalves, (one: string) => `of two PUTs at once each writes half of the ${one}`],
  'half-shown': [LINEAR, showHalf, () => 'a GET at once with a PUT shows half of it'],
  resurrected: [RESURRECTED, resurrect, (one: string) => `a PUT at once with DELETE brings the ${one} back`],
  copied: [
    [LINEAR, ...LOST],
    copyOnWrite,
    (_: string, all: string) => `each write replaces ${all}, and loses others at once`,
  ],
  'cache-filled': [RESURRECTED, cacheFill, () => 'a GET at once with a write is cached for good'],
  'delete-dropped': [
    RESURRECTED,
    whileChanging('drop removals'),
    () => 'DELETE at once with a PUT is acknowledged and dropped',
  ],
  deadlock: ['status', whileChanging('refuse with 500'), () => 'of two PUTs at once one gets 500'],
  'update-lost': [
    LINEAR,
    readThenWrite,
    (one: string) => `of two PATCHes${one && ` of a ${one}`} at once one is lost`,
  ],
  'update-dropped': [
    LINEAR,
    whileChanging('drop changes'),
    () => 'of two PATCHes at once one is acknowledged and dropped',
  ],
  'create-rolls-back': [
    LINEAR,
    createRollsBack,
    () => 'a PUT at once with a POST is acknowledged and undone',
  ],
  'one-id': [['distinct-ids', ...LOST], oneIdAtOnce, (_: string, all: string) => `${all} at once get one id`],
} as const satisfies Record<string, readonly [Breaks, MockFault, (one: string, all: string) => string]>;

/** One operator of a document, with the words for one of its records and for all of them. */
type Operation = keyof typeof AT_ONCE | readonly [keyof typeof AT_ONCE, one: string, all?: string];

const atOnce = (prefix: string, fixture: string, count: number, operations: readonly Operation[]) =>
  operations.flatMap((given) => {
    const [name, one, all = ''] = typeof given === 'string' ? ([given, ''] as const) : given;
    const [breaks, fault, says] = AT_ONCE[name];
    return mutants(`${prefix}-at-once`, mockOf(fixture, { count }), breaks, [[name, says(one, all), fault]]);
  });

export const racesMutants = [
  ...petRaces,
  ...atOnce('warehouse', 'warehouse.yaml', 10, [
    ['halves', 'article'],
    'half-shown',
    ['resurrected', 'article'],
    ['copied', '', 'the whole range'],
    'cache-filled',
    'delete-dropped',
    'deadlock',
  ]),
  ...atOnce('libraries', 'libraries.yaml', 5, [
    'update-lost',
    'update-dropped',
    ['resurrected', 'book'],
    'cache-filled',
  ]),
  ...atOnce('notices', 'notices/openapi.yaml', 10, [['halves', 'order'], 'delete-dropped']),
  ...atOnce('tide-gauges', 'tide-gauges.yaml', 10, [['one-id', '', 'gauges that are announced']]),
  ...mutants('tide-gauges-at-once', mockOf('tide-gauges.yaml', { count: 10 }), LOST, [
    ['copied', 'each write replaces all gauges, and loses others at once', copyOnWrite],
  ]),
];

/** The same in documents of other forms: nested records, merge patches, ids of other types. */
export const racesInOtherDocuments = [
  ...atOnce('fleet', 'fleet.yaml', 5, [['update-lost', 'trip'], 'create-rolls-back']),
  ...atOnce('couriers', 'couriers.yaml', 5, [
    ['halves', 'courier'],
    ['one-id', '', 'couriers that are created'],
  ]),
  ...atOnce('moorings', 'moorings.yaml', 5, [['copied', '', 'all berths']]),
  ...atOnce('bookings', 'bookings.yaml', 5, [['update-lost', 'booking']]),
  ...atOnce('bicycles', 'bicycles.yaml', 5, ['delete-dropped']),
];
