import { randomOf } from '#spec';

/** Which exchanges are judged; `undefined` counts as absent. */
export interface Sampling {
  /** The part of all exchanges that is judged, more than 0 and at most 1. Default: 1. */
  readonly sample?: number | undefined;
  /** Exchanges that are judged in a second at most, such as 0.5 or 50. Default: no limit. */
  readonly maxJudged?: number | undefined;
}

/** In parts of a million. */
const WHOLE = 1_000_000;

/**
 * Says of each exchange in turn whether it is judged. Which ones are sampled depends on their order alone, by a sequence that
 * is always the same and has no period; of a burst as many are judged as in a second.
 * @param now milliseconds
 */
export function createSampler(
  { sample = 1, maxJudged }: Sampling,
  now = () => performance.now(),
): () => boolean {
  const random = randomOf('sample');
  const most = Math.max(1, maxJudged ?? 0);
  let left = most;
  let at = now();

  function isWithinRate(rate: number): boolean {
    const time = now();
    left = Math.min(most, left + ((time - at) / 1000) * rate);
    at = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  }

  return () =>
    (sample >= 1 || random.integer(1, WHOLE) <= sample * WHOLE) &&
    (maxJudged === undefined || isWithinRate(maxJudged));
}
