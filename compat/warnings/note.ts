import type { Place } from '#spec';

/** A warning of an operation. */
export interface Note {
  readonly text: string;
  /** In the document that has it: OLD for what is removed. */
  readonly at: Place;
}
