import type { Spot } from '../document/spot.ts';

/**
 * What speaks for a fact. `said`: an extension, an overlay, a Link, or a keyword, status or header of the standards; it
 * counts alone. Any other is one sign: `schema` (the same member with the same enumeration, boolean, type of id or `$ref`),
 * `path`, `name` (a convention), and `words` of a description.
 */
export type Sign = 'said' | 'schema' | 'path' | 'name' | 'words';

/** `promised`: everybody is held to it. `presumed`: the mock does it, and what breaks it is worth a look. */
export type Certainty = 'promised' | 'presumed';

/** Why a fact is taken for one. */
export interface Basis {
  readonly certainty: Certainty;
  /** The place that it follows from. */
  readonly because: Spot;
  readonly signs?: readonly Sign[];
}

/**
 * What is said is promised, and so is what two signs speak for.
 * @param looked false: there is no such sign
 */
export function basisOf(looked: readonly (Sign | false)[], because: Spot): Basis {
  const signs = looked.filter((one) => one !== false);
  const isPromised = signs.includes('said') || new Set(signs).size > 1;
  return { certainty: isPromised ? 'promised' : 'presumed', signs, because };
}
