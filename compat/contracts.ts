import type { Contract } from '#spec';

/** Both documents of a comparison. */
export interface Contracts {
  readonly old: Contract;
  readonly new: Contract;
}
