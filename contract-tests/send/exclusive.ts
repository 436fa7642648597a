import { setTimeout as sleep } from 'node:timers/promises';

/** Lets requests of different owners through side by side, and those of one owner alone when it asks for that. */
export interface Exclusive {
  /** Runs a request, when no other owner is alone. */
  through<T>(owner: object, send: () => Promise<T>): Promise<T>;
  /** Runs what one owner does while no request of others is under way; it may be nested. */
  alone<T>(owner: object, work: () => Promise<T>): Promise<T>;
  /**
   * Waits for what others do. An owner that is alone is not, meanwhile: it would hold up those that it waits for.
   * All waiting for others that is done alone goes through here, so that no circle of waiting can come about.
   */
  aside<T>(owner: object, wait: () => Promise<T>): Promise<T>;
}

/** Nobody is held up for longer, in milliseconds: what is alone may take long. */
const LONGEST = 10_000;

/** An owner that is alone, or will be. */
interface Turn {
  readonly owner: object;
  /** How many pieces of work it comprises. */
  works: number;
  /** How much of it waits for what others do. */
  waits: number;
  taken: Promise<void>;
}

export function createExclusive(): Exclusive {
  const underWay = new Map<object, number>();
  const turns = new Map<object, Turn>();
  const queue: { readonly turn: Turn; readonly begin: () => void }[] = [];
  let sole: Turn | undefined;
  const waiting: (() => void)[] = [];

  function changed(): void {
    for (const wake of waiting.splice(0)) wake();
  }

  async function until(isTrue: () => boolean): Promise<void> {
    const end = new AbortController();
    const late = sleep(LONGEST, true, { signal: end.signal }).catch(() => true);
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

  function take(turn: Turn): Promise<void> {
    const isTaken = sole === turn || queue.some((one) => one.turn === turn);
    if (!isTaken) turn.taken = begin(turn);
    return turn.taken;
  }

  async function begin(turn: Turn): Promise<void> {
    if (sole === undefined) sole = turn;
    else await new Promise<void>((resolve) => queue.push({ turn, begin: resolve }));
    // While it was in the queue, its work may have ended, or have come to wait for others.
    if (turn.works === 0 || turn.waits > 0) return release(turn);
    if (!othersRest(turn.owner)) await until(() => sole !== turn || othersRest(turn.owner));
  }

  function release(turn: Turn): void {
    if (sole !== turn) return;
    const next = queue.shift();
    sole = next?.turn;
    next?.begin();
    changed();
  }

  return {
    async through(owner, send) {
      const isLetThrough = () => sole === undefined || sole.owner === owner;
      if (!isLetThrough()) await until(isLetThrough);
      count(owner, 1);
      try {
        return await send();
      } finally {
        count(owner, -1);
        if (waiting.length > 0) changed();
      }
    },
    async alone(owner, work) {
      const turn = turns.get(owner) ?? { owner, works: 0, waits: 0, taken: Promise.resolve() };
      turns.set(owner, turn);
      turn.works += 1;
      if (turn.works === 1) take(turn);
      try {
        await turn.taken;
        return await work();
      } finally {
        turn.works -= 1;
        if (turn.works === 0) {
          turns.delete(owner);
          release(turn);
        }
      }
    },
    async aside(owner, wait) {
      const turn = turns.get(owner);
      if (!turn) return wait();
      turn.waits += 1;
      release(turn);
      try {
        return await wait();
      } finally {
        turn.waits -= 1;
        if (turn.waits === 0 && turn.works > 0) await take(turn);
      }
    },
  };
}
