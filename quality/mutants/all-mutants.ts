import { acceptedBodiesMutants } from './faults/accepted-bodies.ts';
import { answersMutants } from './faults/answers.ts';
import { authenticationMutants } from './faults/authentication.ts';
import { changesMutants } from './faults/changes.ts';
import { combinedMutants } from './faults/combined.ts';
import { connectionsMutants } from './faults/connections.ts';
import { createdResponsesMutants } from './faults/created-responses.ts';
import { filtersMutants } from './faults/filters.ts';
import { idsMutants } from './faults/ids.ts';
import { leftOpenMutants } from './faults/left-open.ts';
import { listsMutants } from './faults/lists.ts';
import { otherBodiesMutants } from './faults/other-bodies.ts';
import { otherDocumentsMutants } from './faults/other-documents.ts';
import { pageSizeMutants } from './faults/page-size.ts';
import { pagesMutants } from './faults/pages.ts';
import { pathIdsMutants } from './faults/path-ids.ts';
import { publicDocumentsMutants } from './faults/public-documents.ts';
import { racesMutants } from './faults/races.ts';
import { readRecordsMutants } from './faults/read-records.ts';
import { refusedBodiesMutants } from './faults/refused-bodies.ts';
import { refusedValidBodiesMutants } from './faults/refused-valid-bodies.ts';
import { securityMutants } from './faults/security.ts';
import { sequencesMutants } from './faults/sequences.ts';
import { shelterMutants } from './faults/shelter.ts';
import { storedValuesMutants } from './faults/stored-values.ts';
import { unauthorizedResponsesMutants } from './faults/unauthorized-responses.ts';
import { unknownRecordsMutants } from './faults/unknown-records.ts';
import { valuesMutants } from './faults/values.ts';
import { wireMutants } from './faults/wire.ts';
import type { Mutant } from './suspect.ts';

/** The mutants of each file. A new one is a row in one of their tables. */
export const MUTANT_TABLES = [
  authenticationMutants,
  unauthorizedResponsesMutants,
  pageSizeMutants,
  filtersMutants,
  listsMutants,
  createdResponsesMutants,
  idsMutants,
  storedValuesMutants,
  acceptedBodiesMutants,
  refusedBodiesMutants,
  refusedValidBodiesMutants,
  unknownRecordsMutants,
  pathIdsMutants,
  readRecordsMutants,
  wireMutants,
  connectionsMutants,
  changesMutants,
  otherDocumentsMutants,
  publicDocumentsMutants,
  shelterMutants,
  otherBodiesMutants,
  leftOpenMutants,
  pagesMutants,
  valuesMutants,
  sequencesMutants,
  racesMutants,
  combinedMutants,
  securityMutants,
  answersMutants,
];

export const MUTANTS: readonly Mutant[] = MUTANT_TABLES.flat();
