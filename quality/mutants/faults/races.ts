import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '#spec';
import type { Answer, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, readBody } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { type MockFault, mockOf, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { petStore, type ShopFault, whenBusy } from '../shop-faults.ts';
import { mutants } from '../suspect.ts';

// Faults that need requests at once: one after the other they are all answered as they should be.

/** Long enough for the other requests of a race to arrive. */
const pause = (ms = 20) => sleep(ms);

/** A create that is carried out in two steps. */
const createInSteps = (steps: (body: Data, shop: Shop) => Promise<Pet>): Partial<Behaviour> => ({
  async create(ask, shop) {
    const { does } = shop;
    const sent = readBody(ask, does);
    if ('status' in sent) return sent;
    const problem = does.problemOf(sent.body);
    if (problem !== undefined) return does.refuse(400, problem);
    return does.created(await steps(sent.body as Data, shop), shop);
  },
});

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

const sharedBody =
  (mix: (own: Data, current: Data) => Data): ShopFault =>
  () => {
    let current: Data = {};
    return createInSteps(async (body, shop) => {
      current = body;
      await pause();
      const pet = correct.made(mix(body, current), shop.does.nextId(shop));
      correct.keep(shop, pet);
      return pet;
    });
  };

const lastResponse: ShopFault = () => {
  let last: Pet | undefined;
  return createInSteps(async (body, shop) => {
    const pet = correct.made(body, shop.does.nextId(shop));
    correct.keep(shop, pet);
    last = pet;
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
const isCreated = ({ status }: Answer) => status === 201;

const dropped = whenBusy(1, async (_, shop, correctly) => {
  const answer = await correctly();
  if (isCreated(answer)) shop.pets = shop.pets.slice(0, -1);
  return answer;
});

const seedId = whenBusy(1, async (_, shop, correctly) => {
  const answer = await correctly();
  const [first] = shop.pets;
  return isCreated(answer) ? { ...answer, body: { ...(answer.body as Data), id: first?.id } } : answer;
});

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

export const LOST = [
  'created-can-be-read',
  'created-is-listed',
  'complete-list',
  'earlier-records-stay',
] as const;

const pets = mutants('at-once', petStore, 'created-equals-sent', [
  ['one-id', 'two creates at once get one id', 'distinct-ids', oneId],
  ['insert-lost', 'of two creates at once one is lost', LOST, lostInsert],
  [
    'body-shared',
    'of two creates at once both have the body of the second',
    sharedBody((_, current) => current),
  ],
  [
    'status-shared',
    'of two creates at once both have the status of the second',
    sharedBody((own, { status }) => ({ ...own, status })),
  ],
  ['response-shared', 'creates at once respond with the record of the last', lastResponse],
  ['half-visible', 'a list at once with a create shows a record without a name', 'schema', halfVisible],
  ['500', 'more than two requests at once get 500', 'status', whenBusy(2, () => error500)],
  ['dropped', 'creates at once with others are acknowledged and dropped', LOST, dropped],
  [
    'id-of-a-seed',
    'creates at once with others get the id of an old record',
    ['distinct-ids', ...LOST],
    seedId,
  ],
  ['list-writes-back', 'a create at once with a list is lost', LOST, listWritesBack],
]);

type Given = ReturnType<Parameters<Parameters<Parameters<typeof store>[0]>[0]['change']>[3]>;

/** Reads a record, and writes it back a moment later. */
export const readThenWrite = store(({ read, change }) => ({
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
export const writeInHalves = store(({ change }) => {
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
export const copyOnWrite = store(({ contents, restore, create, change, remove }) => {
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
export const whileChanging = (instead: 'drop changes' | 'drop removals' | 'refuse with 500'): MockFault =>
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
export const oneIdAtOnce = store(({ contents, create, change }) => ({
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

const LINEAR = 'linearizable';
const RESURRECTED = [LINEAR, 'removed-is-gone'] as const;

const articles = mutants('warehouse-at-once', mockOf('warehouse.yaml', { count: 10 }), LINEAR, [
  ['halves', 'of two PUTs at once each writes half of the article', writeInHalves],
  ['half-shown', 'a GET at once with a PUT shows half of it', showHalf],
  ['resurrected', 'a PUT at once with DELETE brings the article back', RESURRECTED, resurrect],
  ['copied', 'each write replaces the whole range, and loses others at once', [LINEAR, ...LOST], copyOnWrite],
  ['cache-filled', 'a GET at once with a write is cached for good', RESURRECTED, cacheFill],
  [
    'delete-dropped',
    'DELETE at once with a PUT is acknowledged and dropped',
    RESURRECTED,
    whileChanging('drop removals'),
  ],
  ['deadlock', 'of two PUTs at once one gets 500', 'status', whileChanging('refuse with 500')],
]);

const books = mutants('libraries-at-once', mockOf('libraries.yaml', { count: 5 }), LINEAR, [
  ['update-lost', 'of two PATCHes at once one is lost', readThenWrite],
  ['update-dropped', 'of two PATCHes at once one is acknowledged and dropped', whileChanging('drop changes')],
  ['resurrected', 'a PUT at once with DELETE brings the book back', RESURRECTED, resurrect],
  ['cache-filled', 'a GET at once with a write is cached for good', RESURRECTED, cacheFill],
]);

const orders = mutants('notices-at-once', mockOf('notices/openapi.yaml', { count: 10 }), LINEAR, [
  ['halves', 'of two PUTs at once each writes half of the order', writeInHalves],
  [
    'delete-dropped',
    'DELETE at once with a PUT is acknowledged and dropped',
    RESURRECTED,
    whileChanging('drop removals'),
  ],
]);

const gauges = mutants('tide-gauges-at-once', mockOf('tide-gauges.yaml', { count: 10 }), 'distinct-ids', [
  ['one-id', 'gauges that are announced at once get one id', ['distinct-ids', ...LOST], oneIdAtOnce],
  ['copied', 'each write replaces all gauges, and loses others at once', LOST, copyOnWrite],
]);

export const racesMutants = [...pets, ...articles, ...books, ...orders, ...gauges];
