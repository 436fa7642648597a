import type { Spot } from '../document/spot.ts';

/**
 * Evidence for a fact. `said`: an extension, an overlay, a Link, or a keyword, status or header of the standards; it
 * counts alone. Each other one is one sign: `schema` (the same member with the same enumeration, boolean, type of id or
 * `$ref`), `path`, `name` (a convention), and `words` of a description.
 */
export type Sign = 'said' | 'schema' | 'path' | 'name' | 'words';

/** `promised`: the suite judges it. `presumed`: the mock does it, and the report lists breaches under "Worth a look". */
export type Certainty = 'promised' | 'presumed';

/** The evidence for a fact, and how certain that makes it. */
export interface Basis {
  readonly certainty: Certainty;
  /** The place in the document that it is inferred from. */
  readonly because: Spot;
  readonly signs?: readonly Sign[];
}

/**
 * A fact that is said, or that two different signs support, is promised; any other is presumed.
 * @param looked `false` stands for a sign that is absent
 */
export function basisOf(looked: readonly (Sign | false)[], because: Spot): Basis {
  const signs = looked.filter((one) => one !== false);
  const isPromised = signs.includes('said') || new Set(signs).size > 1;
  return { certainty: isPromised ? 'promised' : 'presumed', signs, because };
}
