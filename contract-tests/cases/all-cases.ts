import type { Contract } from '#spec';
import type { Settings } from '../settings.ts';
import type { Case } from './case.ts';
import { changes } from './change.ts';
import { combinations } from './combinations.ts';
import { completeLists } from './complete-list.ts';
import { creates } from './create.ts';
import type { Family } from './family.ts';
import { filters } from './filter.ts';
import { generated } from './generated.ts';
import { inTheEnd } from './in-the-end.ts';
import { invalidBody } from './invalid-body.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { mergePatches } from './merge-patch.ts';
import { nested } from './nested.ts';
import { ordinary } from './ordinary.ts';
import { pageSizes } from './page-size.ts';
import { pages } from './pages.ts';
import { preferred } from './preferred.ts';
import { provoked } from './provoked.ts';
import { reads } from './read.ts';
import { readOnly } from './read-only.ts';
import { refusedLeavesNothing } from './refused-leaves-nothing.ts';
import { removals } from './remove.ts';
import { unacceptable } from './unacceptable.ts';
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
  unacceptable,
  creates,
  unusualBodies,
  readOnly,
  changes,
  mergePatches,
  nested,
  removals,
  invalidBody,
  refusedLeavesNothing,
  completeLists,
  generated,
  pageSizes,
  combinations,
  pages,
  provoked,
  inTheEnd,
];

const STATELESS_FAMILIES: readonly Family[] = [preferred];

/** All cases of a contract, in the order in which they run. */
export function allCases(contract: Contract, settings: Settings): Case[] {
  const families = settings.stateless ? STATELESS_FAMILIES : FAMILIES;
  return families.flatMap((family) => family(contract, settings));
}
