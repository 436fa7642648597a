import { setTimeout as sleep } from 'node:timers/promises';
import { defaultParts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import type { Answer, Ask, Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { action, type MockFault, mockOf, store } from '../mock-faults.ts';
import { petStore, type ShopFault, whenBusy } from '../shop-faults.ts';
import { lookalikes } from '../suspect.ts';

// Services that are right about requests at once and in any order, each in a way of its own.

const refuse = (status: number, headers = {}): Answer => ({
  status,
  headers,
  body: { code: 'BUSY', message: 'another request is at work', status },
});

const isCreate = ({ method }: Ask) => method === 'POST';

/** Creates wait for each other. */
const oneAfterTheOther: ShopFault = () => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    answer(ask, shop) {
      const answer = last.then(async () => {
        if (isCreate(ask)) await sleep(10);
        return correct.answer(ask, shop);
      });
      last = answer;
      return answer;
    },
  };
};

/** The id is taken at once, the record is kept and answered later. */
const slowCreate: ShopFault = () => {
  let id = 9000n;
  return {
    nextId: () => ++id,
    async answer(ask, shop) {
      if (isCreate(ask)) await sleep(10 * Math.random());
      return correct.answer(ask, shop);
    },
  };
};

/** Reads come from a copy that lags behind. */
const laggingReads =
  (lag: number): ShopFault =>
  () => {
    let copy: Pet[] | undefined;
    return {
      answer(ask, shop) {
        copy ??= [...shop.pets];
        if (!isCreate(ask)) return correct.answer(ask, { ...shop, pets: copy });
        const answer = correct.answer(ask, shop);
        const now = [...shop.pets];
        void sleep(lag, undefined, { ref: false }).then(() => {
          if (now.length > (copy?.length ?? 0)) copy = now;
        });
        return answer;
      },
    } satisfies Partial<Behaviour>;
  };

const pets = lookalikes('other-load', petStore, [
  ['429', 'more than two requests at once get 429', whenBusy(2, () => refuse(429, { 'Retry-After': '0' }))],
  [
    '503',
    'reads at once with others may get 503',
    whenBusy(3, (ask, shop) => (isCreate(ask) ? correct.answer(ask, shop) : refuse(503))),
  ],
  ['serial', 'requests are carried out one after the other, and slowly', oneAfterTheOther],
  ['slow-creates', 'creates at once end in any order', slowCreate],
  ['lagging', 'reads come from a replica that lags behind', laggingReads(150)],
]);

/** Cases that run side by side would be refused, too. */
const oneByOne = { ...petStore, options: { jobs: 1 } };

const conflicts = lookalikes('other-load', oneByOne, [
  [
    '409',
    'a create at once with others gets 409',
    whenBusy(1, (ask, shop) => (isCreate(ask) ? refuse(409) : correct.answer(ask, shop))),
  ],
]);

/** A change at once with another is refused with this status. */
const refuseConflicts = (status: number): MockFault => {
  const atWork = new Set<string>();
  const body = stringifyJson({ error_code: 'conflict', detail: 'another change is at work' });
  const oneAtATime = (name: 'replace' | 'remove') =>
    action(name, (act) => async (task) => {
      const id = Object.values(task.values.parameters.path).join();
      if (atWork.has(id)) return { status, type: 'application/json', body };
      atWork.add(id);
      await sleep(8);
      try {
        return await act(task);
      } finally {
        atWork.delete(id);
      }
    });
  const [replace, remove] = [oneAtATime('replace').actions?.replace, oneAtATime('remove').actions?.remove];
  return replace && remove ? { actions: { ...defaultParts.actions, replace, remove } } : {};
};

/** Reads show a record as it was a while ago. */
const laggingReplica = (lag: number) =>
  store(({ read, change, remove }) => {
    const old = new Map<unknown, string | undefined>();
    async function remember(...[collection, id, where]: Parameters<typeof read>): Promise<void> {
      if (old.has(id)) return;
      old.set(id, await read(collection, id, where));
      void sleep(lag, undefined, { ref: false }).then(() => old.delete(id));
    }
    return {
      async change(collection, id, where, edit) {
        await remember(collection, id, where);
        return change(collection, id, where, edit);
      },
      async remove(collection, id, where) {
        await remember(collection, id, where);
        return remove(collection, id, where);
      },
      async read(collection, id, where) {
        const before = old.get(id);
        return before ?? read(collection, id, where);
      },
    };
  });

/** DELETE of what has just been removed is right, too (RFC 9110 §9.2.2). */
const idempotentRemoval = store(({ remove }) => {
  const removed = new Set<unknown>();
  return {
    async remove(collection, id, where) {
      await sleep(5);
      const found = await remove(collection, id, where);
      if (!found && removed.has(id)) return true;
      if (found) {
        removed.add(id);
        void sleep(60, undefined, { ref: false }).then(() => removed.delete(id));
      }
      return found;
    },
  };
});

/** Changes are carried out slowly, and in any order. */
const slowChanges = store(({ change, remove }) => ({
  async change(collection, id, where, edit) {
    await sleep(10 * Math.random());
    return change(collection, id, where, edit);
  },
  async remove(collection, id, where) {
    await sleep(10 * Math.random());
    return remove(collection, id, where);
  },
}));

/** The response to a change shows the record as others may have left it. */
const readBack = store(({ read, change }) => ({
  async change(collection, id, where, edit) {
    const text = await change(collection, id, where, edit);
    await sleep(8);
    return text && ((await read(collection, id, where)) ?? text);
  },
}));

/** Of changes at once the one that came first wins. */
const firstWins = store(({ change, read }) => {
  const atWork = new Set<unknown>();
  return {
    async change(collection, id, where, edit) {
      const isFirst = !atWork.has(id);
      const text = await change(collection, id, where, edit);
      if (!isFirst || !text) return text;
      atWork.add(id);
      await sleep(8);
      atWork.delete(id);
      const now = await read(collection, id, where);
      const isOther = now !== undefined && stringifyJson(parseJson(now)) !== stringifyJson(parseJson(text));
      return isOther ? change(collection, id, where, edit) : text;
    },
  };
});

const WAREHOUSE = mockOf('warehouse.yaml', { count: 10 });
const articles = lookalikes('warehouse-load', WAREHOUSE, [
  ['409', 'a change at once with another gets 409', refuseConflicts(409)],
  ['412', 'a change at once with another gets 412', refuseConflicts(412)],
  ['428', 'a change at once with another gets 428', refuseConflicts(428)],
  ['slow-changes', 'changes take their time, and end in any order', slowChanges],
  ['lagging', 'an article is read as it was a while ago', laggingReplica(200)],
  ['read-back', 'a PUT responds with what others have made of the article', readBack],
  ['first-wins', 'of PUTs at once the first one wins', firstWins],
]);

const books = lookalikes('libraries-load', mockOf('libraries.yaml', { count: 5 }), [
  ['slow-changes', 'changes take their time, and end in any order', slowChanges],
  ['read-back', 'a change responds with what others have made of the book', readBack],
  ['lagging', 'a book is read as it was a while ago', laggingReplica(200)],
]);

const orders = lookalikes('notices-load', mockOf('notices/openapi.yaml', { count: 10 }), [
  ['slow-changes', 'changes take their time, and end in any order', slowChanges],
  ['idempotent', 'an order can be cancelled twice for a moment', idempotentRemoval],
]);

export const concurrencyLookalikes = [...pets, ...conflicts, ...articles, ...books, ...orders];
