import { setTimeout as sleep } from 'node:timers/promises';
import type { Breach } from '../laws/law.ts';

/** How long a run waits for reads that come too early, since replicas lag. */
export interface Patience {
  /** Repeats a look until it shows no breach that may settle, or until the time to settle is over: the last look counts. */
  untilSettled<T>(look: () => Promise<T>, breaches: (seen: T) => readonly Breach[]): Promise<T>;
}

const FIRST_PAUSE = 50;

/** What has not settled so often is not waited for any more. */
const HOPELESS = 3;

/** @param settle in milliseconds, for one look */
export function createPatience(settle: number): Patience {
  const unsettled = new Map<string, number>();
  const isHopeless = (breach: Breach) => (unsettled.get(keyOf(breach)) ?? 0) >= HOPELESS;

  return {
    async untilSettled(look, breaches) {
      const deadline = performance.now() + settle;
      for (let pause = FIRST_PAUSE; ; pause *= 2) {
        const seen = await look();
        const broken = breaches(seen);
        const left = deadline - performance.now();
        if (broken.length === 0 || broken.every(isHopeless)) return seen;
        if (left <= 0) {
          for (const key of new Set(broken.map(keyOf))) unsettled.set(key, (unsettled.get(key) ?? 0) + 1);
          return seen;
        }
        await sleep(Math.min(pause, left));
      }
    },
  };
}

function keyOf({ law, at }: Breach): string {
  return `${law} ${at.uri}:${at.line}`;
}
