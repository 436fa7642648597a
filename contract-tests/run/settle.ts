import type { Breach } from '../laws/law.ts';
import { countFailures, type Pace } from '../send/pace.ts';

/** Limits how long a run repeats reads that come too early, since replicas lag. */
export interface Patience {
  /**
   * Repeats a look until it has no breach that may settle, or the time to settle is over: the last look counts.
   * @param alone runs a repeated look while nothing else of the run is sent
   */
  untilSettled<T>(
    look: () => Promise<T>,
    breaches: (seen: T) => readonly Breach[],
    alone: (look: () => Promise<T>) => Promise<T>,
  ): Promise<T>;
}

const FIRST_PAUSE = 50;

/** @param settle in milliseconds, per look */
export function createPatience(settle: number, { wait }: Pick<Pace, 'wait'>): Patience {
  const failures = countFailures();
  return {
    async untilSettled(look, breaches, alone) {
      const deadline = performance.now() + settle;
      const earlier = new Set<string>();
      for (let pause = FIRST_PAUSE; ; pause *= 2) {
        const isRepeated = pause > FIRST_PAUSE;
        const seen = await (isRepeated ? alone(look) : look());
        const broken = new Set(breaches(seen).map(keyOf));
        for (const key of earlier) if (!broken.has(key)) failures.passed(key);
        const left = deadline - performance.now();
        if ([...broken].every(failures.isHopeless)) return seen;
        // On a slow target the time may be over before the first repetition.
        if (left <= 0 && (isRepeated || settle === 0)) {
          for (const key of broken) failures.failed(key);
          return seen;
        }
        for (const key of broken) earlier.add(key);
        await wait(Math.max(0, Math.min(pause, left)));
      }
    },
  };
}

function keyOf({ law, at }: Breach): string {
  return `${law} ${at.uri}:${at.line}`;
}
