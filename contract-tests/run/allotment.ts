/**
 * The records that may still be made, for cases that run side by side: each case gets as many as it would get if
 * they ran one after another. It may wait for that, until the cases before it are over.
 */
export interface Allotment {
  /** A case begins that makes so many records at most. Its parts have orders from its own to the next one. */
  enter(order: number, most: number): void;
  leave(order: number): void;
  /**
   * Room for so many records (default: one), until it is given back; undefined: there is none.
   * @param aside lets others go on while this waits for them. Default: nothing holds them up
   */
  reserve(order: number, count?: number, aside?: Aside): Promise<(() => void) | undefined>;
  /** Records have been made or removed. */
  changed(): void;
}

type Aside = (wait: () => Promise<void>) => Promise<void>;

/** What several cases work with comes before all cases: they wait for it. */
export const SHARED = -1;

/** @param free how many records may be made, without regard to what is reserved */
export function createAllotment(free: () => number): Allotment {
  const atWork = new Map<number, number>();
  let reserved = 0;
  let waiting: (() => void)[] = [];

  function changed(): void {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }

  /** Undefined: it is not certain yet. */
  function decide(order: number, count: number): boolean | undefined {
    const left = free() - reserved - count;
    const before = [...atWork].filter(([other]) => other < order && other !== Math.floor(order));
    if (left >= before.reduce((sum, [, most]) => sum + most, 0)) return true;
    return before.length === 0 && reserved === 0 ? false : undefined;
  }

  return {
    enter: (order, most) => void atWork.set(order, most),
    leave(order) {
      atWork.delete(order);
      changed();
    },
    async reserve(order, count = 1, aside = (wait) => wait()) {
      let decided = decide(order, count);
      while (decided === undefined) {
        await aside(() => new Promise((resolve) => waiting.push(resolve)));
        decided = decide(order, count);
      }
      if (!decided) return undefined;
      reserved += count;
      const most = atWork.get(order);
      if (most !== undefined) atWork.set(order, Math.max(0, most - count));
      return () => {
        reserved -= count;
        changed();
      };
    },
    changed,
  };
}
