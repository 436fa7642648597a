import type { Contract } from '#spec';
import type { Settings } from '../settings.ts';
import type { Case } from './case.ts';
import { changes } from './change.ts';
import { completeLists } from './complete-list.ts';
import { creates } from './create.ts';
import type { Family } from './family.ts';
import { filters } from './filter.ts';
import { generated } from './generated.ts';
import { inTheEnd } from './in-the-end.ts';
import { invalidBody } from './invalid-body.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { ordinary } from './ordinary.ts';
import { pageSizes } from './page-size.ts';
import { preferred } from './preferred.ts';
import { races } from './race.ts';
import { reads } from './read.ts';
import { refusedLeavesNothing } from './refused-leaves-nothing.ts';
import { removals } from './remove.ts';
import { sequences } from './sequence.ts';
import { unauthorised } from './unauthorised.ts';
import { unknownIds } from './unknown-id.ts';
import { unusualBodies } from './unusual-body.ts';

/**
 * Reads come first: they show what the target's records look like before the run adds its own. Page sizes come
 * after the creates: a target that began with few records has enough of them then.
 */
const FAMILIES: readonly Family[] = [
  ordinary,
  unauthorised,
  filters,
  reads,
  unknownIds,
  invalidParameter,
  creates,
  unusualBodies,
  changes,
  removals,
  invalidBody,
  refusedLeavesNothing,
  completeLists,
  sequences,
  races,
  generated,
  pageSizes,
  inTheEnd,
];

const STATELESS_FAMILIES: readonly Family[] = [preferred];

/** All cases of a contract, in the order in which they run. */
export function allCases(contract: Contract, settings: Settings): Case[] {
  const families = settings.stateless ? STATELESS_FAMILIES : FAMILIES;
  return families.flatMap((family) => family(contract, settings));
}
