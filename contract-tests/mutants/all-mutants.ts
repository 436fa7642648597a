import { acceptedAnyway } from './faults/accepted-bodies.ts';
import { openDoors, wrongComparisons, wrongPlaces } from './faults/auth.ts';
import { lateRefusals, unauthorisedDeeds, wrongRefusals } from './faults/auth-answers.ts';
import { wrongChanges } from './faults/changes.ts';
import { brokenConnections } from './faults/connections.ts';
import { wrongCreateAnswers, wrongIds } from './faults/create-answer.ts';
import { changedMembers, changedNames, differentlyStored } from './faults/create-values.ts';
import { wrongFilters, wrongGreatestLimits, wrongLimits } from './faults/list.ts';
import { lateLists, wrongLists } from './faults/list-shape.ts';
import { wronglyMissing } from './faults/missing-records.ts';
import { ordinaryRefused } from './faults/ordinary-bodies.ts';
import { wrongGauges, wrongLibraries, wrongNotices, wrongWarehouses } from './faults/other-documents.ts';
import { wrongPaths } from './faults/read-path.ts';
import { wrongRecords } from './faults/read-record.ts';
import { wronglyRefused } from './faults/refused-bodies.ts';
import { wrongRemovals } from './faults/removals.ts';
import { untrueBodies } from './faults/wire-bodies.ts';
import { untrueHeaders } from './faults/wire-headers.ts';
import { untrueStatuses } from './faults/wire-statuses.ts';
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
