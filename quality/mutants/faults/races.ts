import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '#spec';
import type { Answer, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, readBody } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { acknowledge, beforeWrites, type Given, type MockFault, mockOf, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { petStore, type ShopFault, whenBusy } from '../shop-faults.ts';
import { mutants, mutantsBy, type Operator } from '../suspect.ts';

// Faults that need requests at once: one after the other they are all answered as they should be.

/** Long enough for the other requests of a race to arrive. */
const pause = (ms = 20) => sleep(ms);

/** A create that is carried out in two steps. */
const createInSteps = (steps: (body: Data, shop: Shop) => Promise<Pet>): Partial<Behaviour> => ({
  async create(ask, shop) {
    const sent = readBody(ask, shop.does);
    const isValid = 'body' in sent && shop.does.problemOf(sent.body) === undefined;
    return isValid
      ? shop.does.created(await steps(sent.body as Data, shop), shop)
      : correct.create(ask, shop);
  },
});

/** The record, stored at once. */
const kept = (body: Data, shop: Shop): Pet => {
  const pet = correct.made(body, shop.does.nextId(shop));
  correct.keep(shop, pet);
  return pet;
};

const oneId = createInSteps(async (body, shop) => {
  const pet = correct.made(body, shop.does.nextId(shop));
  await pause();
  correct.keep(shop, pet);
  return pet;
});

const lostInsert: ShopFault = () => {
  let id = 5000n;
  return createInSteps(async (body, shop) => {
    const pet = correct.made(body, ++id);
    const before = shop.pets;
    await pause();
    shop.pets = [...before, pet];
    return pet;
  });
};

/** Creates at once share what they are working on. */
const sharedBody =
  (mix: (own: Data, current: Data) => Data): ShopFault =>
  () => {
    let current: Data = {};
    return createInSteps(async (body, shop) => {
      current = body;
      await pause();
      return kept(mix(body, current), shop);
    });
  };

const lastResponse: ShopFault = () => {
  let last: Pet;
  return createInSteps(async (body, shop) => {
    last = kept(body, shop);
    await pause();
    return last;
  });
};

const halfVisible = createInSteps(async ({ name, ...body }, shop) => {
  const pet = correct.made(body, shop.does.nextId(shop));
  const half = { id: pet.id, categoryId: pet.categoryId } as Pet;
  correct.keep(shop, half);
  await pause();
  return Object.assign(half, pet, { name });
});

const error500: Answer = { status: 500, body: { code: 'E', message: 'busy', status: 500 } };

/** Changes the response to a create that is not alone, or what it has stored. */
const crowded = (change: (created: Answer, shop: Shop) => Answer) =>
  whenBusy(1, async (_, shop, correctly) => {
    const answer = await correctly();
    return answer.status === 201 ? change(answer, shop) : answer;
  });
const dropped = crowded((created, shop) => {
  shop.pets = shop.pets.slice(0, -1);
  return created;
});
const seedId = crowded((created, { pets: [first] }) => ({
  ...created,
  body: { ...(created.body as Data), id: first?.id },
}));

const listWritesBack: ShopFault = () => {
  let lists = 0;
  return {
    async answer(ask, shop) {
      if (ask.method !== 'GET' || ask.path !== '/pets') return correct.answer(ask, shop);
      const before = [...shop.pets];
      lists += 1;
      // The list that came first ends last.
      await pause(lists === 1 ? 60 : 10);
      lists -= 1;
      const answer = await correct.answer(ask, shop);
      shop.pets = before;
      return answer;
    },
  };
};

const LOST = ['created-can-be-read', 'created-is-listed', 'complete-list', 'earlier-records-stay'] as const;
const LINEAR = 'linearizable';
const RESURRECTED = [LINEAR, 'removed-is-gone'] as const;
const sharedStatus = sharedBody((own, { status }) => ({ ...own, status }));

const petRaces = mutants('at-once', petStore, 'created-equals-sent', [
  ['one-id', 'two creates at once get one id', 'distinct-ids', oneId],
  ['insert-lost', 'of two creates at once one is lost', LOST, lostInsert],
  ['body-shared', 'two creates at once have the body of the second', sharedBody((_, current) => current)],
  ['status-shared', 'two creates at once have the status of the second', sharedStatus],
  ['response-shared', 'creates at once respond with the record of the last', lastResponse],
  ['half-visible', 'a list at once with a create shows a record without a name', 'schema', halfVisible],
  ['500', 'more than two requests at once get 500', 'status', whenBusy(2, () => error500)],
  ['dropped', 'creates at once with others are acknowledged and dropped', LOST, dropped],
  ['id-of-a-seed', 'creates at once get the id of an old record', ['distinct-ids', ...LOST], seedId],
  ['list-writes-back', 'a create at once with a list is lost', LOST, listWritesBack],
]);

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

/** Writes half of the members, and the other half or all a moment later; of changes at once the first ends last. */
const writeHalf = (then: 'the other half' | 'all') =>
  store(({ change }) => {
    let busy = 0;
    return {
      async change(collection, id, where, edit) {
        if ((await change(collection, id, where, halfOf(edit, 0))) === undefined) return undefined;
        busy += 1;
        await pause(busy === 1 || then === 'all' ? 60 : 10);
        busy -= 1;
        return change(collection, id, where, then === 'all' ? edit : halfOf(edit, 1));
      },
    };
  });

/** Every write is made to a copy of the whole collection, which takes its place a moment later. */
const copyOnWrite = store((given) =>
  beforeWrites(given, ['create', 'change', 'remove'], async (collection) => {
    const { entries } = await given.contents(collection);
    await pause();
    const { numbered } = await given.contents(collection);
    await given.restore(new Map([[collection, { entries, numbered }]]));
  }),
);

/** A read that is at work while the record is written keeps what it has read for good. */
const cacheFill = store((given) => {
  const cached = new Map<unknown, string>();
  return {
    ...beforeWrites(given, ['change', 'remove'], (_, id) => cached.delete(id)),
    async read(collection, id, where) {
      const text = cached.get(id) ?? (await given.read(collection, id, where));
      if (text === undefined) return undefined;
      await pause();
      cached.set(id, text);
      return text;
    },
  };
});

/** What is at work on any record while another request comes. */
const whileChanging = (instead: 'drop changes' | 'drop removals' | 'refuse with 500'): MockFault =>
  store((given) => {
    let busy = 0;
    return {
      async change(...change) {
        const isBusy = busy > 0;
        if (isBusy && instead === 'refuse with 500') throw new Error('deadlock detected');
        busy += 1;
        await pause();
        busy -= 1;
        return isBusy && instead === 'drop changes' ? acknowledge(given)(...change) : given.change(...change);
      },
      async remove(collection, id, where) {
        await pause(10);
        const isDropped = busy > 0 && instead === 'drop removals';
        return isDropped
          ? (await given.read(collection, id, where)) !== undefined
          : given.remove(collection, id, where);
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
      let before = '{}';
      const text = await change(collection, id, where, (current) => {
        before = current;
        return edit(current);
      });
      await pause(10);
      if (creates === 0 || !text) return text;
      await change(collection, id, where, (now) => ({ ...edit(now), members: JSON.parse(before) }));
      return text;
    },
  };
});

/** Faults of two requests at once, in any document. */
const AT_ONCE = {
  halves: [LINEAR, 'of two PUTs at once each writes half of the $', writeHalf('the other half')],
  'half-shown': [LINEAR, 'a GET at once with a PUT shows half of the $', writeHalf('all')],
  resurrected: [RESURRECTED, 'a PUT at once with DELETE brings the $ back', writeBack(true)],
  copied: [[LINEAR, ...LOST], 'each write replaces the whole collection, and loses others', copyOnWrite],
  'cache-filled': [RESURRECTED, 'a GET of a $ at once with a write is cached for good', cacheFill],
  'delete-dropped': [RESURRECTED, 'DELETE at once with a PUT is dropped', whileChanging('drop removals')],
  deadlock: ['status', 'of two PUTs at once one gets 500', whileChanging('refuse with 500')],
  'update-lost': [LINEAR, 'of two changes of a $ at once one is lost', writeBack(false)],
  'update-dropped': [LINEAR, 'of two changes of a $ at once one is dropped', whileChanging('drop changes')],
  'create-rolls-back': [LINEAR, 'a PUT at once with a POST is undone', createRollsBack],
  'one-id': [['distinct-ids', ...LOST], 'creates at once get one id', oneIdAtOnce],
} as const satisfies Record<string, Operator<MockFault>>;

const atOnce = (
  prefix: string,
  fixture: string,
  count: number,
  record: string,
  ...names: (keyof typeof AT_ONCE)[]
) => mutantsBy(AT_ONCE, `${prefix}-at-once`, mockOf(fixture, { count }), record, names);

const WRITES = ['halves', 'half-shown', 'resurrected', 'copied', 'cache-filled', 'delete-dropped'] as const;
const CHANGES = ['update-lost', 'update-dropped', 'resurrected', 'cache-filled'] as const;

export const racesMutants = [
  petRaces,
  atOnce('warehouse', 'warehouse.yaml', 10, 'article', ...WRITES, 'deadlock'),
  atOnce('libraries', 'libraries.yaml', 5, 'book', ...CHANGES),
  atOnce('notices', 'notices/openapi.yaml', 10, 'order', 'halves', 'delete-dropped'),
  atOnce('tide-gauges', 'tide-gauges.yaml', 10, 'gauge', 'one-id', 'copied'),
].flat();

/** The same in documents of other forms: nested records, merge patches, ids of other types. */
export const racesInOtherDocuments = [
  atOnce('fleet', 'fleet.yaml', 5, 'trip', 'update-lost', 'create-rolls-back'),
  atOnce('couriers', 'couriers.yaml', 5, 'courier', 'halves', 'one-id'),
  atOnce('moorings', 'moorings.yaml', 5, 'berth', 'copied'),
  atOnce('bookings', 'bookings.yaml', 5, 'booking', 'update-lost'),
  atOnce('bicycles', 'bicycles.yaml', 5, 'stand', 'delete-dropped'),
].flat();
