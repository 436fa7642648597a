import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson, stringifyJson } from '#spec';
import type { Answer, Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import type { Pet } from '../by-hand/pet.ts';
import { action, beforeWrites, inEach, type MockFault, mockOf, store } from '../mock-faults.ts';
import { petStore, type ShopFault, whenBusy } from '../shop-faults.ts';
import { lookalikes } from '../suspect.ts';

// Services that are right about requests at once and in any order, each in a way of its own.

const refuse = (status: number, headers = {}): Answer => ({
  status,
  headers,
  body: { code: 'BUSY', message: 'another request is at work', status },
});

/** Later, unless the process ends before. */
const after = (ms: number, act: () => unknown) => void setTimeout(act, ms).unref();
const isCreate = ({ method }: Ask) => method === 'POST';

/** Creates wait for each other. */
const oneAfterTheOther: ShopFault = () => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    answer(ask, shop) {
      const answer = last.then(() => sleep(isCreate(ask) ? 10 : 0)).then(() => correct.answer(ask, shop));
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
    answer: async (ask, shop) =>
      sleep(isCreate(ask) ? 10 * Math.random() : 0).then(() => correct.answer(ask, shop)),
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
        after(lag, () => {
          if (now.length > (copy?.length ?? 0)) copy = now;
        });
        return answer;
      },
    } satisfies Partial<Behaviour>;
  };

const unlessCreate = (instead: Answer) => (ask: Ask, shop: Shop) =>
  isCreate(ask) ? correct.answer(ask, shop) : instead;
const busyCreates = (ask: Ask, shop: Shop) => (isCreate(ask) ? refuse(409) : correct.answer(ask, shop));

const pets = lookalikes('other-load', petStore, [
  ['429', 'more than two requests at once get 429', whenBusy(2, () => refuse(429, { 'Retry-After': '0' }))],
  ['503', 'reads at once with others may get 503', whenBusy(3, unlessCreate(refuse(503)))],
  ['serial', 'requests are carried out one after the other, and slowly', oneAfterTheOther],
  ['slow-creates', 'creates at once end in any order', slowCreate],
  ['lagging', 'reads come from a replica that lags behind', laggingReads(150)],
]);

/** Cases that run side by side would be refused, too. */
const oneByOne = { ...petStore, options: { jobs: 1 } };

const conflicts = lookalikes('other-load', oneByOne, [
  ['409', 'a create at once with others gets 409', whenBusy(1, busyCreates)],
]);

/** A change at once with another is refused with this status. */
const refuseConflicts = (status: number): MockFault => {
  const atWork = new Set<string>();
  const body = stringifyJson({ error_code: 'conflict', detail: 'another change is at work' });
  return inEach(['replace', 'remove'], (name) =>
    action(name, (act) => async (task) => {
      const id = Object.values(task.values.parameters.path).join();
      if (atWork.has(id)) return { status, type: 'application/json', body };
      atWork.add(id);
      await sleep(8);
      return Promise.resolve(act(task)).finally(() => atWork.delete(id));
    }),
  );
};

/** Reads show a record as it was a while ago. */
const laggingReplica = store((given) => {
  const old = new Map<unknown, string | undefined>();
  return {
    ...beforeWrites(given, ['change', 'remove'], async (collection, id) => {
      if (old.has(id)) return;
      old.set(id, await given.read(collection, id, []));
      after(200, () => old.delete(id));
    }),
    read: async (collection, id, where) => old.get(id) ?? given.read(collection, id, where),
  };
});

/** DELETE of what has just been removed is right, too (RFC 9110 §9.2.2). */
const idempotentRemoval = store(({ remove }) => {
  const removed = new Set<unknown>();
  return {
    async remove(collection, id, where) {
      await sleep(5);
      if (!(await remove(collection, id, where))) return removed.has(id);
      removed.add(id);
      after(60, () => removed.delete(id));
      return true;
    },
  };
});

/** Changes are carried out slowly, and in any order. */
const slowChanges = store((given) =>
  beforeWrites(given, ['change', 'remove'], () => sleep(10 * Math.random())),
);

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
  ['lagging', 'an article is read as it was a while ago', laggingReplica],
  ['read-back', 'a PUT responds with what others have made of the article', readBack],
  ['first-wins', 'of PUTs at once the first one wins', firstWins],
]);

const books = lookalikes('libraries-load', mockOf('libraries.yaml', { count: 5 }), [
  ['slow-changes', 'changes take their time, and end in any order', slowChanges],
  ['read-back', 'a change responds with what others have made of the book', readBack],
  ['lagging', 'a book is read as it was a while ago', laggingReplica],
]);

const orders = lookalikes('notices-load', mockOf('notices/openapi.yaml', { count: 10 }), [
  ['slow-changes', 'changes take their time, and end in any order', slowChanges],
  ['idempotent', 'an order can be cancelled twice for a moment', idempotentRemoval],
]);

export const concurrencyLookalikes = [...pets, ...conflicts, ...articles, ...books, ...orders];
