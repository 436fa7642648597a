import type { Lookalike } from './suspect.ts';

/** Every lookalike. */
export const LOOKALIKES: readonly Lookalike[] = [];
