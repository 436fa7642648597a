import { openDoors, wrongComparisons, wrongPlaces } from './faults/auth.ts';
import { lateRefusals, unauthorisedDeeds, wrongRefusals } from './faults/auth-answers.ts';
import { wrongChanges, wrongRemovals } from './faults/changes.ts';
import { wrongCreateAnswers, wrongIds } from './faults/create-answer.ts';
import { acceptedAnyway, ordinaryRefused, wronglyRefused } from './faults/create-refusals.ts';
import { changedMembers, changedNames, differentlyStored } from './faults/create-values.ts';
import { wrongFilters, wrongGreatestLimits, wrongLimits } from './faults/list.ts';
import { lateLists, wrongLists } from './faults/list-shape.ts';
import { wrongGauges, wrongLibraries, wrongNotices, wrongWarehouses } from './faults/other-documents.ts';
import { wronglyMissing, wrongPaths, wrongRecords } from './faults/read.ts';
import { brokenConnections, untrueBodies, untrueHeaders, untrueStatuses } from './faults/transport.ts';
import type { Mutant } from './suspect.ts';

/** Every mutant, family by family. */
export const MUTANTS: readonly Mutant[] = [
  ...wrongComparisons,
  ...wrongPlaces,
  ...openDoors,
  ...wrongRefusals,
  ...lateRefusals,
  ...unauthorisedDeeds,
  ...wrongLimits,
  ...wrongGreatestLimits,
  ...wrongFilters,
  ...wrongLists,
  ...lateLists,
  ...wrongCreateAnswers,
  ...wrongIds,
  ...changedNames,
  ...changedMembers,
  ...differentlyStored,
  ...acceptedAnyway,
  ...wronglyRefused,
  ...ordinaryRefused,
  ...wronglyMissing,
  ...wrongPaths,
  ...wrongRecords,
  ...untrueHeaders,
  ...untrueBodies,
  ...untrueStatuses,
  ...brokenConnections,
  ...wrongChanges,
  ...wrongRemovals,
  ...wrongWarehouses,
  ...wrongGauges,
  ...wrongNotices,
  ...wrongLibraries,
];
