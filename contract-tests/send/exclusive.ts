import { setTimeout as sleep } from 'node:timers/promises';

/** Lets requests of different owners through side by side, and those of one owner alone when it asks for that. */
export interface Exclusive {
  /** Runs a request, when no other owner is alone. */
  through<T>(owner: object, send: () => Promise<T>): Promise<T>;
  /** Runs what one owner does while no request of others is under way; it may be nested. */
  alone<T>(owner: object, work: () => Promise<T>): Promise<T>;
}

/** Nobody is held up for longer, in milliseconds: who is alone may wait for what others do. */
const LONGEST = 10_000;

export function createExclusive(): Exclusive {
  const underWay = new Map<object, number>();
  let sole: object | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const waiting: (() => void)[] = [];

  function changed(): void {
    for (const wake of waiting.splice(0)) wake();
  }

  async function until(isTrue: () => boolean): Promise<void> {
    const end = new AbortController();
    const late = sleep(LONGEST, true, { signal: end.signal, ref: false }).catch(() => true);
    for (let isLate = false; !isLate && !isTrue(); )
      isLate = await Promise.race([
        new Promise<false>((resolve) => waiting.push(() => resolve(false))),
        late,
      ]);
    end.abort();
  }

  const count = (owner: object, change: number) => underWay.set(owner, (underWay.get(owner) ?? 0) + change);
  const othersRest = (owner: object) =>
    [...underWay].every(([other, number]) => other === owner || number === 0);

  return {
    async through(owner, send) {
      if (sole !== undefined && sole !== owner) await until(() => sole === undefined || sole === owner);
      count(owner, 1);
      try {
        return await send();
      } finally {
        count(owner, -1);
        if (waiting.length > 0) changed();
      }
    },
    alone(owner, work) {
      if (sole === owner) return work();
      const turn = queue.then(async () => {
        sole = owner;
        try {
          if (!othersRest(owner)) await until(() => othersRest(owner));
          return await work();
        } finally {
          sole = undefined;
          changed();
        }
      });
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}
