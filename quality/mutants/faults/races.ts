import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, readBody } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import type { Data } from '../record-changes.ts';
import { petStore, type ShopFault, whenBusy } from '../shop-faults.ts';
import { mutants } from '../suspect.ts';

// Faults that need requests at once: one after the other they are all answered as they should be.

/** Long enough for the other requests of a race to arrive. */
export const pause = (ms = 20) => sleep(ms);

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

export const petRaces = mutants('at-once', petStore, 'created-equals-sent', [
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
