import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE = 50;

/**
 * Repeats a look until it satisfies or the time to settle is over (replicas lag): the last look counts.
 * @param settle in milliseconds
 */
export async function untilSettled<T>(
  settle: number,
  look: () => Promise<T>,
  satisfied: (seen: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + settle;
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const seen = await look();
    const left = deadline - performance.now();
    if (satisfied(seen) || left <= 0) return seen;
    await sleep(Math.min(pause, left));
  }
}
