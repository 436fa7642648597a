import type { Spot } from '../document/spot.ts';

/**
 * `promised`: a schema, parameter, header, status or extension says it, or a description states it in recognised words; the
 * mock does it, and the suite judges it. `presumed`: a bare name suggests it; the mock does it, and the suite judges it never.
 */
export type Certainty = 'promised' | 'presumed';

/** Something that a document means beyond its schemas. */
export interface Meaning {
  readonly certainty: Certainty;
  /** The place that it follows from. */
  readonly because: Spot;
}
