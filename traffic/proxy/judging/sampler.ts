import { randomOf } from '#spec';

/** Which exchanges are judged; `undefined` counts as absent. */
export interface Sampling {
  /** The part of all exchanges that is judged, more than 0 and at most 1. Default: 1. */
  readonly sample?: number | undefined;
}

/** In parts of a million. */
const WHOLE = 1_000_000;

/**
 * Says of each exchange in turn whether it is judged. Which ones are sampled depends on their order alone, by a sequence that
 * is always the same and has no period.
 */
export function createSampler({ sample = 1 }: Sampling): () => boolean {
  const random = randomOf('sample');
  return () => sample >= 1 || random.integer(1, WHOLE) <= sample * WHOLE;
}
